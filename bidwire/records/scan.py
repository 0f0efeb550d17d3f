"""Bytes of a record file into text, and places in the text into line numbers.

Real files are UTF-8 or, about one in eleven, an 8-bit code page. Any bytes decode:
what code page 1252 has no character for becomes U+FFFD and is reported where a
token is read.
"""

import re
from bisect import bisect_right

_LINE_BREAK = re.compile(r"\r+\n?|\n")
"""One line break, whatever the system; two CRs before an LF are still one."""

_DOS_END_OF_FILE = "\x1a"


def decode(data: bytes) -> str:
    r"""The text of a file with ``\n`` at line ends and no byte order mark."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("cp1252", errors="replace")
    return _LINE_BREAK.sub("\n", text).replace(_DOS_END_OF_FILE, " ")


class Lines:
    """Finds the line, from 1, on which a place in a text lies."""

    def __init__(self, text: str) -> None:
        self._breaks = [m.start() for m in re.finditer("\n", text)]

    def number(self, offset: int) -> int:
        return bisect_right(self._breaks, offset - 1) + 1
