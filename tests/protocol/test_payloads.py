"""Clauses J: payloads, their agreement with the wire, and what is said of bad ones."""

from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.board import Edition
from laws.calls import Call
from laws.cards import Card
from laws.seats import Seat, Side
from protocol.course import (
    Course,
    CourseBinding,
    CourseCall,
    CourseCard,
    CourseRuling,
    CourseTrick,
)
from protocol.messages import (
    Ack,
    Display,
    Event,
    Hello,
    Lost,
    Pong,
    Shown,
    Vitals,
)
from protocol.payloads import (
    PAYLOADS,
    Acknowledge,
    Adjustment,
    Alarm,
    Artificial,
    Assignments,
    AssignReply,
    AssignTerminal,
    CommandReply,
    Contract,
    DaemonStatus,
    Desk,
    DirectorCommand,
    DisplayPrompt,
    HeldEvent,
    HelloReport,
    LinkState,
    LogKind,
    LogLine,
    Outcome,
    Pairs,
    Payload,
    PayloadError,
    Penalty,
    PenaltyUnit,
    Phase,
    Poll,
    PublicCall,
    PublicCard,
    PublicTable,
    RulingPublished,
    SeatDisplay,
    Service,
    SideScore,
    SilentCall,
    TableDisplays,
    TableLog,
    TableResult,
    TableState,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
    VitalsReport,
    carried,
    decode_payload,
    encode_payload,
    schema_of,
)
from protocol.topics import TopicKind
from tests.protocol.samples import DISPLAY, EVENT, HELLO

CONTRACT = Contract(4, "S", "X", Seat.NORTH)
ADJUST = (
    b'{"schema":"bidwire.command/1","id":"a","by":"b","expects":3,'
    b'"service":"adjust","adjustment":'
)
ENVELOPE: dict[str, Any] = {
    "session": "run-1",
    "table": "t1",
    "k": 4,
    "opening": 2,
    "serial": "SN-1",
}
OPENING: dict[str, Any] = {"session": "run-1", "opening": 2}

