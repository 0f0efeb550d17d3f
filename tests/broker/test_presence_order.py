"""Two daemons under one name, whatever comes between them: one of them stops."""

from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from broker.presence import StatusWatch, Verdict
from protocol.payloads import DaemonStatus, encode_payload


class Topic:
    """The status topic: hands each message to all, in one order."""

    def __init__(self) -> None:
        self.kept: bytes | None = None
        self.readers: list[Daemon] = []
        self.messages = 0

    def publish(self, status: DaemonStatus) -> None:
        self.kept = encode_payload(status)
        self.messages += 1
        for reader in self.readers:
            reader.inbox.append((self.kept, False))


@dataclass(eq=False)
class Daemon:
    """What the client does with the verdicts, one step at a time."""

    status: DaemonStatus
    topic: Topic
    inbox: list[tuple[bytes, bool]] = field(default_factory=list)
    has_stopped: bool = False

    def __post_init__(self) -> None:
        self.watch = StatusWatch(self.status)

    def subscribe(self) -> None:
        self.watch.connecting()
        self.topic.readers.append(self)
        if self.topic.kept is not None:
            self.inbox.append((self.topic.kept, True))

    def birth(self) -> None:
        self.topic.publish(self.status)
        self.watch.announced()

    def cut(self) -> None:
        """The line is cut: what was under way to it is lost, and its will comes."""
        self.topic.readers.remove(self)
        self.inbox.clear()
        self.topic.publish(replace(self.status, online=False))

    def read(self) -> None:
        message, retained = self.inbox.pop(0)
        match self.watch.judge(message, retained=retained):
            case Verdict.FINE:
                pass
            case Verdict.REPEAT_BIRTH:
                self.birth()
            case Verdict.TAKEN_OVER:
                self.has_stopped = True
                self.cut()

    def does(self, step: str) -> None:
        """A step of its plan, while it has not stopped."""
        if not self.has_stopped:
            {"subscribe": self.subscribe, "birth": self.birth, "cut": self.cut}[step]()


CONNECTS = ["subscribe", "birth"]


@given(st.integers(0, 2**32), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
def test_of_two_daemons_under_one_name_one_stops(
    seed: int, cuts: int, others: int, started: int
) -> None:
    """Each may be cut off now and then; messages are read late, in their order."""
    chance = Random(seed)  # noqa: S311 - no secret
    topic = Topic()
    plans = {
        Daemon(DaemonStatus(name, online=True, started=when), topic): (
            CONNECTS + ["cut", *CONNECTS] * times
        )
        for name, when, times in (("a", 1, cuts), ("b", started, others))
    }
    while any(plans.values()) or any(daemon.inbox for daemon in plans):
        assert topic.messages < 100, "they answer each other without end"
        able = [daemon for daemon, plan in plans.items() if plan or daemon.inbox]
        daemon = chance.choice(able)
        plan = plans[daemon]
        if daemon.inbox and (not plan or chance.random() < 0.5):
            daemon.read()
        else:
            daemon.does(plan.pop(0))
    assert sum(daemon.has_stopped for daemon in plans) == 1
    (stays,) = (daemon for daemon in plans if not daemon.has_stopped)
    assert stays.status.session == ("b" if started >= 1 else "a")
    assert topic.kept == encode_payload(stays.status)
