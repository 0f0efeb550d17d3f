"""The simulated terminal's screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.messages import Asked, Display, Encoding
from terminal.simulator.screen import Screen


def display(*pages: tuple[str, ...]) -> Display:
    return Display(1, 1, Seat.NORTH, 1, 1, 0, Asked.CALL, None, pages)


def test_before_any_display_it_is_blank() -> None:
    assert Screen(3, 2).lines() == ("   ", "   ")


def test_lines_are_filled_and_cut_to_the_columns() -> None:
    screen = Screen(5, 2)
    screen.show(display(("1S", "your call?")))
    assert screen.lines() == ("1S   ", "your ")


def test_rows_beyond_the_screen_are_not_seen() -> None:
    screen = Screen(3, 2)
    screen.show(display(("a", "b", "c")))
    assert screen.lines() == ("a  ", "b  ")


def test_pages_turn_and_begin_again() -> None:
    screen = Screen(3, 1)
    screen.show(display(("one",), ("two",)))
    assert screen.pages == 2
    seen = [screen.lines()]
    for _ in range(2):
        assert screen.turn()
        seen.append(screen.lines())
    assert seen == [("one",), ("two",), ("one",)]


def test_a_single_page_does_not_turn() -> None:
    screen = Screen(3, 1)
    screen.show(display(("one",)))
    assert not screen.turn()


def test_a_new_display_begins_with_its_first_page() -> None:
    screen = Screen(3, 1)
    screen.show(display(("one",), ("two",)))
    screen.turn()
    screen.show(display(("new",), ("old",)))
    assert screen.lines() == ("new",)


def test_a_notice_takes_the_last_line() -> None:
    screen = Screen(12, 2)
    screen.show(display(("contract", "4S by N")))
    assert screen.lines("unsent (1)") == ("contract    ", "unsent (1)  ")


def test_after_a_restart_nothing_is_shown() -> None:
    screen = Screen(3, 1)
    screen.show(display(("one",)))
    screen.blank()
    assert screen.lines() == ("   ",)


@pytest.mark.parametrize(
    ("encoding", "seen"),
    [
        (Encoding.ASCII, "1? ?  "),
        (Encoding.LATIN_1, "1? \u00e9  "),
        (Encoding.UTF_8, "1\u2660 \u00e9  "),
    ],
)
def test_characters_it_does_not_have_are_replaced(
    encoding: Encoding, seen: str
) -> None:
    screen = Screen(6, 1, encoding)
    screen.show(display(("1\u2660 \u00e9",)))
    assert screen.lines() == (seen,)


@given(st.lists(st.lists(st.text()).map(tuple)), st.integers(1, 40), st.integers(1, 9))
def test_whatever_comes_fills_exactly_the_screen(
    pages: list[tuple[str, ...]], columns: int, rows: int
) -> None:
    screen = Screen(columns, rows)
    screen.show(display(*pages))
    for _ in range(screen.pages):
        lines = screen.lines()
        assert len(lines) == rows
        assert all(len(line) == columns and line.isprintable() for line in lines)
        screen.turn()
