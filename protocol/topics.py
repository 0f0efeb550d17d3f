"""The topics of the MQTT contract, built and parsed, and who may use which.

Clauses T of ``protocol/README.md``. Every level of a topic that comes from a name is
checked before it is used: one bad publish disconnects a client from some brokers.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

LEVEL_PATTERN = "[a-z0-9_-]{1,32}"
"""What a level may hold (T1): some brokers split or refuse others."""

LEVEL_WORDS = "1 to 32 of the characters a-z, 0-9, _ and -"
"""The same for people."""

ROOT = "bidwire"

_LEVEL = re.compile(LEVEL_PATTERN)
_NUMBER = re.compile("0|[1-9][0-9]{0,9}")
_UNFIT = re.compile("[^a-z0-9_-]+")


class TopicError(ValueError):
    """A name that no topic level can hold, or a topic that is none of ours."""


class TopicKind(StrEnum):
    """The kinds of topic, by the last levels of their pattern."""

    TERMINAL_EVENTS = "daemons/+/terminals/+/events"
    TERMINAL_SHOWN = "daemons/+/terminals/+/shown"
    TERMINAL_DISPLAY = "daemons/+/terminals/+/display"
    TERMINAL_ACK = "daemons/+/terminals/+/ack"
    TERMINAL_STATUS = "daemons/+/terminals/+/status"
    DAEMON_STATUS = "daemons/+/status"
    DAEMON_DIRECTOR = "daemons/+/director"
    DAEMON_ASSIGNMENTS = "daemons/+/assignments"
    TABLE_STATE = "tables/+/state"
    TABLE_RULING = "tables/+/rulings/+"
    TABLE_DESK = "tables/+/desk"
    TABLE_DIRECTOR = "tables/+/director"
    TABLE_RESULT = "tables/+/results/+"
    TABLE_LOG = "tables/+/log/+"
    TABLE_DISPLAYS = "tables/+/displays"
    PUBLIC = "public/+"


RETAINED = frozenset(
    {
        TopicKind.TERMINAL_STATUS,
        TopicKind.DAEMON_STATUS,
        TopicKind.DAEMON_ASSIGNMENTS,
        TopicKind.TABLE_STATE,
        TopicKind.TABLE_RULING,
        TopicKind.TABLE_DESK,
        TopicKind.TABLE_RESULT,
        TopicKind.TABLE_LOG,
        TopicKind.TABLE_DISPLAYS,
        TopicKind.PUBLIC,
    }
)
"""Kinds whose last message the broker keeps (T4); prompts and commands never."""

QOS = 1
"""Quality of service of every topic (T3): at least once."""


class Role(StrEnum):
    """Who connects to the broker."""

    REFEREE = "referee"
    DAEMON = "daemon"
    DIRECTOR = "director"
    SPECTATOR = "spectator"


class Access(StrEnum):
    """What a role may do with a topic."""

    PUBLISH = "publish"
    SUBSCRIBE = "subscribe"


_PUBLISHERS: dict[TopicKind, Role] = {
    TopicKind.TERMINAL_EVENTS: Role.DAEMON,
    TopicKind.TERMINAL_SHOWN: Role.DAEMON,
    TopicKind.TERMINAL_DISPLAY: Role.REFEREE,
    TopicKind.TERMINAL_ACK: Role.REFEREE,
    TopicKind.TERMINAL_STATUS: Role.DAEMON,
    TopicKind.DAEMON_STATUS: Role.DAEMON,
    TopicKind.DAEMON_DIRECTOR: Role.DIRECTOR,
    TopicKind.DAEMON_ASSIGNMENTS: Role.DAEMON,
    TopicKind.TABLE_STATE: Role.REFEREE,
    TopicKind.TABLE_RULING: Role.REFEREE,
    TopicKind.TABLE_DESK: Role.REFEREE,
    TopicKind.TABLE_DIRECTOR: Role.DIRECTOR,
    TopicKind.TABLE_RESULT: Role.REFEREE,
    TopicKind.TABLE_LOG: Role.REFEREE,
    TopicKind.TABLE_DISPLAYS: Role.REFEREE,
    TopicKind.PUBLIC: Role.REFEREE,
}

_SUBSCRIBERS: dict[TopicKind, frozenset[Role]] = {
    TopicKind.TERMINAL_EVENTS: frozenset({Role.REFEREE}),
    TopicKind.TERMINAL_SHOWN: frozenset({Role.REFEREE}),
    TopicKind.TERMINAL_DISPLAY: frozenset({Role.DAEMON}),
    TopicKind.TERMINAL_ACK: frozenset({Role.DAEMON}),
    TopicKind.TERMINAL_STATUS: frozenset({Role.REFEREE, Role.DIRECTOR}),
    TopicKind.DAEMON_STATUS: frozenset({Role.REFEREE, Role.DIRECTOR, Role.DAEMON}),
    TopicKind.DAEMON_DIRECTOR: frozenset({Role.DAEMON}),
    TopicKind.DAEMON_ASSIGNMENTS: frozenset({Role.DIRECTOR}),
    TopicKind.TABLE_STATE: frozenset({Role.DAEMON, Role.DIRECTOR}),
    TopicKind.TABLE_RULING: frozenset({Role.REFEREE, Role.DAEMON, Role.DIRECTOR}),
    TopicKind.TABLE_DESK: frozenset({Role.DIRECTOR}),
    TopicKind.TABLE_DIRECTOR: frozenset({Role.REFEREE}),
    TopicKind.TABLE_RESULT: frozenset({Role.REFEREE, Role.DIRECTOR}),
    TopicKind.TABLE_LOG: frozenset({Role.DIRECTOR}),
    TopicKind.TABLE_DISPLAYS: frozenset({Role.DIRECTOR}),
    TopicKind.PUBLIC: frozenset({Role.DIRECTOR, Role.SPECTATOR}),
}

MATRIX: dict[TopicKind, dict[Role, frozenset[Access]]] = {
    kind: {
        role: frozenset(
            ({Access.PUBLISH} if _PUBLISHERS[kind] is role else set())
            | ({Access.SUBSCRIBE} if role in _SUBSCRIBERS[kind] else set())
        )
        for role in Role
    }
    for kind in TopicKind
}
"""Role by kind of topic (T5): what a broker's access list grants, and nothing else."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic taken apart: its kind, the event, and the names in its levels."""

    kind: TopicKind
    event: str
    names: tuple[str, ...]
    """What stands at the pattern's ``+``, in order."""


