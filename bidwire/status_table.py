"""The room at a glance: ``bidwire status`` as rich draws it."""

from datetime import timedelta

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bidwire.event_file import EventFile, TerminalSection
from bidwire.status import WAITING, troubles
from desk.room import LOW_BATTERY, Room
from protocol.payloads import LinkState, Phase, TableState, TerminalStatus
from referee.catalogue import catalogue
from referee.names import seat_name

NOTHING = "-"
"""Stands where nothing is known, or nothing is to be told."""


def drawn(room: Room, event: EventFile, now: float) -> RenderableType:
    """What has to be seen to, then the tables, then the terminals.

    Args:
        room: what is known.
        event: what there should be.
        now: the wall clock, Unix seconds.
    """
    wrong = list(troubles(room, event))
    head = Text(f"{event.event.id}, Laws of {event.event.edition}: ", "bold")
    head.append("all is well" if not wrong else f"{len(wrong)} to see to")
    lines = [Text(f"  {line}", "red") for line in wrong]
    return Group(head, *lines, _tables(room, event), _terminals(room, event, now))


def _tables(room: Room, event: EventFile) -> Table:
    drawn = _empty("table", "round", "board", "phase", "turn", "contract", "tricks")
    for table in event.tables:
        state = room.states.get(table.id)
        drawn.add_row(table.id, *(_state(state) if state else [NOTHING] * 6))
    return drawn


def _state(state: TableState) -> list[str]:
    contract = state.contract
    told = NOTHING
    if contract is not None:
        level = f"{contract.level}{contract.denomination}{contract.risk}"
        told = f"{level} {contract.declarer}"
    turn = seat_name(state.turn, catalogue("en")) if state.turn else NOTHING
    tricks = "-".join(str(count) for count in state.tricks.values())
    return [
        str(state.round or NOTHING),
        str(state.board or NOTHING),
        state.phase if state.phase is not Phase.IDLE else "between boards",
        WAITING.get(state.waiting, state.waiting) if state.waiting else turn,
        told,
        tricks or NOTHING,
    ]


def _terminals(room: Room, event: EventFile, now: float) -> Table:
    drawn = _empty(
        *("terminal", "table", "seats", "link", "battery", "signal"),
        *("serial", "firmware", "up for", "last heard"),
    )
    for terminal in event.terminals:
        drawn.add_row(*_terminal(room, terminal, now))
    return drawn


def _terminal(room: Room, terminal: TerminalSection, now: float) -> list[str | Text]:
    link, _ = room.link(terminal.id)
    status = room.terminals.get(terminal.id)
    hello = status.hello if status is not None else None
    vitals = status.vitals if status is not None else None
    battery = room.battery(terminal.id)
    signal = vitals.signal if vitals is not None else None
    return [
        terminal.id,
        terminal.table,
        terminal.seats,
        Text(link, "green" if link == LinkState.ONLINE else "red"),
        NOTHING
        if battery is None
        else Text(f"{battery} %", "red" if battery <= LOW_BATTERY else ""),
        NOTHING if signal is None else f"{signal} dBm",
        hello.serial if hello is not None else NOTHING,
        (hello.firmware if hello is not None else "") or NOTHING,
        NOTHING if vitals is None else str(timedelta(seconds=vitals.uptime_s)),
        last_heard(link, status, now),
    ]


def last_heard(link: str, status: TerminalStatus | None, now: float) -> str:
    """How long ago a terminal was heard, as far as its daemon's clock is right."""
    if link == LinkState.ONLINE:
        return "now"
    if status is None or status.heard_s is None:
        return "never"
    ago = max(0, round(now - (status.at - status.heard_s)))
    return f"{timedelta(seconds=ago)} ago"


def _empty(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        table.add_column(title, no_wrap=title != "serial")
    return table
