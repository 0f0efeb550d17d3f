"""Does a record keep the rules of the game? Checked without the engine.

Turn, legal calls and the end of the auction (17 to 22), the opening leader, turn and
following suit in the play (41, 44), each card played once and from the hand that holds
it, a claim that the tricks left allow. An irregularity that the file itself declares
(``^I ^S ^R ^L``, ``^N``) is no breach. Nor is a tag that contradicts the auction or the
cards, since they can be replayed all the same: that is a difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bidwire.records.record import (
    Breach,
    Contract,
    MarkKind,
    PassedOut,
    PlayedCard,
    Record,
)
from bidwire.records.rules import (
    Called,
    called,
    contract_of,
    has_ended,
    is_legal_call,
    last_bid,
    tricks_of,
    winner_of,
)
from laws.cards import Card, Suit
from laws.seats import Seat


def checked(record: Record) -> Record:
    """The record with its breaches of the rules filled in."""
    messages = list(_auction_faults(record))
    if record.auction_ended and not messages:
        made = contract_of(called(record.auction))
        messages += _play_faults(record, made)
    return replace(
        record, breaches=tuple(Breach(record.line, message) for message in messages)
    )


def _marked(record: Record, kind: MarkKind) -> set[int]:
    return {mark.at for mark in record.marks if mark.kind is kind}


def _auction_faults(record: Record) -> Iterator[str]:
    insufficient = _marked(record, MarkKind.INSUFFICIENT_BID)
    skipped = [mark.at for mark in record.marks if mark.kind is MarkKind.SKIPPED_PLAYER]
    turn = record.dealer
    so_far: list[Called] = []
    for at, (seat, call) in enumerate(called(record.auction)):
        for _ in range(skipped.count(at)):
            turn = turn.lho
        name = f"call {at + 1}, {call} by {seat}"
        if has_ended(so_far):
            yield f"{name}: the auction is over"
            return
        if seat is not turn:
            yield f"{name}: it is {turn}'s turn"
            return
        if not is_legal_call(so_far, seat, call) and at not in insufficient:
            over = last_bid(so_far)
            after = f" after {over[1]} by {over[0]}" if over else ""
            yield f"{name}: not a legal call{after}"
            return
        so_far.append((seat, call))
        turn = seat.lho


def declarer_at_play(record: Record, made: Contract) -> Seat:
    """Who plays the hand: declarer by the auction unless the file says ``^``."""
    assert made.declarer is not None  # noqa: S101 - contract_of names one
    return made.declarer.partner if record.swapped else made.declarer


def _play_faults(record: Record, made: Contract | PassedOut) -> Iterator[str]:
    if isinstance(made, PassedOut):
        if record.cards:
            yield "cards were played though the board was passed out"
        return
    declarer = declarer_at_play(record, made)
    trump = made.denomination.suit
    play = _Play(record)
    leader = declarer.lho
    won = 0
    for trick in tricks_of(record.cards):
        fault = _trick_fault(play, leader, trick)
        if fault:
            yield fault
            return
        if len(trick) == 4:
            leader = winner_of(trick, trump)
            won += leader.side is declarer.side
            play.trick += 1
    left = 14 - play.trick
    claimed = len(record.cards) < 52 and not record.result_irregular
    if claimed and record.result is not None:
        more = record.result - won
        if not 0 <= more <= left:
            yield (
                f"the file gives the declaring side {record.result} tricks, but it"
                f" has won {won} and {left} are left"
            )


def _trick_fault(play: "_Play", leader: Seat, trick: Sequence[PlayedCard]) -> str:
    turn = leader
    if play.at in play.led_out_of_turn:
        turn = trick[0].hand
    for hand, card in trick:
        name = f"trick {play.trick}, {card} from {hand}"
        if hand is not turn:
            return f"{name}: it is {turn}'s turn"
        fault = play.put(hand, card, trick[0].card.suit)
        if fault:
            return f"{name}: {fault}"
        turn = turn.lho
    return ""


class _Play:
    """Follows who holds what, with the deal or from what the hands have shown."""

    def __init__(self, record: Record) -> None:
        self.led_out_of_turn = _marked(record, MarkKind.LEAD_OUT_OF_TURN)
        self.trick = 1
        self.at = 0
        self._revokes = _marked(record, MarkKind.REVOKE)
        self._held = (
            None
            if record.hands is None
            else dict(zip(Seat, map(set, record.hands), strict=True))
        )
        self._played: set[Card] = set()
        self._shown_out: dict[tuple[Seat, Suit], int] = {}

    def put(self, hand: Seat, card: Card, led: Suit) -> str:
        """Play a card; what is wrong with it, or an empty string."""
        marked = self.at in self._revokes
        self.at += 1
        if card in self._played:
            return "it has been played before"
        self._played.add(card)
        if self._held is not None:
            held = self._held[hand]
            if card not in held:
                return "the hand does not hold it"
            held.discard(card)
            follows = card.suit is led or marked
            if not follows and any(other.suit is led for other in held):
                return f"a revoke, the hand holds {led}"
            return ""
        before = self._shown_out.get((hand, card.suit))
        if before is not None:
            return f"a revoke, the hand followed no {card.suit} at trick {before}"
        if card.suit is not led and not marked:
            self._shown_out[hand, led] = self.trick
        return ""
