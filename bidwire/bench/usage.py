"""What a process takes of the machine, read from Linux's /proc."""

import os
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Usage:
    """A process at a moment.

    Attributes:
        cpu_s: processor time that it has had, in seconds.
        memory: bytes that it holds in RAM.
    """

    cpu_s: float
    memory: int


def usage_of(pid: int) -> Usage:
    """The usage of a process.

    Raises:
        OSError: there is none.
    """
    folder = Path("/proc") / str(pid)
    # The name, in brackets, may hold spaces; what follows it counts from field 3.
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    resident = int((folder / "statm").read_text().split()[1])
    return Usage(ticks / _TICKS, resident * _PAGE)
