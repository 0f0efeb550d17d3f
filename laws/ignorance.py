"""Law 11A: a side acts on an irregularity before the Director has been called.

Its right to rectification may be lost then; that is for the Director to say, and the
referee forfeits nothing by itself. He is asked where the auction has gone on over an
irregular call that nobody had accepted, and may say it of any ruling. If a side gained
because an opponent acted in ignorance of the Laws, 2017 adjusts the score of that side
only.
"""

from laws.actions import Word
from laws.auction import MadeCall
from laws.effects import adjustable, rules
from laws.judgement import Judgement
from laws.rulings import Question, Ruling, Status
from laws.seats import Seat
from laws.state import State


def ask_who_gained(judge: Judgement, made: MadeCall) -> None:
    """The auction goes on over a call that nobody has accepted: did a side gain?"""
    judge.director(
        Word.GAINED,
        Question(
            to=None,
            question=Word.GAINED,
            law="11A",
            line=made.line,
            seat=made.seat,
            about=made.call.value,
            choices=("yes", "no"),
        ),
    )


def rule_on_gain(judge: Judgement, line: int) -> None:
    """The Director has said that a side gained from what happened at the line."""
    for given in judge.state.given:
        if given.word is not Word.GAINED or given.line != line or not given.answer:
            continue
        if given.seat is None:
            continue
        adjusts = rules(judge).ignorance_adjusts
        judge.rule(
            Ruling(
                law="11A",
                irregularity="action-before-director",
                offender=given.seat,
                line=line,
                laws=("11A",),
                effects=(adjustable("11A"),) if adjusts else (),
            )
        )


def last_irregularity(
    state: State, seat: Seat | None
) -> tuple[int | None, Seat | None]:
    """The happening that the word is about, unasked: the last one ruled on."""
    for ruling in reversed(state.rulings):
        in_force = ruling.status is Status.IN_FORCE
        if in_force and ruling.law != "11A" and seat in {None, ruling.offender}:
            return ruling.line, ruling.offender
    return None, seat
