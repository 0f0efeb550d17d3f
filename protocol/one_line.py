"""Texts that people type, for pages and files that are made of lines."""

import re

_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\s]+")


def one_line(text: str) -> str:
    """A text on one line: control characters and runs of blanks become one blank.

    Control characters mean nothing to who reads, steer a console, and have no place in
    HTML, XML or PBN.
    """
    return _BREAKS.sub(" ", text).strip()
