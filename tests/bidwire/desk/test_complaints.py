"""What is wrong with a file is told on the desk's pages in the reader's language."""

import pytest

from bidwire.desk.complaints import is_known, remark_of
from bidwire.desk.deals import read_deals
from tests.places import REPOSITORY
from tests.referee.bench import DEAL
from tests.sentences import sentences_in

RECORDS = REPOSITORY / "bidwire" / "records"

RESULTS = REPOSITORY / "bidwire" / "results"


def sentences() -> set[str]:
    """What the readers of records and the scoring say outright."""
    said: set[str] = set()
    for file in sorted(RECORDS.glob("*.py")):
        said |= sentences_in(file, {"FormatError", "_fault"}, 1)
        said |= sentences_in(file, {"RecordError"}, 3)
    said |= sentences_in(RESULTS / "teams.py", {"NoSuchTeamError"})
    return said | sentences_in(RESULTS / "session.py", {"NothingPlayedError"})


def test_what_is_said_outright_is_known() -> None:
    said = sentences()
    assert len(said) > 20
    # Of a deal's own sentence, which the engine says, only the part in braces varies.
    assert [s for s in said if not is_known(s)] == ["Deal: H2"]


@pytest.mark.parametrize(
    ("name", "content", "english", "spanish"),
    [
        (
            "a.pbn",
            '[Board "1"]\n[Deal "N:AKQ"]\n',
            "a.pbn:2, board 1: Deal: a deal has 4 hands, got 1",
            "a.pbn:2, tablilla 1: Deal: un reparto tiene 4 manos, se recibió 1",
        ),
        (
            "a.pbn",
            f'[Board "x"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n',
            "a.pbn:1: expected the number of a board, got 'x'",
            "a.pbn:1: se esperaba el número de una tablilla, se recibió 'x'",
        ),
        (
            "a.pbn",
            "",
            "a.pbn:1: no record found",
            "a.pbn:1: no se encontró ningún registro",
        ),
        (
            "a.txt",
            "Friday",
            "a.txt:1: expected records in PBN (.pbn), LIN (.lin) or a .table script",
            "a.txt:1: se esperaban registros en PBN (.pbn), LIN (.lin) o un guion",
        ),
        (
            "a.lin",
            "qx|o1|md|7|\n",
            "a.lin:1, board o1: md: expected the dealer as 1 S, 2 W, 3 N or 4 E, got",
            "a.lin:1, tablilla o1: md: se esperaba el dador como 1 S, 2 W, 3 N o 4 E",
        ),
    ],
)
def test_a_file_of_deals_is_refused_in_every_language(
    name: str, content: str, english: str, spanish: str
) -> None:
    (wrong,) = read_deals(name, content.encode()).wrong
    assert wrong.text.startswith(english)
    assert wrong.texts["es"].startswith(spanish)


def test_two_deals_of_one_board_are_refused_in_every_language() -> None:
    other = DEAL.replace("N:", "E:")
    text = "".join(f'[Board "7"]\n[Deal "{deal}"]\n\n' for deal in (DEAL, other))
    (wrong,) = read_deals("a.pbn", text.encode()).wrong
    assert wrong.text == (
        "a.pbn:4: expected one deal for board 7, got another than on line 1"
    )
    assert wrong.texts["es"].startswith(
        "a.pbn:4: se esperaba un solo reparto de la tablilla 7"
    )


def test_a_mistake_that_quotes_much_is_told_as_it_is() -> None:
    nested = f'[Board "{", board :1: " * 900}"]\n[Deal "{DEAL}"]\n'
    (wrong,) = read_deals("a.pbn", nested.encode()).wrong
    assert len(wrong.text) > 10_000
    assert wrong.texts["es"] == wrong.text


def test_a_penalty_that_is_not_ranked_is_told_in_every_language() -> None:
    told = remark_of(
        "board 3, table t1: a penalty of 2 imps for 7 is not in the ranking, which"
        " counts matchpoints"
    )
    assert told.texts["es"] == (
        "tablilla 3, mesa t1: una penalización de 2 IMPs a 7 no entra en la"
        " clasificación, que cuenta puntos de torneo"
    )


def test_what_an_event_file_says_is_told_as_it_is() -> None:
    wrong = "hall.toml: no TOML: Invalid value"
    assert remark_of(wrong).texts == {"es": wrong}
