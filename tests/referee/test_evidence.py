"""Law 64C: evidence beside the ruling on each revoke, from the right position."""

from pathlib import Path

import pytest

from bidwire.rule import judge_script, judged_json, judged_words
from laws.cards import Card
from laws.seats import Seat
from laws.state import State
from referee.catalogue import catalogue
from referee.double_dummy import Position, Solver, nothing_known, solved_at_once
from referee.evidence import Evidence, evidence, evidence_in_words, position_before
from referee.views import desk
from tests.referee.bench import DEAL, Bench, settings

CASES = Path(__file__).parents[1] / "laws" / "cases"

ONE_NOTRUMP = "S 1NT; W P; N P; E P"
"""South plays the deal in which each hand has one solid suit of four cards.

Defenders on lead take eight tricks, four hearts and four clubs, and then give up the
lead: five remain for North-South. The side that gets in takes its eight.
"""

EAST_REVOKES = "W HA; N H8; E CJ; S H2; W HK; N H9; E H5"
"""To the first trick, with a club that was going to be a trick."""


def judged(edition: str, play: str, *, deal: str = DEAL, policy: str = "") -> State:
    head = ["edition " + edition, "dealer S", "vul none"]
    head += [f"deal {deal}"] if deal else []
    head += [f"policy revoke {policy}"] if policy else []
    return judge_script("\n".join([*head, *f"{ONE_NOTRUMP}; {play}".split("; ")]))


def found(state: State) -> list[tuple[str, int, str, int, int, int]]:
    """Seat, trick, Law, trick of the position, double dummy, actual."""
    return [
        (e.seat.value, e.trick, e.law, e.since, e.double_dummy, e.actual)
        for e in evidence(state, solved_at_once)
    ]


class Asked:
    """A solver that keeps what it is asked."""

    def __init__(self, answer: Solver = nothing_known) -> None:
        self.positions: list[Position] = []
        self._answer = answer

    def __call__(self, position: Position) -> int | None:
        self.positions.append(position)
        return self._answer(position)


# -- what is compared ---------------------------------------------------------------


def test_64c1_transfer_that_gives_more_than_double_dummy_suffices() -> None:
    state = judged("2017", f"{EAST_REVOKES}; S H3; W claim 6; S agree; N agree")
    assert found(state) == [("E", 1, "64C1", 1, 5, 6)]
    (told,) = evidence(state, solved_at_once)
    assert told.suffices


def test_64c1_innocent_side_that_has_less_than_double_dummy_is_told() -> None:
    state = judged("2017", f"{EAST_REVOKES}; S H3; W claim 8; S agree; N agree")
    assert found(state) == [("E", 1, "64C1", 1, 5, 4)]
    (told,) = evidence(state, solved_at_once)
    assert not told.suffices


def test_64c_is_cited_in_2007() -> None:
    state = judged("2007", f"{EAST_REVOKES}; S H3; W claim 6; S agree; N agree")
    assert found(state) == [("E", 1, "64C", 1, 5, 6)]


def test_enough_is_as_much_as_double_dummy() -> None:
    told = Evidence(Seat.EAST, 1, 11, "64C1", 1, double_dummy=8, actual=8)
    assert told.suffices


def test_61a_defender_who_disobeyed_is_held_to_what_declarer_required() -> None:
    """A spade from West, as required, gives North-South eight; a heart only five."""
    state = judged(
        "2017",
        "E ST; S require S; W HA; N H8; E H5; S H2; W HK; N H9; E H6; S H3;"
        " W claim 6; S agree; N agree",
    )
    assert found(state) == [("W", 1, "64C1", 1, 8, 7)]


def test_67b1_trick_without_a_card_counts_from_before_it() -> None:
    state = judge_script((CASES / "R-REV-42-2017.table").read_text(encoding="utf-8"))
    ((seat, trick, law, since, _, _),) = found(state)
    assert (seat, trick, law, since) == ("E", 5, "64C1", 5)


# -- from which position --------------------------------------------------------------


def test_position_is_the_one_that_the_revoker_faced() -> None:
    state = judged("2017", EAST_REVOKES)
    assert state.play is not None
    (revoke,) = state.play.incidents.revokes
    position = position_before(state, revoke)
    assert position is not None
    assert position.turn is Seat.EAST
    assert position.trick == (Card("HA"), Card("H8"))
    assert [len(hand) for hand in position.hands] == [12, 13, 13, 12]
    assert Card("CJ") in position.hands[1]


BOTH_REVOKE = (
    f"{EAST_REVOKES}; S DJ; W HQ; N HT; E H6; S H3; W claim 6; S agree; N agree"
)


