"""What dummy may say, and what he loses by looking at another hand (Laws 42B, 43).

Decides 42B1 (he may ask declarer whether he can follow suit), 42B2 (he may warn him of
a lead from the wrong hand) and 43B2(a) (not once he has looked: then either defender
chooses the hand that leads). ``attention`` has what follows from attention that he
draws. That he has looked (43A2), and that he warns, is the Director's word.
"""

from laws.actions import Attention, Word
from laws.judgement import Judgement
from laws.play import Play
from laws.play_events import LeadAccepted
from laws.revokes import played_on
from laws.rulings import Question, Ruling
from laws.seats import Seat

CHOSEN_BY_DEFENDER = "43B2(a)"
"""The paragraph by which a defender chooses the hand that declarer leads from."""


def may_be_asked(play: Play, action: Attention) -> bool:
    """42B1, 61B2: dummy may ask declarer, who did not follow suit, whether he can.

    Not a defender; nor once it is too late to correct, for that is drawing attention.
    """
    hand, number = action.accused, action.trick
    trick = play.trick_at(number) if number is not None else None
    card = trick.card_from(hand) if trick is not None and hand is not None else None
    if trick is None or number is None or card is None or hand is not play.declarer:
        return False
    gone = played_on(play, hand, number) or any(
        (revoke.hand, revoke.trick) == (hand, number) and not revoke.is_open
        for revoke in play.incidents.revokes
    )
    return card.suit is not trick.suit_led and not gone


def has_looked(judge: Judgement, line: int, dummy: Seat, about: str) -> bool | None:
    """Whether dummy had looked at another hand (43A2); None until the Director says."""
    question = Question(
        to=None,
        question=Word.DUMMY_LOOKED,
        law="43B",
        line=line,
        seat=dummy,
        about=about,
        choices=("yes", "no"),
    )
    given = judge.director(Word.DUMMY_LOOKED, question)
    return None if given is None else given.answer is True


def assumed(looked: bool | None, dummy: Seat) -> tuple[str, ...]:
    """That he had not, while the Director has not answered."""
    return (f"{Word.DUMMY_LOOKED} {dummy}: no",) if looked is None else ()


def warn_of_wrong_hand(judge: Judgement, line: int) -> None:
    """42B2, 43B2(a): dummy warns declarer, who is to lead, of the wrong hand."""
    play = judge.state.play
    if play is None or not _declarer_leads(play) or must_choose_hand(judge):
        judge.refuse(line, "42B2", "declarer is not to lead")
        return
    dummy, leader = play.dummy, play.current.leader
    looked = has_looked(judge, line, dummy, leader)
    judge.rule(
        Ruling(
            law=CHOSEN_BY_DEFENDER if looked else "42B2",
            irregularity="dummy-warns",
            offender=dummy,
            line=line,
            laws=("43A2", CHOSEN_BY_DEFENDER) if looked else ("42B2",),
            assumptions=assumed(looked, dummy),
        )
    )
    for seat in dummy.side.other.seats if looked else ():
        judge.ask(
            Question(
                to=seat,
                question="accept",
                law=CHOSEN_BY_DEFENDER,
                line=line,
                seat=leader,
                about=leader,
                choices=("accept", "decline"),
                holds=True,
            )
        )


def _declarer_leads(play: Play) -> bool:
    """Whether a hand of declarer's side is to lead, and nobody has led yet."""
    begun = bool(play.current.cards) or play.incidents.wrong is not None
    return not (play.ended or begun or play.is_defender(play.current.leader))


def must_choose_hand(judge: Judgement) -> bool:
    """Whether a defender has yet to say which hand leads."""
    return any(q.law == CHOSEN_BY_DEFENDER for q in judge.state.questions)


def choose_hand(judge: Judgement, line: int, seat: Seat, *, accepts: bool) -> None:
    """43B2(a): the hand whose turn it is leads, or declarer's other hand."""
    play = judge.state.play
    if play is None or not play.is_defender(seat):
        judge.refuse(line, "10C2", f"the choice is not {seat}'s")
        return
    for question in judge.state.questions:
        if question.law == CHOSEN_BY_DEFENDER:
            judge.close(question)
    if not accepts:
        judge.emit(LeadAccepted(play.current.leader.partner))