SAMPLES: list[tuple[TopicKind, Payload]] = [
    (TopicKind.TERMINAL_EVENTS, carried(TerminalEvent, EVENT, **ENVELOPE)),
    (TopicKind.TERMINAL_EVENTS, carried(TerminalLost, Lost(7, 1, 3), **ENVELOPE)),
    (
        TopicKind.TERMINAL_EVENTS,
        TerminalMalformed(
            boot=7, n=4, raw="9a07", reason="EVENT: kind: expected a kind", **ENVELOPE
        ),
    ),
    (
        TopicKind.TERMINAL_SHOWN,
        carried(TerminalShown, Shown(1, 3, Seat.NORTH), session="run-1"),
    ),
    (
        TopicKind.TERMINAL_SHOWN,
        carried(TerminalClear, Pong(9, 7, 1), session="run-1"),
    ),
    (TopicKind.TERMINAL_DISPLAY, carried(DisplayPrompt, DISPLAY)),
    (TopicKind.TERMINAL_ACK, carried(Acknowledge, Ack(7, -1), epoch=1, **OPENING)),
    (TopicKind.TERMINAL_ACK, Poll(1, 9)),
    (
        TopicKind.TERMINAL_STATUS,
        TerminalStatus(
            "run-1",
            "t1",
            LinkState.ONLINE,
            opening=2,
            hello=carried(HelloReport, HELLO),
            vitals=carried(VitalsReport, Vitals(80, -60, 12, "power")),
        ),
    ),
    (TopicKind.DAEMON_STATUS, DaemonStatus("run-1", online=True, terminals=("n1",))),
    (
        TopicKind.TABLE_STATE,
        TableState(
            session="r",
            epoch=1,
            number=12,
            edition=Edition.LAWS_2017,
            phase=Phase.PLAY,
            dealer=Seat.EAST,
            vulnerable=(Side.NORTH_SOUTH,),
            turn=Seat.SOUTH,
            auction=(PublicCall(Seat.EAST, Call("1S"), True, "5+"),),
            contract=CONTRACT,
            trick=(PublicCard(Seat.EAST, Card("SA")),),
            tricks={Side.NORTH_SOUTH: 1, Side.EAST_WEST: 0},
            dummy=(Card("H2"),),
            terminals={"n1": LinkState.ONLINE},
        ),
    ),
    (
        TopicKind.TABLE_RULING,
        RulingPublished("r", 1, 3, 2, {"law": "31A2(b)"}, "Law 31A2(b), 2007: …"),
    ),
    (
        TopicKind.TABLE_DESK,
        Desk(
            "r",
            1,
            12,
            "t1",
            questions=({"question": "comparable"},),
            calls=(SilentCall(1, Seat.EAST, silent=True, reason="tempo"),),
            held=(HeldEvent("n1", 7, 0, Seat.NORTH, "N 1S", "west is silent"),),
            alarms=(Alarm(1, "boot fell back", "n1"),),
            replies=(CommandReply("c1", "director", done=False, reason="outdated"),),
            judged={"edition": "2017"},
            evidence=({"seat": "E", "double_dummy": 9, "actual": 8},),
            course=Course(
                dealer=Seat.NORTH,
                lines=("N 1S",),
                calls=(CourseCall(1, Seat.NORTH, Call("1S"), withdrawn=True),),
                tricks=(
                    CourseTrick(Seat.EAST, (CourseCard(5, Seat.EAST, Card("CA")),)),
                ),
                rulings=(CourseRuling(1, "…", {}, {Seat.NORTH: {"en": "You …"}}),),
                bound=(CourseBinding(Seat.NORTH, "North must pass"),),
            ),
        ),
    ),
    (
        TopicKind.TABLE_DIRECTOR,
        DirectorCommand("c1", "director", 12, happening="director comparable yes"),
    ),
    (
        TopicKind.TABLE_DIRECTOR,
        DirectorCommand("c2", "director", 12, service=Service.OPEN, board=3),
    ),
    (
        TopicKind.TABLE_RESULT,
        TableResult(
            "r", "t1", 3, 1, 2, Pairs("1", "2"), CONTRACT, {Side.NORTH_SOUTH: 9}, 9, 140
        ),
    ),
    (
        TopicKind.TABLE_DIRECTOR,
        DirectorCommand(
            "c3",
            "director",
            12,
            service=Service.ADJUST,
            play=3,
            adjustment=Adjustment(
                SideScore(outcomes=(Outcome(420, 60, "4S by N"), Outcome(-50, 40))),
                SideScore(artificial=Artificial.MINUS),
                "Law 16B",
            ),
        ),
    ),
    (
        TopicKind.TABLE_RESULT,
        TableResult(
            *("r", "t1", 3, 1, 2, Pairs("1", "2"), None, {}, None, None),
            adjustment=Adjustment(
                SideScore(artificial=Artificial.PLUS),
                SideScore(artificial=Artificial.AVERAGE),
            ),
            penalties=(Penalty(Side.EAST_WEST, 10, PenaltyUnit.PERCENT, "late"),),
        ),
    ),
    (
        TopicKind.TABLE_LOG,
        TableLog(
            *("r", "t1", 3, 2, 1),
            (LogLine(17, 1700000000.5, 250, 3, 2, LogKind.KEY, "N 1S"),),
        ),
    ),
    (
        TopicKind.TABLE_DISPLAYS,
        TableDisplays(
            *("r", "t1"),
            (SeatDisplay("n1", Seat.NORTH, 17, (("Your call",),), ("Accept",)),),
        ),
    ),
    (
        TopicKind.DAEMON_DIRECTOR,
        AssignTerminal("c4", "director", "n1", "SN-2"),
    ),
    (
        TopicKind.DAEMON_ASSIGNMENTS,
        Assignments("r", {"n1": "SN-2"}, (AssignReply("c4", "director", done=True),)),
    ),
    (
        TopicKind.PUBLIC,
        PublicTable(
            *("r", "t1", 2, 1, Seat.EAST, (), Pairs(), (), None, (), None, None)
        ),
    ),
]


@pytest.mark.parametrize(
    ("kind", "payload"), SAMPLES, ids=[schema_of(type(p)) for _, p in SAMPLES]
)
def test_a_payload_comes_back(kind: TopicKind, payload: Payload) -> None:
    data = encode_payload(payload)
    assert msgspec.json.decode(data)["schema"] == schema_of(type(payload))
    assert decode_payload(kind, data) == payload


