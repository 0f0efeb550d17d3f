"""The JSON payloads of the MQTT contract: objects that carry their ``schema``.

Clauses J of ``protocol/README.md``. What also travels on the wire derives from the
``…Fields`` classes of ``protocol.messages``, so that a field is declared once.
Unknown fields are ignored, so that a later version may add some.
"""

from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from laws.board import Edition
from laws.cards import Card
from laws.seats import Seat, Side
from protocol.limits import LINE_MAX, MESSAGE_MAX
from protocol.messages import (
    AckFields,
    DisplayFields,
    EventFields,
    LostFields,
    PositionFields,
    ShownFields,
    UInt16,
    UInt32,
)
from protocol.objects import (
    Alarm,
    CommandReply,
    Contract,
    HeldEvent,
    HelloReport,
    LinkState,
    Name,
    Pairs,
    Phase,
    PublicCall,
    PublicCard,
    Service,
    SilentCall,
    Text,
    Token,
    VitalsReport,
)
from protocol.topics import TopicKind

__all__ = [
    "PAYLOADS",
    "Acknowledge",
    "Alarm",
    "CommandReply",
    "Contract",
    "DaemonStatus",
    "Desk",
    "DirectorCommand",
    "DisplayPrompt",
    "HeldEvent",
    "HelloReport",
    "LinkState",
    "Name",
    "Pairs",
    "Payload",
    "PayloadError",
    "Phase",
    "Poll",
    "PublicCall",
    "PublicCard",
    "PublicTable",
    "RulingPublished",
    "Service",
    "SilentCall",
    "TableResult",
    "TableState",
    "TerminalClear",
    "TerminalEvent",
    "TerminalLost",
    "TerminalMalformed",
    "TerminalShown",
    "TerminalStatus",
    "Text",
    "Token",
    "VitalsReport",
    "carried",
    "decode_payload",
    "encode_payload",
    "schema_of",
]


class PayloadError(ValueError):
    """A payload that is none: names the field and what was expected of it."""


# -- daemon to referee --------------------------------------------------------------


class TerminalEvent(
    EventFields, tag_field="schema", tag="bidwire.event/1", frozen=True, kw_only=True
):
    """EVENT of a terminal, stamped by its daemon."""

    session: Token
    """The daemon's run: a new one at each start."""
    table: Name
    k: UInt32
    """Number within this session and table, from 0 without gaps (J3)."""
    opening: UInt32
    """The opening of its link in which it came last (J4)."""
    serial: str
    """The terminal's serial number, since a replaced terminal numbers anew."""


class TerminalLost(
    LostFields, tag_field="schema", tag="bidwire.lost/1", frozen=True, kw_only=True
):
    """LOST of a terminal, stamped by its daemon in the same count as its events."""

    session: Token
    table: Name
    k: UInt32
    opening: UInt32
    serial: str


class TerminalMalformed(
    msgspec.Struct, tag_field="schema", tag="bidwire.malformed/1", frozen=True
):
    """EVENT of a terminal that breaks a rule of section M: taken, never applied."""

    boot: UInt32
    n: UInt32
    raw: Annotated[
        str, Meta(max_length=2 * MESSAGE_MAX, pattern=r"^([0-9a-f][0-9a-f])+\Z")
    ]
    """The whole message as it came, in hexadecimal digits."""
    reason: Text
    """What is wrong with it."""
    session: Token
    table: Name
    k: UInt32
    opening: UInt32
    serial: str


class TerminalShown(
    ShownFields, tag_field="schema", tag="bidwire.shown/1", frozen=True, kw_only=True
):
    """SHOWN of a terminal."""

    session: Token


class TerminalClear(
    PositionFields, tag_field="schema", tag="bidwire.clear/1", frozen=True, kw_only=True
):
    """The answer to a poll.

    Every event of this terminal numbered below ``next`` has been pressed before the
    terminal saw the poll; what comes later was pressed after it.
    """

    session: Token


class TerminalStatus(
    msgspec.Struct, tag_field="schema", tag="bidwire.terminal/1", frozen=True
):
    """How a terminal stands; published by its daemon at each change."""

    session: Token
    table: Name
    link: LinkState
    reason: Text = ""
    """Why it is refused or offline."""
    opening: UInt32 = 0
    """How often its link has come up in this session (J4)."""
    hello: HelloReport | None = None
    """What it said of itself when its link last came up in this session."""
    vitals: VitalsReport | None = None
    at: float = 0.0
    """When it was published by the daemon's clock, Unix seconds: for people only."""
    heard_s: float | None = None
    """Seconds from its last good frame until then."""


class DaemonStatus(
    msgspec.Struct, tag_field="schema", tag="bidwire.daemon/1", frozen=True
):
    """Birth, or by its will death, of a daemon.

    A death of another session than the last birth's is an old one: ignore it.
    """

    session: Token
    online: bool
    terminals: tuple[Name, ...] = ()
    """The terminals that it serves."""
    started: float = 0.0
    """When its run began by its clock, Unix seconds: for people only."""


