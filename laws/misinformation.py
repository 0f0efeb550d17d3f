"""Law 21B: a call made on an opponent's misinformation.

21B1 until his partner calls, and until the auction period ends, the player may change
it; 21B2 his LHO may then change a call of his own; 21B3 too late, the Director may
adjust the score. That there was misinformation is the Director's word.
"""

from laws.actions import Word
from laws.auction import MadeCall
from laws.auction_state import Grounds
from laws.effects import adjustable, rule_on
from laws.judgement import Judgement
from laws.rulings import Question
from laws.seats import Seat

MISINFORMATION = "misinformation"


def was_misinformed(judge: Judgement, line: int, first: MadeCall) -> bool:
    """Whether the Director has said so."""
    given = judge.said(Word.MISINFORMED, _question(line, first))
    return given is not None and given.answer is True


def ask_whether_misinformed(judge: Judgement, line: int, first: MadeCall) -> None:
    """Ask the Director, if an opponent has alerted a call."""
    calls = judge.state.auction.legal_calls
    if any(m.alerted and m.seat.side is not first.seat.side for m in calls):
        judge.director(Word.MISINFORMED, _question(line, first))


def _question(line: int, first: MadeCall) -> Question:
    return Question(
        to=None,
        question=Word.MISINFORMED.value,
        law="21B1",
        line=line,
        seat=first.seat,
        about=first.call.value,
        choices=("yes", "no"),
        holds=True,
    )


def grounds_of_misinformation(judge: Judgement, first: MadeCall) -> Grounds:
    """21B1, and 21B2 for the call of his LHO."""
    return Grounds(
        law="21B1",
        offer="21B2",
        irregularity=MISINFORMATION,
        offender=informant(judge, first.seat),
        restricts=True,
    )


def too_late_to_change(judge: Judgement, line: int, first: MadeCall) -> None:
    """21B3: the call stands, and the score may be adjusted."""
    ruled = MadeCall(line, informant(judge, first.seat), first.call)
    rule_on(judge, ruled, MISINFORMATION, "21B3", effects=(adjustable("21B3"),))


def informant(judge: Judgement, misinformed: Seat) -> Seat:
    """The opponent who misinformed: the last to alert, else his right-hand one."""
    for made in reversed(judge.state.auction.legal_calls):
        if made.alerted and made.seat.side is not misinformed.side:
            return made.seat
    return misinformed.rho
