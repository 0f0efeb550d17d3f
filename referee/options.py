"""Options of the players: which question an answer belongs to, and when it is late."""

from laws.actions import (
    Accept,
    Action,
    Agree,
    Decline,
    Forbid,
    Keep,
    Object,
    PlayOn,
    Require,
    Spread,
    Waive,
)
from laws.seats import Seat
from referee.playing import Playing

ANSWERS: tuple[type[Action], ...] = (
    Accept,
    Agree,
    Decline,
    Forbid,
    Keep,
    Object,
    PlayOn,
    Require,
    Spread,
    Waive,
)
"""Actions that only answer a prompt. All else is a fact, whatever was shown."""


def is_of_older_prompt(playing: Playing, seat: Seat, action: Action, rev: int) -> bool:
    """Whether an answer was meant for a prompt whose option is gone.

    Args:
        playing: what it would be applied to.
        seat: who answers.
        action: the answer.
        rev: journal number that the display reflected when the key was pressed.
    """
    if not isinstance(action, ANSWERS):
        return False
    asked = [number for question, number in playing.asked_at if question.to is seat]
    if asked:
        return rev < min(asked)
    # No option is open: one was, when the answer belongs to an older display; if the
    # display was the present one, the Laws have to say that there is no such option.
    return rev < (playing.judged_at[-1] if playing.judged_at else 0)
