"""A live page that is made of parts: what looks different by now is sent anew."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from desk.gate import Asked
from desk.live import Update

Drawn = Mapping[str, str]
"""Parts of a page: HTML by the id of its element."""


@dataclass
class Parts:
    """The parts of a page as one browser has them.

    Attributes:
        asked: whose page it is.
        fixed: draws the parts that are always there.
        rows: draws those of the page's list, in order.
    """

    asked: Asked
    fixed: Callable[[], Drawn]
    rows: Callable[[], Drawn]
    _known: Drawn | None = None
    _order: tuple[str, ...] = field(default=())

    def update(self, since: int) -> Update:
        """What looks different since the last time; at first all, or nothing.

        Nothing, when the page was drawn at the change that the room is at.
        """
        rows = self.rows()
        now = {"link": self._link(), **self.fixed(), **rows}
        order = tuple(rows)
        is_first, known = self._known is None, self._known or {}
        before, self._known, self._order = self._order, now, order
        if is_first and since == self.asked.context.room.number:
            return Update()
        return Update(
            fragments={n: html for n, html in now.items() if known.get(n) != html},
            order=order if is_first or order != before else None,
        )

    def _link(self) -> str:
        return self.asked.fragment("link.html", link=self.asked.context.link.state)
