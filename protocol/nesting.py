"""How deep the values of a MessagePack body are nested; nothing else is read of them.

Clause M3 of ``protocol/README.md``: a receiver skips any value, but none so deep that
a small one could not.
"""

_ARRAY, _MAP = 1, 2
"""Values that an element of each holds: a map's elements are keys and values."""

_FIXED = {0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8}
_FIXED |= {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_FIXED |= {0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
"""Bytes that follow a code."""

_LONG = {0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1)}
_LONG |= {0xC9: (4, 1), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)}
"""Bytes of the length that follows a code, and bytes beside it (a type)."""

_NESTED = {0xDC: (2, _ARRAY), 0xDD: (4, _ARRAY), 0xDE: (2, _MAP), 0xDF: (4, _MAP)}
"""Bytes of the count that follows a code, and values for each element."""


def depth_of(body: bytes) -> int:
    """The greatest depth of arrays and maps in a well-formed MessagePack value.

    Args:
        body: one complete value; that it is well formed has been checked.

    Returns:
        0 for a value that is neither, 1 for an array of such values, and so on.
    """
    at = deepest = 0
    open_counts = [1]
    """For each array or map that has begun, the values that it has still to get."""
    while open_counts:
        if open_counts[-1] == 0:
            open_counts.pop()
            continue
        open_counts[-1] -= 1
        at, nested = _skip(body, at)
        if nested is not None:
            open_counts.append(nested)
            deepest = max(deepest, len(open_counts) - 1)
    return deepest


def _skip(body: bytes, at: int) -> tuple[int, int | None]:
    """Where the next value begins, and how many are nested in it, None for no array."""
    code = body[at]
    at += 1
    if 0x80 <= code < 0xA0:
        return at, (code & 15) * (_ARRAY if code >= 0x90 else _MAP)
    if 0xA0 <= code < 0xC0:
        return at + (code & 31), None
    if code in _NESTED:
        size, values = _NESTED[code]
        return at + size, int.from_bytes(body[at : at + size], "big") * values
    if code in _LONG:
        size, beside = _LONG[code]
        return at + size + beside + int.from_bytes(body[at : at + size], "big"), None
    return at + _FIXED.get(code, 0), None
