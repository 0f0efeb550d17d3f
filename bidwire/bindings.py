"""Which box hangs on which port: changed in the event file while the event runs.

A box breaks and another takes its place: ``serial`` in the event file is changed, by
hand or by ``bidwire replace``, or its key by ``bidwire pair``. ``bidwire up`` looks at
the files and hands the daemon what is new, so that an event need not be stopped for a
box. Whatever else is changed there waits for the next start.
"""

import contextlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bidwire.event_file import (
    EventFile,
    EventFileError,
    TerminalSection,
    convert,
    given_twice,
    naming,
    read_event_file,
)
from bidwire.event_settings import daemon_settings
from bidwire.files import replace_file, stamp
from broker.complaint import one_of
from terminal.settings import DaemonSettings, is_web

LOOK = 1.0
"""Seconds between two looks at whether the files have changed."""

_SECTION = re.compile(r"\s*\[")
_TERMINAL = re.compile(r"\s*\[\[\s*terminals\s*\]\]")
_SERIAL = re.compile(r"""(?P<key>\s*serial\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')""")


class Bindings:
    """The boxes and keys of a running event, as its files have them.

    Args:
        event: the event file as it was read at the start.
        path: the event file.
        daemon: what the daemon has been told.
        say: prints a line for people.
    """

    def __init__(
        self,
        event: EventFile,
        path: Path,
        daemon: DaemonSettings,
        say: Callable[[str], None],
    ) -> None:
        self._event = event
        self._waiting = _beside_bindings(event)
        self._path = path
        self._daemon = daemon
        self._say = say
        self._seen = self._stamps(event)

    @property
    def told(self) -> DaemonSettings:
        """What the daemon has been told last."""
        return self._daemon

    def look(self) -> DaemonSettings | None:
        """What the daemon is to be told now, None while nothing has changed for it.

        A file that cannot be used is told once, and changes nothing. What else has
        changed in one that can be used is told once, and waits: the bindings do not
        wait for it.
        """
        stamps = self._stamps(self._event)
        if stamps == self._seen:
            return None
        self._seen = stamps
        try:
            written = read_event_file(self._path)
            with naming(self._path):
                event = _with_bindings(self._event, written)
                self._seen = self._stamps(event)
                now = daemon_settings(
                    event, self._path.resolve().parent, self._daemon.broker
                )
        except EventFileError as error:
            self._say(f"{error}; what was there before stays in force")
            return None
        self._tell_what_waits(written)
        self._event = event
        before, self._daemon = self._daemon, now
        changed = [
            new.id
            for new, old in zip(now.terminals, before.terminals, strict=True)
            if new != old
        ]
        if not changed:
            return None
        self._say(
            f"{event.event.id}: changed for {', '.join(changed)}; the daemon takes it "
            "up, nothing is lost by it"
        )
        return now

    def _tell_what_waits(self, written: EventFile) -> None:
        before, self._waiting = self._waiting, _beside_bindings(written)
        if self._waiting not in (before, _beside_bindings(self._event)):
            self._say(
                f"{self._path}: changed in more than ports, serial numbers and keys: "
                "that takes effect when `bidwire up` is started again"
            )

    def _stamps(self, event: EventFile) -> tuple[object, ...]:
        """What tells a file that was written from the one before."""
        folder = self._path.resolve().parent
        keys = (t.key_file for t in event.terminals if t.key_file is not None)
        return tuple(stamp(file) for file in (self._path, *map(folder.joinpath, keys)))


def _beside_bindings(event: EventFile) -> EventFile:
    """The event without what may change while it runs."""
    terminals = tuple(
        TerminalSection(
            id=each.id,
            table=each.table,
            seats=each.seats,
            language=each.language,
            port="",
        )
        for each in event.terminals
    )
    return msgspec.structs.replace(event, terminals=terminals)


def _with_bindings(running: EventFile, written: EventFile) -> EventFile:
    """The event that runs, with the boxes that the file has at its terminals.

    Raises:
        EventFileError: a box would be at two: at one that the file no longer has.
    """
    bindings = {each.id: each for each in written.terminals}
    terminals = tuple(
        msgspec.structs.replace(
            bindings.get(each.id, each),
            table=each.table,
            seats=each.seats,
            language=each.language,
        )
        for each in running.terminals
    )
    serials = (each.serial for each in terminals if each.serial is not None)
    for problem in given_twice("terminals: serial number", serials):
        raise EventFileError(problem)
    return msgspec.structs.replace(running, terminals=terminals)


def number_of(event: EventFile, terminal: str) -> int:
    """The place of a terminal in the file; EventFileError when there is none."""
    ids = [section.id for section in event.terminals]
    if terminal not in ids:
        raise EventFileError(f"terminals: expected {one_of(ids)}, got {terminal!r}")
    return ids.index(terminal)


def replace_box(
    path: Path, terminal: str, serial: str, *, instead: str | None = None
) -> str | None:
    """Bind a terminal of an event file to another box; the rest stays as it is.

    Args:
        path: the event file.
        terminal: the terminal's id.
        serial: serial number of the box that takes its place.
        instead: of the box that is thought to be bound there, empty for any; None to
            bind another whatever is.

    Returns:
        The serial number that it was bound to.

    Raises:
        EventFileError: the file, the terminal or the serial number is wrong.
        OSError: the file cannot be written.
    """
    event = read_event_file(path)
    with naming(path):
        number = number_of(event, terminal)
        _check_place(event.terminals[number], instead)
        text = path.read_bytes().decode("utf-8")
        changed = _with_serial(text, number, json.dumps(serial, ensure_ascii=False))
        wanted = tomllib.loads(text.removeprefix("\ufeff"))
        wanted["terminals"][number]["serial"] = serial
        convert(wanted)  # names what is wrong with the serial number
        if changed is None or _read(changed) != wanted:
            raise EventFileError(
                f"terminals[{number}]: expected [[terminals]] with a line for each key;"
                f" write serial = {json.dumps(serial)} there by hand"
            )
    replace_file(path, changed.encode(), like=path)
    return event.terminals[number].serial


def _check_place(section: TerminalSection, instead: str | None) -> None:
    bound = section.serial or ""
    if is_web(section.port):
        raise EventFileError(
            f"{section.id} is a tablet: another takes its place when it joins"
        )
    if instead not in (None, bound):
        raise EventFileError(
            f"{section.id} is bound to {bound or 'any box'} by now: look again"
        )


def _read(text: str) -> dict[str, Any] | None:
    with contextlib.suppress(tomllib.TOMLDecodeError):
        return tomllib.loads(text.removeprefix("\ufeff"))
    return None


def _with_serial(text: str, number: int, quoted: str) -> str | None:
    """The text with the serial number of the terminal at this place of the file."""
    # As TOML has lines: Python knows of more characters that end one.
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    starts = [i for i, line in enumerate(lines) if _TERMINAL.match(line)]
    if number >= len(starts):
        return None
    start = starts[number]
    for i in range(start + 1, len(lines)):
        if _SECTION.match(lines[i]):
            break
        found = _SERIAL.match(lines[i])
        if found is not None:
            lines[i] = f"{found['key']}{quoted}{lines[i][found.end() :]}"
            return "".join(lines)
    end = "\r\n" if lines[start].endswith("\r\n") else "\n"
    lines.insert(start + 1, f"serial = {quoted}{end}")
    return "".join(lines)