def test_every_payload_is_said_above_and_belongs_to_one_topic() -> None:
    types = [t for ts in PAYLOADS.values() for t in ts]
    assert sorted(map(schema_of, types)) == sorted({schema_of(t) for t in types})
    assert set(types) == {type(p) for _, p in SAMPLES} == set(get_args(Payload))
    assert set(PAYLOADS) == set(TopicKind)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (Event, TerminalEvent),
        (Lost, TerminalLost),
        (Shown, TerminalShown),
        (Pong, TerminalClear),
        (Display, DisplayPrompt),
        (Ack, Acknowledge),
        (Vitals, VitalsReport),
    ],
    ids=lambda t: t.__name__,
)
def test_wire_and_payload_hold_the_same_fields(
    message: type[msgspec.Struct], payload: type[msgspec.Struct]
) -> None:
    on_wire = get_type_hints(message, include_extras=True)
    in_json = get_type_hints(payload, include_extras=True)
    assert {name: in_json.get(name) for name in on_wire} == on_wire


def test_hello_is_reported_without_its_nonces() -> None:
    on_wire = get_type_hints(Hello, include_extras=True)
    in_json = get_type_hints(HelloReport, include_extras=True)
    assert set(on_wire) - set(in_json) == {"nonce", "asked", "proof"}
    assert all(on_wire[name] == hint for name, hint in in_json.items())


def test_what_is_carried_over_comes_back() -> None:
    event = carried(TerminalEvent, EVENT, **ENVELOPE)
    assert carried(Event, event) == EVENT
    assert carried(Display, carried(DisplayPrompt, DISPLAY)) == DISPLAY


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        (
            TopicKind.TERMINAL_EVENTS,
            b'{"schema": "bidwire.event/1", "boot": -1}',
            "Expected `int` >= 0 - at `$.boot`",
        ),
        (
            TopicKind.TERMINAL_EVENTS,
            b'{"schema": "bidwire.ack/1"}',
            "bidwire.lost/1 or bidwire.malformed/1, got 'bidwire.ack/1'",
        ),
        (TopicKind.PUBLIC, b"{}", "missing required field `schema`"),
        (TopicKind.PUBLIC, b"[]", "Expected `object`, got `array`"),
        (TopicKind.PUBLIC, b"\xff", "JSON is malformed"),
        (TopicKind.PUBLIC, b"", "Input data was truncated"),
        (TopicKind.PUBLIC, b'{"schema": "\xff"}', "public/+: "),
        (
            TopicKind.TABLE_DIRECTOR,
            b'{"schema":"bidwire.command/1","id":"a","by":"b","expects":3}',
            "expected either happening or service",
        ),
        (
            TopicKind.TABLE_DIRECTOR,
            ADJUST + b'{"ns":{"outcomes":[{"score_ns":50,"percent":60}]}}}',
            "expected 100 % together, got 60 %",
        ),
        (
            TopicKind.TABLE_DIRECTOR,
            ADJUST + b'{"ns":{"artificial":"A+"}}}',
            "expected a score for each side, or for none",
        ),
        (
            TopicKind.TABLE_DIRECTOR,
            ADJUST + b'{"ns":{"outcomes":[{"score_ns":55}]}}}',
            "expected a score that ends in 0, got 55",
        ),
        (
            TopicKind.DAEMON_STATUS,
            b'{"schema":"bidwire.daemon/1","session":"a","online":1}',
            "Expected `bool`, got `int` - at `$.online`",
        ),
    ],
    ids=range(12),
)
def test_a_bad_payload_is_told_by_topic_field_and_expectation(
    kind: TopicKind, data: bytes, expected: str
) -> None:
    with pytest.raises(PayloadError) as caught:
        decode_payload(kind, data)
    assert str(caught.value).startswith(f"{kind.value}: ")
    assert expected in str(caught.value)


@given(st.sampled_from(TopicKind), st.binary(max_size=200))
def test_any_bytes_raise_nothing_but_a_payload_error(
    kind: TopicKind, data: bytes
) -> None:
    with pytest.raises(PayloadError):
        decode_payload(kind, data)


def test_deep_nesting_is_a_payload_error() -> None:
    deep = b'{"schema":"bidwire.desk/1","judged":' + b"[" * 100_000
    with pytest.raises(PayloadError):
        decode_payload(TopicKind.TABLE_DESK, deep)


def test_fields_that_a_later_version_adds_are_ignored() -> None:
    data = encode_payload(Poll(1, 9)).replace(b'"epoch"', b'"later":{"a":1},"epoch"')
    assert decode_payload(TopicKind.TERMINAL_ACK, data) == Poll(1, 9)


def test_a_command_is_a_happening_or_a_service_never_both() -> None:
    with pytest.raises(ValueError, match="either happening or service"):
        DirectorCommand("c", "d", 1, happening="round ends", service=Service.CLOSE)
