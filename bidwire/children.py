"""The child processes that a command runs: started, watched, started again.

Each daemon is a process of its own, so that a fault in one is a pause and not an end.
A child that dies unasked is started again after a short wait that doubles while it
keeps dying; the wait is over as soon as it has stayed up.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from broker.child import tied
from broker.exits import is_final

Result = TypeVar("Result")

LOG = logging.getLogger(__name__)

FIRST_WAIT = 0.05
"""Seconds before the first restart of a child that died."""

LONGEST_WAIT = 5.0
"""Seconds at most between two restarts."""

STAYED_UP = 2.0
"""Seconds after which a restart counts as a success."""

GRACE = 5.0
"""Seconds a child has to stop after SIGTERM before it is killed."""

LINE_LIMIT = 1 << 20
"""Bytes of the longest line that a child may print."""


class ChildError(RuntimeError):
    """A child cannot be kept running; the text has its last words.

    Attributes:
        code: its exit code.
    """

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


@dataclass
class Child:
    """One supervised process, ``python -m MODULE SETTINGS``.

    Attributes:
        name: for people and for the log.
        module: the package that it runs.
        settings: its settings file.
        on_line: called with each line of its standard output.
        on_start: called whenever it has been started, first and again.
        on_error: called with each line of its standard error.
        environment: variables that it has beside those of this process.
    """

    name: str
    module: str
    settings: Path
    on_line: Callable[[str], None] | None = None
    on_start: Callable[[], None] | None = None
    on_error: Callable[[str], None] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    restarts: int = 0
    _process: asyncio.subprocess.Process | None = field(default=None, init=False)
    _up: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _is_renewed: bool = field(default=False, init=False)

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return self._process.pid if self._process and self._up.is_set() else None

    async def pid_when_up(self) -> int:
        """Process id, as soon as it runs (again)."""
        while (pid := self.pid) is None:
            await self._up.wait()
        return pid

    async def run(self) -> None:
        """Keep the child running until cancelled; then stop it.

        Raises:
            ChildError: it ended as `broker.exits` says that no restart mends.
        """
        wait = FIRST_WAIT
        clock = asyncio.get_running_loop().time
        try:
            while True:
                started = clock()
                process = await self._start()
                last_words = await self._follow(process)
                self._up.clear()
                if self._is_renewed:
                    self._is_renewed = False
                    continue
                if is_final(process.returncode or 0):
                    raise ChildError(
                        f"{self.name} cannot go on: {last_words}",
                        process.returncode or 0,
                    )
                LOG.warning(
                    "%s %s; it is started again",
                    self.name,
                    _ending(process.returncode or 0, last_words),
                )
                if clock() - started > STAYED_UP:
                    wait = FIRST_WAIT
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
                self.restarts += 1
        finally:
            await asyncio.shield(self._stop())

    async def _start(self) -> asyncio.subprocess.Process:
        self._process = await asyncio.create_subprocess_exec(
            *tied([sys.executable, "-m", self.module, str(self.settings)]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LINE_LIMIT,
            env={**os.environ, **self.environment},
            start_new_session=True,
        )
        self._up.set()
        if self.on_start is not None:
            self.on_start()
        return self._process

    async def _follow(self, process: asyncio.subprocess.Process) -> str:
        """Pass its lines on until it ends; returns the last line of its errors."""
        assert process.stdout is not None  # noqa: S101 - piped above
        assert process.stderr is not None  # noqa: S101 - piped above
        last_words = ""

        async def errors(stream: asyncio.StreamReader) -> None:
            nonlocal last_words
            async for raw in stream:
                last_words = raw.decode(errors="replace").rstrip()
                LOG.info("%s: %s", self.name, last_words)
                if self.on_error is not None:
                    self.on_error(f"{self.name}: {last_words}")

        async def output(stream: asyncio.StreamReader) -> None:
            async for raw in stream:
                if self.on_line is not None:
                    self.on_line(raw.decode(errors="replace").rstrip("\n"))

        await asyncio.gather(output(process.stdout), errors(process.stderr))
        await process.wait()
        return last_words

    def send_line(self, line: str) -> None:
        """Write a line to its standard input; nothing happens when it is down."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(ConnectionError):
                self._process.stdin.write(line.encode() + b"\n")

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens when it is down."""
        if self._process is not None and self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def renew(self) -> None:
        """Stop it, for ``run`` to start it with its settings file as it is now."""
        if self.pid is not None:  # else its next start reads the file anyway
            self._is_renewed = True
            await self._stop()

    async def kill(self) -> None:
        """SIGKILL it as soon as it is up; ``run`` starts it again."""
        await self._up.wait()
        if self._process is not None:
            self._up.clear()
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), GRACE)
        except TimeoutError:
            LOG.warning("%s did not stop within %s s: killed", self.name, GRACE)
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _ending(code: int, last_words: str) -> str:
    """How a process ended, for people."""
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"ended with exit code {code}: {last_words or 'it said nothing'}"


async def run_until(
    finished: Coroutine[object, object, Result], children: Sequence[Child]
) -> Result:
    """Keep children running until a coroutine has finished; returns what it returns.

    Raises:
        ChildError: a child cannot be kept running; the coroutine is cancelled.
    """
    work = asyncio.create_task(finished)
    tasks = {asyncio.create_task(child.run(), name=child.name) for child in children}
    try:
        await asyncio.wait({work, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
        return await work
    finally:
        work.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.wait({work, *tasks})


def write_private(path: Path, settings: msgspec.Struct) -> None:
    """Write a settings file anew that only its owner may read: it has passwords.

    Raises:
        OSError: it cannot be written.
    """
    text = msgspec.json.format(msgspec.json.encode(settings), indent=1)
    write_private_bytes(path, text)


def write_private_bytes(path: Path, content: bytes) -> None:
    """Write a file anew that only its owner may read.

    Raises:
        OSError: it cannot be written.
    """
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)


class RunFolder:
    """A folder for one run: settings files, ports, stores; only its user reads it."""

    def __init__(self, keep: Path | None = None) -> None:
        self._temporary = (
            tempfile.TemporaryDirectory(prefix="bidwire-") if keep is None else None
        )
        self.path = keep if keep is not None else Path(self._temporary_name())
        self.path.mkdir(parents=True, exist_ok=True)

    def _temporary_name(self) -> str:
        assert self._temporary is not None  # noqa: S101 - no folder was given to keep
        return self._temporary.name

    def write_settings(self, name: str, settings: msgspec.Struct) -> Path:
        """Write a settings file that only this user may read: it has passwords."""
        path = self.path / f"{name}.json"
        write_private(path, settings)
        return path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()
