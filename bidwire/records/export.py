"""A judged board as a PBN 2.1 game.

What stands is written: the legal auction, the cards as finally played, the result after
transfers. What went wrong shows in the marks of PBN (section 3.9) and in a comment for
each ruling. Two things have no place in PBN but in those comments: what was withdrawn,
and the order in which things happened.
"""

import re
from collections.abc import Iterable, Mapping

from bidwire.records.export_comments import auction_comments, play_comments
from bidwire.records.export_sections import (
    auction_section,
    auction_times,
    play_section,
    play_times,
)
from laws.board import format_deal
from laws.report import report
from laws.seats import SIDES, Side
from laws.state import State

PBN_HEADER = "% PBN 2.1\n"
"""The first line of a PBN file, before its games."""

MANDATORY = (
    "Event",
    "Site",
    "Date",
    "Board",
    "West",
    "North",
    "East",
    "South",
    "Dealer",
    "Vulnerable",
    "Deal",
    "Scoring",
    "Declarer",
    "Contract",
    "Result",
)
"""The tags that every game has, in the order of the standard (PBN 2.1 section 3.4)."""

_UNKNOWN = {"Date": "????.??.??", "Board": ""}
"""How what nobody has told is written, where it is not ``?``."""

_FROM_THE_BOARD = frozenset(
    {
        "dealer",
        "vulnerable",
        "deal",
        "declarer",
        "contract",
        "result",
        "score",
        "auction",
        "play",
        "note",
        "auctiontimetable",
        "playtimetable",
    }
)


def write_pbn(
    state: State,
    *,
    tags: Mapping[str, str] | None = None,
    times: Mapping[int, float] | None = None,
    sections: Iterable[str] = (),
) -> str:
    """Write a judged board, finished or not, as one game of a PBN file.

    Args:
        state: the board.
        tags: what the board does not know of itself, by the name of the PBN tag:
            ``Event``, ``Site``, ``Date``, ``Board``, the four players, ``Scoring``, and
            any supplemental tag.
        times: seconds that a call or card took, by the line of its happening; with it
            the two time tables are written, a ``-`` where it says nothing.
        sections: lines of other sections and comments, before the auction.

    Returns:
        The lines of the game and the empty line that ends it. A file of games begins
        with ``PBN_HEADER``.

    Raises:
        ValueError: a tag's name is no name of PBN, or its value comes from the board.
    """
    told = {_name(name): value for name, value in (tags or {}).items()}
    known = {**told, **_of_board(state), **_of_result(state)}
    lines = [*_head(known), *sections]
    lines += auction_section(state, auction_comments(state))
    lines += play_section(state, play_comments(state))
    if times:
        lines += auction_times(state, times)
        lines += play_times(state, times)
    return "\n".join(lines) + "\n\n"


def write_result(tags: Mapping[str, str], sections: Iterable[str] = ()) -> str:
    """Write a game of which nothing is known but its tags.

    Args:
        tags: all of them, spelt as in the standard.
        sections: lines of other sections and comments.
    """
    return "\n".join([*_head(tags), *sections]) + "\n\n"


def _head(known: Mapping[str, str]) -> list[str]:
    """The tags, the mandatory ones first and in the order of the standard."""
    lines = [_tag(name, known.get(name, _UNKNOWN.get(name, "?"))) for name in MANDATORY]
    lines += [_tag(name, known[name]) for name in sorted(known.keys() - MANDATORY)]
    return lines


def _name(name: str) -> str:
    """The name of a tag, spelt as in the standard where the standard requires it."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is None:
        raise ValueError(f"expected a name of a PBN tag as in Event, got {name!r}")
    if name.lower() in _FROM_THE_BOARD:
        raise ValueError(f"the tag {name} is written from the board, not given")
    return next((tag for tag in MANDATORY if tag.lower() == name.lower()), name)


def _tag(name: str, value: str) -> str:
    """A tag pair; line ends in the value become spaces."""
    text = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]'


def _of_board(state: State) -> dict[str, str]:
    board = state.board
    return {
        "Dealer": board.dealer.value,
        "Vulnerable": _vulnerable(board.vulnerable),
        "Deal": format_deal(board.hands) if board.hands is not None else "",
    }


def _vulnerable(sides: frozenset[Side]) -> str:
    if len(sides) == len(SIDES):
        return "All"
    return next((side.value for side in sides), "None")


def _of_result(state: State) -> dict[str, str]:
    """Contract, declarer, result and score as far as there are any.

    ``^`` before the declarer: he and dummy changed places (54A). ``^`` before the
    result: it is not what the cards and a claim make, tricks were transferred (64).
    """
    if not state.auction.ended:
        return {}
    play, made = state.play, state.contract
    if play is None or made is None:
        return {"Declarer": "", "Contract": "Pass", "Result": "", "Score": "NS 0"}
    contract = play.contract
    swapped = "^" if contract.declarer is not made.declarer else ""
    tags = {
        "Declarer": f"{swapped}{contract.declarer}",
        "Contract": f"{contract.level}{contract.denomination}{contract.risk}",
    }
    judged = report(state)
    if judged["result"] is not None:
        irregular = "^" if judged["transfer"] is not None else ""
        tags["Result"] = f"{irregular}{judged['result']['declarer_tricks']}"
        tags["Score"] = f"NS {judged['result']['score_NS']}"
    return tags
