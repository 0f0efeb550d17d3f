"""The board: dealer and vulnerability (Law 2), the deal, and what an event chooses."""

from dataclasses import dataclass, field
from enum import StrEnum

from laws.cards import DECK, SUITS, Card, card_of
from laws.seats import SEATS, SIDES, Seat, Side


class Edition(StrEnum):
    """The edition of the Laws that an event plays by."""

    LAWS_2007 = "2007"
    LAWS_2017 = "2017"


class RevokePolicy(StrEnum):
    """When a revoke is spoken of."""

    RECORD = "record"
    IMMEDIATE = "immediate"
    MANUAL = "manual"
    PREVENT = "prevent"


class IrregularCallPolicy(StrEnum):
    """Whether what is irregular is ruled on, or its key refused at the terminal."""

    APPLY = "apply"
    PREVENT = "prevent"


class RulingsPolicy(StrEnum):
    """Whether mechanical rulings take effect at once or wait for the Director."""

    AUTO = "auto"
    CONFIRM = "confirm"


@dataclass(frozen=True, slots=True)
class Policies:
    """What an event chooses beside the edition."""

    revoke: RevokePolicy = RevokePolicy.RECORD
    out_of_turn: IrregularCallPolicy = IrregularCallPolicy.APPLY
    inadmissible: IrregularCallPolicy = IrregularCallPolicy.APPLY
    rulings: RulingsPolicy = RulingsPolicy.AUTO


Deal = dict[Seat, frozenset[Card]]
"""The four hands of 13 cards."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board as it comes to the table, and the rules it is played under.

    ``hands`` are the four hands in the order N, E, S, W, or None when the referee is
    not told the deal; revokes are then inferred when the missing suit shows up.
    """

    edition: Edition
    dealer: Seat
    vulnerable: frozenset[Side] = frozenset()
    hands: tuple[frozenset[Card], ...] | None = None
    policies: Policies = field(default_factory=Policies)

    def hand(self, seat: Seat) -> frozenset[Card] | None:
        """The 13 cards dealt to a seat, None when the deal is not known."""
        return self.hands[SEATS.index(seat)] if self.hands is not None else None


def dealer_of(number: int) -> Seat:
    """Dealer of a board by its number, from 1 (Law 2)."""
    return SEATS[(number - 1) % 4]


def vulnerable_of(number: int) -> frozenset[Side]:
    """Vulnerable sides of a board by its number, from 1 (Law 2)."""
    place = (number - 1) % 16
    return _VULNERABLE[(place + place // 4) % 4]


_NS, _EW = SIDES
_VULNERABLE = (
    frozenset[Side](),
    frozenset({_NS}),
    frozenset({_EW}),
    frozenset({_NS, _EW}),
)


def parse_deal(text: str) -> tuple[frozenset[Card], ...]:
    """Read a PBN deal (``N:AKQ.… … … …``) into hands in the order N, E, S, W.

    Raises:
        ValueError: says which hand or card is wrong and what was expected.
    """
    first, colon, rest = text.strip().partition(":")
    if not colon or first.upper() not in {s.value for s in SEATS}:
        raise ValueError(
            f"a deal begins with its first seat and a colon, as in N:…; got {text!r}"
        )
    hands = rest.split()
    if len(hands) != 4:
        raise ValueError(f"a deal has 4 hands, got {len(hands)}")
    dealt: dict[Seat, frozenset[Card]] = {}
    owner: dict[Card, Seat] = {}
    seat = Seat(first.upper())
    for hand in hands:
        dealt[seat] = _parse_hand(hand, seat, owner)
        seat = seat.lho
    return tuple(dealt[s] for s in SEATS)


def _parse_hand(text: str, seat: Seat, owner: dict[Card, Seat]) -> frozenset[Card]:
    suits = text.split(".")
    if len(suits) != 4:
        raise ValueError(
            f"hand of {seat}: expected 4 suits S.H.D.C between dots, got {text!r}"
        )
    for suit, ranks in zip(reversed(SUITS), suits, strict=True):
        for rank in ranks.upper().replace("10", "T"):
            try:
                card = card_of(suit, rank)
            except ValueError:
                raise ValueError(
                    f"hand of {seat}: {rank!r} is no rank in {text!r}"
                ) from None
            if card in owner:
                raise ValueError(
                    f"hand of {seat}: {card} is already in the hand of {owner[card]}"
                )
            owner[card] = seat
    cards = frozenset(card for card, s in owner.items() if s is seat)
    if len(cards) != len(DECK) // 4:
        raise ValueError(f"hand of {seat}: expected 13 cards, got {len(cards)}")
    return cards


def format_deal(hands: tuple[frozenset[Card], ...]) -> str:
    """Write hands (N, E, S, W) as a PBN deal that begins with North."""
    return "N:" + " ".join(format_hand(hand) for hand in hands)


def format_hand(hand: frozenset[Card]) -> str:
    """Write a hand as PBN does: spades to clubs, high to low, between dots."""
    return ".".join(
        "".join(
            card.rank
            for card in sorted(hand, key=lambda card: -card.strength)
            if card.suit is suit
        )
        for suit in reversed(SUITS)
    )
