"""Putting the parts of a long message together: complete or not at all.

Clauses P of ``protocol/README.md``. ``protocol.messages.encode`` cuts them.
"""

from protocol.messages import Part


class Reassembler:
    """Collects the parts of one message at a time, in order.

    A part that does not continue what was collected drops it (P3): whoever sent the
    message repeats it. So no more than ``MESSAGE_MAX`` bytes are ever kept.
    """

    def __init__(self) -> None:
        self.abandoned = 0
        """Messages of which some parts came and then others than were due."""
        self._last: Part | None = None
        self._content = bytearray()

    @property
    def buffered(self) -> int:
        """Bytes kept: never above ``MESSAGE_MAX``."""
        return len(self._content)

    def receive(self, part: Part) -> bytes | None:
        """Take a part; the whole encoded message when it was the last one."""
        last = self._last
        if part == last:  # the same frame twice
            return None
        begins = part.index == 1
        continues = last is not None and (
            (part.id, part.index, part.count) == (last.id, last.index + 1, last.count)
        )
        if not continues:
            self.reset()
        if not (begins or continues) or part.index > part.count:
            return None
        self._content += part.content
        self._last = part
        if part.index < part.count:
            return None
        whole = bytes(self._content)
        self._content.clear()
        self._last = None
        return whole

    def reset(self) -> None:
        """Drop what was collected."""
        if self._last is not None:
            self.abandoned += 1
        self._content.clear()
        self._last = None
