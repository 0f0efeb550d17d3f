"""Tricks transferred for revokes (Law 64, both editions), from strings alone.

An independent computation for tests to compare with: it imports nothing of the project
and works from a PBN deal, the contract and the cards in playing order. It takes every
revoke as noticed in time and, but for one on the last two tricks, established.
"""

from collections.abc import Sequence
from typing import NamedTuple

SEATS = "NESW"
RANKS = "23456789TJQKA"


class Found(NamedTuple):
    """A revoke, the paragraph that decides it, and the tricks moved for it."""

    seat: str
    trick: int
    suit: str
    rule: str
    moved: int


class Outcome(NamedTuple):
    """Tricks as played by side, the revokes, and the transfer as (to, tricks)."""

    tricks: dict[str, int]
    revokes: list[Found]
    transfer: tuple[str, int] | None


def side(seat: str) -> str:
    return "NS" if seat in "NS" else "EW"


def deal_of(text: str) -> dict[str, set[str]]:
    """Hands by seat from a PBN deal; cards as suit then rank."""
    seat = SEATS.index(text[0])
    hands = {}
    for at, hand in enumerate(text[2:].split()):
        suits = zip("SHDC", hand.split("."), strict=True)
        hands[SEATS[(seat + at) % 4]] = {s + r for s, ranks in suits for r in ranks}
    return hands


def judge(
    deal: str, trump: str, declarer: str, cards: Sequence[tuple[str, str]], edition: str
) -> Outcome:
    """Judge a play of 13 tricks.

    Args:
        deal: in PBN.
        trump: S, H, D, C or an empty string.
        declarer: the seat that plays the hand.
        cards: (hand, card) in playing order.
        edition: "2007" or "2017".
    """
    held = deal_of(deal)
    winner: dict[int, str] = {}
    broken: list[tuple[str, int, str]] = []
    for number in range(1, 14):
        trick = cards[4 * number - 4 : 4 * number]
        led = trick[0][1][0]
        for seat, card in trick:
            held[seat].remove(card)
            if card[0] != led and any(other[0] == led for other in held[seat]):
                broken.append((seat, number, led))
        best = trick[0]
        for seat, card in trick[1:]:
            ruffs = card[0] == trump != best[1][0]
            higher = card[0] == best[1][0]
            higher = higher and RANKS.index(card[1]) > RANKS.index(best[1][1])
            if ruffs or higher:
                best = (seat, card)
        winner[number] = best[0]
    dummy = SEATS[(SEATS.index(declarer) + 2) % 4]
    revokes = _rule(broken, winner, dummy, edition)
    total = dict.fromkeys(("NS", "EW"), 0)
    for revoke in revokes:
        total["EW" if side(revoke.seat) == "NS" else "NS"] += revoke.moved
    taken = [(name, count) for name, count in total.items() if count]
    tricks = [side(seat) for seat in winner.values()]
    return Outcome(
        {name: tricks.count(name) for name in ("NS", "EW")},
        revokes,
        taken[0] if taken else None,
    )


def _rule(
    broken: list[tuple[str, int, str]],
    winner: dict[int, str],
    dummy: str,
    edition: str,
) -> list[Found]:
    established = [r for r in broken if r[1] < 12]
    counted = broken if edition == "2007" else established
    both = {side(seat) for seat, _, _ in counted} == {"NS", "EW"}
    left = dict(winner)
    found: list[Found] = []
    for at, (seat, k, suit) in enumerate(broken):
        mine = [n for n in sorted(left) if n >= k and side(left[n]) == side(seat)]
        again = [
            r for r in counted if r in broken[:at] and (r[0], r[2]) == (seat, suit)
        ]
        moved: list[int] = []
        if both:
            rule = "64B7"
        elif seat == dummy:
            rule = "64B3"
        elif k >= 12:
            rule = "64B6"
        elif again:
            rule = "64B2"
        elif left.get(k) == seat:
            rule, moved = "64A1", mine[:2]
        elif mine:
            rule, moved = "64A2", mine[:1]
        else:
            rule = "64B1"
        for number in moved:
            del left[number]
        found.append(Found(seat, k, suit, rule, len(moved)))
    return found
