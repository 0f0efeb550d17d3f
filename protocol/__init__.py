"""The wire between terminals and daemons, and the MQTT contract; no I/O."""

from protocol.daemon_link import DaemonLink
from protocol.decoding import decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.happenings import Kind, action_of, fields_of
from protocol.intake import Intake, Verdict
from protocol.link import (
    LinkDown,
    LinkMisuseError,
    LinkRefused,
    LinkUp,
    Occurrence,
    Received,
)
from protocol.messages import encode
from protocol.payloads import PayloadError, decode_payload, encode_payload
from protocol.store import EventStore, MemoryStore, StoreFullError
from protocol.terminal_link import Identity, TerminalLink
from protocol.topics import Topic, TopicError, TopicKind, Topics, parse_topic

__all__ = [
    "DaemonLink",
    "EventStore",
    "FrameDecoder",
    "Identity",
    "Intake",
    "Kind",
    "LinkDown",
    "LinkMisuseError",
    "LinkRefused",
    "LinkUp",
    "MemoryStore",
    "Occurrence",
    "PayloadError",
    "Received",
    "StoreFullError",
    "TerminalLink",
    "Topic",
    "TopicError",
    "TopicKind",
    "Topics",
    "Verdict",
    "action_of",
    "decode",
    "decode_payload",
    "encode",
    "encode_frame",
    "encode_payload",
    "fields_of",
    "parse_topic",
]
