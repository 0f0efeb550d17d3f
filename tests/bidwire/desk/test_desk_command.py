"""``bidwire desk`` beside a real ``bidwire up``."""

import re
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from desk.passwords import hashed
from desk.role import Role
from desk.users import User, encoded
from tests.bidwire.ups import EVENT, Up, called
from tests.brokers import free_port

pytestmark = pytest.mark.broker

PASSWORD = "correct horse"  # noqa: S105 - of the test


@pytest.fixture
def listen(file: Path) -> str:
    """Where the desk listens; the event file says so, and Ana may log in."""
    address = f"127.0.0.1:{free_port()}"
    desk = f'[desk]\nlisten = "{address}"\n\n'
    text = EVENT.replace('questions = "assume"\n', "")
    file.write_text(text.replace("[broker]", f"{desk}[broker]"), encoding="utf-8")
    ana = User(name="Ana", role=Role.DIRECTOR, password=hashed(PASSWORD))
    (file.parent / "bidwire.users.json").write_bytes(encoded([ana]))
    return address


@pytest.fixture
def desk(file: Path, listen: str) -> Iterator[Up]:
    """The command, once it listens."""
    running = Up(file, "desk")
    assert f"the desk is at http://{listen}/" in running.wait_for("the desk is at")
    yield running
    running.end(signal.SIGKILL)


@pytest.fixture
def browser(listen: str, desk: Up) -> Iterator[httpx.Client]:
    """Ana's, logged in."""
    assert desk is not None
    with httpx.Client(base_url=f"http://{listen}", trust_env=False, timeout=30) as it:
        fields = {
            "name": "Ana",
            "password": PASSWORD,
            "form_token": token(it, "/login"),
        }
        assert it.post("/login", data=fields).headers["location"] == "/"
        yield it


def token(browser: httpx.Client, page: str) -> str:
    found = re.search('name="form_token" value="([0-9a-f]+)"', browser.get(page).text)
    assert found is not None
    return found[1]


def until(browser: httpx.Client, true: Callable[[str], bool]) -> str:
    """The room page, as soon as something is true of it; it is kept open meanwhile."""
    while True:
        with browser.stream("GET", "/live") as live:
            for _ in live.iter_lines():
                page = browser.get("/").text
                if true(page):
                    return page


def waits(page: str) -> bool:
    return "The table waits for the Director" in page


def is_stale(page: str) -> bool:
    return "nothing here is up to date" in page


@pytest.mark.timeout(120)
def test_the_desk_shows_what_waits_follows_an_event_that_starts_anew_and_binds_boxes(
    file: Path, up: Callable[[Path], Up], browser: httpx.Client
) -> None:
    assert "The event is not running" in browser.get("/").text
    first = up(file)
    until(browser, lambda page: 'id="table-t1"' in page)
    for line in ("N 1S", "N change 2H"):
        code, said = called("direct", str(file), "t1", line)
        assert code == 0, said
    page = until(browser, waits)
    assert "1 open question" in page

    # The embedded broker of the next run has another port and other passwords.
    first.end(signal.SIGTERM)
    until(browser, is_stale)
    up(file)
    until(browser, lambda page: waits(page) and not is_stale(page))
    fields = {"form_token": token(browser, "/"), "subject": "9", "back": "/"}
    browser.post("/tables/t1/attend?expects=1", data=fields)
    told = "Table t1: refused: expected the id of a call or an alarm, got 9"
    assert told in browser.get("/").text

    until(browser, lambda _: "terminal-console" in browser.get("/terminals").text)
    fields = {"form_token": token(browser, "/terminals"), "serial": "BX-9"}
    browser.post("/terminals/console/assign", data=fields)
    assert "console: box BX-9 takes its place." in browser.get("/terminals").text
    assert 'serial = "BX-9"' in file.read_text("utf-8")


def test_it_runs_with_all_files_that_it_may_open_and_ends_at_a_signal(
    few_files: int, desk: Up
) -> None:
    soft, hard = resource.prlimit(desk.pid, resource.RLIMIT_NOFILE)
    assert few_files < soft == hard
    code, said = desk.end(signal.SIGTERM)
    assert code == 0, said
    assert "club: the desk is closed" in said
    assert "Traceback" not in said


def test_without_users_it_says_how_to_make_one(file: Path) -> None:
    code, said = called("desk", str(file))
    assert code == 2
    users = file.parent / "bidwire.users.json"
    assert said.startswith(
        f"{file}: desk.users_file: {users}: expected users, got none"
    )
    assert "bidwire desk-user" in said


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('listen = "0.0.0.0:8470"', "desk.tls_cert: expected a certificate"),
        ('listen = "8470"', "desk.listen: expected an address and a port"),
        ('security = "none"', "desk.security: expected open or tls, got 'none'"),
        ('tls_cert = "x.pem"', "desk.tls_cert, tls_key: "),
        ('user = "x"', "desk: Object contains unknown field `user`"),
    ],
)
def test_a_mistake_in_the_event_file_names_the_key(
    file: Path, lines: str, told: str
) -> None:
    text = EVENT.replace("[broker]", f"[desk]\n{lines}\n\n[broker]")
    file.write_text(text, encoding="utf-8")
    code, said = called("desk", str(file))
    assert code == 2
    assert said.startswith(f"{file}: {told}"), said
