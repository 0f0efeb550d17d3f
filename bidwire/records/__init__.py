"""Real records: reading them, checking them, and what is injected into them."""

from bidwire.records.happenings import (
    Happening,
    actor_of,
    declarer_of,
    differences,
    expected_contract,
    expected_tricks,
    to_happenings,
    with_actors,
)
from bidwire.records.reading import AnyRecord, read_records, read_text
from bidwire.records.record import (
    Breach,
    Contract,
    Mark,
    MarkKind,
    PassedOut,
    PlayedCard,
    Record,
    RecordError,
    ScriptRecord,
)

__all__ = [
    "AnyRecord",
    "Breach",
    "Contract",
    "Happening",
    "Mark",
    "MarkKind",
    "PassedOut",
    "PlayedCard",
    "Record",
    "RecordError",
    "ScriptRecord",
    "actor_of",
    "declarer_of",
    "differences",
    "expected_contract",
    "expected_tricks",
    "read_records",
    "read_text",
    "to_happenings",
    "with_actors",
]
