"""``bidwire direct`` beside a real ``bidwire up``: the Director acts."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bidwire.direct import DirectError, give_order, watch
from bidwire.event_file import read_event_file
from bidwire.orders import read_order
from tests.bidwire.ups import EVENT, Up, bidwire, called
from tests.places import REPOSITORY

pytestmark = pytest.mark.broker


@pytest.fixture
def waiting(file: Path, up: Callable[[Path], Up]) -> Up:
    """An event that waits for the Director, as is the default."""
    text = EVENT.replace('questions = "assume"\n', "")
    file.write_text(text, encoding="utf-8")
    running = up(file)
    running.wait_for("what waits for you")
    return running


def direct(file: Path, *words: str) -> tuple[int, str]:
    """Call ``bidwire direct``; its exit code and what it said."""
    return called("direct", str(file), *words)


@pytest.fixture
def watching(file: Path, waiting: Up) -> Iterator[subprocess.Popen[str]]:
    """``bidwire direct`` without a command, once the referee is there."""
    waiting.wait_for("referee.service: event club")
    with subprocess.Popen(
        [sys.executable, "-m", "bidwire", "direct", str(file)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


@pytest.mark.timeout(60)
def test_a_table_that_waits_goes_on_when_the_director_has_answered(
    file: Path, watching: subprocess.Popen[str]
) -> None:
    assert watching.stdout is not None
    assert "watching at mqtt://director@127.0.0.1" in watching.stdout.readline()
    assert direct(file, "t1", "N 1S")[0] == 0
    assert direct(file, "t1", "N change 2H")[0] == 0
    asked = watching.stdout.readline()
    assert asked == (
        "t1: board 1: Did North never intend to make it (2H for 1S)? The table waits."
        " (Law 25A1) [director unintended N yes | director unintended N no]\n"
    )
    words = ("director", "unintended", "N", "yes")
    code, said = bidwire("direct", str(file), "t1", *words)
    assert (code, said.startswith("done (entry ")) == (0, True)
    assert watching.stdout.readline() == asked.replace("t1: ", "t1: settled: ", 1)


@pytest.mark.timeout(60)
def test_what_cannot_be_done_is_refused_and_of_a_killed_event_nobody_answers(
    file: Path, waiting: Up, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert direct(file, "t1", "confirm 9") == (1, "refused: there is no ruling 9\n")
    code, said = direct(file, "t1", "director award E 3")
    assert (code, "Law 70A: there is no claim to adjudicate" in said) == (1, True)
    assert direct(file, "t9", "close") == (
        2,
        f"{file}: tables: expected t1, got 't9'\n",
    )
    code, said = direct(file, "t1", "shout")
    assert (code, "expected a seat (N E S W), got 'shout'" in said) == (2, True)

    waiting.kill()  # its credentials stay, and are of no use
    monkeypatch.setattr("bidwire.direct.PATIENCE", 0.5)
    event = read_event_file(file)
    with pytest.raises(DirectError, match=r"no answer .* from broker mqtt://director"):
        asyncio.run(give_order(event, file.parent, "t1", read_order("close")))
    with pytest.raises(DirectError, match=r"no answer .* from broker mqtt://director"):
        asyncio.run(watch(event, file.parent, None, print))


def test_without_a_running_event_it_says_so(file: Path) -> None:
    code, said = direct(file)
    assert code == 2
    assert said.endswith("is not there: is `bidwire up` of this event running?\n")


def test_credentials_that_cannot_be_read_are_named_and_not_the_journal(
    file: Path,
) -> None:
    left = file.parent / "bidwire.journal.director.json"
    left.write_text("[]", encoding="utf-8")
    code, said = direct(file)
    assert code == 2
    assert said.startswith(f"{left}: expected what `bidwire up` writes: ")