@lru_cache(maxsize=1 << 14)
def check_level(name: str) -> str:
    """The name itself, when a topic level can hold it.

    Raises:
        TopicError: says what was expected.
    """
    if not _LEVEL.fullmatch(name):
        raise TopicError(f"expected {LEVEL_WORDS} in a topic level, got {name!r}")
    return name


@dataclass(frozen=True, slots=True)
class Topics:
    """Builds the topics and the subscription filters of one event.

    Every method raises TopicError when a name does not fit a level.
    """

    event: str

    def __post_init__(self) -> None:
        check_level(self.event)

    def terminal_events(self, daemon: str, terminal: str) -> str:
        return self.of(TopicKind.TERMINAL_EVENTS, daemon, terminal)

    def terminal_shown(self, daemon: str, terminal: str) -> str:
        return self.of(TopicKind.TERMINAL_SHOWN, daemon, terminal)

    def terminal_display(self, daemon: str, terminal: str) -> str:
        return self.of(TopicKind.TERMINAL_DISPLAY, daemon, terminal)

    def terminal_ack(self, daemon: str, terminal: str) -> str:
        return self.of(TopicKind.TERMINAL_ACK, daemon, terminal)

    def terminal_status(self, daemon: str, terminal: str) -> str:
        return self.of(TopicKind.TERMINAL_STATUS, daemon, terminal)

    def daemon_status(self, daemon: str) -> str:
        return self.of(TopicKind.DAEMON_STATUS, daemon)

    def table_state(self, table: str) -> str:
        return self.of(TopicKind.TABLE_STATE, table)

    def table_ruling(self, table: str, number: int) -> str:
        return self.of(TopicKind.TABLE_RULING, table, str(number))

    def table_desk(self, table: str) -> str:
        return self.of(TopicKind.TABLE_DESK, table)

    def table_director(self, table: str) -> str:
        return self.of(TopicKind.TABLE_DIRECTOR, table)

    def table_result(self, table: str, play: int) -> str:
        return self.of(TopicKind.TABLE_RESULT, table, str(play))

    def table_log(self, table: str, play: int) -> str:
        return self.of(TopicKind.TABLE_LOG, table, str(play))

    def table_displays(self, table: str) -> str:
        return self.of(TopicKind.TABLE_DISPLAYS, table)

    def daemon_director(self, daemon: str) -> str:
        return self.of(TopicKind.DAEMON_DIRECTOR, daemon)

    def daemon_assignments(self, daemon: str) -> str:
        return self.of(TopicKind.DAEMON_ASSIGNMENTS, daemon)

    def public(self, table: str) -> str:
        return self.of(TopicKind.PUBLIC, table)

    def of(self, kind: TopicKind, *names: str) -> str:
        """The topic of a kind, with these names in the place of its ``+``."""
        levels = kind.value.split("/")
        if levels.count("+") != len(names):
            raise TopicError(
                f"{kind.value} takes {levels.count('+')} names, got {len(names)}"
            )
        rest = iter(names)
        filled = [check_level(next(rest)) if x == "+" else x for x in levels]
        return "/".join([ROOT, self.event, *filled])

    def filter(self, kind: TopicKind, *names: str) -> str:
        """A subscription filter: ``+`` where no name is given.

        With names, the first levels are fixed: ``filter(TERMINAL_ACK, "d1")`` takes
        all terminals of daemon d1.
        """
        rest = iter(names)
        filled = []
        for level in kind.value.split("/"):
            name = next(rest, "+") if level == "+" else level
            filled.append(name if name in {level, "+"} else check_level(name))
        return "/".join([ROOT, self.event, *filled])

    def parse(self, topic: str) -> Topic:
        """Take a topic of this event apart.

        Raises:
            TopicError: it is no topic of this event.
        """
        parsed = parse_topic(topic)
        if parsed.event != self.event:
            raise TopicError(f"expected a topic of event {self.event}, got {topic!r}")
        return parsed


