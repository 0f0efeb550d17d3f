"""Events of the play."""

from dataclasses import dataclass, replace

from laws.contract import Contract
from laws.play import Play, PlayedCard, Trick
from laws.seats import SEATS
from laws.state import State


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The auction left a contract; the seat on declarer's left is to lead (Law 41A)."""

    contract: Contract

    def apply_to(self, state: State) -> State:
        play = Play(
            self.contract, Trick(self.contract.declarer.lho), held=state.board.hands
        )
        return replace(state, play=play)


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played to the trick in progress; the fourth completes it."""

    played: PlayedCard

    def apply_to(self, state: State) -> State:
        play = state.play
        if play is None:
            return state
        trick = replace(play.current, cards=(*play.current.cards, self.played))
        held = play.held
        if held is not None:
            held = tuple(
                cards - {self.played.card} if seat is self.played.hand else cards
                for seat, cards in zip(SEATS, held, strict=True)
            )
        if trick.is_complete:
            tricks = (*play.tricks, trick)
            trick = Trick(trick.winner(play.trump))
        else:
            tricks = play.tricks
        return replace(
            state, play=replace(play, tricks=tricks, current=trick, held=held)
        )


@dataclass(frozen=True, slots=True)
class PlayEnded:
    """Thirteen tricks were played, or a claim settled the rest."""

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        return replace(state, play=replace(state.play, ended=True))
