"""What the journal holds: inputs as they came, and what they led to.

One frozen struct for each kind of entry. Folding them gives a table's record again
(``referee.record``); nothing is judged a second time.
"""

from typing import Any

import msgspec

from laws.board import Edition
from laws.seats import Seat, Side
from protocol.messages import Datum
from protocol.objects import HelloReport
from protocol.payloads import DirectorCommand
from referee.settings import BoardSettings, PolicySettings


class _Entry(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry"):
    pass


class TerminalSeen(_Entry, tag="terminal-seen", frozen=True, kw_only=True):
    """A terminal's link came up, and it said what it is and what it holds."""

    terminal: str
    session: str
    opening: int
    hello: HelloReport
    received: float = 0.0
    """Wall clock, as in `EventTaken`; 0 in journals of before it was kept."""


class LinkLost(_Entry, tag="link-lost", frozen=True, kw_only=True):
    """A terminal's link went down, was refused, or its daemon has died."""

    terminal: str
    received: float
    reason: str


class EventTaken(_Entry, tag="event-taken", frozen=True, kw_only=True):
    """An event of a terminal was taken in; what it leads to stands further on."""

    terminal: str
    daemon: str
    session: str
    k: int
    received: float
    """Wall clock, seconds since 1970: a label, never an order."""
    boot: int
    n: int
    seat: Seat
    play: int
    rev: int
    age_ms: int
    kind: str
    hand: Seat | None
    data: tuple[Datum, ...]


class EventMalformed(_Entry, tag="event-malformed", frozen=True, kw_only=True):
    """An event that breaks a rule of the wire was taken in; it is never applied."""

    terminal: str
    received: float
    boot: int
    n: int
    raw: str
    """The message as it came, in hexadecimal digits."""
    reason: str


class EventsLost(_Entry, tag="events-lost", frozen=True, kw_only=True):
    """A terminal no longer has these events."""

    terminal: str
    boot: int
    first: int
    last: int
    received: float = 0.0


class EventJudged(_Entry, tag="event-judged", frozen=True, kw_only=True):
    """The oldest waiting event of a terminal was judged."""

    terminal: str
    boot: int
    n: int
    play: int
    events: tuple[Any, ...]
    """Events of the engine (``referee.codec``)."""


class EventSetAside(_Entry, tag="event-set-aside", frozen=True, kw_only=True):
    """An event was not applied: the Director is shown it."""

    terminal: str
    boot: int
    n: int
    reason: str
    """A word of ``referee.record.Aside``."""
    detail: str = ""


class EventServed(_Entry, tag="event-served", frozen=True, kw_only=True):
    """An event that is nothing for the engine was done: a board placed, an undo."""

    terminal: str
    boot: int
    n: int


class SeatsConfirmed(_Entry, tag="seats-confirmed", frozen=True, kw_only=True):
    """A side said that it sits where the event expects it, for the next board."""

    terminal: str
    boot: int
    n: int
    side: Side


class DirectorCalled(_Entry, tag="director-called", frozen=True, kw_only=True):
    """A seat called the Director."""

    terminal: str
    boot: int
    n: int
    seat: Seat
    silent: bool
    reason: str


class CommandTaken(_Entry, tag="command-taken", frozen=True, kw_only=True):
    """A command of the Director came, and this is what became of it."""

    command: DirectorCommand
    received: float
    done: bool
    reason: str = ""
    outdated: bool = False


class CommandUnread(_Entry, tag="command-unread", frozen=True, kw_only=True):
    """A command of the Director came that breaks the contract; it was not done."""

    id: str
    by: str
    received: float
    reason: str


class CommandJudged(_Entry, tag="command-judged", frozen=True, kw_only=True):
    """The happening of a Director's command was judged."""

    id: str
    play: int
    events: tuple[Any, ...]


class PlayOpened(_Entry, tag="play-opened", frozen=True, kw_only=True):
    """The playing of a board began, by these rules whatever the settings say later."""

    play: int
    place: int
    """Place of the board in the table's list, from 0."""
    board: BoardSettings
    edition: Edition
    policies: PolicySettings


class PlayClosed(_Entry, tag="play-closed", frozen=True, kw_only=True):
    """A playing is closed: its events no longer apply."""

    play: int


class RulingTold(_Entry, tag="ruling-told", frozen=True, kw_only=True):
    """The table may know of a ruling from now on."""

    number: int
    """Within the table, from 1."""
    play: int
    line: int
    law: str
    offender: Seat


class RulingConfirmed(_Entry, tag="ruling-confirmed", frozen=True, kw_only=True):
    """The Director put a proposed ruling into effect."""

    play: int
    line: int
    law: str
    offender: Seat


class Attended(_Entry, tag="attended", frozen=True, kw_only=True):
    """The Director has seen to a call or an alarm."""

    subject: int


class Alarmed(_Entry, tag="alarmed", frozen=True, kw_only=True):
    """Something about the equipment that the Director must know."""

    text: str
    terminal: str = ""
    received: float = 0.0


Entry = (
    TerminalSeen
    | LinkLost
    | EventTaken
    | EventMalformed
    | EventsLost
    | EventJudged
    | EventSetAside
    | EventServed
    | SeatsConfirmed
    | DirectorCalled
    | CommandTaken
    | CommandUnread
    | CommandJudged
    | PlayOpened
    | PlayClosed
    | RulingTold
    | RulingConfirmed
    | Attended
    | Alarmed
)
