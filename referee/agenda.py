"""What is due when, so that of many tables only those are looked at that need it."""

import heapq


class Agenda:
    """Names and the times at which each is due, one at most for a name."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []

    def put(self, name: str, time: float | None) -> None:
        """Note when a name is due; this takes the place of what was noted before.

        Args:
            name: what is due.
            time: when, on the clock of ``take``; None for never.
        """
        if time is None:
            self._times.pop(name, None)
        elif self._times.get(name) != time:
            self._times[name] = time
            heapq.heappush(self._heap, (time, name))

    def next(self) -> float | None:
        """When the first name is due."""
        # What was put in the place of another time is still in the heap under both.
        while self._heap and self._times.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, now: float) -> list[str]:
        """The names that are due by now, the longest due first; they are taken off."""
        due = []
        while (time := self.next()) is not None and time <= now:
            name = heapq.heappop(self._heap)[1]
            del self._times[name]
            due.append(name)
        return due
