"""Birth, death and take-over on a daemon's status topic, at real brokers."""

import asyncio
import signal
import sys

import pytest

from broker import ConnectionState, MqttClient, TakenOverError
from broker.presence import StatusWatch, Verdict
from protocol.payloads import DaemonStatus, decode_payload, encode_payload
from protocol.topics import Role, TopicKind
from tests.broker.clients import STATUS, StateLog, daemon, referee
from tests.brokers import RunningBroker
from tests.places import REPOSITORY


class Watcher:
    """What a reader of the status topic gets to know, in order."""

    def __init__(self, client: MqttClient) -> None:
        self._client = client
        self._statuses: list[tuple[DaemonStatus, bool]] = []

    async def next(self) -> tuple[str, str]:
        """The next status: `online` or `offline`, and the session."""
        while not self._statuses:
            for message in await self._client.receive_batch():
                status = decode_payload(TopicKind.DAEMON_STATUS, message.payload)
                assert isinstance(status, DaemonStatus)
                self._statuses.append((status, message.retained))
                message.ack()
        status, _ = self._statuses.pop(0)
        return ("online" if status.online else "offline", status.session)


@pytest.mark.broker
class TestAtABroker:
    """The topic as others see it."""

    async def test_birth_at_each_connect_and_a_last_word_at_the_end(
        self, live_broker: RunningBroker
    ) -> None:
        states = StateLog()
        async with referee(live_broker, STATUS) as reader:
            await reader.wait_connected()
            watcher = Watcher(reader)
            async with daemon(live_broker, session="s1", states=states):
                assert await watcher.next() == ("online", "s1")
            assert await watcher.next() == ("offline", "s1")

    async def test_birth_is_said_again_after_the_broker_was_killed(
        self, live_broker: RunningBroker
    ) -> None:
        states = StateLog()
        async with daemon(live_broker, session="s1", states=states):
            await states.wait_for(ConnectionState.CONNECTED)
            await live_broker.kill()
            await states.wait_for(ConnectionState.CONNECTED, times=2)
            async with referee(live_broker, STATUS) as reader:
                assert await Watcher(reader).next() == ("online", "s1")

    async def test_the_status_is_kept_for_whoever_comes_later(
        self, live_broker: RunningBroker
    ) -> None:
        async with (
            daemon(live_broker, session="s1"),
            referee(live_broker, STATUS) as reader,
        ):
            assert await Watcher(reader).next() == ("online", "s1")
        async with referee(live_broker, STATUS) as reader:
            assert await Watcher(reader).next() == ("offline", "s1")

    async def test_the_broker_reports_a_killed_daemon_offline(
        self, live_broker: RunningBroker
    ) -> None:
        settings = live_broker.settings(Role.DAEMON, "d1")
        async with referee(live_broker, STATUS) as reader:
            await reader.wait_connected()
            watcher = Watcher(reader)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.broker.silent_daemon",
                str(settings.port),
                stdin=asyncio.subprocess.PIPE,
                cwd=REPOSITORY,
            )
            assert process.stdin is not None
            process.stdin.write(f"{settings.username} {settings.password}\n".encode())
            assert await watcher.next() == ("online", "doomed")
            process.send_signal(signal.SIGKILL)
            await process.wait()
            process.stdin.close()
            assert await watcher.next() == ("offline", "doomed")

    async def test_a_late_will_is_answered_with_another_birth(
        self, live_broker: RunningBroker
    ) -> None:
        async with referee(live_broker, STATUS) as reader:
            # NATS may lose what is published while its reader subscribes.
            await reader.wait_connected()
            watcher = Watcher(reader)
            async with (
                daemon(live_broker, session="s2") as client,
                daemon(live_broker) as late,
            ):
                await client.wait_connected()
                assert await watcher.next() == ("online", "s2")
                await late.publish(STATUS, said("s1", online=False), retain=True)
                assert await watcher.next() == ("offline", "s1")
                assert await watcher.next() == ("online", "s2")

    async def test_the_older_of_two_daemons_under_one_name_stops(
        self, live_broker: RunningBroker
    ) -> None:
        async with daemon(live_broker, session="older", started=1.0) as older:
            await older.wait_connected()
            async with daemon(live_broker, session="newer", started=2.0) as newer:
                with pytest.raises(TakenOverError, match=STATUS):
                    await older.receive_batch()
                await newer.wait_connected()
                async with referee(live_broker, STATUS) as reader:
                    watcher = Watcher(reader)
                    while await watcher.next() != ("online", "newer"):
                        pass
                assert older.state is ConnectionState.FAILED

    async def test_a_daemon_may_also_read_the_status_of_all(
        self, live_broker: RunningBroker
    ) -> None:
        async with daemon(
            live_broker, "bidwire/test/daemons/+/status", session="s1"
        ) as client:
            assert await Watcher(client).next() == ("online", "s1")


EARLIER, OURS, LATER = 1.0, 2.0, 3.0
"""When runs began."""


def said(session: str, *, online: bool = True, started: float = OURS) -> bytes:
    """A status, as it stands on the topic."""
    return encode_payload(DaemonStatus(session, online=online, started=started))


def connecting() -> StatusWatch:
    watch = StatusWatch(DaemonStatus("ours", online=True, started=OURS))
    watch.connecting()
    return watch


def born() -> StatusWatch:
    """One whose birth went out, on a second connection too."""
    watch = connecting()
    watch.announced()
    watch.connecting()
    watch.announced()
    return watch


class TestStatusWatch:
    """The judgement alone."""

    @pytest.mark.parametrize(
        ("status", "retained", "verdict"),
        [
            (said("ours"), False, Verdict.FINE),
            (said("ours", online=False), False, Verdict.REPEAT_BIRTH),
            (said("ours", online=False), True, Verdict.FINE),
            (said("theirs", online=False), False, Verdict.REPEAT_BIRTH),
            (said("theirs", online=False), True, Verdict.FINE),
            (said("theirs", started=LATER), False, Verdict.TAKEN_OVER),
            (said("theirs", started=LATER), True, Verdict.TAKEN_OVER),
            (said("theirs", started=EARLIER), False, Verdict.REPEAT_BIRTH),
            (said("theirs", started=EARLIER), True, Verdict.FINE),
            (said("theirs"), False, Verdict.TAKEN_OVER),
            (said("its"), False, Verdict.REPEAT_BIRTH),
            (b"\xff", True, Verdict.FINE),
            (b"\xff", False, Verdict.REPEAT_BIRTH),
        ],
    )
    def test_after_our_birth(
        self, status: bytes, retained: bool, verdict: Verdict
    ) -> None:
        assert born().judge(status, retained=retained) is verdict

    def test_a_predecessor_that_left_no_will_stops_nobody_but_if_it_lives(self) -> None:
        watch = connecting()
        before = said("before", started=LATER)  # the clock was set back since
        assert watch.judge(before, retained=True) is Verdict.FINE
        watch.announced()
        # The broker was killed before it had stored our birth.
        watch.connecting()
        assert watch.judge(before, retained=True) is Verdict.FINE
        watch.announced()
        assert watch.judge(before, retained=False) is Verdict.TAKEN_OVER

    def test_what_was_kept_before_our_birth_may_be_handed_to_us_after_it(self) -> None:
        watch = connecting()
        watch.announced()
        before = said("before", started=LATER)
        assert watch.judge(before, retained=True) is Verdict.FINE

    def test_no_birth_goes_out_before_all_subscriptions_hold(self) -> None:
        watch = born()
        watch.connecting()
        assert watch.judge(said("ours", online=False), retained=False) is Verdict.FINE
