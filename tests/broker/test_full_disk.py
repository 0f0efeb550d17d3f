"""The embedded broker on a disk that is full, and then is not."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker import BrokerStoreError, EmbeddedBroker, MqttClient
from broker.nats_log import NatsLog
from protocol.topics import Role
from tests.broker.clients import STATE, receive
from tests.told import until_told

RESULT = "bidwire/test/tables/t1/results/1"


class SmallDisk:
    """A file system of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "store"
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Write until there is no room for another byte."""
        with self._ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def clear(self) -> None:
        self._ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.getuid() != 0 or mount is None or umount is None:
        pytest.skip("mounting a small disk needs root")
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    mounted = subprocess.run([mount, *options], check=False, capture_output=True)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted: {mounted.stderr.decode()}")
    yield SmallDisk(folder)
    subprocess.run([umount, "-l", str(folder)], check=True)


@pytest.mark.broker
@pytest.mark.timeout(60)
async def test_it_serves_again_when_its_disk_has_room_and_has_lost_nothing(
    disk: SmallDisk,
) -> None:
    told = until_told("cannot store messages, so nothing is acknowledged", "broker")
    async with (
        EmbeddedBroker(disk.store, event="test") as embedded,
        MqttClient(embedded.settings(Role.REFEREE), client_id="referee") as writer,
    ):
        await writer.publish(RESULT, b"1", retain=True)
        disk.fill()
        before = embedded.pid
        late = asyncio.create_task(
            writer.publish(STATE, b"2" + bytes(8000), retain=True)
        )
        await told.wait()
        assert not late.done()
        assert embedded.pid == before
        disk.clear()
        await late
        assert embedded.pid != before
        async with MqttClient(
            embedded.settings(Role.DIRECTOR),
            client_id="director",
            subscriptions=(RESULT, STATE),
        ) as reader:
            got = {m.topic: m.payload[:1] for m in await receive(reader, 2)}
            assert got == {RESULT: b"1", STATE: b"2"}


async def test_a_full_disk_at_the_start_is_told(disk: SmallDisk) -> None:
    disk.fill()
    with pytest.raises(BrokerStoreError, match=r"store: .*No space left on device"):
        async with EmbeddedBroker(disk.store, event="test"):
            pass


@pytest.mark.parametrize(
    ("line", "fails"),
    [
        ("[1] [ERR] JetStream failed to store a msg on stream 'x': write y: no", True),
        ("[1] [ERR] JetStream out of space, will be DISABLED", True),
        ("[1] [WRN] 127.0.0.1:3 - mid:4 - Readloop processing time: 5.0s", False),
    ],
)
async def test_a_failing_store_is_heard_in_the_log(
    tmp_path: Path, line: str, fails: bool
) -> None:
    log = NatsLog(tmp_path / "nowhere" / "log")  # no line is kept, and all are heard
    stream = asyncio.StreamReader()
    stream.feed_data(f"[1] [INF] Server is ready\n{line}\n".encode())
    stream.feed_eof()
    await log.follow(stream)
    assert log.store_fails.is_set() is fails
    assert log.has(line)
