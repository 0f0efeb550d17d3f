"""A table whose link, broker or referee is away plays on, and nothing of it is lost."""

import asyncio
from pathlib import Path

import pytest

from laws.seats import SEATS, Seat
from protocol.happenings import EventKey
from terminal.simulator.terminal import MemoryFullError
from tests.bidwire.club import Club, by_the_engine
from tests.brokers import RunningBroker, running_broker

pytestmark = pytest.mark.broker

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

AUCTION = ("N 1S", "E X", "S 2S", "W P", "N P", "E P")


async def test_an_auction_keyed_offline_comes_out_as_it_was_bid(
    tmp_path: Path,
) -> None:
    # All at once: each waits for seconds until a terminal gives its link up.
    async with asyncio.TaskGroup() as group:
        for away in ("the daemon", "the broker", "the referee"):
            folder = tmp_path / away.replace(" ", "-")
            folder.mkdir(mode=0o700)
            group.create_task(key_offline(folder, away), name=away)


async def key_offline(folder: Path, away: str) -> None:
    """Key an auction while a part is away."""
    async with running_broker("nats", folder) as broker:
        await keyed_offline(Club(folder, broker), away)


async def keyed_offline(club: Club, away: str) -> None:
    """An auction keyed while a part is away comes out as it was bid."""
    async with club.running():
        await club.until(lambda: all(club.ask(seat) for seat in SEATS))
        seen = {seat: club.shown(seat) for seat in SEATS}
        await club.take_away(away)
        for line in AUCTION:
            club.say(line)
        for seat, count in {N: 2, E: 2, S: 1, W: 1}.items():
            told = f"saved, unsent ({count})"  # as much as fits 20 columns
            await club.until(lambda s=seat, t=told: club.last_line(s) == t)  # type: ignore[misc]
            assert club.shown(seat) == seen[seat], "it cannot know the rulings"
        await club.bring_back(away)
        await club.until(lambda: len(club.auction()) == len(AUCTION))
        assert club.judged() == by_the_engine(*AUCTION)
        await club.until(lambda: not any(b.unacknowledged for b in club.boxes.values()))
        assert all("unsent" not in club.last_line(seat) for seat in SEATS)
        await club.until(lambda: club.ask(E) == "card")


async def test_a_full_memory_refuses_keys_and_loses_nothing(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)
    await club.plug_in(N, capacity=2)
    async with club.running():
        await club.until(lambda: all(club.ask(seat) for seat in SEATS))
        await club.stop_daemon()
        club.say("N 1S")
        club.say("N 2S")
        assert club.last_line(N) == "memory full"
        with pytest.raises(MemoryFullError):
            club.say("N 3S")
        assert club.boxes[N].unacknowledged == 2
        for line in ("E P", "S P", "W 2C"):
            club.say(line)
        await club.start_daemon()
        await club.until(lambda: len(club.auction()) == 5)
        lines = ("N 1S", "E P", "S P", "W 2C", "N 2S")
        assert club.judged() == by_the_engine(*lines)
        await club.until(lambda: not club.boxes[N].unacknowledged)
        assert club.last_line(N) != "memory full"
        await club.play("E P", "S P", "W P")


async def test_a_silent_call_for_the_director_is_on_no_other_display(
    tmp_path: Path, nats: RunningBroker
) -> None:
    club = Club(tmp_path, nats)
    async with club.running():
        await club.play("N 1S")
        await club.until(lambda: all(d and d.at == 1 for d in map(club.shown, SEATS)))
        before = len(club.displays)
        public = club.director.room.states["t1"]
        club.press(S, EventKey("director", S, None, (True, "tempo")))
        await club.until(lambda: club.calls)
        call = club.calls[0]
        assert (call.seat, call.silent, call.reason) == (S, True, "tempo")
        await club.until(lambda: not club.boxes[S].unacknowledged)
        await club.play("E P")
        await club.until(lambda: club.ask(S) == "call")
        assert [d.at for d in club.displays[before:] if d.at < 2] == []
        assert not any("Director" in str(d.pages) for d in club.displays)
        now = club.director.room.states["t1"]
        assert (now.waiting, now.phase) == (public.waiting, public.phase)
        club.press(W, EventKey("director", W, None, ()))
        await club.until(lambda: len(club.calls) == 2)
        await club.until(lambda: "The Director has been called" in club.text(N))
