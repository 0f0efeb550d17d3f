"""`bidwire join`: the addresses at which tablets become web terminals."""

import json
import stat
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwire.join import qr_code
from tests.bidwire.ups import EVENT, Up, bidwire, called
from tests.brokers import free_port

CODES = "bidwire.journal.codes.json"


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """An event whose console is a web terminal."""
    path = tmp_path / "event.toml"
    listen = f'[web]\nlisten = "127.0.0.1:{free_port()}"\n\n[broker]'
    text = EVENT.replace("/dev/serial/by-id/nowhere", "web://")
    path.write_text(text.replace("[broker]", listen), encoding="utf-8")
    return path


def test_it_shows_the_same_address_and_code_again_and_again(web: Path) -> None:
    code, first = bidwire("join", str(web), "--no-qr")
    assert code == 0
    codes = web.with_name(CODES)
    made = json.loads(codes.read_text())["console"]
    assert first.startswith("console: http://127.0.0.1:")
    assert first.strip().endswith(f"/#console-{made}")
    assert stat.S_IMODE(codes.stat().st_mode) == 0o600
    assert called("join", str(web), "console", "--no-qr") == (0, first)


def test_it_draws_a_code_for_the_tablets_camera(web: Path) -> None:
    code, said = called("join", str(web))
    assert code == 0
    address = said.split("\n")[0].removeprefix("console: ")
    assert qr_code(address) in said


@pytest.mark.broker
def test_the_daemon_takes_the_code_that_was_shown(
    web: Path, up: Callable[[Path], Up]
) -> None:
    _, said = called("join", str(web), "--no-qr")
    running = up(web)
    running.wait_for("Stop with Ctrl-C")
    before = web.with_name(CODES).read_text()
    page = said.split(": ", 1)[1].partition("#")[0]
    about = _get(f"{page}terminals/console")
    assert json.loads(about) == {
        "terminal": "console",
        "table": "t1",
        "seats": ["N", "E", "S", "W"],
        "language": "es",
    }
    assert web.with_name(CODES).read_text() == before


def _get(url: str) -> bytes:
    """What stands there, as soon as it is served."""
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - ours
                content: bytes = answer.read()
                return content
        except OSError:
            continue


def test_a_code_of_its_own_stands_in_a_key_file(web: Path) -> None:
    text = web.read_text(encoding="utf-8")
    web.write_text(
        text.replace('"web://"', '"web://"\nkey_file = "console.key"'), encoding="utf-8"
    )
    code, said = called("pair", str(web), "console")
    assert code == 0
    made = web.with_name("console.key").read_text().strip()
    assert f"{made[:5]} {made[5:]}" in said
    assert called("join", str(web), "--no-qr")[1].strip().endswith(f"-{made}")
    web.with_name("console.key").write_text("00" * 16)
    code, said = called("join", str(web))
    assert code == 2
    assert "terminals[0].key_file: expected a join code" in said


def test_an_event_without_web_terminals_is_told(file: Path) -> None:
    code, said = called("join", str(file))
    assert code == 2
    assert 'expected port = "web://"' in said


def test_a_section_that_cannot_be_is_told(web: Path) -> None:
    text = web.read_text(encoding="utf-8").replace("127.0.0.1:", "tablets:")
    web.write_text(text, encoding="utf-8")
    code, said = called("join", str(web))
    assert code == 2
    assert "web.listen: expected an IP address" in said
