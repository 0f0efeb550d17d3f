"""What the room shows of a table, and in which order."""

import pytest

from desk.room import Room
from desk.room_view import (
    Filter,
    TableView,
    Urgency,
    in_order,
    section_of,
    summary,
    table_view,
)
from laws.seats import Seat
from protocol.payloads import (
    Alarm,
    Desk,
    LinkState,
    Pairs,
    SilentCall,
    TableState,
    TerminalStatus,
    encode_payload,
)
from protocol.topics import parse_topic
from tests.desk.rooms import DAEMON, TOPICS, daemon, desk, question, state, terminal

CALL = SilentCall(id=3, seat=Seat.SOUTH, silent=True)
ATTENDED = SilentCall(id=3, seat=Seat.SOUTH, silent=False, attended=True)
ALARM = Alarm(id=4, text="lost")


def room_of(
    table: str, *payloads: TableState | Desk, status: TerminalStatus | None = None
) -> Room:
    room = Room(clock=lambda: 50.0)
    room.take(parse_topic(TOPICS.daemon_status(DAEMON)), encode_payload(daemon()))
    for payload in payloads:
        is_desk = isinstance(payload, Desk)
        topic = (TOPICS.table_desk if is_desk else TOPICS.table_state)(table)
        room.take(parse_topic(topic), encode_payload(payload))
    if status is not None:
        topic = TOPICS.terminal_status(DAEMON, f"{table}-n")
        room.take(parse_topic(topic), encode_payload(status))
    return room


def view(*payloads: TableState | Desk, knows: bool = True) -> TableView:
    return table_view(room_of("a1", *payloads), "a1", knows=knows)


@pytest.mark.parametrize(
    ("told", "urgency"),
    [
        (desk("a1"), Urgency.QUIET),
        (desk("a1", calls=(CALL,), alarms=(ALARM,)), Urgency.CALL),
        (desk("a1", calls=(ATTENDED,)), Urgency.QUIET),
        (desk("a1", questions=(question(),)), Urgency.HELD),
        (desk("a1", questions=(question(holds=False),)), Urgency.QUIET),
        (desk("a1", questions=(question(to="E"),)), Urgency.QUIET),
        (desk("a1", proposed=({"number": 1},), alarms=(ALARM,)), Urgency.PROPOSED),
        (desk("a1", alarms=(ALARM,)), Urgency.ALARM),
    ],
)
def test_why_a_table_needs_somebody(told: Desk, urgency: Urgency) -> None:
    assert view(told).urgency is urgency


def test_a_table_that_waits_for_the_director_is_held_for_everyone() -> None:
    waits = state(waiting="director")
    assert view(waits).urgency is Urgency.HELD
    assert view(waits, knows=False).urgency is Urgency.HELD


def test_of_a_daemon_that_is_gone_no_terminal_is_connected() -> None:
    room = room_of("a1", state(), status=terminal("a1"))
    assert table_view(room, "a1", knows=True).urgency is Urgency.QUIET
    gone = encode_payload(daemon(online=False))
    room.take(parse_topic(TOPICS.daemon_status(DAEMON)), gone)
    shown = table_view(room, "a1", knows=True)
    assert shown.urgency is Urgency.OFFLINE
    assert [each.id for each in shown.offline] == ["a1-n"]


@pytest.mark.parametrize(
    ("battery", "is_low"), [(20, True), (21, False), (None, False)]
)
def test_a_battery_that_is_low(battery: int | None, is_low: bool) -> None:
    room = room_of("a1", state(), status=terminal("a1", battery=battery))
    assert bool(table_view(room, "a1", knows=True).low) is is_low


def test_the_most_urgent_comes_first_then_by_number() -> None:
    tables = {
        "b1": desk("b1", alarms=(ALARM,)),
        "a10": desk("a10"),
        "a2": desk("a2"),
        "12": desk("12"),
        "a3": desk("a3", calls=(CALL,)),
        "c1": desk("c1", proposed=({"number": 1},)),
        "c2": desk("c2", questions=(question(),)),
    }
    views = [table_view(room_of(t, d), t, knows=True) for t, d in tables.items()]
    assert [each.id for each in in_order(views)] == [
        "a3",
        "c2",
        "c1",
        "b1",
        "12",
        "a2",
        "a10",
    ]


def test_who_may_only_look_sees_nothing_of_the_desk() -> None:
    """Neither shown nor told by the order: a silent call must stay one."""
    full = desk(
        "a1",
        number=99,
        calls=(CALL,),
        questions=(question(),),
        proposed=({"number": 1},),
        suspicions=({"seat": "N"},),
        alarms=(ALARM,),
    )
    assert view(state(), full, knows=False) == view(state(), knows=False)
    assert view(state(), full, knows=False).urgency is Urgency.QUIET


@pytest.mark.parametrize(
    ("table", "section"), [("a12", "a"), ("12", ""), ("open-3", "open"), ("_x", "")]
)
def test_a_section_is_the_letters_at_the_beginning(table: str, section: str) -> None:
    assert section_of(table) == section


@pytest.mark.parametrize(
    ("wanted", "is_taken"),
    [
        (Filter(), True),
        (Filter(section="a"), True),
        (Filter(section="b"), False),
        (Filter(section=""), False),
        (Filter(words=("garcía",)), True),
        (Filter(words=("garcía", "a1-n")), True),
        (Filter(words=("garcía", "b")), False),
        (Filter(words=("müller",)), True),
    ],
)
def test_a_filter_takes_tables_by_section_pair_and_terminal(
    wanted: Filter, is_taken: bool
) -> None:
    pairs = Pairs(ns="GARCÍA", ew="Müller")
    room = room_of("a1", state(pairs=pairs), status=terminal("a1"))
    assert wanted.takes(table_view(room, "a1", knows=True)) is is_taken


def test_the_room_in_numbers() -> None:
    views = [
        view(desk("a1", calls=(CALL, CALL), alarms=(ALARM,))),
        table_view(
            room_of("b1", state(), status=terminal("b1", LinkState.OFFLINE)),
            "b1",
            knows=True,
        ),
        table_view(room_of("7", desk("7")), "7", knows=True),
    ]
    counted = summary(views)
    assert counted.tables == 3
    assert counted.reasons == {Urgency.CALL: 2, Urgency.ALARM: 1, Urgency.OFFLINE: 1}
    assert counted.sections == [("", 1), ("a", 1), ("b", 1)]
