"""The auction's grid."""

from desk.auction_grid import rows_of
from laws.calls import Call
from laws.seats import Seat
from protocol.course import CourseCall

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


def grid(*made: str, dealer: Seat | None = N) -> list[list[str]]:
    """The rows; a call ends in ``?`` when it was withdrawn."""
    calls = []
    for line, told in enumerate(made, 1):
        seat, call = told.rstrip("?").split()
        calls.append(
            CourseCall(line, Seat(seat), Call(call), withdrawn=told.endswith("?"))
        )
    rows = rows_of(calls, dealer)
    return [
        [" ".join(f"{c.call}{'?' * c.withdrawn}" for c in cell) for cell in row]
        for row in rows
    ]


def test_it_begins_in_the_column_of_the_dealer_and_west_is_the_first() -> None:
    assert grid("N 1S", "E P", "S 2S", "W P", "N P") == [
        ["", "1S", "P", "2S"],
        ["P", "P", "", ""],
    ]


def test_a_call_out_of_turn_stands_where_its_seat_calls_next() -> None:
    assert grid("E 1C?", "N 1S", "E 2C") == [["", "1S", "1C? 2C", ""]]


def test_an_insufficient_bid_stands_beside_the_one_in_its_place() -> None:
    assert grid("N 1S", "E 1H?", "E 2H", "S P") == [["", "1S", "1H? 2H", "P"]]


def test_a_call_out_of_rotation_that_was_accepted_leaves_a_gap() -> None:
    assert grid("N 1S", "S 2S", "W P") == [["", "1S", "", "2S"], ["P", "", "", ""]]


def test_without_a_dealer_the_first_call_tells_the_column() -> None:
    assert grid("S P", dealer=None) == [["", "", "", "P"]]
    assert grid() == []
