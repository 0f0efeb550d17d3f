"""Names of seats, sides, suits, calls and contracts, in the language of the reader."""

from collections.abc import Iterable

from laws.calls import Call
from laws.cards import Suit
from laws.contract import Contract, Risk
from laws.seats import Seat, Side
from protocol.payloads import LinkState
from referee.catalogue import Catalogue, noted

SEAT_NAMES: dict[Seat, str] = {
    Seat.NORTH: noted("North"),
    Seat.EAST: noted("East"),
    Seat.SOUTH: noted("South"),
    Seat.WEST: noted("West"),
}

SIDE_NAMES: dict[Side, str] = {
    Side.NORTH_SOUTH: noted("North-South"),
    Side.EAST_WEST: noted("East-West"),
}

LETTERS: dict[Seat | Side, str] = {
    Seat.NORTH: noted("N"),
    Seat.EAST: noted("E"),
    Seat.SOUTH: noted("S"),
    Seat.WEST: noted("W"),
    Side.NORTH_SOUTH: noted("NS"),
    Side.EAST_WEST: noted("EW"),
}
"""Seats and sides where a display has no room for their names."""

SUIT_NAMES: dict[Suit, str] = {
    Suit.CLUBS: noted("clubs"),
    Suit.DIAMONDS: noted("diamonds"),
    Suit.HEARTS: noted("hearts"),
    Suit.SPADES: noted("spades"),
}

CALL_NAMES: dict[Call, str] = {
    Call.PASS: noted("pass"),
    Call.DOUBLE: noted("double"),
    Call.REDOUBLE: noted("redouble"),
}
"""Calls that a sentence spells out; bids are their own names."""

RISKS: dict[Risk, str] = {
    Risk.UNDOUBLED: noted("{contract} by {seat}"),
    Risk.DOUBLED: noted("{contract} doubled by {seat}"),
    Risk.REDOUBLED: noted("{contract} redoubled by {seat}"),
}


def seat_name(seat: Seat, words: Catalogue) -> str:
    return words.text(SEAT_NAMES[seat])


def side_name(side: Side, words: Catalogue) -> str:
    return words.text(SIDE_NAMES[side])


LINKS: dict[LinkState, str] = {
    LinkState.ONLINE: noted("online"),
    LinkState.OFFLINE: noted("offline"),
    LinkState.REFUSED: noted("refused"),
}
"""How a terminal's link stands."""


def letter(of: Seat | Side, words: Catalogue) -> str:
    return words.text(LETTERS[of])


def suit_name(suit: Suit, words: Catalogue) -> str:
    return words.text(SUIT_NAMES[suit])


def suit_names(suits: Iterable[Suit], words: Catalogue) -> str:
    """Suits between commas."""
    return ", ".join(suit_name(suit, words) for suit in suits)


def call_name(call: Call, words: Catalogue) -> str:
    name = CALL_NAMES.get(call)
    return words.text(name) if name is not None else call.value


def thing_name(about: str, words: Catalogue) -> str:
    """A call in its words; a card, and anything else, as it is written."""
    return call_name(Call(about), words) if about in _CALLS else about


def claim_name(about: str, words: Catalogue) -> str:
    """What is claimed, from the engine's ``3 of 5 tricks``."""
    tricks, _, rest = about.partition(" of ")
    return words.text(
        "{tricks} of {remaining} tricks", tricks=tricks, remaining=rest.split()[0]
    )


def contract_name(contract: Contract, words: Catalogue) -> str:
    """The contract in a sentence: ``4S doubled by North``."""
    return words.text(
        RISKS[contract.risk],
        contract=f"{contract.level}{contract.denomination}",
        seat=seat_name(contract.declarer, words),
    )


_CALLS = frozenset(call.value for call in Call)
