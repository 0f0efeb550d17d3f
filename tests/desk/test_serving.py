"""The desk as a program: its settings, TLS, and how it ends."""

import asyncio
import contextlib
import json
import resource
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import trustme

from broker.settings_file import SettingsError, read_settings
from desk.serving import listening, open_context
from desk.settings import DeskError, DeskOptions, DeskSettings
from laws.seats import Seat
from protocol.topics import Role
from tests.brokers import EVENT, RunningBroker, free_port
from tests.certificates import self_signed, trusting
from tests.connections import ONE, OTHER, Silent, answered
from tests.desk.desks import (
    NO_AUTHORITY,
    Browser,
    RunningDesk,
    running_desk,
    users_file,
)
from tests.desk.rooms import Hall, state
from tests.places import REPOSITORY


def settings(folder: Path, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    fields: dict[str, Any] = {
        "event": EVENT,
        "users_file": str(users_file(folder)),
        "broker": {"port": 1},
        "listen": f"127.0.0.1:{free_port()}",
    }
    return fields | changes


def written(folder: Path, plain: dict[str, Any]) -> Path:
    path = folder / "settings.json"
    path.write_text(json.dumps(plain), encoding="utf-8")
    return path


async def test_it_serves_over_an_encrypted_connection(tmp_path: Path) -> None:
    files: dict[str, Any] = {**self_signed(tmp_path)}
    async with (
        running_desk(tmp_path, **files) as desk,
        Browser(desk.url, verify=trusting(files)) as browser,
    ):
        assert desk.url.startswith("https://127.0.0.1:")
        answer = await browser.log_in()
        assert "__Host-" in answer.headers["set-cookie"]
        assert "; Secure" in answer.headers["set-cookie"]
        assert (await browser.get("/")).status_code == 200


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"listen": "127.0.0.1"}, "listen: expected an address and a port"),
        ({"listen": "::1:80"}, "listen: expected an address and a port"),
        ({"listen": "127.0.0.1:65536"}, "listen: expected a port up to 65535"),
        (
            {"listen": "0.0.0.0:8470"},
            "tls_cert: expected a certificate to listen at 0.0.0.0:8470",
        ),
        ({"listen": "desk.example:8470"}, "tls_cert: expected a certificate"),
        ({"tls_key": "key.pem"}, "tls_key: needs a tls_cert"),
        ({"tls_cert": "c", "security": "open"}, "security: expected either"),
        ({"security": "none"}, "security: expected open or tls, got 'none'"),
        ({"log_level": "LOUD"}, "log_level: expected DEBUG"),
        ({"event": "Club!"}, "event: expected 1 to 32"),
        ({"broker": {"port": 0}}, "broker.port: expected 1 to 65535"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_a_mistake_in_the_settings_names_the_key(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    file = written(tmp_path, settings(tmp_path, **changes))
    with pytest.raises(SettingsError) as raised:
        read_settings(file, DeskSettings)
    assert str(raised.value).startswith(str(file))
    assert told in str(raised.value)


@pytest.mark.parametrize("listen", ["127.0.0.1:1", "[::1]:1", "localhost:1"])
def test_on_this_machine_it_needs_no_certificate(listen: str) -> None:
    options = DeskOptions(event=EVENT, users_file="u", listen=listen)
    assert options.url == f"http://{listen}/"


def test_beyond_this_machine_http_has_to_be_written_out() -> None:
    plain = {"event": EVENT, "users_file": "u", "listen": "0.0.0.0:8470"}
    options = msgspec.convert(plain | {"security": "open"}, DeskOptions)
    assert options.url == "http://127.0.0.1:8470/"


def test_files_that_cannot_be_used_are_told_before_anything_is_started(
    tmp_path: Path,
) -> None:
    users = str(users_file(tmp_path))
    wrong = DeskOptions(event=EVENT, users_file=users, tls_cert=users)
    with pytest.raises(DeskError, match=r"tls_cert, tls_key: .* expected PEM files"):
        open_context(wrong, lambda: None)
    nobody = DeskOptions(event=EVENT, users_file=str(tmp_path / "none"))
    with pytest.raises(DeskError, match=r"users_file: .*none: expected users"):
        open_context(nobody, lambda: None)


def test_an_address_that_is_taken_is_told(tmp_path: Path) -> None:
    options = msgspec.convert(
        {k: v for k, v in settings(tmp_path).items() if k != "broker"}, DeskOptions
    )
    with listening(options), pytest.raises(DeskError, match="already in use"):
        listening(options)


async def test_it_speaks_tls(tmp_path: Path) -> None:
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost", "127.0.0.1")
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(b"".join(p.bytes() for p in certificate.cert_chain_pems))
    certificate.private_key_pem.write_to_path(key)
    context = ssl.create_default_context()
    authority.configure_trust(context)
    async with (
        running_desk(tmp_path, tls_cert=str(chain), tls_key=str(key)) as desk,
        httpx.AsyncClient(verify=context, trust_env=False) as client,
    ):
        assert desk.url.startswith("https://")
        answer = await client.get(f"{desk.url}login")
    assert answer.status_code == 200
    assert "; Secure" in answer.headers["set-cookie"]


async def test_who_never_comes_to_the_end_of_a_request_has_to_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.web_requests.REQUEST_S", 0.05)
    async with running_desk(tmp_path) as desk:
        url = httpx.URL(desk.url)
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(b"GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slowly: ")
        assert await reader.read() == b""
        writer.close()


async def test_who_does_not_even_agree_on_tls_has_few_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.web_server.ADDRESS_MAX", 1)
    files: dict[str, Any] = {**self_signed(tmp_path)}
    async with (
        running_desk(tmp_path, **files) as desk,
        Browser(desk.url, verify=trusting(files), address=ONE) as browser,
    ):
        port = desk.context.options.port
        async with Silent(port) as silent:
            async with Silent(port) as too_many:
                assert await too_many.rest() == b""
            await silent.answer()  # that is no TLS: the server hangs up
        while True:
            with contextlib.suppress(httpx.TransportError):
                await browser.get("/login")
                break  # the server has noticed that the first has gone


@pytest.mark.broker
async def test_who_opens_too_many_connections_takes_nothing_from_others(
    desk_there: RunningDesk, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.web_requests.REQUEST_S", 600)
    await hall.tell("a1", state())
    await desk_there.until(lambda: "a1" in desk_there.context.room.tables())
    port = desk_there.context.options.port
    async with Browser(desk_there.url, address=ONE) as browser:
        await browser.log_in()
        async with browser.live() as live:
            await live.update()
            monkeypatch.setattr("broker.web_server.ADDRESS_MAX", 1)
            assert await answered(port, ONE, "/login") == b""
            assert b"200 OK" in await answered(port, OTHER, "/login")
            await hall.tell("a1", state(turn=Seat.EAST))
            update = await live.update()
    assert set(update["fragments"]) == {"table-a1"}


@pytest.mark.broker
async def test_a_page_that_is_kept_open_does_not_hold_up_the_end(
    nats: RunningBroker, tmp_path: Path
) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    async with (
        running_desk(folder, lambda: nats.settings(Role.DIRECTOR)) as desk,
        desk.browser() as browser,
    ):
        await desk.up()
        await browser.log_in()
        async with browser.live() as live:
            await live.update()
            desk.context.stop()
            assert await live.event() == {}


@pytest.mark.broker
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_as_a_program_it_serves_until_it_is_told_to_stop(
    nats: RunningBroker, tmp_path: Path, few_files: int, how: signal.Signals
) -> None:
    """It may open more files than the shell that it was started from."""
    broker = msgspec.to_builtins(nats.settings(Role.DIRECTOR))
    plain = settings(tmp_path, broker=broker)
    async with Hall(nats) as hall:
        await hall.tell("a1", state())
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "desk", str(written(tmp_path, plain))),
            cwd=REPOSITORY,
            stderr=asyncio.subprocess.PIPE,
        )
        url = f"http://{plain['listen']}/login"
        assert (await answer_of(url, process)).status_code == 200
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        assert few_files < soft == hard
        process.send_signal(how)
        _, told = await process.communicate()
    assert process.returncode == 0
    assert broker["password"] not in told.decode()
    assert "Traceback" not in told.decode()


async def answer_of(url: str, process: asyncio.subprocess.Process) -> httpx.Response:
    """The answer, as soon as somebody listens."""
    async with httpx.AsyncClient(verify=NO_AUTHORITY, trust_env=False) as client:
        while True:
            try:
                return await client.get(url)
            except httpx.ConnectError:
                assert process.returncode is None
                await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"users_file": "nowhere.json"}, "users_file: nowhere.json: expected users"),
        ({"listen": "192.0.2.1:80", "security": "open"}, "listen: 192.0.2.1:80: "),
    ],
)
def test_as_a_program_it_says_what_no_restart_mends(
    tmp_path: Path, changes: dict[str, str], told: str
) -> None:
    file = written(tmp_path, settings(tmp_path, **changes))
    done = subprocess.run(
        [sys.executable, "-m", "desk", str(file)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(told)