_PATTERNS = {
    kind: re.compile(
        f"{ROOT}/({LEVEL_PATTERN})/" + kind.value.replace("+", f"({LEVEL_PATTERN})")
    )
    for kind in TopicKind
}
_NUMBERED = frozenset(
    {TopicKind.TABLE_RULING, TopicKind.TABLE_RESULT, TopicKind.TABLE_LOG}
)


def parse_topic(topic: str) -> Topic:
    """Take a topic of any event apart.

    Raises:
        TopicError: it is none of the contract's.
    """
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(topic)
        if match:
            event, *names = match.groups()
            if kind in _NUMBERED and not _NUMBER.fullmatch(names[-1]):
                break
            return Topic(kind, event, tuple(names))
    raise TopicError(f"expected a topic of the contract, got {topic!r}")


def filters(role: Role, event: str, access: Access, daemon: str = "+") -> list[str]:
    """The patterns that a broker's access list grants to a role (T5).

    A daemon gets those of its own name; it reads every daemon's status.
    """
    topics = Topics(event)
    granted = []
    for kind, roles in MATRIX.items():
        if access not in roles[role]:
            continue
        own = role is Role.DAEMON and kind.value.startswith("daemons/")
        other = kind is TopicKind.DAEMON_STATUS and access is Access.SUBSCRIBE
        names = (daemon,) if own and not other and daemon != "+" else ()
        granted.append(topics.filter(kind, *names))
    return granted


def id_of_serial(serial: str) -> str:
    """A terminal id, fit for a topic level, from a serial number (T2).

    Capitals become small, every run of other characters a hyphen. Two serial numbers
    may fall together; who names the terminals checks that.

    Raises:
        TopicError: nothing of it is left.
    """
    fit = _UNFIT.sub("-", serial.lower()).strip("-")[:32]
    if not fit:
        raise TopicError(f"expected letters or digits in a serial number: {serial!r}")
    return fit
