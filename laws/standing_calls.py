"""A call belongs to the legal auction, and what that brings about.

Decides Laws 17 and 22 (the turn goes on, the auction ends) and 17E2 (2007), 17D3
(2017) with 34 (a player was skipped). It uses up what bound the caller and settles
what his call was awaited for.
"""

from laws.auction import (
    MadeCall,
    contract_of,
    has_three_passes,
    skipped_seat,
)
from laws.auction_events import (
    AuctionEnded,
    AuctionReopened,
    CallMade,
    CallStands,
    CallsWithdrawn,
    ReplacementSettled,
    SpentNoted,
    SpentReturned,
    WrongBoardSet,
)
from laws.auction_state import Spent
from laws.calls import Call
from laws.effects import (
    BARS,
    adjustable,
    must_repeat,
    rule_on,
    rules,
    supersede,
    unauthorised,
)
from laws.exposed_in_auction import end_exposure, resume_exposure
from laws.judgement import Judgement
from laws.lead_choices import offer_lead_choices
from laws.lead_restrictions import claim, drop, follow
from laws.play_events import PlayBegan
from laws.replacements import settle_dues
from laws.rulings import Binding, EffectKind, Scope, key_of
from laws.seats import Seat

WRONG_BOARD = "wrong-board"
"""The irregularity of Laws 17D (2007) and 15A (2017)."""


def stand(judge: Judgement, made: MadeCall) -> None:
    """A call made in rotation stands."""
    judge.emit(CallMade(made, made.seat.lho))
    _follow_up(judge, made, in_rotation=True)


def let_stand(judge: Judgement, made: MadeCall, *, in_rotation: bool) -> None:
    """A call that was open, or had been cancelled, stands after all."""
    judge.emit(CallStands(made, made.seat.lho))
    _follow_up(judge, made, in_rotation=in_rotation)


def undo(judge: Judgement, made: MadeCall) -> None:
    """Undo what a call has brought about beside its place in the record."""
    for spent in judge.state.auction.spent:
        if spent.by.is_same(made):
            for key in spent.rulings:
                supersede(judge, key)
            before = judge.state.auction.claims
            judge.emit(SpentReturned(made))
            drop(judge, before)
            return


def reopen(judge: Judgement, turn: Seat) -> None:
    """A change of call, or one that stands after all, undoes the auction's end."""
    if judge.state.auction.ended:
        judge.emit(AuctionReopened(turn))
        resume_exposure(judge)
        for question in judge.state.questions:
            if question.question == "lead":
                judge.close(question)


def _follow_up(judge: Judgement, made: MadeCall, *, in_rotation: bool) -> None:
    state = judge.state
    auction = state.auction
    if state.bindings or auction.dues or auction.claims:
        used = _use_up(judge, made.seat) if in_rotation else ()
        settle_dues(judge, made)
        if auction.claims:
            follow(judge)
        given = judge.state.rulings[len(state.rulings) :]
        if used or judge.state.auction.dues != auction.dues:
            rulings = tuple(key_of(ruling) for ruling in given)
            spent = Spent(made, used, auction.dues, auction.claims, rulings)
            judge.emit(SpentNoted(spent))
    if judge.state.auction.matters.wrong_board is not None:
        _follow_wrong_board(judge, made)
    legal = judge.state.auction.legal_calls
    if made.call is Call.PASS and has_three_passes(legal):
        _after_three_passes(judge, made, legal)


def _follow_wrong_board(judge: Judgement, made: MadeCall) -> None:
    """17D2 (2007): the offender calls again, on the right cards.

    LHO repeats the call he had made over the first one, if the new call is the same;
    else the score is adjusted. What the call means now is for the Director.
    """
    pair = judge.state.auction.matters.wrong_board
    if pair is None or pair[0].seat is not made.seat:
        return
    first, by_lho = pair
    judge.emit(WrongBoardSet(None))
    law = rules(judge).wrong_board[1]
    same = made.call is first.call
    effect = must_repeat(by_lho.seat, by_lho.call) if same else adjustable(law)
    rule_on(judge, first, WRONG_BOARD, law, effects=(effect,))


def _use_up(judge: Judgement, seat: Seat) -> tuple[Binding, ...]:
    """Release what bound the seat for this turn only."""
    used = tuple(
        binding
        for binding in judge.state.bindings
        if binding.effect.seat is seat
        and binding.effect.kind in BARS
        and binding.effect.scope is not Scope.REST_OF_AUCTION
    )
    for binding in used:
        judge.release(binding)
    return used


def _after_three_passes(
    judge: Judgement, made: MadeCall, legal: tuple[MadeCall, ...]
) -> None:
    skipped = skipped_seat(legal)
    if skipped is not None:
        _go_back(judge, legal, *skipped)
        return
    bars = tuple(b for b in judge.state.bindings if b.effect.kind in BARS)
    for binding in bars:
        judge.release(binding)
    if bars:
        auction = judge.state.auction
        judge.emit(SpentNoted(Spent(made, bars, auction.dues, auction.claims, ())))
    contract = contract_of(legal)
    judge.emit(AuctionEnded(contract))
    _restrict_unreplaced(judge, made)
    if judge.state.auction.claims:
        follow(judge)
    if contract is not None:
        judge.emit(PlayBegan(contract))
        end_exposure(judge)
        offer_lead_choices(judge, made.line)


def _restrict_unreplaced(judge: Judgement, made: MadeCall) -> None:
    """26 (2017): nor has a comparable call replaced what was not replaced at all.

    The offender had no turn any more. 2007 speaks of a final call that is different.
    """
    auction = judge.state.auction
    if not auction.dues or not rules(judge).comparable_calls:
        return
    judge.emit(SpentNoted(Spent(made, (), auction.dues, auction.claims, ())))
    for due in auction.dues:
        judge.emit(ReplacementSettled(due))
        claim(judge, due.ruling, due.withdrawn)


def _go_back(
    judge: Judgement, legal: tuple[MadeCall, ...], seat: Seat, missed: int
) -> None:
    """17E2 (2007), 17D3 (2017), 34: back to the player who missed his turn.

    The passes made since are cancelled, and the auction goes on from him.
    """
    offence = legal[missed]
    judge.emit(CallsWithdrawn(legal[missed:], seat))
    rule_on(
        judge,
        offence,
        "skipped-player",
        rules(judge).skipped,
        laws=("34",),
        effects=unauthorised(judge, offence.seat.partner),
    )


def is_barred(judge: Judgement, seat: Seat) -> bool:
    """Whether the seat must pass."""
    return any(
        b.effect.kind is EffectKind.MUST_PASS and b.effect.seat is seat
        for b in judge.state.bindings
    )
