"""Values of PBN tags: dealer, vulnerability, deal, contract, declarer, result."""

import re

from bidwire.records.pbn_games import Game
from bidwire.records.pbn_sections import seat_of
from bidwire.records.record import Contract, FormatError, PassedOut
from laws.board import parse_deal
from laws.cards import RANKS, Card, Denomination
from laws.header import whole_number
from laws.seats import SIDES, Seat, Side


def value_of(game: Game, name: str) -> str:
    """A tag's value; empty where it is missing, empty or unknown (``?``)."""
    value = game.tags.get(name, "").strip()
    return "" if value == "?" else value


def line_of(game: Game, name: str) -> int:
    """The line of a tag; the game's own where the tag was inherited."""
    return game.lines.get(name, game.line)


def number_of(game: Game) -> int:
    """The board's number; 0 where it has none."""
    return whole_number(value_of(game, "board")) or 0


def dealer_tag(game: Game) -> Seat | None:
    """Dealer.

    Raises:
        FormatError: it is no seat.
    """
    value = value_of(game, "dealer")
    return seat_of(value, line_of(game, "dealer"), "Dealer") if value else None


_VULNERABLE: dict[str, frozenset[Side]] = {
    "none": frozenset(),
    "love": frozenset(),
    "-": frozenset(),
    "ns": frozenset({SIDES[0]}),
    "ew": frozenset({SIDES[1]}),
    "all": frozenset(SIDES),
    "both": frozenset(SIDES),
}


def vulnerable_tag(game: Game) -> frozenset[Side] | None:
    """Vulnerable sides.

    Raises:
        FormatError: it is none of the words of PBN.
    """
    value = value_of(game, "vulnerable")
    if not value:
        return None
    sides = _VULNERABLE.get(value.lower())
    if sides is None:
        raise FormatError(
            line_of(game, "vulnerable"),
            f"Vulnerable: expected None, NS, EW or All, got {value!r}",
        )
    return sides


def deal_tag(game: Game) -> tuple[frozenset[Card], ...] | None:
    """The hands N, E, S, W; a hand left out (``-``) is what the other three lack.

    None where the tag is missing or leaves out more than one hand.

    Raises:
        FormatError: it is no deal.
    """
    value = value_of(game, "deal")
    if not value:
        return None
    first, colon, rest = value.partition(":")
    hands = rest.split()
    if colon and len(hands) == 4 and "-" in hands:
        if hands.count("-") > 1:
            return None
        hands[hands.index("-")] = _the_rest([hand for hand in hands if hand != "-"])
    try:
        return parse_deal(f"{first}{colon}{' '.join(hands)}")
    except ValueError as error:
        raise FormatError(line_of(game, "deal"), f"Deal: {error}") from None


def _the_rest(hands: list[str]) -> str:
    """In each suit the ranks that the three hands do not hold."""
    suits = [hand.upper().replace("10", "T").split(".") for hand in hands]
    held = [
        "".join(hand[place] for hand in suits if place < len(hand))
        for place in range(4)
    ]
    return ".".join("".join(r for r in RANKS if r not in ranks) for ranks in held)


_CONTRACT = re.compile(r"([1-7])(C|D|H|S|NT?)(XX|X|R)?", re.IGNORECASE)


def contract_tag(game: Game) -> tuple[Contract | PassedOut | None, bool]:
    """The contract and its declarer; whether declarer and dummy changed places.

    Raises:
        FormatError: Contract or Declarer cannot be read.
    """
    value = value_of(game, "contract")
    if not value:
        return None, False
    if value.upper() in {"PASS", "P", "AP"}:
        return PassedOut(), False
    match = _CONTRACT.fullmatch("".join(value.split()))
    if match is None:
        raise FormatError(
            line_of(game, "contract"),
            f"Contract: expected as in 4S, 3NTX or Pass, got {value!r}",
        )
    denomination = match[2].upper()
    by = value_of(game, "declarer")
    declarer = None
    if by:
        declarer = seat_of(by.lstrip("^"), line_of(game, "declarer"), "Declarer")
    contract = Contract(
        int(match[1]),
        Denomination("NT" if denomination == "N" else denomination),
        (match[3] or "").upper().replace("R", "XX"),
        declarer,
    )
    return contract, by.startswith("^")


_RESULT = re.compile(
    r"(\^?)\s*(?:(NS|EW)\s*)?(\d{1,2})(?:\s+(?:NS|EW)\s*\d{1,2})?", re.IGNORECASE
)


def result_tag(game: Game, declarer: Seat | None) -> tuple[int | None, bool]:
    """Tricks of the declaring side; whether the tag is marked as wrong (``^``).

    Raises:
        FormatError: it is no number of tricks.
    """
    value = value_of(game, "result")
    if not value:
        return None, False
    match = _RESULT.fullmatch(value)
    if match is None or int(match[3]) > 13:
        raise FormatError(
            line_of(game, "result"),
            f"Result: expected tricks from 0 to 13 as in 9 or NS 9, got {value!r}",
        )
    tricks, side, wrong = int(match[3]), match[2], bool(match[1])
    if side is None:
        return tricks, wrong
    if declarer is None:
        return None, wrong
    return tricks if Side(side.upper()) is declarer.side else 13 - tricks, wrong