# -- referee to daemon --------------------------------------------------------------


class DisplayPrompt(
    DisplayFields, tag_field="schema", tag="bidwire.display/1", frozen=True
):
    """DISPLAY for one seat of a terminal."""


class Acknowledge(
    AckFields, tag_field="schema", tag="bidwire.ack/1", frozen=True, kw_only=True
):
    """ACK for a terminal: the journal has everything up to this event."""

    epoch: UInt32
    """Term of the referee that rules."""
    session: Token
    """The daemon's run, as in the last status that the referee has taken."""
    opening: UInt32
    """The opening in that status; the daemon ignores an ACK for an earlier one."""


class Poll(msgspec.Struct, tag_field="schema", tag="bidwire.poll/1", frozen=True):
    """Asks a terminal which event it will number next; answered by a clear."""

    epoch: UInt32
    token: Annotated[int, Meta(ge=1, le=0xFFFF_FFFF)]


# -- referee to all, Director -------------------------------------------------------


class TableState(
    msgspec.Struct, tag_field="schema", tag="bidwire.table/1", frozen=True
):
    """The public facts of a table: never a card that is not faced."""

    session: Token
    epoch: UInt32
    number: UInt32
    """Journal number that this reflects."""
    edition: Edition
    phase: Phase
    round: UInt16 = 0
    play: UInt32 = 0
    board: UInt16 = 0
    dealer: Seat | None = None
    vulnerable: tuple[Side, ...] = ()
    pairs: Pairs = Pairs()
    turn: Seat | None = None
    waiting: str = ""
    """What the table waits for, beside the seat to act: ``director`` or empty."""
    auction: tuple[PublicCall, ...] = ()
    contract: Contract | None = None
    trick: tuple[PublicCard, ...] = ()
    """The trick that is being played, in the order of play."""
    last_trick: tuple[PublicCard, ...] = ()
    tricks: dict[Side, int] = {}
    dummy: tuple[Card, ...] = ()
    """Dummy's cards not yet played, once they are spread."""
    faced: tuple[PublicCard, ...] = ()
    """Penalty cards and other exposed cards that lie on the table."""
    terminals: dict[Name, LinkState] = {}
    """The terminals of the table."""


class RulingPublished(
    msgspec.Struct, tag_field="schema", tag="bidwire.ruling/1", frozen=True
):
    """A ruling, once the table may know of it."""

    session: Token
    number: UInt32
    """Number of the ruling within the table, as in its topic."""
    play: UInt32
    board: UInt16
    ruling: dict[str, Any]
    """The ruling as in the referee's report: law, laws, irregularity, offender…"""
    text: str = ""
    """The ruling in words, with its citation."""


