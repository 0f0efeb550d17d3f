"""Claims and concessions (Laws 68 to 71), as far as the record and revokes need them.

Decides what counts as one and concedes the rest (68A, B), a partner's objection to a
concession (68B2), what a claim does to play (68D), agreement (69A) with what it means
for revokes (63A3, A4), and the Director's award (70, 71).
"""

from dataclasses import replace

from laws.changes import close_changes
from laws.defective_tricks import order_missing_cards
from laws.editions import rules_of
from laws.effects import unauthorised
from laws.ending import finish
from laws.established_revokes import rate_revokes
from laws.incident_events import CalledOnNextBoard, ClaimSet, RoundEnded
from laws.incidents import Claim
from laws.judgement import Judgement
from laws.play import Play
from laws.play_events import PlayReopened
from laws.revoke_attention import must_correct
from laws.revokes import establish
from laws.rulings import Question, Ruling
from laws.seats import SEATS, SIDES, Seat


def make_claim(  # noqa: PLR0913 - what there is to know of a claim
    judge: Judgement,
    line: int,
    seat: Seat,
    tricks: int,
    *,
    conceded: bool = False,
    faced: bool = False,
) -> None:
    """Laws 68A, B1: a claim of some tricks concedes the rest, and the other way.

    By making it a side establishes its open revokes (63A3). Who has faced his hand may
    say afterwards how many tricks he claims, until somebody has answered.
    """
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "68A", "there is no play to end")
        return
    before = _open_claim(play)
    if before is not None and not _may_be_stated(before, seat):
        judge.refuse(line, "68D", "a claim is being settled already")
        return
    if seat is play.dummy:
        judge.refuse(line, "43A1", "dummy takes no part in the play")
        return
    remaining = 13 - len(play.tricks)
    if tricks > remaining:
        judge.refuse(line, "68A", f"only {remaining} tricks remain")
        return
    if must_correct(judge.state):
        judge.refuse(line, "9B2", "a revoke has to be corrected first")
        return
    establish(judge, seat, "63A3")
    own = remaining - tricks if conceded else tricks
    claim = Claim(line, seat, own, remaining, faced=faced)
    for other in SEATS if before is not None else ():
        _close_question(judge, other)
    judge.emit(ClaimSet(claim))
    law = "68B1" if own < remaining else "68A"
    for other in _answering(play, claim):
        judge.ask(
            Question(
                to=other,
                question="claim",
                law="68D",
                line=line,
                seat=seat,
                about=f"{own} of {remaining} tricks by {law}",
                choices=("agree", "object"),
                holds=True,
            )
        )


def _may_be_stated(claim: Claim, seat: Seat) -> bool:
    """Whether the seat has claimed by facing his hand, and nobody has answered."""
    answered = claim.agreed or claim.objected or claim.play_on
    return claim.faced and claim.seat is seat and not answered


def face_hand(judge: Judgement, line: int, seat: Seat) -> None:
    """48B2, 68A: who faces his hand claims the tricks that remain.

    While a claim is being settled it only shows his cards (68C, 70B); dummy's lies
    faced anyway (41D).
    """
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "68A", "there is no play to end")
    elif seat is play.dummy and (play.tricks or play.current.cards):
        return
    elif _open_claim(play) is None:
        make_claim(judge, line, seat, 13 - len(play.tricks), faced=True)


def _answering(play: Play, claim: Claim) -> tuple[Seat, ...]:
    """The opponents whose word settles a claim: dummy's is not needed."""
    return tuple(seat for seat in claim.seat.side.other.seats if seat is not play.dummy)


def _open_claim(play: Play) -> Claim | None:
    claim = play.incidents.claim
    return claim if claim is not None and not claim.settled else None


