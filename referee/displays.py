"""The displays of a table's seats: their revisions, and what is still to be shown.

A display is sent when it has changed, and again at 1, 2, 4 … 30 seconds until the
terminal says that it shows it. Its revision is the journal number at which it
changed, so that it never falls, not even over a restart.
"""

from dataclasses import dataclass, replace

import msgspec

from laws.seats import Seat
from protocol.limits import MESSAGE_MAX, REPEAT_S
from protocol.messages import Display, encoded_size
from protocol.payloads import DisplayPrompt, TerminalShown
from referee.catalogue import catalogue
from referee.fit import paginate
from referee.prompts import prompt
from referee.record import Record
from referee.settings import TerminalSettings


@dataclass(frozen=True, slots=True)
class Shown:
    """A display and how often it has been sent.

    Attributes:
        terminal: whose it is.
        display: the whole of it.
        sent: how often, since it changed or the terminal came back.
        due: when it is to be sent (again); None once it is shown.
    """

    terminal: str
    display: DisplayPrompt
    sent: int
    due: float | None


Displays = dict[tuple[str, Seat], Shown]
"""The displays of a table, by terminal and seat."""


def display_of(
    record: Record, terminal: TerminalSettings, seat: Seat, epoch: int
) -> DisplayPrompt:
    """What a seat's display has to show now."""
    playing = record.open_play
    screen = record.screen(terminal.id)
    shown = prompt(
        record,
        seat,
        catalogue(terminal.language),
        columns=screen.columns,
        alone=len(terminal.seats) == 1,
    )
    number = board = at = 0
    if playing is not None:
        number, board = playing.number, playing.board.number
        at = len(playing.state.steps)
    pages = paginate(shown.blocks, screen.columns, screen.rows, screen.encoding)
    display = DisplayPrompt(
        epoch=epoch,
        rev=record.number,
        seat=seat,
        play=number,
        board=board,
        at=at,
        ask=shown.ask,
        hand=shown.hand,
        pages=pages,
        choices=shown.choices,
        locks=shown.locks,
    )
    return _within_a_message(display)


def _within_a_message(display: DisplayPrompt) -> DisplayPrompt:
    """Without the last pages, should the wire not carry them all."""
    while encoded_size(_on_the_wire(display)) > MESSAGE_MAX and display.pages:
        display = msgspec.structs.replace(display, pages=display.pages[:-1])
    return display


def _on_the_wire(display: DisplayPrompt) -> Display:
    return Display(**msgspec.structs.asdict(display))


def refresh(displays: Displays, record: Record, epoch: int, now: float) -> Displays:
    """The displays as the record has them now; what has changed is due at once."""
    fresh: Displays = {}
    for terminal in record.table.terminals:
        for seat in terminal.seats:
            display = display_of(record, terminal, seat, epoch)
            before = displays.get((terminal.id, seat))
            if before is not None and _same(before.display, display):
                fresh[terminal.id, seat] = before
            else:
                fresh[terminal.id, seat] = Shown(terminal.id, display, 0, now)
    return fresh


def _same(before: DisplayPrompt, after: DisplayPrompt) -> bool:
    return bool(msgspec.structs.replace(after, rev=before.rev) == before)


def show_again(displays: Displays, terminal: str, now: float) -> Displays:
    """Everything of a terminal is due at once: it may have forgotten it."""
    return {
        key: replace(shown, sent=0, due=now) if shown.terminal == terminal else shown
        for key, shown in displays.items()
    }


def was_shown(displays: Displays, terminal: str, shown: TerminalShown) -> Displays:
    """A terminal says what a seat shows; what is older is still to be shown."""
    key = (terminal, shown.seat)
    kept = displays.get(key)
    if kept is None or (shown.epoch, shown.rev) < (
        kept.display.epoch,
        kept.display.rev,
    ):
        return displays
    return {**displays, key: replace(kept, due=None)}


def _order(shown: DisplayPrompt | TerminalShown) -> tuple[int, int]:
    return (shown.epoch, shown.rev)


def due(displays: Displays, now: float) -> tuple[Displays, tuple[Shown, ...]]:
    """The displays that are to be sent now, and when they will be again."""
    ready = [shown for shown in displays.values() if _is_due(shown, now)]
    for shown in ready:
        wait = REPEAT_S[min(shown.sent, len(REPEAT_S) - 1)]
        again = replace(shown, sent=shown.sent + 1, due=now + wait)
        displays = {**displays, (shown.terminal, shown.display.seat): again}
    return displays, tuple(ready)


def _is_due(shown: Shown, now: float) -> bool:
    return shown.due is not None and shown.due <= now


def next_due(displays: Displays) -> float | None:
    """When a display is to be sent again."""
    return min((s.due for s in displays.values() if s.due is not None), default=None)
