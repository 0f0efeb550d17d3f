"""A simulated terminal's non-volatile memory: its log of events, in a file.

Lines of JSON are appended and forced to the disk; whatever moment the terminal is
stopped at, what it has taken is there when it starts again. An unfinished last line,
of a write that was cut short, was never confirmed to anyone and is dropped.
"""

import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from protocol.limits import HELD_MAX
from protocol.messages import Event, Held
from protocol.store import Entry, Position, StoreFullError, first_boot

COMPACT_LINES = 4096
"""Lines at which the file is written anew with only what is still kept."""


class _Started(msgspec.Struct, tag="boot", frozen=True):
    """The terminal has started; ``next`` is not 0 when it went on with a boot."""

    boot: int
    next: int = 0


class _Appended(msgspec.Struct, tag="event", frozen=True):
    event: Event


class _Forgot(msgspec.Struct, tag="forget", frozen=True):
    """Acknowledged up to here."""

    boot: int
    n: int


class _Numbered(msgspec.Struct, tag="numbered", frozen=True):
    """A boot has had events below ``next``; for what a compact file leaves out."""

    boot: int
    next: int


_Line = _Started | _Appended | _Forgot | _Numbered
_DECODER = msgspec.json.Decoder(_Line)
_ENCODER = msgspec.json.Encoder()


class FileStore:
    """A log of events that outlives its process.

    Opening it is a start of the terminal: its boot counter, which begins at random,
    goes up by one.

    Raises:
        OSError: the file cannot be read or written.
    """

    volatile = False

    def __init__(
        self,
        path: Path,
        capacity: int,
        below: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        """Open the log, or begin one.

        Args:
            path: its file.
            capacity: events that it has room for.
            below: gives a random number below the one that it is given.
        """
        self._path = path
        self._capacity = capacity
        self._boot = 0  # until it is read or drawn
        self._next: dict[int, int] = {}
        self._entries: list[Entry] = []
        self._acked = Position(-1, -1)
        self._lines = 0
        if not self._read():
            self._boot = first_boot(below)
        elif len(self._unfinished()) < HELD_MAX:
            self._boot += 1
        self._next.setdefault(self._boot, 0)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._compact()

    @property
    def boot(self) -> int:
        """How often the terminal has started."""
        return self._boot

    @property
    def next(self) -> int:
        """The number that the next event gets."""
        return self._next[self._boot]

    def append(self, event: Event, pressed: float) -> None:
        """Keep an event; it is on the disk when this returns.

        Raises:
            StoreFullError: there is no room.
        """
        if len(self._entries) >= self._capacity:
            raise StoreFullError(f"{self._capacity} events wait to be acknowledged")
        self._write(_Appended(event), durable=True)
        self._entries.append(Entry(event, pressed))
        self._next[event.boot] = event.n + 1

    def entries(self) -> Sequence[Entry]:
        """The events that are kept, in order."""
        return tuple(self._entries)

    def held(self) -> tuple[Held, ...]:
        """Every boot not wholly acknowledged, in order; the running one last."""
        return tuple(
            Held(boot, self._first_kept(boot), self._next[boot])
            for boot in sorted({*self._unfinished(), self._boot})
        )

    def forget(self, through: Position) -> None:
        """Drop what is acknowledged."""
        # Not forced to the disk: forgotten twice does no harm.
        self._write(_Forgot(through.boot, through.n), durable=False)
        self._drop(through)
        if self._lines > COMPACT_LINES:
            self._compact()

    def lose(self) -> None:
        """Lose the oldest event that is kept, as a worn memory may."""
        if self._entries:
            del self._entries[0]
            self._compact()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _unfinished(self) -> list[int]:
        """The boots of which something has not been acknowledged, in order."""
        return [
            boot
            for boot, following in sorted(self._next.items())
            if following > 0 and Position(boot, following - 1) > self._acked
        ]

    def _first_kept(self, boot: int) -> int:
        kept = (entry.event.n for entry in self._entries if entry.event.boot == boot)
        return next(kept, self._next[boot])

    def _drop(self, through: Position) -> None:
        self._acked = max(self._acked, through)
        self._entries = [entry for entry in self._entries if entry.position > through]

    def _read(self) -> bool:
        """Read the file; whether the terminal has started before."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return False
        *lines, _unfinished = content.split(b"\n")
        for line in lines:
            self._replay(_DECODER.decode(line))
        return bool(lines)

    def _replay(self, line: _Line) -> None:
        match line:
            case _Started(boot=boot, next=following):
                self._boot = boot
                self._next[boot] = following
            case _Appended(event=event):
                self._entries.append(Entry(event, None))
                self._next[event.boot] = event.n + 1
            case _Forgot(boot=boot, n=n):
                self._drop(Position(boot, n))
            case _Numbered(boot=boot, next=following):
                self._next[boot] = following

    def _compact(self) -> None:
        """Write what is still kept into a new file, and put it in place."""
        kept: list[_Line] = [_Forgot(*self._acked)] if self._acked.boot >= 0 else []
        kept += [_Appended(entry.event) for entry in self._entries]
        self._next = {
            boot: self._next[boot] for boot in {*self._unfinished(), self._boot}
        }
        kept += [_Numbered(boot, following) for boot, following in self._next.items()]
        kept.append(_Started(self._boot, self.next))
        new = self._path.with_suffix(".new")
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        os.write(file, b"".join(_ENCODER.encode(line) + b"\n" for line in kept))
        os.fsync(file)
        new.replace(self._path)
        os.close(self._file)
        self._file = file
        self._lines = len(kept)

    def _write(self, line: _Line, *, durable: bool) -> None:
        os.write(self._file, _ENCODER.encode(line) + b"\n")
        if durable:
            os.fdatasync(self._file)
        self._lines += 1
