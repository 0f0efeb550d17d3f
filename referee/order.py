"""Holding: nothing is ruled irregular while a call or card may still be on its way.

The four seats may be four terminals on four lines. Before an event that would bring a
ruling or a refusal is judged, every other terminal of the table is polled: its answer
says which event it will number next, so that when all before that one are in, nothing
that was pressed before the poll is missing. What is regular meanwhile goes first. A
terminal that does not answer keeps the event held; the Director is told, and decides.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from laws.auction_events import (
    CallMade,
    CallOpened,
    CallsWithdrawn,
    CallWaits,
    PassMade,
)
from laws.events import Amended, Refused, Rejudged, Ruled, Superseded
from laws.events import Event as LawEvent
from laws.incident_events import DesignationSet, WrongPlaySet
from laws.play_events import CardPlayed, CardsWithdrawn
from laws.steps import Step
from referee.intake import TerminalLog
from referee.options import ANSWERS

POLL_AGAIN_S = 1.0
"""Seconds between two polls of a terminal that has not answered."""

TELL_DIRECTOR_S = 10.0
"""Seconds after which the Director is told that an event is held."""

_MOVES = (CallMade, PassMade, CardPlayed, DesignationSet)
"""A call, a card, or a card called for, by the seat whose turn it is."""

_IRREGULAR = (
    Amended,
    CallOpened,
    CallsWithdrawn,
    CallWaits,
    CardsWithdrawn,
    Refused,
    Rejudged,
    Ruled,
    Superseded,
    WrongPlaySet,
)
"""What a regular move never leads to."""


def needs_poll(step: Step, events: Iterable[LawEvent]) -> bool:
    """Whether judging this happening now could invent an irregularity.

    All but a regular move and an answer that brings no ruling could: a claim, say, may
    come at anybody's turn, so that no turn tells whether a card before it is missing.

    Args:
        step: the happening.
        events: what the engine makes of it as things stand.
    """
    led_to = tuple(events)
    if any(isinstance(event, _IRREGULAR) for event in led_to):
        return True
    if isinstance(step.action, ANSWERS):
        return False
    return not any(isinstance(event, _MOVES) for event in led_to)


Name = tuple[str, int, int]
"""An event by its terminal, boot and number."""


@dataclass(frozen=True, slots=True)
class Round:
    """The polls for one held event.

    Attributes:
        event: what is held.
        token: what the polls carry.
        since: when it began, seconds of the referee's clock.
        polled: when the terminals were last polled.
        answers: for each terminal that has answered, its boot and next number.
        told: whether the Director has been told.
    """

    event: Name
    token: int
    since: float
    polled: float
    answers: tuple[tuple[str, int, int], ...] = ()
    told: bool = False


def answered(held: Round, terminal: str, boot: int, following: int) -> Round:
    """The round after a terminal's answer.

    The first one counts, unless the terminal has restarted since: then the events of
    the boot that is over are among those before the new answer.
    """
    for name, known, _ in held.answers:
        if name == terminal and known == boot:
            return held
    others = tuple(a for a in held.answers if a[0] != terminal)
    return replace(held, answers=(*others, (terminal, boot, following)))


def missing(
    held: Round, others: Iterable[str], logs: Iterable[TerminalLog]
) -> tuple[str, ...]:
    """The other terminals that have not answered, or whose events are not all in."""
    known = {log.terminal: log.intake for log in logs}
    clear = {
        terminal
        for terminal, boot, following in held.answers
        if terminal in known and known[terminal].covers(boot, following)
    }
    return tuple(terminal for terminal in others if terminal not in clear)
