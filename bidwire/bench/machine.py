"""The machine that a benchmark ran on: figures mean nothing without it."""

import os
import platform
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

SYNCED = 50
"""Writes that are timed to see how long the disk takes."""

PAGE = bytes(4096)
"""What each of them writes: a page of SQLite."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What there is to know of a machine.

    Attributes:
        cores: of this process.
        processor: its model, as the system tells it.
        python: its version.
        system: the kernel and its version.
        file_system: of the folder measured; empty where it is not known.
        sync_ms: milliseconds, median, until a page written there is on disk.
        load: runnable processes in the last minute, when this was looked at.
    """

    cores: int
    processor: str
    python: str
    system: str
    file_system: str
    sync_ms: float
    load: float

    def plain(self) -> dict[str, Any]:
        """As an object of a report."""
        return {
            "cores": self.cores,
            "processor": self.processor,
            "python": self.python,
            "system": self.system,
            "file_system": self.file_system,
            "sync_ms": round(self.sync_ms, 3),
            "load": round(self.load, 2),
        }

    def __str__(self) -> str:
        """In one line, for people."""
        disk = self.file_system or "unknown file system"
        return (
            f"{self.cores} cores ({self.processor}), {self.system},"
            f" Python {self.python}, {disk} that syncs a page in"
            f" {self.sync_ms:.2f} ms, load average {self.load:.1f}"
        )


def this_machine(folder: Path) -> Machine:
    """This machine, and the disk that a folder lies on.

    Raises:
        OSError: the folder cannot be written.
    """
    return Machine(
        cores=len(os.sched_getaffinity(0)),
        processor=_processor(),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        file_system=_file_system(folder),
        sync_ms=_sync_ms(folder),
        load=os.getloadavg()[0],
    )


def _processor() -> str:
    for line in _lines("/proc/cpuinfo"):
        name, _, value = line.partition(":")
        if name.strip() in {"model name", "Model"}:
            return value.strip()
    return platform.machine()


def _file_system(folder: Path) -> str:
    """The type of the file system mounted nearest above a folder."""
    here = folder.resolve()
    found, depth = "", -1
    for line in _lines("/proc/self/mounts"):
        _, mounted, kind, *_ = line.split(" ")
        place = Path(mounted.encode().decode("unicode_escape"))
        if here.is_relative_to(place) and len(place.parts) >= depth:
            found, depth = kind, len(place.parts)
    return found


def _lines(path: str) -> list[str]:
    """Lines of a file of the kernel's, none on a system that has no such file."""
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _sync_ms(folder: Path) -> float:
    times = []
    with TemporaryFile(dir=folder) as file:
        for _ in range(SYNCED):
            begun = time.perf_counter()
            os.write(file.fileno(), PAGE)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000
