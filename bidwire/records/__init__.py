"""Real records: reading them, checking them, and what is injected into them."""

from bidwire.records.happenings import (
    Happening,
    actor_of,
    declarer_of,
    expected_contract,
    expected_tricks,
    to_happenings,
    with_actors,
)
from bidwire.records.inject import board_random, plan_board, with_strikes
from bidwire.records.plan import Fault, Injected, Kind, Plan, Transfer
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
    "Fault",
    "Happening",
    "Injected",
    "Kind",
    "Mark",
    "MarkKind",
    "PassedOut",
    "Plan",
    "PlayedCard",
    "Record",
    "RecordError",
    "ScriptRecord",
    "Transfer",
    "actor_of",
    "board_random",
    "declarer_of",
    "expected_contract",
    "expected_tricks",
    "plan_board",
    "read_records",
    "read_text",
    "to_happenings",
    "with_actors",
    "with_strikes",
]
