"""Suits, denominations, ranks and the 52 cards (Law 1)."""

from enum import StrEnum


class Denomination(StrEnum):
    """A suit or notrump, in ascending order of the auction (Law 18E)."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "NT"

    @property
    def suit(self) -> "Suit | None":
        """The trump suit, None in notrump."""
        return _SUIT_OF.get(self)


class Suit(StrEnum):
    """A suit, in ascending order."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def denomination(self) -> Denomination:
        return Denomination(self.value)


RANKS = "23456789TJQKA"
"""Ranks in ascending order, one character each (T is the ten)."""

HONOURS = frozenset("TJQKA")
"""Ranks that Law 50B counts as honours."""


class Card(StrEnum):
    """One of the 52 cards, suit first then rank: ``SA``, ``H4``, ``CT``.

    Attributes:
        suit: its suit.
        rank: its rank, one character of ``RANKS``.
        strength: its place in ``RANKS``, from 0 (the two) to 12 (the ace).
    """

    suit: Suit
    rank: str
    strength: int

    def __init__(self, value: str) -> None:
        self.suit = Suit(value[0])
        self.rank = value[1]
        self.strength = RANKS.index(value[1])

    @property
    def is_honour(self) -> bool:
        """Ten or higher, as Law 50B has it."""
        return self.rank in HONOURS

    CLUB_TWO = "C2"
    CLUB_THREE = "C3"
    CLUB_FOUR = "C4"
    CLUB_FIVE = "C5"
    CLUB_SIX = "C6"
    CLUB_SEVEN = "C7"
    CLUB_EIGHT = "C8"
    CLUB_NINE = "C9"
    CLUB_TEN = "CT"
    CLUB_JACK = "CJ"
    CLUB_QUEEN = "CQ"
    CLUB_KING = "CK"
    CLUB_ACE = "CA"
    DIAMOND_TWO = "D2"
    DIAMOND_THREE = "D3"
    DIAMOND_FOUR = "D4"
    DIAMOND_FIVE = "D5"
    DIAMOND_SIX = "D6"
    DIAMOND_SEVEN = "D7"
    DIAMOND_EIGHT = "D8"
    DIAMOND_NINE = "D9"
    DIAMOND_TEN = "DT"
    DIAMOND_JACK = "DJ"
    DIAMOND_QUEEN = "DQ"
    DIAMOND_KING = "DK"
    DIAMOND_ACE = "DA"
    HEART_TWO = "H2"
    HEART_THREE = "H3"
    HEART_FOUR = "H4"
    HEART_FIVE = "H5"
    HEART_SIX = "H6"
    HEART_SEVEN = "H7"
    HEART_EIGHT = "H8"
    HEART_NINE = "H9"
    HEART_TEN = "HT"
    HEART_JACK = "HJ"
    HEART_QUEEN = "HQ"
    HEART_KING = "HK"
    HEART_ACE = "HA"
    SPADE_TWO = "S2"
    SPADE_THREE = "S3"
    SPADE_FOUR = "S4"
    SPADE_FIVE = "S5"
    SPADE_SIX = "S6"
    SPADE_SEVEN = "S7"
    SPADE_EIGHT = "S8"
    SPADE_NINE = "S9"
    SPADE_TEN = "ST"
    SPADE_JACK = "SJ"
    SPADE_QUEEN = "SQ"
    SPADE_KING = "SK"
    SPADE_ACE = "SA"


SUITS = tuple(Suit)
DENOMINATIONS = tuple(Denomination)
DECK = tuple(Card)

_SUIT_OF = {suit.denomination: suit for suit in SUITS}


def card_of(suit: Suit, rank: str) -> Card:
    """The card of a suit and a rank; ValueError when the rank is none."""
    return Card(suit.value + rank)
