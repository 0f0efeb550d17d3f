"""The displays of a table's seats: their revisions, and what is still to be shown.

A display is sent when it has changed, and again at 1, 2, 4 … 30 seconds until the
terminal says that it shows it. Its revision is the journal number at which it
changed, so that it never falls, not even over a restart.
"""

from dataclasses import dataclass, replace

import msgspec

from laws.seats import Seat
from protocol.limits import MESSAGE_MAX, REPEAT_S
from protocol.messages import Asked, Display, encoded_size
from protocol.payloads import DisplayPrompt, TerminalShown
from referee.catalogue import catalogue
from referee.fit import paginate
from referee.prompts import BoardText, asks, prompt
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


_ASKS_NOTHING = frozenset({Asked.NONE, Asked.WAIT})

Pages = tuple[tuple[str, ...], ...]

Displays = dict[tuple[str, Seat], Shown]
"""The displays of a table, by terminal and seat."""


def display_of(
    board: BoardText, terminal: TerminalSettings, seat: Seat, epoch: int
) -> DisplayPrompt:
    """What a seat's display has to show now."""
    record = board.record
    playing = record.open_play
    screen = record.screen(terminal.id)
    shown = prompt(
        board,
        seat,
        catalogue(terminal.language),
        columns=screen.columns,
        alone=len(terminal.seats) == 1,
    )
    number = on_table = at = 0
    if playing is not None:
        number, on_table = playing.number, playing.board.number
        at = len(playing.state.steps)
    pages = paginate(shown.blocks, screen.columns, screen.rows, screen.encoding)
    display = DisplayPrompt(
        epoch=epoch,
        rev=record.number,
        seat=seat,
        play=number,
        board=on_table,
        at=at,
        ask=shown.ask,
        hand=shown.hand,
        pages=pages,
        choices=shown.choices,
        locks=shown.locks,
    )
    return _within_a_message(display)


def pages_without_names(record: Record, shown: Shown) -> Pages:
    """The pages of a display with pairs' ids for players' names, to be retained."""
    terminal = record.table.terminal(shown.terminal)
    if not record.event.names or terminal is None:
        return shown.display.pages
    nameless = replace(record, event=msgspec.structs.replace(record.event, names={}))
    display = shown.display
    board = BoardText(nameless)
    return display_of(board, terminal, display.seat, display.epoch).pages


def _within_a_message(display: DisplayPrompt) -> DisplayPrompt:
    """Without the last pages, should the wire not carry them all."""
    while encoded_size(_on_the_wire(display)) > MESSAGE_MAX and display.pages:
        display = msgspec.structs.replace(display, pages=display.pages[:-1])
    return display


def _on_the_wire(display: DisplayPrompt) -> Display:
    return Display(**msgspec.structs.asdict(display))


def by_urgency(record: Record) -> list[tuple[TerminalSettings, Seat]]:
    """The seats with their terminals, first those of whom something is asked.

    The table waits for their prompts, and a broker takes one message after the other.
    """
    everyone = [(t, seat) for t in record.table.terminals for seat in t.seats]
    playing = record.open_play
    if playing is not None:
        everyone.sort(key=lambda at: asks(record, playing, at[1])[0] in _ASKS_NOTHING)
    return everyone


def refreshed(
    before: Shown | None,
    board: BoardText,
    at: tuple[TerminalSettings, Seat],
    epoch: int,
    now: float,
) -> Shown:
    """A display as the record has it now; one that has changed is due at once."""
    terminal, seat = at
    display = display_of(board, terminal, seat, epoch)
    if before is not None and _same(before.display, display):
        return before
    return Shown(terminal.id, display, 0, now)


def _same(before: DisplayPrompt, after: DisplayPrompt) -> bool:
    return bool(msgspec.structs.replace(after, rev=before.rev) == before)


def shown_again(shown: Shown, now: float) -> Shown:
    """A display that is due at once: its terminal may have forgotten it."""
    return replace(shown, sent=0, due=now)


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


def is_due(shown: Shown, now: float) -> bool:
    """Whether a display is to be sent now."""
    return shown.due is not None and shown.due <= now


def sent(shown: Shown, now: float) -> Shown:
    """A display that has been sent, and when it will be again."""
    wait = REPEAT_S[min(shown.sent, len(REPEAT_S) - 1)]
    return replace(shown, sent=shown.sent + 1, due=now + wait)


def next_due(displays: Displays) -> float | None:
    """When a display is to be sent again."""
    return min((s.due for s in displays.values() if s.due is not None), default=None)
