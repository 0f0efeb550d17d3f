"""How long to wait before the next attempt to connect: full jitter.

Each delay is drawn between 0 and a ceiling that doubles with every failure, so that
the daemons of a whole event do not all come back in the same instant.
"""

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Delays in seconds between attempts; `reset` after a connection that held.

    Attributes:
        first: Ceiling of the first delay.
        longest: No ceiling is above this.
        failures: Failures since the last reset.
        source: Where the jitter comes from; pass a seeded one for a fixed sequence.
    """

    first: float = 0.2
    longest: float = 10.0
    failures: int = 0
    source: random.Random = field(default_factory=random.SystemRandom)

    def next_delay(self) -> float:
        """Count a failure and return the delay before the next attempt."""
        # 2 ** 16 already lifts any sensible first delay above any sensible ceiling;
        # the bound keeps the power a small number after days without a broker.
        ceiling = min(self.longest, self.first * 2 ** min(self.failures, 16))
        self.failures += 1
        return self.source.uniform(0, ceiling)

    def reset(self) -> None:
        """Start over: the connection held."""
        self.failures = 0
