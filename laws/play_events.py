"""Events of the play: cards that move between hands and tricks.

What is merely noted about the play is in ``incident_events``.
"""

from dataclasses import dataclass, replace

from laws.cards import Card
from laws.contract import Contract
from laws.incidents import Withdrawn
from laws.play import Play, PlayedCard, Trick
from laws.seats import SEATS, Seat, rotation_from
from laws.state import State

_INDEX = {seat: i for i, seat in enumerate(SEATS)}


def with_play(state: State, play: Play) -> State:
    """The state with another play; said out, since every card comes through here."""
    return State(
        state.board,
        state.auction,
        state.steps,
        play,
        state.rulings,
        state.questions,
        state.bindings,
        state.refused,
        state.given,
        state.overruled,
        state.corrections,
    )


def _out_of_hand(play: Play, hand: Seat, card: Card) -> Play:
    """The card leaves the hand for a trick."""
    i = _INDEX[hand]
    if play.held is not None:
        held = list(play.held)
        held[i] = held[i] - {card}
        return replace(play, held=tuple(held))
    shown = list(play.shown)
    shown[i] = shown[i] | {card}
    return replace(play, shown=tuple(shown), loose=play.loose - {card})


def _into_hand(play: Play, hand: Seat, card: Card) -> Play:
    """The card goes back from a trick."""
    if play.held is None:
        return replace(play, loose=play.loose | {card})
    held = list(play.held)
    held[_INDEX[hand]] = held[_INDEX[hand]] | {card}
    return replace(play, held=tuple(held))


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The auction left a contract; the seat on declarer's left is to lead (Law 41A)."""

    contract: Contract

    def apply_to(self, state: State) -> State:
        play = Play(
            self.contract, Trick(self.contract.declarer.lho), held=state.board.hands
        )
        return with_play(state, play)


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played to the trick in progress; the fourth completes it."""

    played: PlayedCard

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None:
            return state
        held, shown, loose = play.held, play.shown, play.loose
        card, i = self.played.card, _INDEX[self.played.hand]
        if held is not None:
            held = (*held[:i], held[i] - {card}, *held[i + 1 :])
        else:
            shown = (*shown[:i], shown[i] | {card}, *shown[i + 1 :])
            if loose:
                loose = loose - {card}
        current = play.current
        trick = Trick(current.leader, (*current.cards, self.played), current.absent)
        tricks = play.tricks
        if trick.is_complete:
            tricks = (*tricks, trick)
            trick = Trick(trick.winner(play.contract.denomination.suit))
        return with_play(
            state,
            Play(
                play.contract,
                trick,
                tricks,
                held,
                shown,
                loose,
                play.awarded,
                play.ended,
                play.incidents,
            ),
        )


@dataclass(frozen=True, slots=True)
class CardOmitted:
    """A hand contributed no card to the trick in progress (Law 67)."""

    hand: Seat

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None or not play.current.cards:
            return state
        trick = replace(play.current, absent=(*play.current.absent, self.hand))
        tricks = play.tricks
        if trick.is_complete:
            tricks = (*tricks, trick)
            trick = Trick(trick.winner(play.trump))
        return with_play(state, replace(play, current=trick, tricks=tricks))


@dataclass(frozen=True, slots=True)
class CardAdded:
    """A card was put to a defective trick, whose winner it leaves alone (67B1)."""

    number: int
    added: PlayedCard

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None or not 0 < self.number <= len(play.tricks):
            return state
        tricks = list(play.tricks)
        trick = tricks[self.number - 1]
        tricks[self.number - 1] = replace(trick, added=(*trick.added, self.added))
        play = _out_of_hand(play, self.added.hand, self.added.card)
        return with_play(state, replace(play, tricks=tuple(tricks)))


@dataclass(frozen=True, slots=True)
class CardInserted:
    """A card missing from a trick was supplied in its place (Law 67A)."""

    number: int
    played: PlayedCard

    def apply_to(self, state: State) -> State:
        play = state.play
        trick = play.trick_at(self.number) if play is not None else None
        hand = self.played.hand
        if play is None or trick is None or hand not in trick.absent:
            return state
        order = rotation_from(trick.leader)
        cards = sorted(
            (*trick.cards, self.played), key=lambda played: order.index(played.hand)
        )
        absent = tuple(other for other in trick.absent if other is not hand)
        trick = replace(trick, cards=tuple(cards), absent=absent)
        play = _out_of_hand(play, hand, self.played.card)
        if self.number > len(play.tricks):
            return with_play(state, replace(play, current=trick))
        tricks = list(play.tricks)
        tricks[self.number - 1] = trick
        play = replace(play, tricks=tuple(tricks))
        if self.number == len(tricks) and not play.current.cards:
            play = replace(play, current=Trick(trick.winner(play.trump)))
        return with_play(state, play)


@dataclass(frozen=True, slots=True)
class CardReplaced:
    """A card of a trick went back and another of the hand lies in its place.

    The trick's winner leads to the next one; cards led to that are withdrawn by an
    event of their own.
    """

    number: int
    by: PlayedCard
    law: str

    def apply_to(self, state: State) -> State:
        play = state.play
        trick = play.trick_at(self.number) if play is not None else None
        place = trick.place_of(self.by.hand) if trick is not None else None
        if play is None or trick is None or place is None:
            return state
        old = trick.cards[place]
        cards = (*trick.cards[:place], self.by, *trick.cards[place + 1 :])
        trick = replace(trick, cards=cards)
        play = _out_of_hand(
            _into_hand(play, old.hand, old.card), old.hand, self.by.card
        )
        if self.number > len(play.tricks):
            play = replace(play, current=trick)
        else:
            tricks = list(play.tricks)
            tricks[self.number - 1] = trick
            play = replace(play, tricks=tuple(tricks))
            if self.number == len(tricks) and not play.current.cards:
                play = replace(play, current=Trick(trick.winner(play.trump)))
        gone = Withdrawn(self.by.line, old.hand, old.card, self.law)
        return with_play(state, _withdrawn(play, (gone,)))


@dataclass(frozen=True, slots=True)
class CardsWithdrawn:
    """The play went back to the first ``keep`` cards of a trick."""

    line: int
    number: int
    keep: int
    law: str

    def apply_to(self, state: State) -> State:
        play = state.play
        trick = play.trick_at(self.number) if play is not None else None
        if play is None or trick is None:
            return state
        going = list(trick.cards[self.keep :])
        if self.number <= len(play.tricks):
            for later in (*play.tricks[self.number :], play.current):
                going += later.cards
        for played in going:
            play = _into_hand(play, played.hand, played.card)
        before = play.tricks[: self.number - 1]
        leader = trick.leader
        if self.keep == 0 and before:
            leader = before[-1].winner(play.trump)
        gone = tuple(Withdrawn(self.line, p.hand, p.card, self.law) for p in going)
        current = _first_of(trick, leader, self.keep)
        play = replace(play, tricks=before, current=current, ended=False)
        return with_play(state, _withdrawn(play, gone))


def _first_of(trick: Trick, leader: Seat, keep: int) -> Trick:
    """The trick as it was when the first cards had been played to it."""
    kept = trick.cards[:keep]
    if not kept:
        return Trick(leader)
    order = rotation_from(leader)
    last = order.index(kept[-1].hand)
    absent = tuple(hand for hand in trick.absent if order.index(hand) < last)
    return Trick(leader, kept, absent)


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card was seen though it is not played; it stays in its hand (Laws 48, 49)."""

    hand: Seat
    card: Card

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None or play.held is not None:
            return state
        play = _out_of_hand(play, self.hand, self.card)
        return with_play(state, replace(play, loose=play.loose | {self.card}))


