"""Rulings explained: to each seat, to the Director, in the words of both languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from laws.board import Edition
from laws.engine import begin, decide
from laws.script import parse_script
from laws.seats import Seat
from referee.assumptions import assumption_in_words
from referee.catalogue import catalogue
from referee.directors_questions import directors_question
from referee.explanations import told_to_director, told_to_seat, told_to_seats
from referee.playing import Playing
from referee.questions import question_in_words
from referee.reasons import is_known, reason_in_words
from referee.settings import BoardSettings
from referee.wording import IRREGULARITIES
from tests.places import REPOSITORY
from tests.sentences import sentences_in

ENGLISH, SPANISH = catalogue("en"), catalogue("es")

OUT_OF_TURN = "board 2\nS 1S\nW decline\nE 2C\nS X\n"

CASES = sorted((REPOSITORY / "tests" / "laws" / "cases").glob("*.table"))


def playing(script: str, edition: Edition | None = Edition.LAWS_2007) -> Playing:
    table = parse_script(script, edition)
    state = begin(table.board)
    for step in table.steps:
        state = decide(state, step).state
    return Playing(1, 0, BoardSettings(number=1), state)


def test_each_seat_reads_what_concerns_it() -> None:
    board = playing(OUT_OF_TURN)
    told = told_to_seats(board, board.state.rulings[-1], ENGLISH)
    assert told[Seat.NORTH].startswith(
        "South called out of turn. You must pass for the rest of the auction."
    )
    assert told[Seat.SOUTH].startswith("You called out of turn. North must pass")
    assert all(text.endswith("(Law 31A2(b), 2007)") for text in told.values())


def test_a_seat_is_not_told_again_what_it_knows() -> None:
    board = playing(OUT_OF_TURN)
    ruling = board.state.rulings[-1]
    again = told_to_seat(board, ruling, Seat.NORTH, ENGLISH, known=ruling.effects)
    assert "You must pass" not in again


def test_what_is_the_directors_alone_no_seat_reads() -> None:
    board = playing(OUT_OF_TURN)
    ruling = board.state.rulings[-1]
    told = told_to_seats(board, ruling, ENGLISH)
    assert not any("adjust" in text for text in told.values())
    assert "may adjust the score" in told_to_director(board, ruling, ENGLISH)


def test_the_director_reads_the_paragraph_and_what_is_assumed() -> None:
    board = playing(OUT_OF_TURN, Edition.LAWS_2017)
    told = told_to_director(board, board.state.rulings[-1], ENGLISH)
    assert "The new call is not comparable: partner must pass" in told
    assert "Assumed: the new call of South is not comparable" in told
    assert told.endswith("(Law 31A2(b), 2017)")


def test_the_same_in_spanish() -> None:
    board = playing(OUT_OF_TURN)
    ruling = board.state.rulings[-1]
    told = told_to_seats(board, ruling, SPANISH)
    assert told[Seat.NORTH].startswith(
        "Sur cantó fuera de turno. Tiene que pasar durante el resto del remate."
    )
    assert told_to_director(board, ruling, SPANISH).endswith("(Ley 31A2(b), 2007)")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_ruling_of_the_cases_can_be_explained(case: Path) -> None:
    board = playing(case.read_text(encoding="utf-8"), None)
    for ruling in board.state.rulings:
        assert ruling.irregularity in IRREGULARITIES
        for words in (ENGLISH, SPANISH):
            told = told_to_director(board, ruling, words)
            assert f"{ruling.law}, {board.state.board.edition}" in told
            assert told_to_seat(board, ruling, ruling.offender, words)
    for refusal in board.state.refused:
        assert is_known(refusal.reason)


def test_a_contested_claim_is_asked_of_the_director_in_words() -> None:
    deal = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    board = playing(
        f"board 1\ndeal {deal}\nN 7NT\nE P\nS P\nW P\nE ST\nN claim 12\nE object\n"
    )
    (question,) = [q for q in board.asked(None) if q.question == "claim"]
    assert directors_question(question, ENGLISH) == (
        "North claims 12 of 13 tricks: how do the tricks that remain go?"
    )


WARNED = (
    "dealer S\nvul none\nS 3NT\nW P\nN P\nE P\nW H4\nN HA\nE H9\nS H2\n"
    "director dummy-warned yes\n"
)


def test_the_defenders_are_asked_which_hand_leads_after_dummys_warning() -> None:
    board = playing(f"{WARNED}director dummy-looked yes\n")
    for seat in (Seat.EAST, Seat.WEST):
        (question,) = board.asked(seat)
        assert question_in_words(board, question, ENGLISH) == (
            "Dummy warned declarer: accept the lead from North's hand, or decline and "
            "have it from the other (Law 43B2(a), 2007)"
        )
    told = told_to_seats(board, board.state.rulings[-1], ENGLISH)
    assert "Either defender chooses the hand that leads" in told[Seat.EAST]
    assert told[Seat.NORTH].startswith("You warned declarer of the wrong hand")


def test_a_warning_of_dummys_is_told_with_what_is_assumed() -> None:
    board = playing(WARNED)
    told = told_to_director(board, board.state.rulings[-1], ENGLISH)
    assert "Assumed: dummy (North) had not looked at another hand" in told


# What the engine says -------------------------------------------------------------


@pytest.mark.parametrize(
    ("assumption", "english", "spanish"),
    [
        (
            "comparable S: no",
            "the new call of South is not comparable",
            "el nuevo canto de Sur no es comparable",
        ),
        ("shown W: HS", "the call of West showed hearts, spades", None),
        ("shown W: none", "the call of West showed no suit", None),
        ("accept W: yes, by calling", "West has accepted, by calling", None),
        ("penalty E: yes", "the exposed card of East is a penalty card", None),
    ],
)
def test_an_assumption_is_told_as_a_sentence(
    assumption: str, english: str, spanish: str | None
) -> None:
    assert assumption_in_words(assumption, ENGLISH) == english
    told = assumption_in_words(assumption, SPANISH)
    assert told not in {english, assumption}
    assert spanish in {None, told}


def test_what_is_not_known_is_told_as_it_is() -> None:
    assert assumption_in_words("gained S: no", SPANISH) == "gained S: no"
    assert reason_in_words("something new", SPANISH) == "something new"


@pytest.mark.parametrize(
    ("reason", "spanish"),
    [
        ("it is the turn of E", "es el turno de E"),
        ("expected a call or a card, got nothing", "se recibió nada"),
        ("expected a seat (N E S W), got 'Q'", "(N E S W), se recibió 'Q'"),
        ("W must repeat 1S", "O tiene que repetir 1S"),
        ("expected one of: require H, waive", "uno de: require H, waive"),
        ("expected one of H2 H3, got S2", "uno de H2 H3, se recibió S2"),
    ],
)
def test_a_reason_is_told_in_spanish(reason: str, spanish: str) -> None:
    assert reason_in_words(reason, ENGLISH) == reason
    assert spanish in reason_in_words(reason, SPANISH)


SAYS = {"ScriptError", "ImpossibleActionError", "ValueError"}
"""Errors of the engine whose text people read; ``refuse`` has it as its last value."""


def sentences_of_the_engine() -> Iterator[str]:
    """Every sentence that it says outright, with a sample in each of its braces."""
    for file in sorted((REPOSITORY / "laws").glob("*.py")):
        if file.name not in {"seats.py", "cards.py", "calls.py"}:
            yield from sentences_in(file, SAYS)
            yield from sentences_in(file, {"refuse"}, -1)


def test_every_sentence_of_the_engine_is_known() -> None:
    said = set(sentences_of_the_engine())
    assert len(said) > 90
    # Whole sentences that are put together of parts are tested by their parts above.
    composed = re.compile(
        r"expected H2(, got H2| from H2 to H2, got H2)|H2 H2"
        r"|H2 has to H2 \(H2\)"
    )
    unknown = [s for s in said if not is_known(s) and not composed.fullmatch(s)]
    assert unknown == []
