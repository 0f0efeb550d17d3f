"""Wrong seats and wrong boards are caught before the first call, at real terminals."""

from pathlib import Path

import pytest

from laws.seats import SEATS, Seat
from protocol.happenings import EventKey
from protocol.payloads import Pairs
from referee.settings import Boards, BoardSettings
from tests.bidwire.club import Club, serial_of
from tests.brokers import RunningBroker

pytestmark = pytest.mark.broker

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

BOARD = BoardSettings(number=1, round=1, pairs=Pairs(ns="Pair 3", ew="Pair 4"))


async def test_terminals_plugged_into_each_others_ports_are_refused(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)
    await club.plug_in(E, serial=serial_of(S))
    await club.plug_in(S, serial=serial_of(E))
    async with club.running():
        await club.until(lambda: len(club.alarms) == 2 and club.ask(N) == "call")
        assert {alarm.terminal: alarm.text for alarm in club.alarms} == {
            "t1-e": "refused: expected serial number BX-E, got BX-S, which belongs to "
            "t1 S",
            "t1-s": "refused: expected serial number BX-S, got BX-E, which belongs to "
            "t1 E",
        }
        for seat in (E, S):
            await club.until(lambda s=seat: club.last_line(s) == "refused: serial")  # type: ignore[misc]
            assert club.shown(seat) is None
        await club.plug_in(E)
        await club.plug_in(S)
        await club.play("N P", "E P", "S P")


async def test_a_board_opens_when_the_right_pairs_say_that_they_sit_there(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats, boards=(BOARD,), confirm_seats=True)
    async with club.running():
        await club.until(lambda: all(club.ask(s) == "choice" for s in SEATS))
        assert "Are you Pair 4, East-West?" in club.text(W)
        club.press(W, EventKey("answer", W, None, ("seats", "no")))
        await club.until(lambda: club.calls)
        assert club.calls[0].reason == "wrong seats: EW is not Pair 4"
        await club.until(lambda: "Director has been called" in club.text(N))
        club.press(N, EventKey("answer", N, None, ("seats", "yes")))
        club.press(E, EventKey("answer", E, None, ("seats", "yes")))
        await club.until(lambda: club.ask(N) == "call")
        assert "Board 1, dealer North, vulnerable none" in club.text(S)
        assert "Round 1: Pair 3 North-South, Pair 4 East-West" in club.text(S)
        await club.play("N P")


async def test_another_board_than_the_one_to_be_played_is_refused_before_a_call(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats, boards=(BOARD,), opening=Boards.PLACED)
    async with club.running():
        await club.until(lambda: club.ask(N) == "choice")
        club.press(N, EventKey("board", N, None, (2,)))
        await club.until(lambda: "wrong board" in club.text(N))
        await club.until(lambda: club.alarms)
        assert "expected board 1, got board 2" in club.alarms[0].text
        assert club.shown(N).play == 0  # type: ignore[union-attr]
        club.press(N, EventKey("board", N, None, (1,)))
        await club.play("N P")