def _withdrawn(play: Play, gone: tuple[Withdrawn, ...]) -> Play:
    incidents = play.incidents
    return replace(
        play,
        incidents=replace(incidents, withdrawn=(*incidents.withdrawn, *gone)),
    )


@dataclass(frozen=True, slots=True)
class LeadAccepted:
    """A lead out of turn stands: the trick begins from that hand (Law 53A)."""

    leader: Seat

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None or play.current.cards:
            return state
        return with_play(state, replace(play, current=Trick(self.leader)))


@dataclass(frozen=True, slots=True)
class DeclarerChanged:
    """Declarer spread his hand and became dummy, his partner declarer (Law 54A)."""

    declarer: Seat

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None:
            return state
        contract = replace(play.contract, declarer=self.declarer)
        return with_play(state, replace(play, contract=contract))


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """Thirteen tricks were played, or the rest was settled without play.

    ``awarded`` are the tricks settled so: of North-South, of East-West.
    """

    awarded: tuple[int, int] = (0, 0)

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        play = replace(state.play, awarded=self.awarded, ended=True)
        return with_play(state, play)


@dataclass(frozen=True, slots=True)
class PlayReopened:
    """Play goes on, or is to be settled again: nothing is awarded yet."""

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        return with_play(state, replace(state.play, awarded=(0, 0), ended=False))
