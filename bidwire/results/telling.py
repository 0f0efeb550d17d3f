"""Numbers and scores of a session as people and files have them."""

from fractions import Fraction

from bidwire.results.ranking import rounded
from bidwire.results.travellers import Line, Row, Traveller
from laws.seats import SIDES, Side
from protocol.scores import SideScore


def number(value: Fraction | None) -> str:
    """A number, with two decimals unless it is whole; empty for none."""
    if value is None:
        return ""
    return str(value) if value.denominator == 1 else f"{rounded(value)}"


def percent(value: Fraction | None) -> str:
    """Per cent with two decimals; empty for none."""
    return f"{rounded(value)}" if value is not None else ""


def plain_number(value: Fraction | None) -> float | int | None:
    """A number for JSON, to two decimals."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else float(rounded(value))


def row_percent(traveller: Traveller, row: Row, side: Side) -> Fraction | None:
    """Per cent of the top that a board was worth to a side, where there is a top."""
    worth = row.worth(side)
    return 100 * worth / traveller.top if traveller.top and worth is not None else None


def contract_of(line: Line) -> str:
    """``4HX``, ``Pass`` for a board passed out, empty for one without a result."""
    contract = line.result.contract
    if contract is not None:
        return f"{contract.level}{contract.denomination}{contract.risk}"
    return "Pass" if line.result.score_ns is not None else ""


def declarer_of(line: Line) -> str:
    """Declarer's seat, empty for none."""
    contract = line.result.contract
    return str(contract.declarer) if contract is not None else ""


def adjusted(line: Line, side: Side) -> str:
    """The adjusted score of a side: ``A+``, ``60% 620 40% -100``.

    In points of North-South; empty where the result at the table stands.
    """
    adjustment = line.result.adjustment
    if adjustment is None:
        return ""
    given = adjustment.ns if side is SIDES[0] else adjustment.ew
    return _side_score(given) if given is not None else ""


def _side_score(given: SideScore) -> str:
    if given.artificial is not None:
        return given.artificial.value
    if len(given.outcomes) == 1:
        return str(given.outcomes[0].score_ns)
    return " ".join(f"{each.percent}% {each.score_ns}" for each in given.outcomes)
