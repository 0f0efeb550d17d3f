"""The room as messages tell it."""

import asyncio

import pytest

from desk.room import Room
from laws.calls import Call
from laws.seats import Seat
from protocol.payloads import (
    Assignments,
    LinkState,
    LogKind,
    LogLine,
    Payload,
    PayloadError,
    PublicCall,
    TableDisplays,
    TableLog,
    encode_payload,
)
from protocol.topics import parse_topic
from tests.desk.rooms import DAEMON, TOPICS, daemon, desk, state, terminal


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def take(room: Room, topic: str, payload: Payload | None) -> None:
    room.take(parse_topic(topic), encode_payload(payload) if payload else b"")


@pytest.fixture
def room() -> Room:
    """Tables a1 and a2, each with a terminal of one daemon."""
    room = Room(clock=Clock())
    take(room, TOPICS.daemon_status(DAEMON), daemon())
    for table in ("a1", "a2"):
        take(room, TOPICS.table_state(table), state())
        take(room, TOPICS.table_desk(table), desk(table))
        take(room, TOPICS.terminal_status(DAEMON, f"{table}-n"), terminal(table))
    return room


def test_a_change_concerns_the_table_that_it_is_about(room: Room) -> None:
    seen = room.number
    assert room.changed_since(seen) == set()
    take(room, TOPICS.table_state("a2"), state(board=6))
    assert room.changed_since(seen) == {"a2"}
    assert room.changed_since(0) == {"a1", "a2"}


def test_what_a_topic_says_again_is_no_change(room: Room) -> None:
    seen = room.number
    take(room, TOPICS.table_desk("a1"), desk("a1"))
    take(room, TOPICS.terminal_status(DAEMON, "a1-n"), terminal("a1"))
    assert room.number == seen
    take(room, TOPICS.table_desk("a1"), None)
    take(room, TOPICS.table_desk("a1"), desk("a1"))
    assert "a1" in room.desks


def test_what_cannot_be_read_is_told_once(room: Room) -> None:
    topic = parse_topic(TOPICS.table_desk("a1"))
    with pytest.raises(PayloadError):
        room.take(topic, b"{}")
    assert room.take(topic, b"{}") is None
    take(room, TOPICS.table_desk("a1"), desk("a1", number=8))
    assert room.desks["a1"].number == 8


def test_a_daemon_that_dies_concerns_every_table_that_it_serves(room: Room) -> None:
    seen = room.number
    take(room, TOPICS.daemon_status(DAEMON), daemon(online=False))
    assert room.changed_since(seen) == {"a1", "a2"}
    assert room.link("a1-n") == ("offline", f"its daemon {DAEMON} is not there")


def test_what_a_terminal_told_an_earlier_run_of_its_daemon_is_not_believed(
    room: Room,
) -> None:
    take(room, TOPICS.daemon_status(DAEMON), daemon(session="s2"))
    assert room.link("a1-n")[0] == "unknown"
    assert room.link("nobody") == ("unknown", "nothing was heard of it")


def test_a_terminal_that_moves_changes_both_tables(room: Room) -> None:
    seen = room.number
    take(room, TOPICS.terminal_status(DAEMON, "a1-n"), terminal("a2"))
    assert room.changed_since(seen) == {"a1", "a2"}
    assert room.terminals_of("a1") == []
    assert room.terminals_of("a2") == ["a1-n", "a2-n"]


def test_a_terminal_that_only_the_referee_knows_is_one_of_the_table(room: Room) -> None:
    told = state(terminals={"a1-e": LinkState.OFFLINE})
    take(room, TOPICS.table_state("a1"), told)
    assert room.terminals_of("a1") == ["a1-e", "a1-n"]


def test_what_is_cleared_is_gone(room: Room) -> None:
    for topic in (TOPICS.table_state("a1"), TOPICS.table_desk("a1")):
        take(room, topic, None)
    take(room, TOPICS.terminal_status(DAEMON, "a2-n"), None)
    assert room.tables() == ["a2"]
    assert room.terminals_of("a2") == []


def test_the_clock_of_a_table_begins_anew_with_what_players_do(room: Room) -> None:
    assert isinstance(room.clock, Clock)
    room.clock.now = 130.0
    assert room.moved_at["a1"] == 100.0  # at least since then it has stood so
    assert room.seen_moving == set()
    called = (PublicCall(Seat.NORTH, Call.PASS),)
    take(room, TOPICS.table_state("a1"), state(number=8, auction=called))
    assert room.moved_at["a1"] == 130.0
    assert room.seen_moving == {"a1"}


def test_the_clock_goes_on_when_only_the_journal_or_a_terminal_moves(
    room: Room,
) -> None:
    """Else the moment of a silent call for the Director could be read off it."""
    told = state(number=9, epoch=2, terminals={"a1-n": LinkState.OFFLINE})
    take(room, TOPICS.table_state("a1"), told)
    assert room.seen_moving == set()


def test_the_log_of_a_playing_is_kept(room: Room) -> None:
    line = LogLine(
        number=4,
        at=None,
        age_ms=None,
        play=3,
        board=5,
        kind=LogKind.KEY,
        text="North 1S",
    )
    log = TableLog(session="r1", table="a1", play=3, board=5, round=2, lines=(line,))
    take(room, TOPICS.table_log("a1", 3), log)
    assert room.log("a1", 3) == log
    assert room.log("a1", 4) is None
    take(room, TOPICS.table_log("a1", 3), None)
    assert room.log("a1", 3) is None


def test_what_displays_show_and_which_boxes_are_bound_is_kept(room: Room) -> None:
    displays = TableDisplays(session="r1", table="a1", displays=())
    take(room, TOPICS.table_displays("a1"), displays)
    bound = Assignments(session="s1", serials={"a1-n": "TC-0001"})
    take(room, TOPICS.daemon_assignments(DAEMON), bound)
    assert room.displays == {"a1": displays}
    assert room.assignments == {DAEMON: bound}
    take(room, TOPICS.table_displays("a1"), None)
    take(room, TOPICS.daemon_assignments(DAEMON), None)
    assert (room.displays, room.assignments) == ({}, {})


def test_what_another_broker_does_not_tell_is_forgotten(room: Room) -> None:
    seen = room.number
    room.forget()
    assert room.tables() == []
    assert room.changed_since(seen) == {"a1", "a2"}


async def test_everyone_who_waits_hears_of_a_change(room: Room) -> None:
    waiting = [asyncio.create_task(room.changed()) for _ in range(3)]
    await asyncio.sleep(0)
    room.wake()
    await asyncio.gather(*waiting)


def test_a_payload_that_is_none_changes_nothing(room: Room) -> None:
    seen = room.number
    with pytest.raises(PayloadError, match="tables/\\+/desk"):
        room.take(parse_topic(TOPICS.table_desk("a1")), b"{}")
    assert room.number == seen