def agree(judge: Judgement, line: int, seat: Seat) -> None:
    """Law 69A: a side assents; when all that count have, the rest is won as in play.

    2007: a member of the offending side who acquiesces establishes its revokes.
    """
    play = judge.state.play
    claim = play.incidents.claim if play is not None else None
    if play is None or claim is None:
        judge.refuse(line, "69A", "there is no claim to agree to")
        return
    if claim.settled:
        return
    if claim.objected:
        judge.refuse(line, "68D", "the claim is before the Director")
        return
    claim = replace(claim, agreed=claim.agreed | {seat})
    judge.emit(ClaimSet(claim))
    _close_question(judge, seat)
    rules = rules_of(judge.state.board.edition)
    if rules.agreement_at_once and seat.side is not claim.seat.side:
        establish(judge, seat, rules.agreement)
    if must_correct(judge.state):
        return
    if claim.agreed.issuperset(_answering(play, claim)):
        settle(judge, line, claim)


def settle(judge: Judgement, line: int, claim: Claim) -> None:
    """The rest of the tricks is won and lost as claimed."""
    judge.emit(ClaimSet(replace(claim, settled=True)))
    for seat in SEATS:
        _close_question(judge, seat)
    _close_question(judge, None)
    close_changes(judge, line)
    own, other = claim.tricks, claim.remaining - claim.tricks
    finish(judge, line, (own, other) if claim.seat.side is SIDES[0] else (other, own))
    order_missing_cards(judge, line)


def _close_question(judge: Judgement, to: Seat | None) -> None:
    for question in judge.state.questions:
        if question.question == "claim" and question.to is to:
            judge.close(question)


def object_to_claim(judge: Judgement, line: int, seat: Seat) -> None:
    """A claim is doubted (68D), or a partner's concession objected to (68B2).

    What the conceding defender's cards have shown is unauthorised for his partner.
    """
    play = judge.state.play
    claim = play.incidents.claim if play is not None else None
    if play is None or claim is None:
        judge.refuse(line, "68D", "there is no claim to object to")
        return
    if claim.settled:
        _object_late(judge, line, play, claim, seat)
        return
    partners = seat is claim.seat.partner and play.is_defender(seat)
    if partners and claim.tricks < claim.remaining and not claim.agreed:
        judge.emit(ClaimSet(None))
        for each in SEATS:
            _close_question(judge, each)
        judge.rule(
            Ruling(
                law="68B2",
                irregularity="concession",
                offender=claim.seat,
                line=line,
                laws=("68B1", "68B2"),
                effects=unauthorised(judge, seat),
            )
        )
        return
    contest(judge, line, replace(claim, objected=claim.objected | {seat}))


def _object_late(
    judge: Judgement, line: int, play: Play, claim: Claim, seat: Seat
) -> None:
    """69A: an objection counts until the side's call on a later board.

    Or until the end of the round; after that agreement is withdrawn under 69B or 71.
    """
    incidents = play.incidents
    late = incidents.round_over or any(
        caller.side is seat.side for caller in incidents.called_next
    )
    if late:
        own = seat.side is claim.seat.side
        _ask_director(judge, line, claim, "71" if own else "69B")
        return
    contest(judge, line, replace(claim, objected=claim.objected | {seat}))


def contest(judge: Judgement, line: int, claim: Claim, law: str = "70A") -> None:
    """Law 68D: play stops, the Director adjudicates.

    2017: unless the other side asks for play to go on and all four concur.
    """
    play = judge.state.play
    if play is None:
        return
    for seat in SEATS:
        _close_question(judge, seat)
    judge.emit(ClaimSet(replace(claim, settled=False)))
    if play.ended:
        reopen(judge)
    _ask_director(judge, line, claim, law)


def reopen(judge: Judgement) -> None:
    """What a claim had settled is open again; Law 64 waits."""
    judge.emit(PlayReopened())
    rate_revokes(judge)


def _ask_director(judge: Judgement, line: int, claim: Claim, law: str) -> None:
    judge.ask(
        Question(
            to=None,
            question="claim",
            law=law,
            line=line,
            seat=claim.seat,
            about=f"{claim.tricks} of {claim.remaining} tricks",
            choices=("award",),
            holds=True,
        )
    )