def test_2007_each_of_both_sides_revokes_is_examined_when_it_occurred() -> None:
    """East's club is gone when South revokes: seven tricks are left to East-West."""
    assert found(judged("2007", BOTH_REVOKE)) == [
        ("E", 1, "64C", 1, 5, 4),
        ("S", 2, "64C", 2, 7, 9),
    ]


def test_64c2b_both_sides_are_taken_to_before_the_first_revoke() -> None:
    assert found(judged("2017", BOTH_REVOKE)) == [
        ("E", 1, "64C2(b)", 1, 5, 4),
        ("S", 2, "64C2(b)", 1, 8, 9),
    ]


TWICE = (
    "W HA; N H8; E CJ; S H2; W HK; N H9; E CQ; S H3; W HQ; N HT; E H5; S H4;"
    " W claim 6; S agree; N agree"
)


@pytest.mark.parametrize(
    ("edition", "first", "again"), [("2007", "64C", "64C"), ("2017", "64C1", "64C2(a)")]
)
def test_64c2a_repeated_revoke_counts_from_before_itself(
    edition: str, first: str, again: str
) -> None:
    """A club of East's goes with each of his revokes."""
    told = found(judged(edition, TWICE))
    assert [entry[:5] for entry in told] == [
        ("E", 1, first, 1, 5),
        ("E", 2, again, 2, 6),
    ]


# -- when there is evidence -----------------------------------------------------------


def test_position_is_asked_for_as_soon_as_the_revoke_is_established() -> None:
    asked = Asked()
    open_still = "; ".join(EAST_REVOKES.split("; ")[:4])
    assert evidence(judged("2017", open_still), asked) == ()
    assert asked.positions == []
    assert evidence(judged("2017", EAST_REVOKES), asked) == ()
    assert len(asked.positions) == 1
    ended = judged("2017", f"{EAST_REVOKES}; S H3; W claim 6; S agree; N agree")
    assert evidence(ended, asked) == ()
    assert len(set(asked.positions)) == 1


def test_no_evidence_before_play_has_ended() -> None:
    assert evidence(judged("2017", EAST_REVOKES), solved_at_once) == ()


def test_no_evidence_where_nobody_revoked_or_the_deal_is_unknown() -> None:
    asked = Asked()
    for deal in (DEAL, ""):
        state = judged("2017", "W claim 8; S agree; N agree", deal=deal)
        assert evidence(state, asked) == ()
    state = judged(
        "2017", f"{EAST_REVOKES}; S H3; W claim 6; S agree; N agree", deal=""
    )
    assert evidence(state, asked) == ()
    assert asked.positions == []


def test_corrected_revoke_has_no_evidence() -> None:
    state = judged(
        "2017",
        "W HA; N H8; E CJ; S attention E 1; E replace H5; S H2; W claim 12;"
        " S agree; N agree",
    )
    assert found(state) == []


def test_revoke_that_nobody_has_spoken_of_has_none_under_manual() -> None:
    end = "S H3; W claim 6; S agree; N agree"
    assert found(judged("2017", f"{EAST_REVOKES}; {end}", policy="manual")) == []


# -- in words, in JSON, on the desk ---------------------------------------------------

ENDED = f"{EAST_REVOKES}; S H3; W claim 6; S agree; N agree"


def test_words_put_the_evidence_under_the_question() -> None:
    told = judged_words(judged("2017", ENDED))
    question, line = told.split("For the Director to judge:\n")[1].splitlines()[:2]
    assert "(Law 64C1, 2017)" in question
    assert line.strip() == (
        "Double dummy, from before the revoke to trick 1: 5 for North-South,"
        " which has 6"
    )


def test_words_say_nothing_of_it_once_the_director_has_judged() -> None:
    assert "Double dummy" not in judged_words(
        judged("2017", f"{ENDED}; director damage no")
    )


def test_json_has_the_key_only_where_there_is_evidence() -> None:
    assert '"evidence"' not in judged_json(judged("2017", EAST_REVOKES))
    assert '"double_dummy": 5' in judged_json(judged("2017", ENDED))


def test_desk_keeps_the_evidence_when_the_next_board_has_begun() -> None:
    bench = Bench(settings())
    lines = f"N P; E P; {ONE_NOTRUMP}; {ENDED}".split("; ")
    bench.does(*lines)
    assert desk(bench.table, "session").evidence == ()
    (told,) = desk(bench.table, "session", solved_at_once).evidence
    assert told["play"] == told["board"] == 1
    assert (told["seat"], told["side"], told["trick"]) == ("E", "NS", 1)
    assert (told["double_dummy"], told["actual"], told["suffices"]) == (5, 6, True)
    (state,) = [p.state for p in bench.record.plays if p.number == 1]
    (entry,) = evidence(state, solved_at_once)
    assert told["text"] == evidence_in_words(entry, catalogue("en"))