class Desk(msgspec.Struct, tag_field="schema", tag="bidwire.desk/1", frozen=True):
    """All that a Director may know of a table."""

    session: Token
    epoch: UInt32
    number: UInt32
    """Journal number that this reflects; what a command's ``expects`` names."""
    table: Name
    play: UInt32 = 0
    board: UInt16 = 0
    questions: tuple[dict[str, Any], ...] = ()
    """The open questions of the report."""
    foreseen: tuple[dict[str, Any], ...] = ()
    """While the table waits for an answer: each one that may be given as a ``line`` of
    the table script, and a ``text`` of what it would lead to."""
    suspicions: tuple[dict[str, Any], ...] = ()
    """Revokes and rulings that the table has not been told of, as in the report; a
    ruling with a ``text`` that explains it."""
    proposed: tuple[dict[str, Any], ...] = ()
    """Rulings that wait for the Director's click (policy ``confirm``), as in the
    report, each with its ``number`` there and a ``text`` that explains it."""
    calls: tuple[SilentCall, ...] = ()
    held: tuple[HeldEvent, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    replies: tuple[CommandReply, ...] = ()
    """To the last commands, newest last."""
    judged: dict[str, Any] | None = None
    """The whole report of the running play."""
    evidence: tuple[dict[str, Any], ...] = ()
    """On each settled revoke of the table, by play: double dummy beside the result."""


class DirectorCommand(
    msgspec.Struct, tag_field="schema", tag="bidwire.command/1", frozen=True
):
    """A command of the Director: a happening or a service, never both."""

    id: Token
    """Done once, however often it arrives."""
    by: Annotated[str, Meta(min_length=1, max_length=64)]
    expects: UInt32
    """Journal number that the Director saw; when the table has moved on in a way
    that matters the command is refused."""
    happening: Annotated[str, Meta(max_length=LINE_MAX)] = ""
    """A line of the table script: ``director comparable yes``."""
    play: UInt32 = 0
    """The playing that the happening belongs to; 0 is the running one."""
    service: Service | None = None
    board: UInt16 = 0
    terminal: str = ""
    ruling: UInt32 = 0
    subject: UInt32 = 0
    drop: bool = False

    def __post_init__(self) -> None:
        if bool(self.happening) == (self.service is not None):
            raise ValueError("expected either happening or service")


class TableResult(
    msgspec.Struct, tag_field="schema", tag="bidwire.result/1", frozen=True
):
    """The result of one playing of a board."""

    session: Token
    table: Name
    play: UInt32
    round: UInt16
    board: UInt16
    pairs: Pairs
    contract: Contract | None
    """None when the board was passed out or never played."""
    tricks: dict[Side, int]
    """As played, before any transfer."""
    declarer_tricks: int | None
    """After transfers."""
    score_ns: int | None
    number: UInt32 = 0
    """Journal number; a later one replaces the result."""
    judged: dict[str, Any] | None = None
    """The whole report of the play."""


class PublicTable(
    msgspec.Struct, tag_field="schema", tag="bidwire.public/1", frozen=True
):
    """What anyone may see of a table, as soon as the event's policy lets them."""

    session: Token
    table: Name
    board: UInt16
    round: UInt16
    dealer: Seat | None
    vulnerable: tuple[Side, ...]
    pairs: Pairs
    auction: tuple[PublicCall, ...]
    contract: Contract | None
    tricks_played: tuple[tuple[PublicCard, ...], ...]
    declarer_tricks: int | None
    score_ns: int | None
    deal: str = ""
    """PBN deal, when the board is over and the referee knows it."""


Payload = (
    TerminalEvent
    | TerminalLost
    | TerminalMalformed
    | TerminalShown
    | TerminalClear
    | TerminalStatus
    | DaemonStatus
    | DisplayPrompt
    | Acknowledge
    | Poll
    | TableState
    | RulingPublished
    | Desk
    | DirectorCommand
    | TableResult
    | PublicTable
)

PAYLOADS: dict[TopicKind, tuple[type[Payload], ...]] = {
    TopicKind.TERMINAL_EVENTS: (TerminalEvent, TerminalLost, TerminalMalformed),
    TopicKind.TERMINAL_SHOWN: (TerminalShown, TerminalClear),
    TopicKind.TERMINAL_DISPLAY: (DisplayPrompt,),
    TopicKind.TERMINAL_ACK: (Acknowledge, Poll),
    TopicKind.TERMINAL_STATUS: (TerminalStatus,),
    TopicKind.DAEMON_STATUS: (DaemonStatus,),
    TopicKind.TABLE_STATE: (TableState,),
    TopicKind.TABLE_RULING: (RulingPublished,),
    TopicKind.TABLE_DESK: (Desk,),
    TopicKind.TABLE_DIRECTOR: (DirectorCommand,),
    TopicKind.TABLE_RESULT: (TableResult,),
    TopicKind.PUBLIC: (PublicTable,),
}
"""What may be published on each kind of topic."""


def schema_of(payload_type: type[Payload]) -> str:
    """The ``schema`` of a payload type: ``bidwire.event/1``."""
    return str(payload_type.__struct_config__.tag)


_ENCODER = msgspec.json.Encoder()
_DECODERS = {t: msgspec.json.Decoder(t) for ts in PAYLOADS.values() for t in ts}


class _SchemaField(msgspec.Struct):
    schema: str


_SCHEMA = msgspec.json.Decoder(_SchemaField)


T = TypeVar("T", bound=msgspec.Struct)


def carried(target: type[T], source: msgspec.Struct, **more: object) -> T:
    """A struct with the fields that another one shares with it.

    So the relay turns ``Event`` into ``TerminalEvent`` and ``DisplayPrompt`` into
    ``Display``: what a payload and a message have in common is declared once.

    Args:
        target: the class to make.
        source: where its fields come from.
        more: fields that the source has not.
    """
    shared = set(target.__struct_fields__) & set(source.__struct_fields__)
    values = {name: getattr(source, name) for name in shared} | more
    return target(**values)


def encode_payload(payload: Payload) -> bytes:
    """The JSON of a payload, UTF-8."""
    return _ENCODER.encode(payload)


def decode_payload(kind: TopicKind, data: bytes) -> Payload:
    """Read the payload of a message on a topic of this kind.

    Raises:
        PayloadError: names the field and what was expected of it.
    """
    types = {schema_of(t): t for t in PAYLOADS[kind]}
    try:
        schema = _SCHEMA.decode(data).schema
        if schema not in types:
            raise PayloadError(
                f"{kind.value}: expected schema {' or '.join(types)}, got {schema!r}"
            )
        return _DECODERS[types[schema]].decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PayloadError(f"{kind.value}: {error}") from error
