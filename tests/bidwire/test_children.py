"""Child processes: started again when they die, stopped when the context ends."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import pytest

from bidwire.children import Child, ChildError, RunFolder
from broker.exits import ExitCode

ECHO = """
import sys
print("up", open(sys.argv[1]).read().strip(), flush=True)
for line in sys.stdin:
    if line.strip() == "die":
        sys.exit(1)
    print(line.strip(), flush=True)
"""
REFUSES = 'import sys\nprint("tables: expected one", file=sys.stderr)\nsys.exit({})\n'
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""


class _Words(msgspec.Struct):
    word: str


class Lines:
    """Lines that a child printed, to be awaited."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    def take(self, line: str) -> None:
        self._queue.put_nowait(line)

    async def next(self) -> str:
        return await asyncio.wait_for(self._queue.get(), 20)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Makes a module that a child can run."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(text: str) -> str:
        (tmp_path / "made_for_a_test.py").write_text(text, encoding="utf-8")
        return "made_for_a_test"

    return make


@contextlib.asynccontextmanager
async def running(child: Child) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(child.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait({task})


def child_of(tmp_path: Path, module: str, lines: Lines) -> Child:
    settings = tmp_path / "settings"
    settings.write_text("as set\n", encoding="utf-8")
    return Child("echo", module, settings, on_line=lines.take)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_child_gets_its_settings_and_speaks_by_lines(
    tmp_path: Path, module: Callable[[str], str]
) -> None:
    lines = Lines()
    child = child_of(tmp_path, module(ECHO), lines)
    async with running(child):
        assert await lines.next() == "up as set"
        child.send_line("hello")
        assert await lines.next() == "hello"


async def test_a_killed_child_is_started_again(
    tmp_path: Path, module: Callable[[str], str]
) -> None:
    lines = Lines()
    child = child_of(tmp_path, module(ECHO), lines)
    async with running(child):
        assert await lines.next() == "up as set"
        await child.kill()
        assert await lines.next() == "up as set"
        child.send_line("die")
        assert await lines.next() == "up as set"
        assert child.restarts == 2


async def test_the_process_id_of_a_child_that_is_down_is_that_of_the_next_one(
    tmp_path: Path, module: Callable[[str], str]
) -> None:
    lines = Lines()
    child = child_of(tmp_path, module(ECHO), lines)
    async with running(child):
        await lines.next()
        before = await child.pid_when_up()
        await child.kill()
        assert child.pid is None
        assert await child.pid_when_up() != before


@pytest.mark.parametrize("code", [ExitCode.UNUSABLE, ExitCode.TAKEN_OVER])
async def test_a_child_that_no_restart_helps_ends_it_all(
    tmp_path: Path, module: Callable[[str], str], code: ExitCode
) -> None:
    child = child_of(tmp_path, module(REFUSES.format(int(code))), Lines())
    with pytest.raises(ChildError, match="echo cannot go on: tables: exp") as caught:
        await asyncio.wait_for(child.run(), 20)
    assert caught.value.code == code
    assert child.restarts == 0


async def test_a_child_is_stopped_at_the_end(
    tmp_path: Path, module: Callable[[str], str]
) -> None:
    lines = Lines()
    child = child_of(tmp_path, module(ECHO), lines)
    async with running(child):
        await lines.next()
        pid = child.pid
        assert pid is not None
    assert is_gone(pid)


async def test_a_stubborn_child_is_killed_after_its_grace(
    tmp_path: Path, module: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bidwire.children.GRACE", 0.1)
    lines = Lines()
    child = child_of(tmp_path, module(STUBBORN), lines)
    async with running(child):
        await lines.next()
        pid = child.pid
        assert pid is not None
    assert is_gone(pid)


def test_settings_files_are_for_their_user_only(tmp_path: Path) -> None:
    with RunFolder() as folder:
        path = folder.write_settings("sim", _Words(word="secret"))
        assert path.stat().st_mode & 0o077 == 0
        assert "secret" in path.read_text(encoding="utf-8")
    assert not path.exists()
    kept = RunFolder(tmp_path / "kept")
    with kept:
        path = kept.write_settings("sim", _Words(word="secret"))
    assert path.exists()