def award(judge: Judgement, line: int, seat: Seat, tricks: int) -> None:
    """Laws 70 and 71: the Director says how the rest of the tricks goes."""
    play = judge.state.play
    claim = play.incidents.claim if play is not None else None
    if play is None or claim is None:
        judge.refuse(line, "70A", "there is no claim to adjudicate")
        return
    remaining = 13 - len(play.tricks)
    if tricks > remaining:
        judge.refuse(line, "70A", f"only {remaining} tricks remain")
        return
    if must_correct(judge.state):
        judge.refuse(line, "62A", "a revoke has to be corrected first")
        return
    law = next(
        (q.law for q in judge.state.questions if q.question == "claim" and not q.to),
        "70A",
    )
    own = tricks if seat.side is claim.seat.side else remaining - tricks
    if play.ended:
        reopen(judge)
    judge.rule(
        Ruling(
            law=law,
            irregularity="contested-claim",
            offender=claim.seat,
            line=line,
            laws=("68D", law),
        )
    )
    settle(judge, line, replace(claim, tricks=own, remaining=remaining))


def play_on(judge: Judgement, line: int, seat: Seat) -> None:
    """Law 68D2(b), 2017: all four concur, and the claim is void."""
    play = judge.state.play
    claim = _open_claim(play) if play is not None else None
    if play is None or claim is None:
        judge.refuse(line, "68D", "there is no claim that play could go on after")
        return
    rules = rules_of(judge.state.board.edition)
    if not rules.claim_suspends:
        judge.refuse(
            line, "68D", "play ceases; cards played now are evidence only (70D3)"
        )
        return
    if not claim.play_on and seat.side is claim.seat.side:
        judge.refuse(line, "68D2(b)", "only the non-claiming side may ask to play on")
        return
    claim = replace(claim, play_on=claim.play_on | {seat})
    judge.emit(ClaimSet(claim))
    if len(claim.play_on) < 4:
        return
    judge.emit(ClaimSet(None))
    for each in (*SEATS, None):
        _close_question(judge, each)
    judge.rule(
        Ruling(
            law="68D2(b)",
            irregularity="claim-void",
            offender=claim.seat,
            line=line,
            laws=("68D", "68D2(b)"),
        )
    )


def refuse_card_after_claim(judge: Judgement, line: int) -> bool:
    """Law 68D: whether a claim keeps a card from being played now."""
    play = judge.state.play
    if play is None or _open_claim(play) is None:
        return False
    if rules_of(judge.state.board.edition).claim_suspends:
        reason = "play is suspended by the claim"
    else:
        reason = "play has ceased; the card may be evidence of the likely play (70D3)"
    judge.refuse(line, "68D", reason)
    return True


def call_on_next_board(judge: Judgement, line: int, seat: Seat) -> None:
    """A call on the next board: it ends the time for objections (64B4, 69A)."""
    judge.emit(CalledOnNextBoard(seat))
    _agreement_stands(judge, line, (seat,))


def end_round(judge: Judgement, line: int) -> None:
    """The round ends: nobody can object any more (64B5, 69A)."""
    judge.emit(RoundEnded())
    _agreement_stands(judge, line, SEATS)


def _agreement_stands(judge: Judgement, line: int, seats: tuple[Seat, ...]) -> None:
    """69A: a claim that these seats' side did not object to is agreed.

    2017: and that establishes the revokes of the side (63A4).
    """
    play = judge.state.play
    claim = play.incidents.claim if play is not None else None
    others = [s for s in seats if claim is not None and s.side is not claim.seat.side]
    if claim is None or claim.objected or not others:
        rate_revokes(judge)
        return
    establish(judge, others[0], rules_of(judge.state.board.edition).agreement)
    if not claim.settled and not must_correct(judge.state):
        settle(judge, line, claim)
    rate_revokes(judge)
