"""What the room page shows of each table, and which table is the most urgent.

For who may only see the public facts, nothing here hangs on what the Director alone
knows: neither what is shown nor its order.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from desk.room import LOW_BATTERY, Room, uncounted
from protocol.payloads import Alarm, LinkState, SilentCall, TableState

_SECTION = re.compile("[a-z]*")
_PIECES = re.compile("([0-9]+)")


class Urgency(StrEnum):
    """Why a table needs somebody, the most urgent first."""

    CALL = "call"
    """A player has called the Director."""
    HELD = "held"
    """The table waits for the Director's answer."""
    PROPOSED = "proposed"
    """A ruling waits for the Director's click."""
    ALARM = "alarm"
    OFFLINE = "offline"
    """A terminal is not connected."""
    QUIET = "quiet"


_ORDER = {urgency: place for place, urgency in enumerate(Urgency)}


@dataclass(frozen=True, slots=True)
class TerminalView:
    """A terminal of a table.

    Attributes:
        id: its name.
        link: ``online``, ``offline``, ``refused`` or ``unknown``.
        battery: in percent; None where it has told none.
    """

    id: str
    link: str
    battery: int | None

    @property
    def is_low(self) -> bool:
        """Whether its battery needs charging."""
        return self.battery is not None and self.battery <= LOW_BATTERY


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as the room shows it.

    Attributes:
        id: its name.
        state: its public facts; None while only its desk was heard of. What counts
            there is left out: it also counts what the Director alone knows.
        number: the journal number of the desk, which commands expect.
        calls: for the Director, that nobody has attended to.
        questions: that only the Director answers, and are open.
        holds: whether the table waits for an answer.
        proposed, suspicions, held, aside: how many there are.
        alarms: of equipment or numbering.
        terminals: all of the table.
        age: seconds since a player did something; of no account when two are compared.
        is_least: that it is more than that: so long the table has been watched.
    """

    id: str
    state: TableState | None
    number: int
    calls: tuple[SilentCall, ...]
    questions: int
    holds: bool
    proposed: int
    suspicions: int
    held: int
    aside: int
    alarms: tuple[Alarm, ...]
    terminals: tuple[TerminalView, ...]
    age: float | None = field(compare=False)
    is_least: bool

    @property
    def section(self) -> str:
        """The letters that its id begins with; empty where it begins with none."""
        return section_of(self.id)

    @property
    def offline(self) -> list[TerminalView]:
        """Terminals that are not connected."""
        return [each for each in self.terminals if each.link != LinkState.ONLINE]

    @property
    def low(self) -> list[TerminalView]:
        """Terminals that need charging."""
        return [each for each in self.terminals if each.is_low]

    @property
    def reasons(self) -> dict[Urgency, int]:
        """Why the table needs somebody, the most urgent first, and how many of each."""
        found = {
            Urgency.CALL: len(self.calls),
            Urgency.HELD: int(self.holds),
            Urgency.PROPOSED: self.proposed,
            Urgency.ALARM: len(self.alarms),
            Urgency.OFFLINE: len(self.offline),
        }
        return {urgency: count for urgency, count in found.items() if count}

    @property
    def urgency(self) -> Urgency:
        """The most urgent of the reasons."""
        return next(iter(self.reasons), Urgency.QUIET)


def section_of(table: str) -> str:
    """The letters that a table's id begins with: ``a`` of ``a12``."""
    match = _SECTION.match(table)
    return match[0] if match else ""


def in_order(views: Iterable[TableView]) -> list[TableView]:
    """The most urgent first, then by table: ``a2`` before ``a10``."""
    return sorted(views, key=lambda view: (_ORDER[view.urgency], natural(view.id)))


def natural(table: str) -> list[tuple[int, str]]:
    """Sorts ids as people do: ``a2`` before ``a10``."""
    pieces = _PIECES.split(table)
    return [(int(piece) if piece.isdigit() else 0, piece) for piece in pieces]


def table_view(room: Room, table: str, *, knows: bool) -> TableView:
    """A table as it is now.

    Args:
        room: what is known.
        table: one of the room's.
        knows: whether for who may know what waits for the Director.
    """
    state, desk = room.states.get(table), room.desks.get(table)
    questions = _asked_of_director(desk.questions) if knows and desk else []
    moved = room.moved_at.get(table)
    waits = state is not None and state.waiting == "director"
    return TableView(
        id=table,
        state=uncounted(state) if state is not None else None,
        number=desk.number if knows and desk else 0,
        calls=tuple(c for c in desk.calls if not c.attended) if knows and desk else (),
        questions=len(questions),
        holds=waits or any(question["holds"] for question in questions),
        proposed=len(desk.proposed) if knows and desk else 0,
        suspicions=len(desk.suspicions) if knows and desk else 0,
        held=len(desk.held) if knows and desk else 0,
        aside=len(desk.aside) if knows and desk else 0,
        alarms=desk.alarms if knows and desk else (),
        terminals=tuple(
            TerminalView(name, room.link(name)[0], room.battery(name))
            for name in room.terminals_of(table)
        ),
        age=room.clock() - moved if moved is not None else None,
        is_least=table not in room.seen_moving,
    )


def _asked_of_director(
    questions: tuple[dict[str, object], ...],
) -> list[dict[str, object]]:
    return [question for question in questions if question["to"] == "director"]


@dataclass(frozen=True, slots=True)
class Filter:
    """Which tables are wanted.

    Attributes:
        section: None takes all.
        words: that all stand in what is searched, small letters.
    """

    section: str | None = None
    words: tuple[str, ...] = ()

    def takes(self, view: TableView) -> bool:
        """Whether a table is one of them."""
        if self.section is not None and view.section != self.section:
            return False
        if not self.words:
            return True
        state = view.state
        pairs = (state.pairs.ns, state.pairs.ew) if state is not None else ()
        terminals = [terminal.id for terminal in view.terminals]
        searched = " ".join([view.id, *pairs, *terminals]).casefold()
        return all(word in searched for word in self.words)


@dataclass(frozen=True, slots=True)
class Summary:
    """The room in numbers: of all tables, whatever the filter.

    Attributes:
        tables: how many there are.
        reasons: how many calls, tables that wait, proposed rulings, alarms, terminals.
        sections: each with its number of tables, in order.
    """

    tables: int
    reasons: Counter[Urgency]
    sections: list[tuple[str, int]]


def summary(views: Iterable[TableView]) -> Summary:
    """The room in numbers."""
    reasons: Counter[Urgency] = Counter()
    sections: Counter[str] = Counter()
    for view in views:
        reasons.update(view.reasons)
        sections[view.section] += 1
    return Summary(sections.total(), reasons, sorted(sections.items()))
