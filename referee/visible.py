"""What the table may know: not every ruling is told when it is made.

A revoke that nobody has spoken of stays between the referee and the Director until
play ends (Law 64 takes care of it then; players have no right to be warned), unless
the event's policy says otherwise. With the policy ``confirm`` a ruling is only
proposed until the Director has put it into effect.
"""

from laws.actions import Attention, Word
from laws.board import RevokePolicy, RulingsPolicy
from laws.rulings import Ruling, Status
from laws.state import key_of
from referee.playing import Playing
from referee.settings import Questions


def is_revoke(ruling: Ruling) -> bool:
    """Whether a ruling is about a revoke."""
    return ruling.irregularity.startswith("revoke")


def is_secret(playing: Playing, ruling: Ruling) -> bool:
    """Whether the table must not know of a ruling yet, whatever the Director does."""
    if not is_revoke(ruling) or playing.is_over:
        return False
    policy = playing.state.board.policies.revoke
    if policy in {RevokePolicy.IMMEDIATE, RevokePolicy.PREVENT}:
        return False
    return not _attention_drawn(playing, ruling)


def _attention_drawn(playing: Playing, ruling: Ruling) -> bool:
    """Whether someone has said that the offender revoked, or spoke up at once."""
    return any(
        isinstance(step.action, Attention)
        and step.action.accused in (None, ruling.offender)
        and step.line >= ruling.line
        for step in playing.state.steps
    )


def is_proposed(playing: Playing, ruling: Ruling) -> bool:
    """Whether a ruling waits for the Director's click."""
    if playing.state.board.policies.rulings is not RulingsPolicy.CONFIRM:
        return False
    if ruling.status is not Status.IN_FORCE or is_secret(playing, ruling):
        return False
    return key_of(ruling) not in playing.confirmed and bool(ruling.effects)


def proposed(playing: Playing) -> tuple[tuple[int, Ruling], ...]:
    """The rulings that wait for the Director, with their numbers in the report."""
    return tuple(
        (number, ruling)
        for number, ruling in enumerate(playing.state.rulings, 1)
        if is_proposed(playing, ruling)
    )


def visible(playing: Playing) -> tuple[Ruling, ...]:
    """The rulings that the table may know of now."""
    return tuple(
        ruling
        for ruling in playing.state.rulings
        if not is_secret(playing, ruling) and not is_proposed(playing, ruling)
    )


def newly_visible(playing: Playing) -> tuple[Ruling, ...]:
    """The rulings that the table may know of and has not been told."""
    told = {told.key for told in playing.told}
    return tuple(
        ruling
        for ruling in visible(playing)
        if key_of(ruling) not in told and ruling.status is Status.IN_FORCE
    )


def suspicions(playing: Playing) -> tuple[Ruling, ...]:
    """The rulings that the Director alone may know of."""
    return tuple(r for r in playing.state.rulings if is_secret(playing, r))


_ASSUMED = frozenset(word.value for word in Word)
"""Questions that an assumption may stand in for; a contested claim has none."""


def waits_for_director(playing: Playing, questions: Questions) -> bool:
    """Whether the table waits: a question holds it, or a ruling is proposed."""
    if proposed(playing):
        return True
    return any(
        question.holds
        and (questions is Questions.WAIT or question.question not in _ASSUMED)
        for question in playing.asked(None)
    )


def is_settled(playing: Playing, questions: Questions) -> bool:
    """Whether nothing more is to be done about a playing at the table."""
    if not playing.is_over or waits_for_director(playing, questions):
        return False
    return all(question.to is None for question in playing.state.questions)
