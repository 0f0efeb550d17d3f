"""How often a password may be tried: ever more slowly, for each user and address.

An address as a whole has more room, since a hall may be behind one; it stops whoever
tries many names. The time is handed in.
"""

import ipaddress
from collections import OrderedDict
from dataclasses import dataclass, field

FREE = 5
"""Tries for a user from an address before he has to wait."""

FREE_OF_ADDRESS = 25
"""Tries from an address, whoever for."""

LONGEST_S = 300.0
"""Seconds to wait at most."""

FORGET_S = 3600.0
"""Seconds without a try after which nothing is held against anybody."""

MOST = 10_000
"""Users and addresses remembered; the oldest is forgotten first."""


@dataclass(slots=True)
class _Tries:
    count: int = 0
    last: float = 0.0

    def wait(self, free: int, now: float) -> float:
        """Seconds until the next try."""
        if self.count < free:
            return 0.0
        pause = min(2.0 ** min(self.count - free + 1, 16), LONGEST_S)
        return max(0.0, self.last + pause - now)


@dataclass(slots=True)
class LoginLimits:
    """The tries that failed, or are under way."""

    _tries: OrderedDict[str, _Tries] = field(default_factory=OrderedDict)

    def attempt(self, user: str, address: str, now: float) -> float:
        """Count a try, unless one has to wait.

        Args:
            user: the name that was typed.
            address: where from.
            now: seconds, of which only differences count.

        Returns:
            Seconds to wait; 0 lets the password be checked.
        """
        keys = _keys(user, address)
        wait = max(self._of(key, now).wait(free, now) for key, free in keys)
        if wait <= 0:
            for key, _ in keys:
                tries = self._of(key, now)
                tries.count += 1
                tries.last = now
        return wait

    def succeeded(self, user: str, address: str) -> None:
        """The password was right: nothing is held against the user there."""
        (key, _), (at, _) = _keys(user, address)
        self._tries.pop(key, None)
        if at in self._tries:
            self._tries[at].count -= 1

    def _of(self, key: str, now: float) -> _Tries:
        tries = self._tries.get(key)
        if tries is None or now - tries.last > FORGET_S:
            tries = self._tries[key] = _Tries(last=now)
        self._tries.move_to_end(key)
        while len(self._tries) > MOST:
            self._tries.popitem(last=False)
        return tries


def _keys(user: str, address: str) -> tuple[tuple[str, int], tuple[str, int]]:
    network = _network(address)
    name = user.strip().casefold()[:64]
    return (f"{network} {name}", FREE), (network, FREE_OF_ADDRESS)


def _network(address: str) -> str:
    """The address; of IPv6 the network, in which one machine has all addresses."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, 64), strict=False))
