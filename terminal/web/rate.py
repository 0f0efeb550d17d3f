"""How often an address may fail to join: a code cannot be found by trying."""

from collections import OrderedDict, deque

FAILURES_MAX = 5
"""Failed joins of one address in ``WINDOW_S`` after which it must wait."""

WINDOW_S = 60.0
"""Seconds for which a failed join counts."""

ADDRESSES_MAX = 1000
"""Addresses that are kept in mind; the one that failed longest ago gives way."""


class JoinLimit:
    """Counts the failed joins of each address; times are of a clock that only rises."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def failed(self, address: str, now: float) -> None:
        """An address has failed to join."""
        failures = self._failures.setdefault(address, deque(maxlen=FAILURES_MAX))
        failures.append(now)
        self._failures.move_to_end(address)
        while len(self._failures) > ADDRESSES_MAX:
            self._failures.popitem(last=False)

    def must_wait(self, address: str, now: float) -> bool:
        """Whether an address has failed so often that it is not heard for now."""
        failures = self._failures.get(address)
        if failures is None:
            return False
        while failures and now >= failures[0] + WINDOW_S:
            failures.popleft()
        if not failures:
            del self._failures[address]
        return len(failures) >= FAILURES_MAX
