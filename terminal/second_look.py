"""When a port is let go whose terminal is refused, to look who is there by then.

A port is found by its name, and the name may lead elsewhere since: the right terminal
has been plugged in, and the wrong one, still held open, would hide it.
"""

from protocol.limits import DOWN_S

FIRST_SECONDS = 5.0
"""From the first refusal to the second look; doubled each time."""

LONGEST_SECONDS = 60.0


class SecondLook:
    """A timer; its times are seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self.due: float | None = None
        self._seconds = FIRST_SECONDS

    def after_refusal(self, now: float) -> None:
        """Whoever is there is refused: give him a while, each time a longer one."""
        self.due = now + self._seconds
        self._seconds = min(2 * self._seconds, LONGEST_SECONDS)

    def after_opening(self, now: float) -> None:
        """The port is open again: whoever is there has said HELLO by then."""
        self.due = now + DOWN_S

    def is_due(self, now: float) -> bool:
        """Whether to look now."""
        return self.due is not None and now >= self.due

    def stop(self) -> None:
        """The port is closed."""
        self.due = None

    def settled(self) -> None:
        """The right terminal is there, or none is."""
        self.due = None
        self._seconds = FIRST_SECONDS
