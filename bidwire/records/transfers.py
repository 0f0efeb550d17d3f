"""Tricks transferred for established revokes when play has ended (Law 64).

Written for the planner of injections and apart from the engine. Every revoke here has
been established before trick 12 and attention came in time, as with the planner's
revokes: B4, B5, B6 and B8 cannot arise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bidwire.records.playout import Revoke
from laws.cards import Suit
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class Moved:
    """The paragraph that decides a revoke and the tricks that go over for it.

    ``is_open`` where it would be otherwise had no trick gone over for a revoke before:
    the Laws do not say how one and the same trick counts for both.
    """

    rule: str
    tricks: int
    is_open: bool = False


def moved_for(
    revokes: Sequence[Revoke],
    winners: Sequence[Seat],
    dummy: Seat,
    *,
    later_first: bool = False,
) -> tuple[Moved, ...]:
    """What is moved for each revoke; both editions agree where all are established.

    Args:
        revokes: in the order in which they were made.
        winners: the hand that won each trick, from trick 1.
        dummy: the hand on the table.
        later_first: which of the offending side's later tricks goes over where any of
            them may. The Laws do not say, so a result that hangs on it is open.
    """
    if len({revoke.hand.side for revoke in revokes}) == 2:
        return tuple(Moved("64B7", 0) for _ in revokes)
    owned = dict(enumerate(winners, 1))
    moved: list[Moved] = []
    before: list[tuple[Seat, Suit]] = []
    for revoke in revokes:
        if revoke.hand is dummy:
            moved.append(Moved("64B3", 0))
        elif (revoke.hand, revoke.suit) in before:
            moved.append(Moved("64B2", 0))
        else:
            alone = _move(revoke, dict(enumerate(winners, 1)), later_first=later_first)
            here = _move(revoke, owned, later_first=later_first)
            moved.append(replace(here, is_open=here != alone))
        before.append((revoke.hand, revoke.suit))
    return tuple(moved)


def _move(revoke: Revoke, owned: dict[int, Seat], *, later_first: bool) -> Moved:
    """Take the tricks from those that the sides still own (64A1, 64A2, 64B1)."""
    side, trick = revoke.hand.side, revoke.trick
    later = [number for number, winner in owned.items() if winner.side is side]
    later = [number for number in later if number > trick]
    if later_first:
        later.reverse()
    if owned.get(trick) is revoke.hand:
        taken = [trick, *later[:1]]
        rule = "64A1"
    else:
        mine = trick in owned and owned[trick].side is side
        taken = [trick] if mine else later[:1]
        rule = "64A2" if taken else "64B1"
    for number in taken:
        del owned[number]
    return Moved(rule, len(taken))
