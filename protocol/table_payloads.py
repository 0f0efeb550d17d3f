"""The payloads of a table: from the referee to all, and from Directors to it.

Clauses J of ``protocol/README.md``.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from laws.board import Edition
from laws.cards import Card
from laws.seats import Seat, Side
from protocol.course import Course
from protocol.limits import DEAL_MAX, LINE_MAX, TEXT_MAX
from protocol.messages import UInt16, UInt32
from protocol.objects import (
    Alarm,
    CommandReply,
    Contract,
    HeldEvent,
    LinkState,
    LogLine,
    Name,
    Pairs,
    Phase,
    PublicCall,
    PublicCard,
    SeatDisplay,
    Service,
    SilentCall,
    Token,
)
from protocol.scores import Adjustment, Penalty

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
    """What the table waits for, beside the seat to act: ``director``, ``round`` (the
    Director has not opened it) or empty."""
    next_board: UInt16 = 0
    """The board that is played next, 0 after the last."""
    next_round: UInt16 = 0
    """Its round."""
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
    """The ruling in words, with its citation, in English."""
    texts: dict[str, str] = {}
    """The same in other languages, by their code."""


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
    """The open questions of the report; ``course`` has them in words."""
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
    aside: tuple[HeldEvent, ...] = ()
    """Events that were not applied since the running play was opened, newest last."""
    alarms: tuple[Alarm, ...] = ()
    replies: tuple[CommandReply, ...] = ()
    """To the last commands, newest last."""
    judged: dict[str, Any] | None = None
    """The whole report of the running play."""
    deal: str = ""
    """The hands of the running play in PBN, once the Director has asked for them."""
    evidence: tuple[dict[str, Any], ...] = ()
    """On each settled revoke of the table, by play: double dummy beside the result."""
    course: Course | None = None
    """How the running play has gone, beyond the report."""


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
    round: UInt16 = 0
    deal: Annotated[str, Meta(max_length=DEAL_MAX)] = ""
    """The hands of ``board`` in PBN."""
    adjustment: Adjustment | None = None
    penalty: Penalty | None = None
    reason: Annotated[str, Meta(max_length=TEXT_MAX)] = ""
    """Why, for the log."""

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
    adjustment: Adjustment | None = None
    """The score that the Director has given in place of it (Law 12)."""
    penalties: tuple[Penalty, ...] = ()
    """Procedural penalties from this board (Laws 90, 91)."""
    course: Course | None = None
    """How the play went, beyond the report."""
    deal: str = ""
    """The hands in PBN, once a Director has asked for them."""


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


class TableLog(msgspec.Struct, tag_field="schema", tag="bidwire.log/1", frozen=True):
    """What happened at a table while a board was played there, with times."""

    session: Token
    table: Name
    play: UInt32
    board: UInt16
    round: UInt16
    lines: tuple[LogLine, ...]


class TableDisplays(
    msgspec.Struct, tag_field="schema", tag="bidwire.displays/1", frozen=True
):
    """What the display of each seat of a table shows."""

    session: Token
    table: Name
    displays: tuple[SeatDisplay, ...]
