"""Who sits where, and on which board, is checked before the first call."""

from typing import Any

import msgspec
import pytest

from laws.seats import SEATS, Seat, Side
from protocol.happenings import GiveAnswer, PlaceBoard
from protocol.payloads import DisplayPrompt, Pairs, Service
from referee.record import Aside
from referee.settings import Boards, BoardSettings, TerminalSettings
from referee.views import desk, table_state
from tests.referee.bench import Bench, aside, calls, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

FIRST, SECOND = Pairs(ns="Pair 3", ew="Pair 4"), Pairs(ns="Pair 3", ew="Pair 5")

ROUNDS = (
    BoardSettings(number=1, round=1, pairs=FIRST),
    BoardSettings(number=2, round=1, pairs=FIRST),
    BoardSettings(number=3, round=2, pairs=SECOND),
)

PASSED_OUT = {1: ("N P", "E P", "S P", "W P"), 2: ("E P", "S P", "W P", "N P")}


def confirming(**event: Any) -> Bench:  # noqa: ANN401 - any key of the settings
    return Bench(settings(boards=ROUNDS, confirm_seats=True, **event))


def text(display: DisplayPrompt) -> str:
    return " ".join(line for page in display.pages for line in page)


def says(seat: Seat, answer: str = "yes") -> GiveAnswer:
    return GiveAnswer(seat, "seats", answer)


def choices(bench: Bench, seat: Seat) -> list[tuple[object, ...]]:
    return [(c.kind, *c.data, c.label) for c in bench.display(seat).choices]


ASKED = [("answer", "seats", "yes", "Yes"), ("answer", "seats", "no", "No")]


def test_board_dealer_vulnerability_round_and_pairs_are_shown_before_a_call() -> None:
    bench = Bench(settings(boards=ROUNDS))
    for seat in SEATS:
        shown = text(bench.display(seat))
        assert "Board 1, dealer North, vulnerable none" in shown
        assert "Round 1: Pair 3 North-South, Pair 4 East-West" in shown
    bench.does("N P")
    assert "Pair 3" not in text(bench.display(E))


def test_displays_have_the_names_and_nothing_that_is_kept_has_them() -> None:
    names = {"Pair 3": "Pair 3 Ana - Bo", "Pair 4": "Pair 4 Cy - Di"}
    bench = confirming(names=names)
    assert "Are you Pair 3 Ana - Bo, North-South?" in text(bench.display(N))
    bench.does(says(E, "no"))
    bench.does(says(N))
    assert bench.record.calls[0].reason == "wrong seats: EW is not Pair 4"
    bench.does(says(W))
    assert "Round 1: Pair 3 Ana - Bo North-South" in text(bench.display(S))
    kept = [*bench.entries, table_state(bench.table, "s"), desk(bench.table, "s")]
    assert b"Cy - Di" not in msgspec.json.encode(kept)


def test_board_opens_when_both_pairs_have_confirmed_their_seats() -> None:
    bench = confirming()
    assert bench.record.play is None
    assert "Are you Pair 3, North-South?" in text(bench.display(S))
    assert "Are you Pair 4, East-West?" in text(bench.display(W))
    assert "Board 1, dealer North, vulnerable none" in text(bench.display(W))
    assert all(choices(bench, seat) == ASKED for seat in SEATS)
    assert bench.display(N).ask == "choice"
    bench.does(says(S))
    assert bench.record.play is None
    assert choices(bench, N) == []
    assert "East-West must confirm their seats" in text(bench.display(N))
    bench.does(says(E))
    assert bench.play.board.number == 1
    bench.does("N P")
    assert calls(bench) == ["N P"]
    assert bench.refolded() == bench.record


def test_call_before_the_seats_are_confirmed_does_not_count() -> None:
    bench = confirming()
    bench.does("N 1S")
    assert aside(bench) == [Aside.NO_BOARD]
    bench.does(says(N), says(E))
    assert calls(bench) == []


def test_seats_are_confirmed_once_a_round() -> None:
    bench = confirming()
    bench.does(says(N), says(E), *PASSED_OUT[1])
    assert bench.play.board.number == 2
    bench.does(*PASSED_OUT[2])
    assert bench.play.board.number == 2
    assert "Are you Pair 5, East-West?" in text(bench.display(E))
    assert "passed out" in text(bench.display(E))
    bench.does(says(E), says(N))
    assert bench.play.board.number == 3
    assert bench.refolded() == bench.record


def test_who_sits_wrong_calls_the_director_and_confirms_when_he_has_moved() -> None:
    bench = confirming()
    bench.does(says(E, "no"))
    (call,) = desk(bench.table, "s").calls
    assert (call.seat, call.silent) == (E, False)
    assert call.reason == "wrong seats: EW is not Pair 4"
    assert bench.record.play is None
    assert all(
        "The Director has been called" in text(bench.display(seat)) for seat in SEATS
    )
    bench.direct(service=Service.ATTEND, subject=call.id)
    bench.does(says(E), says(N))
    assert bench.play.board.number == 1
    assert "Director" not in text(bench.display(E))


def test_director_opens_a_board_whatever_the_seats_say() -> None:
    bench = confirming()
    bench.direct(service=Service.OPEN, board=1)
    assert bench.play.board.number == 1


def test_yes_that_comes_late_or_twice_changes_nothing() -> None:
    bench = confirming()
    early = bench.press(says(W))  # at the display before the first board
    bench.does(says(N), says(E))
    bench.send(early)
    bench.does(*PASSED_OUT[1], *PASSED_OUT[2])
    bench.send(bench.press(says(W), play=0))
    assert bench.record.seated == frozenset()
    bench.does(says(N), says(S))
    assert bench.record.seated == {Side.NORTH_SOUTH}
    assert aside(bench) == []
    assert bench.record.notices == ()


def test_seats_come_before_the_board_where_it_must_be_placed() -> None:
    bench = confirming(opening=Boards.PLACED)
    bench.does(PlaceBoard(N, 1))
    assert aside(bench) == [Aside.SEATS]
    assert "the pairs must confirm their seats first" in text(bench.display(N))
    bench.does(says(N), says(E))
    assert bench.record.play is None
    assert choices(bench, N) == [("board", 1, "Board 1 is here")]
    bench.does(PlaceBoard(N, 2))
    assert aside(bench)[-1] == Aside.WRONG_BOARD
    assert "wrong board" in text(bench.display(N))
    bench.does(PlaceBoard(N, 1), "N P")
    assert calls(bench) == ["N P"]


def test_fixed_table_confirms_once() -> None:
    boards = [BoardSettings(number=n, pairs=FIRST) for n in (1, 2)]
    bench = Bench(settings(boards=boards, confirm_seats=True))
    bench.does(says(N), says(E), *PASSED_OUT[1])
    assert bench.play.board.number == 2


def test_where_nobody_is_named_nobody_is_asked() -> None:
    bench = Bench(settings(confirm_seats=True))
    assert bench.play.board.number == 1


def test_answer_about_seats_where_the_event_asks_none() -> None:
    bench = Bench(settings(boards=ROUNDS))
    bench.does(says(N))
    assert aside(bench) == [Aside.UNASKED]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Are you Pair 4, East-West?"),
        ("es", "¿Son ustedes Pair 4, Este-Oeste?"),
    ],
)
def test_seats_are_asked_in_the_language_of_the_terminal(
    language: str, words: str
) -> None:
    terminals = [
        TerminalSettings(
            daemon="d1", id=f"t1-{s}".lower(), seats=(s,), language=language
        )
        for s in SEATS
    ]
    bench = confirming(terminals=terminals)
    assert words in text(bench.display(E))
