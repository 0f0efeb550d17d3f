"""What the tests of ``bidwire up`` and ``bidwire direct`` share."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.bidwire.ups import EVENT, Up


@pytest.fixture
def up() -> Iterator[Callable[[Path], Up]]:
    """Starts ``bidwire up`` with an event file."""
    started: list[Up] = []

    def start(file: Path) -> Up:
        started.append(Up(file))
        return started[-1]

    yield start
    for each in started:
        each.end(signal.SIGKILL)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An event file for the embedded broker."""
    path = tmp_path / "event.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path
