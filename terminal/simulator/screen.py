"""What a simulated terminal shows: columns by rows of characters, page by page."""

from dataclasses import dataclass

from protocol.messages import Display, Encoding

REPLACEMENT = "?"
"""Shown for a character that the terminal has no glyph for."""


@dataclass(slots=True)
class Screen:
    """One seat's display.

    Attributes:
        columns: characters in a line.
        rows: lines.
        encoding: the characters that it has.
        shown: the display that it was sent last, None before any.
        page: number of the page that is visible, from 0.
    """

    columns: int
    rows: int
    encoding: Encoding = Encoding.UTF_8
    shown: Display | None = None
    page: int = 0

    def show(self, display: Display) -> None:
        """Show a display from its first page on."""
        self.shown = display
        self.page = 0

    def blank(self) -> None:
        """Show nothing, as after a restart."""
        self.shown = None
        self.page = 0

    @property
    def pages(self) -> int:
        """How many pages there are to turn."""
        return max(1, len(self.shown.pages)) if self.shown else 1

    def turn(self) -> bool:
        """Turn to the next page, after the last to the first; False if there is one."""
        if self.pages == 1:
            return False
        self.page = (self.page + 1) % self.pages
        return True

    def lines(self, notice: str = "") -> tuple[str, ...]:
        """The visible lines, ``rows`` of ``columns`` characters.

        Args:
            notice: the terminal's own message, which takes the last line.
        """
        content: tuple[str, ...] = ()
        if self.shown is not None and self.shown.pages:
            content = self.shown.pages[self.page]
        lines = [self._fit(line) for line in content[: self.rows]]
        lines += [" " * self.columns] * (self.rows - len(lines))
        if notice:
            lines[-1] = self._fit(notice)
        return tuple(lines)

    def _fit(self, line: str) -> str:
        """Cut or fill a line; characters that it has no glyph for are replaced."""
        encoded = line.encode(self.encoding, errors="replace").decode(self.encoding)
        printable = "".join(c if c.isprintable() else REPLACEMENT for c in encoded)
        return printable[: self.columns].ljust(self.columns)
