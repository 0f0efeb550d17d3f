"""The JSON payloads of the MQTT contract: objects that carry their ``schema``.

Clauses J of ``protocol/README.md``; ``protocol.terminal_payloads`` and
``protocol.table_payloads`` have them, this module which topic takes which.
Unknown fields are ignored, so that a later version may add some.
"""

from typing import TypeVar

import msgspec

from protocol.objects import (
    Alarm,
    AssignReply,
    CommandReply,
    Contract,
    HeldEvent,
    HelloReport,
    LinkState,
    LogKind,
    LogLine,
    Name,
    Pairs,
    Phase,
    PublicCall,
    PublicCard,
    SeatDisplay,
    Service,
    SilentCall,
    Text,
    Token,
    VitalsReport,
)
from protocol.scores import (
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    SideScore,
)
from protocol.table_payloads import (
    Desk,
    DirectorCommand,
    PublicTable,
    RulingPublished,
    TableDisplays,
    TableLog,
    TableResult,
    TableState,
)
from protocol.terminal_payloads import (
    Acknowledge,
    Assignments,
    AssignTerminal,
    DaemonStatus,
    DisplayPrompt,
    Poll,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
)
from protocol.topics import TopicKind

__all__ = [
    "PAYLOADS",
    "Acknowledge",
    "Adjustment",
    "Alarm",
    "Artificial",
    "AssignReply",
    "AssignTerminal",
    "Assignments",
    "CommandReply",
    "Contract",
    "DaemonStatus",
    "Desk",
    "DirectorCommand",
    "DisplayPrompt",
    "HeldEvent",
    "HelloReport",
    "LinkState",
    "LogKind",
    "LogLine",
    "Name",
    "Outcome",
    "Pairs",
    "Payload",
    "PayloadError",
    "Penalty",
    "PenaltyUnit",
    "Phase",
    "Poll",
    "PublicCall",
    "PublicCard",
    "PublicTable",
    "RulingPublished",
    "SeatDisplay",
    "Service",
    "SideScore",
    "SilentCall",
    "TableDisplays",
    "TableLog",
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


Payload = (
    TerminalEvent
    | TerminalLost
    | TerminalMalformed
    | TerminalShown
    | TerminalClear
    | TerminalStatus
    | DaemonStatus
    | AssignTerminal
    | Assignments
    | DisplayPrompt
    | Acknowledge
    | Poll
    | TableState
    | RulingPublished
    | Desk
    | DirectorCommand
    | TableResult
    | PublicTable
    | TableLog
    | TableDisplays
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
    TopicKind.TABLE_LOG: (TableLog,),
    TopicKind.TABLE_DISPLAYS: (TableDisplays,),
    TopicKind.DAEMON_DIRECTOR: (AssignTerminal,),
    TopicKind.DAEMON_ASSIGNMENTS: (Assignments,),
}
"""What may be published on each kind of topic."""


def schema_of(payload_type: type[Payload]) -> str:
    """The ``schema`` of a payload type: ``bidwire.event/1``."""
    return str(payload_type.__struct_config__.tag)


_ENCODER = msgspec.json.Encoder()
_DECODERS: dict[TopicKind, dict[str, msgspec.json.Decoder[Payload]]] = {
    kind: {schema_of(t): msgspec.json.Decoder(t) for t in types}
    for kind, types in PAYLOADS.items()
}


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
    decoders = _DECODERS[kind]
    try:
        schema = _SCHEMA.decode(data).schema
        if schema not in decoders:
            raise PayloadError(
                f"{kind.value}: expected schema {' or '.join(decoders)}, got {schema!r}"
            )
        return decoders[schema].decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PayloadError(f"{kind.value}: {error}") from error
