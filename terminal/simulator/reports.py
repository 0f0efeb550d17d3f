"""What the simulator tells its parent, and what the parent tells it: lines of JSON.

Each line is one object; ``report`` or ``command`` names its kind. Times ``t`` are
seconds of the simulator's monotonic clock.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from laws.seats import Seat
from protocol.messages import Asked, Choice, Datum, KindName
from terminal.simulator.settings import FaultKind, Seconds

# -- simulator to parent ------------------------------------------------------------


class _Report(msgspec.Struct, tag_field="report", frozen=True, kw_only=True):
    """What all reports have."""

    t: float


class PortReport(msgspec.Struct, frozen=True):
    """Where the daemon finds a terminal."""

    terminal: str
    port: str
    """A path, or ``socket://127.0.0.1:PORT``."""


class ReadyReport(_Report, tag="ready", frozen=True, kw_only=True):
    """All ports are there."""

    ports: tuple[PortReport, ...]


class LinkReport(_Report, tag="link", frozen=True, kw_only=True):
    """A terminal's link is up, or is no longer."""

    terminal: str
    state: str
    """As ``protocol.link.State`` names it: closed, opening, up, refused."""
    text: str = ""
    """Why it was refused."""


class ScreenReport(_Report, tag="screen", frozen=True, kw_only=True):
    """A seat's screen has changed."""

    terminal: str
    seat: Seat
    lines: tuple[str, ...]
    """The visible lines, rows of columns characters."""
    page: int
    """From 1."""
    pages: int
    epoch: int = 0
    rev: int = 0
    play: int = 0
    board: int = 0
    at: int = 0
    ask: Asked = Asked.NONE
    hand: Seat | None = None
    choices: tuple[Choice, ...] = ()
    locks: tuple[str, ...] = ()


class KeyReport(_Report, tag="key", frozen=True, kw_only=True):
    """A key was pressed and its event saved."""

    terminal: str
    seat: Seat
    kind: str
    hand: Seat | None
    data: tuple[Datum, ...]
    boot: int
    n: int
    play: int
    number: int | None = None
    """The happening of the script, None for what no script told."""


class RefusedKeyReport(_Report, tag="refused-key", frozen=True, kw_only=True):
    """A key did nothing: the display locks it, or the memory is full."""

    terminal: str
    seat: Seat
    kind: str
    data: tuple[Datum, ...]
    reason: str
    number: int | None = None


class AcknowledgedReport(_Report, tag="acknowledged", frozen=True, kw_only=True):
    """The referee has acknowledged events."""

    terminal: str
    waiting: int
    """Events that it has not acknowledged yet."""


class LatencyReport(_Report, tag="latency", frozen=True, kw_only=True):
    """From an event's frame leaving the terminal to the display that reflects it."""

    terminal: str
    seat: Seat
    play: int
    number: int
    ms: float


class FaultReport(_Report, tag="fault", frozen=True, kw_only=True):
    """A fault of the script struck."""

    terminal: str
    fault: FaultKind
    number: int


class FinishedReport(_Report, tag="finished", frozen=True, kw_only=True):
    """A display shows that every happening of a board has been judged."""

    table: str
    index: int
    """Place in the table's list of boards, from 0."""
    board: int
    play: int


class StrayedReport(_Report, tag="strayed", frozen=True, kw_only=True):
    """A table is asked for another board than its script has next."""

    table: str
    seat: Seat
    expected: int | None
    """None when the script is at its end."""
    board: int


class ErrorReport(_Report, tag="error", frozen=True, kw_only=True):
    """A command that cannot be done."""

    text: str


Report = (
    ReadyReport
    | LinkReport
    | ScreenReport
    | KeyReport
    | RefusedKeyReport
    | AcknowledgedReport
    | LatencyReport
    | FaultReport
    | FinishedReport
    | StrayedReport
    | ErrorReport
)

_REPORTS = msgspec.json.Decoder(Report)
_ENCODER = msgspec.json.Encoder()


def encode_report(report: Report) -> bytes:
    """One line, without its end."""
    return _ENCODER.encode(report)


def decode_report(line: bytes | str) -> Report:
    """Read a line of the simulator.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _REPORTS.decode(line)


# -- parent to simulator ------------------------------------------------------------


class StartCommand(msgspec.Struct, tag_field="command", tag="start", frozen=True):
    """Let the players play."""


class PaceCommand(msgspec.Struct, tag_field="command", tag="pace", frozen=True):
    """Change the pace."""

    seconds: Seconds


class HoldCommand(msgspec.Struct, tag_field="command", tag="hold", frozen=True):
    """Hold up a terminal's line, both ways."""

    terminal: str
    seconds: Seconds


class RestartCommand(msgspec.Struct, tag_field="command", tag="restart", frozen=True):
    """Restart a terminal."""

    terminal: str


class UnplugCommand(msgspec.Struct, tag_field="command", tag="unplug", frozen=True):
    """Take a terminal off its port, and plug it into another one after a while."""

    terminal: str
    seconds: Seconds


class PressCommand(msgspec.Struct, tag_field="command", tag="press", frozen=True):
    """Press a key."""

    terminal: str
    seat: Seat
    kind: KindName
    hand: Seat | None = None
    data: Annotated[tuple[Datum, ...], Meta(max_length=8)] = ()


class TurnCommand(msgspec.Struct, tag_field="command", tag="turn", frozen=True):
    """Turn the page of a seat's screen."""

    terminal: str
    seat: Seat


class StopCommand(msgspec.Struct, tag_field="command", tag="stop", frozen=True):
    """End the simulator."""


Command = (
    StartCommand
    | PaceCommand
    | HoldCommand
    | RestartCommand
    | UnplugCommand
    | PressCommand
    | TurnCommand
    | StopCommand
)

_COMMANDS = msgspec.json.Decoder(Command)


def encode_command(command: Command) -> bytes:
    """One line, without its end."""
    return _ENCODER.encode(command)


def decode_command(line: bytes | str) -> Command:
    """Read a line of the parent.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _COMMANDS.decode(line)
