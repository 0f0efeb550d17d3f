"""The objects that stand inside payloads, and the words that their fields take.

Clauses J of ``protocol/README.md``; ``protocol.payloads`` has the payloads themselves.
"""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from laws.calls import Call
from laws.cards import Card
from laws.seats import Seat
from protocol.limits import TEXT_MAX
from protocol.messages import HelloFields, UInt16, UInt32, VitalsFields
from protocol.topics import LEVEL_PATTERN, LEVEL_WORDS

Name = Annotated[str, Meta(pattern=rf"^{LEVEL_PATTERN}\Z", description=LEVEL_WORDS)]
"""An id that also stands in topics."""

Token = Annotated[str, Meta(min_length=1, max_length=64)]
"""A session or command id: unique, without a meaning of its own."""

Text = Annotated[str, Meta(max_length=TEXT_MAX)]


class HelloReport(HelloFields, frozen=True):
    """The fields of HELLO, as an object."""


class VitalsReport(VitalsFields, frozen=True):
    """The vitals of PING, as an object."""


class LinkState(StrEnum):
    """How a terminal's link stands."""

    ONLINE = "online"
    OFFLINE = "offline"
    REFUSED = "refused"


class Phase(StrEnum):
    """Where the playing of a board stands."""

    IDLE = "idle"
    AUCTION = "auction"
    PLAY = "play"
    CLAIM = "claim"
    ENDED = "ended"


class PublicCall(msgspec.Struct, frozen=True):
    """A call of the legal auction, as everyone saw it."""

    seat: Seat
    call: Call
    alerted: bool = False
    explanation: str = ""


class PublicCard(msgspec.Struct, frozen=True):
    """A card on the table and the hand that it comes from."""

    hand: Seat
    card: Card


class Contract(msgspec.Struct, frozen=True):
    """The contract, as in the referee's report."""

    level: Annotated[int, Meta(ge=1, le=7)]
    denomination: str
    risk: str
    """Empty, X or XX."""
    declarer: Seat


class Pairs(msgspec.Struct, frozen=True):
    """Who sits where, by the names or numbers that the event gives."""

    ns: str = ""
    ew: str = ""


class HeldEvent(msgspec.Struct, frozen=True):
    """An event that is journalled but not judged, and why."""

    terminal: Name
    boot: UInt32
    n: UInt32
    seat: Seat | None
    """None when the event is malformed."""
    happening: str
    """The line of the table script, or the kind for what has none."""
    reason: str
    """In English."""
    texts: dict[str, str] = {}
    """The reason in other languages, where it differs."""
    happenings: dict[str, str] = {}
    """The happening in other languages, where it differs."""


class SilentCall(msgspec.Struct, frozen=True):
    """A player called the Director."""

    id: UInt32
    seat: Seat
    silent: bool
    """The other seats are not told."""
    reason: str = ""
    """As the player wrote it; in English where his terminal gives it."""
    attended: bool = False
    texts: dict[str, str] = {}
    """The reason in other languages, where it differs."""


class Alarm(msgspec.Struct, frozen=True):
    """What the Director must know of the table's equipment or numbering."""

    id: UInt32
    text: str
    """In English."""
    terminal: str = ""
    texts: dict[str, str] = {}
    """The same in other languages, where it differs."""


class CommandReply(msgspec.Struct, frozen=True):
    """What became of a Director's command."""

    id: Token
    by: str
    done: bool
    reason: str = ""
    """Why it was refused, with what was expected; of a happening that stands in the
    log all the same, why the Laws do not allow it."""
    number: UInt32 = 0
    """Journal number after it."""
    outdated: bool = False
    """Refused only because the table has moved on: look again, and say it again."""
    texts: dict[str, str] = {}
    """The reason in other languages, where it differs."""


class Service(StrEnum):
    """Commands of a Director that are no happening of the table script."""

    OPEN = "open"
    """Open the playing of ``board``."""
    CLOSE = "close"
    """Close the running play, finished or not."""
    RELEASE = "release"
    """Judge the oldest held event of ``terminal`` now, or drop it (``drop``)."""
    CONFIRM = "confirm"
    """Put proposed ruling ``ruling`` into effect."""
    REJECT = "reject"
    """Drop proposed ruling ``ruling``."""
    ATTEND = "attend"
    """The Director has seen to the call, or alarm, ``subject``."""
    ROUND = "round"
    """Open ``round``: its first board may be played."""
    DEAL = "deal"
    """``board``, which is still to be played, has the hands of ``deal``."""
    HANDS = "hands"
    """Show the Director the hands of ``play``."""
    ADJUST = "adjust"
    """``play`` gets the score of ``adjustment`` (Law 12)."""
    PENALTY = "penalty"
    """``penalty`` from ``play``, a procedural one (Laws 90, 91)."""


class LogKind(StrEnum):
    """What a line of a table's log is about."""

    BOARD = "board"
    KEY = "key"
    """A call, a card or another key press of a player."""
    ASIDE = "aside"
    """A key press that was not applied."""
    RULING = "ruling"
    QUESTION = "question"
    REFUSAL = "refusal"
    DIRECTOR = "director"
    """What the Director said or did."""
    CALL = "call"
    """A player called the Director."""
    RESULT = "result"
    ALARM = "alarm"
    LINK = "link"
    """A terminal's link came up or was lost, or events were lost with it."""


class LogLine(msgspec.Struct, frozen=True):
    """A line of a table's log."""

    number: UInt32
    """Of the entry in the table's journal."""
    at: float | None
    """Wall clock of the referee, Unix seconds; null when it was not kept."""
    age_ms: UInt32 | None
    """Milliseconds since the key was pressed, of a key press."""
    play: UInt32
    """The playing that it is about, 0 before the first."""
    board: UInt16
    kind: LogKind
    text: str
    """In English, rulings with their citation."""
    texts: dict[str, str] = {}
    """The same in other languages, where it differs."""


class SeatDisplay(msgspec.Struct, frozen=True):
    """What a seat's display shows."""

    terminal: Name
    seat: Seat
    rev: UInt32
    pages: tuple[tuple[str, ...], ...]
    choices: tuple[str, ...] = ()
    """The answers that it offers, by their labels."""
    locks: tuple[str, ...] = ()
    """Keys that do nothing."""
    shown: bool = False
    """Whether the terminal says that it shows it."""


class AssignReply(msgspec.Struct, frozen=True):
    """What became of the command to bind another box."""

    id: Token
    by: str
    done: bool
    reason: str = ""
    """Why it was refused, with what was expected."""
    texts: dict[str, str] = {}
    """The reason in other languages, where it differs."""
