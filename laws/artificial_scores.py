"""Artificial adjusted scores: what they are worth (Law 12C2, in 2007 also 86A).

Average plus is 60 % of a board or 3 IMPs, average 50 % or nothing, average minus 40 %
or minus 3 IMPs. A contestant that did better than average plus on the other boards of
its session, or worse than average minus, gets what it did there (12C2c).
"""

from fractions import Fraction

PERCENT = {"A+": 60, "A": 50, "A-": 40}
"""Per cent of the matchpoints that could be won on the board."""

IMPS = {"A+": 3, "A": 0, "A-": -3}
"""International matchpoints."""


def artificial_percent(award: str, others: Fraction | None) -> Fraction:
    """Per cent of the board's matchpoints.

    Args:
        award: ``A+``, ``A`` or ``A-``.
        others: per cent that the contestant won on the other boards of the session,
            None when there are none.
    """
    return _modified(Fraction(PERCENT[award]), PERCENT["A"], others)


def artificial_imps(award: str, others: Fraction | None) -> Fraction:
    """IMPs; ``others`` is what the contestant won per board on the other boards."""
    return _modified(Fraction(IMPS[award]), IMPS["A"], others)


def _modified(worth: Fraction, average: int, others: Fraction | None) -> Fraction:
    if others is None or worth == average:
        return worth
    return max(worth, others) if worth > average else min(worth, others)
