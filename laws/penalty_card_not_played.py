"""A defender plays another card than the penalty card that is due (Law 52).

Decides 52B1 (declarer may accept, and has by playing on) and 52B2 (he refuses). It is
a revoke (61A), but never one that moves a trick (64B3).
"""

from laws.incident_events import RevokeKnown, WrongPlaySet
from laws.incidents import Breach, Notice, Revoke, WrongKind, WrongPlay
from laws.judgement import Judgement
from laws.penalty_cards import penalty_card
from laws.play import PlayedCard
from laws.rulings import Effect, Question, Ruling
from laws.seats import Seat
from laws.taking_back import put_instead


def ask_to_accept(judge: Judgement, wrong: WrongPlay) -> None:
    """52B1(a): declarer may accept the card played; its owner may not take it back."""
    play = judge.state.play
    if play is None:
        return
    judge.emit(WrongPlaySet(wrong))
    judge.ask(
        Question(
            to=play.declarer,
            question="accept",
            law="52B1",
            line=wrong.line,
            seat=wrong.hand,
            about=wrong.card,
            choices=("accept", "decline"),
            holds=True,
        )
    )


def accept_by_play(judge: Judgement, line: int, hand: Seat) -> None:
    """52B1(b): declarer must accept once he has played from either hand."""
    play = judge.state.play
    wrong = play.incidents.wrong if play is not None else None
    if play is None or wrong is None or play.is_defender(hand):
        return
    if wrong.kind is WrongKind.NOT_THE_PENALTY_CARD:
        accept_other_card(judge, line, wrong, "52B1(b)")


def accept_other_card(
    judge: Judgement, line: int, wrong: WrongPlay, law: str = "52B1(a)"
) -> None:
    """52B1: the card stands, and the penalty card stays one."""
    _close(judge, wrong)
    revoke = Revoke(
        wrong.line,
        wrong.hand,
        wrong.trick,
        wrong.card,
        wrong.owed.suit if wrong.owed is not None else None,
        Breach.PENALTY_CARD,
        faced=True,
        notice=Notice.IN_TIME,
        established=law,
    )
    judge.emit(RevokeKnown(revoke))
    _rule(judge, line, wrong, law, ())


def decline_other_card(judge: Judgement, line: int, wrong: WrongPlay) -> None:
    """52B2: the penalty card takes the other's place, which becomes a major one."""
    _close(judge, wrong)
    if wrong.owed is None:
        return
    by = PlayedCard(line, wrong.hand, wrong.owed)
    put_instead(judge, wrong.trick, by, "52B2")
    effect = penalty_card(judge, wrong.hand, wrong.card, "major")
    _rule(judge, line, wrong, "52B2", (effect,))


def _close(judge: Judgement, wrong: WrongPlay) -> None:
    judge.emit(WrongPlaySet(None))
    for question in judge.state.questions:
        if question.question == "accept" and question.line == wrong.line:
            judge.close(question)


def _rule(
    judge: Judgement,
    line: int,
    wrong: WrongPlay,
    law: str,
    effects: tuple[Effect, ...],
) -> None:
    judge.rule(
        Ruling(
            law=law,
            irregularity="penalty-card-not-played",
            offender=wrong.hand,
            line=line,
            laws=("50D1(a)", "52A", law),
            effects=effects,
        ),
        effects,
    )
