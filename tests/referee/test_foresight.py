"""What each answer would lead to (Law 10C1), told before it is given."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings

from bidwire.rule_words import as_playing
from laws.actions import Action
from laws.board import Board
from laws.engine import decide
from laws.script import parse_line
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from referee.catalogue import catalogue
from referee.foresight import foreseen
from referee.settings import Questions
from referee.views import desk
from tests.laws.plays import DEAL
from tests.laws.plays import judged as judged_play
from tests.laws.tables import judged
from tests.laws.test_auction_properties import ACTIONS, BOARDS, played
from tests.long import examples
from tests.referee.bench import Bench, settings


def answers(state: State) -> dict[str, str]:
    """Each answer that is open, and what it would lead to."""
    english = catalogue("en")
    return {
        line: text
        for _, told in foreseen(as_playing(state), english)
        for line, text in told
    }


def test_law_29_both_answers_are_explained() -> None:
    told = answers(judged("2007", "S 1S; W decline; E 2C; N 1H", dealer="E"))
    assert "(Law 29A, 2007)" in told["E accept"]
    assert told["E accept"].endswith("East to act.")
    assert "South must pass for the rest of the auction." in told["E decline"]
    assert "(Law 31B, 2007)" in told["E decline"]
    assert "Director: Could North have known" in told["E decline"]


def test_law_23_a_what_the_directors_word_undoes_and_what_it_confirms() -> None:
    told = answers(judged("2017", "S 1S; W decline; E 2C; S X", dealer="E"))
    assert told["director comparable S yes"] == (
        "Ruling 2 is undone. The new call is comparable: nothing else follows, and no "
        "lead is restricted. "
        "The Director may adjust the score (Law 23C). (Law 31A2(a), 2017)"
    )
    assert told["director comparable S no"] == "Nothing changes."


def test_law_53_a_lead_out_of_turn() -> None:
    lines = "W H4, N H3, E HJ, S HK, E CK"
    told = answers(judged_play("2017", lines, deal=DEAL))
    assert "(Law 53A, 2017)" in told["S accept"]
    assert "penalty card" in told["S decline"]


@hypothesis_settings(max_examples=examples(30))
@given(BOARDS, ACTIONS)
def test_every_answer_that_is_offered_can_be_given(
    board: Board, actions: list[Action]
) -> None:
    state = played(board, actions)[0]
    for line, text in answers(state).items():
        number = state.steps[-1].line + 1
        after = decide(state, Step(number, parse_line(line))).state
        assert after.refused == state.refused, line
        assert text
        assert "Impossible" not in text


def test_the_desk_explains_what_the_table_waits_for() -> None:
    bench = Bench(settings(questions=Questions.WAIT))
    bench.does("N 1S", "S 2C")
    seen = {told["line"]: told["text"] for told in desk(bench.table, "s").foreseen}
    assert set(seen) == {"W accept", "W decline"}
    bench.does("W accept")
    assert desk(bench.table, "s").foreseen == ()
    assert bench.display(Seat.WEST).ask == "call"
