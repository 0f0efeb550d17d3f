"""A card is judged (Laws 41-47 for the regular ones)."""

from laws.actions import PlayCards
from laws.judgement import ImpossibleActionError, Judgement
from laws.play import PlayedCard
from laws.play_events import CardPlayed, PlayEnded
from laws.seats import SEATS


def judge_cards(judge: Judgement, line: int, action: PlayCards) -> None:
    """Judge a card as it comes from a hand."""
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "41", "no play is in progress")
        return
    if len(action.cards) != 1:
        raise ImpossibleActionError("expected one card")
    (card,) = action.cards
    held = play.held
    if held is not None and card not in held[SEATS.index(action.hand)]:
        raise ImpossibleActionError(f"{action.hand} does not hold {card}")
    if play.current.next_hand() is not action.hand:
        judge.refuse(line, "44B", "not the turn of this hand")
        return
    judge.emit(CardPlayed(PlayedCard(line, action.hand, card)))
    play = judge.state.play
    if play is not None and len(play.tricks) == 13:
        judge.emit(PlayEnded())
