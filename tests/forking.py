"""Processes that have imported their modules before they start.

Nearly all the time that ``python -m referee`` takes to start goes into imports. Tests
that start and kill it again and again ask a server for it that has imported them once,
and forks: what they get runs the same ``main``, and is for the kernel a process as any
other, that is stopped, frozen and killed by signals. Its environment and its limits are
those that were in force when the first one was asked for.
"""

import asyncio
import atexit
import contextlib
import functools
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from typing import Self

from tests.places import REPOSITORY


class Forked:
    """``python -m MODULE ARGUMENTS``, which may be killed.

    Attributes:
        pid: its process id.
        stderr: what it writes to its standard error.
        returncode: its exit code, once `wait` has returned it.
    """

    def __init__(
        self,
        pid: int,
        stderr: asyncio.StreamReader,
        end: asyncio.StreamReader,
        writers: tuple[asyncio.StreamWriter, ...],
    ) -> None:
        self.pid, self.stderr = pid, stderr
        self.returncode: int | None = None
        self._end = end
        self._writers = writers

    @classmethod
    async def start(cls, module: str, *arguments: str) -> Self:
        """Start it."""
        stderr, its_stderr = socket.socketpair()
        end, its_end = socket.socketpair()
        with its_stderr, its_end:
            request = json.dumps([module, *arguments]).encode()
            socket.send_fds(
                _server(), [request], [its_end.fileno(), its_stderr.fileno()]
            )
        said, writer = await asyncio.open_connection(sock=stderr)
        ended, other = await asyncio.open_connection(sock=end)
        return cls(await _number(ended), said, ended, (writer, other))

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens if it has ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def wait(self) -> int:
        """Wait until it ends; its exit code, or the number of the signal, negative."""
        if self.returncode is None:
            self.returncode = await _number(self._end)
        return self.returncode

    async def communicate(self) -> str:
        """Wait until it ends; what of its standard error has not been read."""
        said = await self.stderr.read()
        await self.wait()
        for writer in self._writers:
            writer.close()
        return said.decode()


async def _number(told: asyncio.StreamReader) -> int:
    line = await told.readline()
    assert line, "the server that forks has ended"
    return int(line)


@functools.cache
def _server() -> socket.socket:
    """Start the server, once; it ends with us."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.forking", str(its.fileno())],
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            pass_fds=[its.fileno()],
            start_new_session=True,  # a Ctrl-C is for us
        )

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours


def _serve(requests: socket.socket) -> int:
    """Fork until nobody asks any more; what each fork's ``main`` returns."""
    ends: dict[int, socket.socket] = {}

    def tell(*_: object) -> None:
        for pid in list(ends):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                with ends.pop(pid) as end, contextlib.suppress(OSError):
                    end.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))

    signal.signal(signal.SIGCHLD, tell)
    while True:
        request, files, _, _ = socket.recv_fds(requests, 65536, 2)
        if not request:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
            for pid in ends:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            return 0
        name, *arguments = json.loads(request)
        module = importlib.import_module(f"{name}.__main__")
        end, stderr = socket.socket(fileno=files[0]), files[1]
        assert threading.active_count() == 1, "a fork has only the thread that forks"
        # It may end before we know of it.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        if pid := os.fork():
            ends[pid] = end
            end.sendall(b"%d\n" % pid)
            os.close(stderr)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        os.dup2(stderr, sys.stderr.fileno())
        os.close(stderr)
        for inherited in (requests, end, *ends.values()):
            inherited.close()
        sys.argv[1:] = arguments
        code: int = module.main(arguments)
        return code


if __name__ == "__main__":
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
