"""Run a program that dies with its parent.

A process that is killed with SIGKILL cannot stop its children. On Linux the kernel
does it: this file is run as a script, asks to be killed when its parent dies, and
then becomes the program. Elsewhere the program only starts. Standard library only,
since the script runs isolated from the installed packages.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def tied(command: Sequence[str]) -> list[str]:
    """The command that runs `command` so that it dies with the calling process.

    The process id stays the same: the launcher turns into the program. The kernel
    watches the thread that starts it, so start it from a thread that lasts, such as
    that of the event loop.
    """
    launcher = [sys.executable, "-I", "-S", os.path.abspath(__file__)]  # noqa: PTH100 - cheap to import
    return [*launcher, str(os.getpid()), *command]


def _become(parent: int, command: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        # The parent may have died before the kernel was asked.
        if os.getppid() != parent:
            sys.exit("the parent is gone")
    os.execv(command[0], command)  # noqa: S606 - that is what a launcher does


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
