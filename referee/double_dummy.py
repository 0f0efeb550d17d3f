"""Double dummy: tricks with all four hands open and nobody erring, by DDS.

DDS comes with endplay. Of endplay only its binding to the library is loaded, by its
place: the package itself draws in a plotting library, which would cost a referee a
second and 60 MB at each start, and a Director the same at each ``bidwire rule``.
"""

import importlib.util
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from laws.cards import DECK, SUITS, Card, Suit
from laws.seats import SEATS, Seat, rotation_from


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the play, just before a hand plays a card.

    Attributes:
        trump: the trump suit, None in notrump.
        leader: the hand that leads, or has led, to the trick in progress.
        trick: the cards of the trick in progress, in rotation from the leader.
        hands: what each hand holds (N, E, S, W).
        restricted: the cards that the hand on play is held to; empty when all that
            follow suit will do.
    """

    trump: Suit | None
    leader: Seat
    trick: tuple[Card, ...]
    hands: tuple[frozenset[Card], ...]
    restricted: frozenset[Card] = frozenset()

    @property
    def turn(self) -> Seat:
        """The hand on play."""
        return rotation_from(self.leader)[len(self.trick)]

    @property
    def left(self) -> int:
        """Tricks not yet complete, the one in progress included."""
        return len(self.hands[SEATS.index(self.turn)])

    def is_sound(self) -> bool:
        """Whether each hand holds as many cards as its place in the trick leaves it."""
        played = rotation_from(self.leader)[: len(self.trick)]
        return all(
            len(cards) == self.left - (seat in played)
            for seat, cards in zip(SEATS, self.hands, strict=True)
        )


def nothing_known(_position: Position) -> None:
    """The solver that has no answer."""


def solved_at_once(position: Position) -> int | None:
    """The solver that its caller waits for; without DDS it has no answer."""
    try:
        return solve(position)
    except DoubleDummyError:
        return None


class DoubleDummyError(RuntimeError):
    """DDS cannot be loaded here, or does not take the position."""


Solver = Callable[[Position], int | None]
"""Tricks for the side on play from a position; None when they are not known (yet)."""


def solve(position: Position) -> int:
    """Tricks that the side on play takes from here, the one in progress included.

    DDS works for one caller at a time; others wait. The interpreter is free meanwhile.

    Raises:
        DoubleDummyError: DDS cannot be loaded, or the position cannot be played.
    """
    if not position.is_sound() or not position.left:
        raise DoubleDummyError("expected hands of as many cards as the trick leaves")
    dds = _library()
    deal, found = dds.deal(), dds.futureTricks()
    deal.trump = _SUIT_NUMBERS[position.trump]
    deal.first = SEATS.index(position.leader)
    for place, card in enumerate(position.trick):
        deal.currentTrickSuit[place] = _SUIT_NUMBERS[card.suit]
        deal.currentTrickRank[place] = _rank(card)
    for seat, cards in enumerate(position.hands):
        for card in cards:
            deal.remainCards[seat][_SUIT_NUMBERS[card.suit]] |= 1 << _rank(card)
    target, solutions = _EVERY_CARD if position.restricted else _BEST_CARD
    with _lock:
        try:
            dds.SolveBoard(deal, target, solutions, _NEW_SEARCH, found, _THREAD)
        except RuntimeError as error:
            raise DoubleDummyError(f"DDS: {error}") from None
    scores = [
        found.score[i]
        for i in range(found.cards)
        if not position.restricted or _cards_of(found, i) & position.restricted
    ]
    if not scores:
        raise DoubleDummyError("the hand on play may play none of its cards")
    return max(scores)


def _cards_of(found: "_FutureTricks", place: int) -> frozenset[Card]:
    """A card that DDS rates, with those that it rates as equal to it."""
    ranks = 1 << found.rank[place] | found.equals[place]
    return frozenset(
        card
        for card in DECK
        if _SUIT_NUMBERS[card.suit] == found.suit[place] and 1 << _rank(card) & ranks
    )


# -- the seam to DDS: the little of endplay's binding that is used, with types ---------

_SUIT_NUMBERS: dict[Suit | None, int] = {
    **{suit: number for number, suit in enumerate(reversed(SUITS))},
    None: 4,
}

_BEST_CARD = (-1, 1)
"""DDS's target and solutions: one card, with its tricks."""

_EVERY_CARD = (0, 3)
"""DDS's target and solutions: all cards, each with its tricks."""

_NEW_SEARCH = 1
"""DDS's mode: search, even where there is but one card to play."""

_THREAD = 0
"""DDS's place for what a search remembers; there is one."""

_lock = threading.Lock()


def _rank(card: Card) -> int:
    """DDS counts from 2 to 14 (the ace)."""
    return card.strength + 2


class _Deal(Protocol):
    trump: int
    first: int
    currentTrickSuit: list[int]  # noqa: N815 - DDS's name
    currentTrickRank: list[int]  # noqa: N815 - DDS's name
    remainCards: list[list[int]]  # noqa: N815 - DDS's name


class _FutureTricks(Protocol):
    cards: int
    suit: list[int]
    rank: list[int]
    equals: list[int]
    score: list[int]


class _Library(Protocol):
    def deal(self) -> _Deal: ...

    def futureTricks(self) -> _FutureTricks: ...  # noqa: N802 - DDS's name

    def SetMaxThreads(self, threads: int) -> None: ...  # noqa: N802 - DDS's name

    def SolveBoard(  # noqa: N802, PLR0913, PLR0917 - DDS's name and arguments
        self,
        deal: _Deal,
        target: int,
        solutions: int,
        mode: int,
        found: _FutureTricks,
        thread: int,
        /,
    ) -> None: ...


@cache
def _library() -> _Library:
    """The binding of endplay, with memory for one search at a time.

    Raises:
        DoubleDummyError: it is not there, or does not load on this machine.
    """
    package = importlib.util.find_spec("endplay")
    if package is None or not package.submodule_search_locations:
        raise DoubleDummyError("endplay is not installed")
    path = Path(package.submodule_search_locations[0]) / "_dds" / "__init__.py"
    spec = importlib.util.spec_from_file_location("referee_dds", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DoubleDummyError(f"endplay has no binding at {path}")
    binding = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(binding)
    except (ImportError, OSError) as error:
        raise DoubleDummyError(f"DDS does not load: {error}") from error
    library = cast("_Library", binding)
    library.SetMaxThreads(1)
    return library
