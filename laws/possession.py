"""Whether a card can come from a hand at all: what cannot have happened raises."""

from laws.cards import Card
from laws.judgement import ImpossibleActionError
from laws.play import Play
from laws.seats import SEATS, Seat
from laws.state import State


def check_held(state: State, hand: Seat, card: Card) -> None:
    """Make sure that the hand can hold the card now.

    Raises:
        ImpossibleActionError: the card is another hand's, or has been played, or is
            the fourteenth of its hand; says what was expected.
    """
    play = state.play
    if play is None or card in play.known_of(hand):
        return
    if play.held is not None:
        raise ImpossibleActionError(_where_it_is(state, play, hand, card))
    for seat, shown in zip(SEATS, play.shown, strict=True):
        if card in shown:
            if seat is hand:
                raise ImpossibleActionError(
                    f"expected a card that {hand} still holds, but {card} has been"
                    " played"
                )
            raise ImpossibleActionError(
                f"expected a card of {hand}, but {card} has been seen in the hand"
                f" of {seat}"
            )
    if len(play.shown[SEATS.index(hand)]) == 13:
        raise ImpossibleActionError(
            f"expected one of the 13 cards that {hand} has shown, got {card}"
        )


def _where_it_is(state: State, play: Play, hand: Seat, card: Card) -> str:
    """Why a card cannot come from a hand, the deal being known."""
    for seat in SEATS:
        dealt = state.board.hand(seat)
        if dealt is not None and card in dealt:
            if seat is hand:
                return f"expected a card that {hand} still holds, but {card} is played"
            held = card in play.known_of(seat)
            return (
                f"expected a card of {hand}, but {card} "
                f"{'is' if held else 'was'} in the hand of {seat}"
            )
    return f"expected a card of the deal, got {card}"
