"""What a seat sees now: pure, from the state of the play and nothing else.

Nothing here reads a hand that the seat may not see.
"""

from dataclasses import dataclass

from laws.report import turn_of
from laws.seats import Seat
from protocol.messages import Asked, Choice
from referee.catalogue import Catalogue
from referee.playing import Playing
from referee.record import Record


@dataclass(frozen=True, slots=True)
class Prompt:
    """A seat's display before it is fitted to the terminal."""

    ask: Asked
    hand: Seat | None
    blocks: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    locks: tuple[str, ...] = ()


def prompt(record: Record, seat: Seat, words: Catalogue) -> Prompt:
    """What the seat sees."""
    playing = record.play
    if playing is None or playing.closed:
        return Prompt(Asked.NONE, None, (words.text("No board is being played"),))
    ask, hand = asked(playing, seat)
    return Prompt(ask, hand, (f"{ask}",))


def asked(playing: Playing, seat: Seat) -> tuple[Asked, Seat | None]:
    """What is asked of the seat, and from which hand a card is."""
    turn = turn_of(playing.state)
    if turn is None:
        return Asked.NONE, None
    play = playing.state.play
    if play is None:
        return (Asked.CALL if turn is seat else Asked.NONE), None
    actor = play.declarer if turn is play.dummy else turn
    return (Asked.CARD, turn) if actor is seat else (Asked.NONE, None)
