"""What the innocent side could have taken but for a revoke: evidence for Law 64C.

For each revoke that Law 64 settles: tricks that the innocent side takes double dummy
from the position before it, beside the tricks that it has after the transfer. Evidence
for the Director, never a ruling: players are not double-dummy players, and what is
damage is for him to judge.

Which position, by edition: before the revoke itself, since each is examined at the
moment at which it occurred (64C of 2007, also of a repeated one; 64C1 and 64C2(a) of
2017). Where both sides' revokes were established, before the first of them, as though
nobody had revoked (64C2(b) of 2017).
"""

from dataclasses import dataclass
from typing import Any

from laws.cards import Card
from laws.duties import following
from laws.editions import rules_of
from laws.established_revokes import redress_of, transfer_of
from laws.incidents import Revoke
from laws.play import Play
from laws.rulings import EffectKind, Status
from laws.seats import SEATS, Seat, Side, rotation_from
from laws.state import State
from referee.catalogue import Catalogue
from referee.double_dummy import Position, Solver
from referee.names import side_name


@dataclass(frozen=True, slots=True)
class Evidence:
    """Of one revoke.

    Attributes:
        seat: the hand that revoked.
        trick: the trick of the revoke, from 1.
        line: the happening that was the revoke, as in the question of 64C.
        law: the paragraph under which the Director may adjust.
        since: trick of the position: that of the revoke, or of the first one.
        double_dummy: tricks of the innocent side, those already won included, double
            dummy from that position.
        actual: its tricks at the end, after the transfer.
        penalty_cards: some lay on the table, which the solver knows nothing of: it
            lets every hand play freely.
    """

    seat: Seat
    trick: int
    line: int
    law: str
    since: int
    double_dummy: int
    actual: int
    penalty_cards: bool = False

    @property
    def innocent(self) -> Side:
        return self.seat.side.other

    @property
    def suffices(self) -> bool:
        """Whether the innocent side has no less than double dummy gives it."""
        return self.actual >= self.double_dummy

    def plain(self) -> dict[str, Any]:
        """As a plain object of the desk and of ``bidwire rule --json``."""
        return {
            "seat": self.seat.value,
            "trick": self.trick,
            "line": self.line,
            "law": self.law,
            "side": self.innocent.value,
            "since": self.since,
            "double_dummy": self.double_dummy,
            "actual": self.actual,
            "suffices": self.suffices,
        }


def evidence(state: State, solver: Solver) -> tuple[Evidence, ...]:
    """The evidence on each settled revoke, in order of play, once play has ended.

    Every position is put to the solver as soon as its revoke is established, so that a
    solver that works in the background has its answer when the last card falls. What
    it does not know yet is left out; so is a revoke of an unknown deal, and one to a
    trick that an earlier hand had not played to (67), which is no position at all.
    """
    play = state.play
    if play is None or play.held is None or not play.incidents.revokes:
        return ()
    revokes = [r for r in play.incidents.revokes if r.rule or _is_established(r)]
    revokes.sort(key=lambda revoke: (revoke.trick, revoke.line))
    solved = [(r, _tricks_from_before(state, play, r, solver)) for r in revokes]
    if not play.ended:
        return ()
    settled = [(revoke, tricks) for revoke, tricks in solved if revoke.rule]
    rules = rules_of(state.board.edition)
    general, _, both = rules.redress
    told = []
    for revoke, tricks in settled:
        law = redress_of(play, rules, revoke)
        since, best = (revoke, tricks)
        if law == both != general:
            since, best = settled[0]
        if best is None:
            continue
        innocent = revoke.hand.side.other
        told.append(
            Evidence(
                seat=revoke.hand,
                trick=revoke.trick,
                line=revoke.line,
                law=law,
                since=since.trick,
                double_dummy=best[innocent],
                actual=_tricks_at_the_end(play, innocent),
                penalty_cards=_penalty_cards_lay(state),
            )
        )
    return tuple(told)


def evidence_in_words(found: Evidence, words: Catalogue) -> str:
    """A sentence for the Director."""
    told = words.text(
        "Double dummy, from before the revoke to trick {trick}: {best} for {side}, "
        "which has {tricks}",
        trick=found.since,
        best=found.double_dummy,
        side=side_name(found.innocent, words),
        tricks=found.actual,
    )
    if not found.penalty_cards:
        return told
    more = words.text("Penalty cards do not count here: every hand plays freely")
    return f"{told}. {more}"


def _penalty_cards_lay(state: State) -> bool:
    """Whether some card was a penalty card on the board."""
    return any(
        effect.kind is EffectKind.PENALTY_CARD
        for ruling in state.rulings
        if ruling.status is Status.IN_FORCE
        for effect in ruling.effects
    )


def _is_established(revoke: Revoke) -> bool:
    return bool(revoke.established) and revoke.proven and not revoke.corrected


def _tricks_from_before(
    state: State, play: Play, revoke: Revoke, solver: Solver
) -> dict[Side, int] | None:
    """Each side's tricks of the whole play, double dummy from before the revoke."""
    position = position_before(state, revoke)
    more = solver(position) if position is not None else None
    if position is None or more is None:
        return None
    mover = position.turn.side
    tricks = {mover: more, mover.other: position.left - more}
    for trick in play.tricks[: revoke.trick - 1]:
        tricks[trick.winner(play.trump).side] += 1
    return tricks


def position_before(state: State, revoke: Revoke) -> Position | None:
    """The position in which a hand was about to revoke; None when there is none.

    A hand that disobeyed an option of declarer (61A) is held to it, as it should have
    been. Penalty cards are not looked at: the hands are as they were, all of them open.
    """
    play, dealt = state.play, state.board.hands
    trick = play.trick_at(revoke.trick) if play is not None else None
    if play is None or dealt is None or trick is None:
        return None
    order = rotation_from(trick.leader)
    before = order[: order.index(revoke.hand)]
    cards = [trick.card_from(hand) for hand in before]
    led = tuple(card for card in cards if card is not None)
    earlier = play.tricks[: revoke.trick - 1]
    gone = {p.card for t in earlier for p in (*t.cards, *t.added)} | set(led)
    hands = tuple(hand - gone for hand in dealt)
    restricted: frozenset[Card] = frozenset()
    if revoke.duty is not None:
        suit = trick.suit_led if led else None
        mine = following(hands[SEATS.index(revoke.hand)], suit)
        restricted = revoke.duty.allowed(mine, suit)
    position = Position(play.trump, trick.leader, led, hands, restricted)
    return position if len(led) == len(before) and position.is_sound() else None


def _tricks_at_the_end(play: Play, side: Side) -> int:
    tricks = play.tricks_won()[side]
    transfer = transfer_of(play)
    if transfer is None:
        return tricks
    to, moved = transfer
    return tricks + (moved if to is side else -moved)
