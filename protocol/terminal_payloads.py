"""The payloads between terminal daemons and the referee.

Clauses J of ``protocol/README.md``. What also travels on the wire derives from the
``…Fields`` classes of ``protocol.messages``, so that a field is declared once.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from protocol.limits import MESSAGE_MAX
from protocol.messages import (
    AckFields,
    DisplayFields,
    EventFields,
    LostFields,
    PositionFields,
    Serial,
    ShownFields,
    UInt32,
)
from protocol.objects import (
    AssignReply,
    HelloReport,
    LinkState,
    Name,
    Text,
    Token,
    VitalsReport,
)

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
    join: str = ""
    """The address, with its code, at which a tablet becomes this terminal."""
    intruder: Text = ""
    """Who was refused beside it last, while its own link goes on (F17)."""


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
    """When its run began by its clock, Unix seconds. Of two daemons under one name the
    one that says the earlier time stops; by the same time, the lesser session."""


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


# -- Director to the machine of the daemons -----------------------------------------


class AssignTerminal(
    msgspec.Struct, tag_field="schema", tag="bidwire.assign/1", frozen=True
):
    """Another box takes the place of a terminal."""

    id: Token
    """Done once, however often it arrives."""
    by: Annotated[str, Meta(min_length=1, max_length=64)]
    terminal: Name
    serial: Serial
    instead: str | None = None
    """Serial number that the sender saw bound there, empty for any; when it is another
    by now nothing is done. Null: whatever is bound."""


class Assignments(
    msgspec.Struct, tag_field="schema", tag="bidwire.assignments/1", frozen=True
):
    """Which box is bound to which terminal, and what became of the last commands."""

    session: Token
    serials: dict[Name, str] = {}
    """By terminal; empty where any box may come."""
    replies: tuple[AssignReply, ...] = ()
    """Newest last."""
