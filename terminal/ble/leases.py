"""Which daemon a Bluetooth terminal belongs to when two serve it.

A terminal takes one connection, and whoever connects first has it: two daemons would
snatch it from each other. So each reads the others' births (J8). The daemon whose birth
the broker had first keeps the terminal; the other backs off and raises the alarm until
the first is gone. A connection that is there is never ended for this.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from protocol.payloads import DaemonStatus

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Rival:
    session: str
    terminals: frozenset[str]
    came_first: bool


class Leases:
    """What is known of the other daemons. Pure.

    Args:
        daemon: our name in topics.
        session: our run.
        terminals: ids of our terminals that take only one connection.
    """

    def __init__(self, daemon: str, session: str, terminals: Iterable[str]) -> None:
        self._daemon = daemon
        self._session = session
        self._terminals = frozenset(terminals)
        self._rivals: dict[str, _Rival] = {}
        self._has_claimed = False

    def take(self, daemon: str, status: DaemonStatus, *, retained: bool) -> None:
        """Take a daemon's status, our own included.

        Args:
            daemon: whose it is.
            status: a birth, or by its will a death.
            retained: the broker had it from before we subscribed.
        """
        if daemon == self._daemon:
            if status.online and status.session == self._session:
                self._has_claimed = True
            return
        before = self._rivals.get(daemon)
        if not status.online:
            if before is not None and before.session == status.session:
                del self._rivals[daemon]
            return
        shared = self._terminals.intersection(status.terminals)
        if before is not None and before.session == status.session:
            came_first = before.came_first
        else:
            came_first = retained or not self._has_claimed
            self._alarm(daemon, shared, came_first=came_first)
        self._rivals[daemon] = _Rival(status.session, shared, came_first)

    def holder(self, terminal: str) -> str | None:
        """The daemon that has a terminal before us; None when it is ours."""
        holders = (
            daemon
            for daemon, rival in self._rivals.items()
            if rival.came_first and terminal in rival.terminals
        )
        return min(holders, default=None)

    def _alarm(self, daemon: str, shared: frozenset[str], *, came_first: bool) -> None:
        if shared:
            logger.error(
                "daemon %s serves %s, too; %s. Give each terminal to one daemon only",
                daemon,
                " ".join(sorted(shared)),
                "it was first, so we back off" if came_first else "we were first",
            )
