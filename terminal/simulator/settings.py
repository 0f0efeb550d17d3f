"""What the simulator is told: its terminals, and the boards that its players play."""

import itertools
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from broker.settings_file import check_log_level
from laws.seats import Seat
from protocol.messages import Datum, Encoding, KindName, Profile, Serial, UInt16
from protocol.payloads import Name
from terminal.settings import BLUETOOTH, DaemonSettings, is_bluetooth

Seconds = Annotated[float, Meta(ge=0, le=3600)]

MTU_MIN = 23
"""The ATT MTU of a Bluetooth LE connection before another is agreed."""

MTU_MAX = 517
"""The greatest ATT MTU that makes sense: a value of 512 bytes and what goes with it."""

STORE_CAPACITY = 64
"""Events that a simulated terminal has room for, unless told otherwise."""


class FaultKind(StrEnum):
    """What can go wrong with a terminal or its line, on demand."""

    DUPLICATE = "duplicate"
    """The frames of this event are sent twice."""
    RESET = "reset"
    """The terminal restarts in the middle of the event's frame."""
    HOLD = "hold"
    """Bytes in both directions are held up for ``seconds``, their order kept."""
    DROP = "drop"
    """The event's first frame loses bytes."""
    CORRUPT = "corrupt"
    """The event's first frame has bytes changed."""
    NOISE = "noise"
    """Boot text and modem probes appear in the stream around the event."""
    UNPLUG = "unplug"
    """The port hangs up, and comes back under another device after ``seconds``."""


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault that strikes the terminal of the seat that acts."""

    number: Annotated[int, Meta(ge=0)]
    """The happening of the board, counted from 0, with which it strikes."""
    fault: FaultKind
    seconds: Seconds = 0.0


class Happening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat does, as its EVENT says it."""

    number: Annotated[int, Meta(ge=0)]
    """How many happenings of the board come before it, the Director's included."""
    seat: Seat
    """Who acts: for dummy's card declarer."""
    kind: KindName
    hand: Seat | None = None
    data: tuple[Datum, ...] = ()


class BoardScript(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """One playing of a board: what the seats do, in table order."""

    board: UInt16
    happenings: tuple[Happening, ...]
    count: Annotated[int, Meta(ge=0)] | None = None
    """Happenings of the board with those of the Director, whose numbers are missing
    above; None counts up to the last one above."""
    faults: tuple[Fault, ...] = ()

    def __post_init__(self) -> None:
        numbers = [happening.number for happening in self.happenings]
        if any(a >= b for a, b in itertools.pairwise(numbers)):
            raise ValueError("happenings: expected ascending numbers")
        if self.count is not None and numbers and self.count <= numbers[-1]:
            raise ValueError(f"count: expected more than {numbers[-1]}")

    @property
    def length(self) -> int:
        """Happenings of the board, the Director's included."""
        if self.count is not None:
            return self.count
        return self.happenings[-1].number + 1 if self.happenings else 0


class TableScript(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """The boards that a table plays, one after the other."""

    table: Name
    boards: tuple[BoardScript, ...] = ()
    answers_wait: bool = True
    """While the table waits for the Director an answer waits for its option; if not, it
    is given as soon as what comes before it is shown, as anything else is."""


class SimulatedSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """One simulated terminal."""

    id: Name
    """Its name; on a pty also that of the link in the run directory."""
    table: Name
    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=4)]
    serial: Serial
    columns: Annotated[int, Meta(ge=1, le=255)] = 20
    rows: Annotated[int, Meta(ge=1, le=64)] = 4
    encoding: Encoding = Encoding.UTF_8
    capacity: Annotated[int, Meta(ge=1)] = STORE_CAPACITY
    """Events that it has room for; when all are unacknowledged its keys do nothing."""
    tcp: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """Listen on this loopback TCP port (0 takes a free one) in place of a pty."""
    key: str | None = None
    """The pairing key in hex digits; None leaves the link open."""
    battery: Annotated[int, Meta(ge=0, le=100)] | None = 100
    page_seconds: Seconds = 3.0
    """After so long it turns its page by itself; 0 leaves that to a key."""
    profile: Profile | None = None
    """What can be entered; None is ``four-seats`` for four, else
    ``calls-and-cards``."""

    @property
    def entered(self) -> Profile:
        """What can be entered at it."""
        if self.profile is not None:
            return self.profile
        four = len(self.seats) == len(Seat)
        return Profile.FOUR_SEATS if four else Profile.CALLS_AND_CARDS


class SimulatorSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """All that ``python -m terminal.simulator`` reads."""

    run_directory: str
    """Where the ports' links and the event stores are kept."""
    terminals: Annotated[tuple[SimulatedSettings, ...], Meta(min_length=1)]
    tables: tuple[TableScript, ...] = ()
    pace: Seconds = 0.0
    """Seconds between a display that lets a seat act and its key press."""
    seed: int = 0
    """For the jitter of the pace and the bytes that faults change."""
    wait_for_start: bool = False
    """Players wait for the command ``start``."""
    reports: frozenset[str] | None = None
    """Kinds of report that are written; None writes all."""
    log_level: str = "WARNING"

    def __post_init__(self) -> None:
        check_log_level(self.log_level)
        ids = [terminal.id for terminal in self.terminals]
        for name in ids:
            if ids.count(name) > 1:
                raise ValueError(f"terminals: id {name} is given twice")


class VirtualRoomSettings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """All that ``python -m terminal.virtual_ble`` reads."""

    daemon: DaemonSettings
    """Each of its terminals has a ``ble://`` port, of an address that is free."""
    simulator: SimulatorSettings
    """The same terminals, by the same ids."""
    mtu: Annotated[int, Meta(ge=MTU_MIN, le=MTU_MAX)] = 247
    """The greatest ATT MTU that the terminals grant."""

    def __post_init__(self) -> None:
        served = {terminal.id for terminal in self.daemon.terminals}
        simulated = {terminal.id for terminal in self.simulator.terminals}
        if served != simulated:
            differ = " ".join(sorted(served ^ simulated))
            raise ValueError(f"expected each terminal on both sides, not {differ}")
        for terminal in self.daemon.terminals:
            if not is_bluetooth(terminal.port):
                raise ValueError(
                    f"daemon.terminals: expected {BLUETOOTH}ADDRESS as port of "
                    f"{terminal.id}"
                )

    @property
    def log_level(self) -> str:
        """The daemon's."""
        return self.daemon.log_level
