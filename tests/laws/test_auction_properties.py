"""What holds in every auction, however irregular."""

from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from laws.actions import (
    Accept,
    Action,
    Answer,
    Attention,
    Change,
    Correct,
    Decline,
    ExposeCards,
    HandsReturned,
    Keep,
    MakeCall,
    Overrule,
    PlayCards,
    Replace,
    Word,
)
from laws.board import Board, Edition, IrregularCallPolicy, Policies
from laws.calls import Call
from laws.cards import DECK, Suit
from laws.engine import ImpossibleActionError, begin, decide, replay
from laws.events import Event
from laws.legal_calls import legal_calls
from laws.report import report
from laws.seats import SEATS, Seat
from laws.state import State
from laws.steps import Step
from tests.long import examples

LOW_BIDS = [call for call in Call if call.height <= 12 and call.is_bid]
CALLS = st.sampled_from(
    [Call.PASS] * 12 + [Call.DOUBLE] * 4 + [Call.REDOUBLE] * 2 + LOW_BIDS
)
SEAT = st.sampled_from(SEATS)
WORDS = st.sampled_from(
    [
        Word.ARTIFICIAL,
        Word.COMPARABLE,
        Word.SAME_MEANING,
        Word.DIFFERENT_MEANING,
        Word.UNINTENDED,
        Word.AWARE,
        Word.GAINED,
        Word.WRONG_BOARD,
    ]
)
MAKE_CALL = st.builds(
    MakeCall,
    SEAT,
    CALLS,
    alerted=st.sampled_from([False, False, True]),
    simultaneous=st.sampled_from([False] * 9 + [True]),
)
SUITS_SHOWN = st.sampled_from([(), (Suit.HEARTS,), (Suit.HEARTS, Suit.SPADES)])
OTHERS = st.one_of(
    st.builds(Accept, SEAT),
    st.builds(Decline, SEAT),
    st.builds(Change, SEAT, CALLS),
    st.builds(Replace, SEAT, CALLS),
    st.builds(Keep, SEAT),
    st.builds(Attention, SEAT),
    st.builds(Answer, WORDS, st.booleans(), st.none() | SEAT),
    st.builds(Answer, st.just(Word.SHOWN), SUITS_SHOWN, st.none() | SEAT),
    st.builds(ExposeCards, SEAT, st.tuples(st.sampled_from(DECK))),
    st.builds(PlayCards, SEAT, st.tuples(st.sampled_from(DECK))),
    st.builds(Overrule, st.integers(1, 4)),
    st.builds(Correct, st.integers(1, 12), st.none() | MAKE_CALL),
    st.just(HandsReturned()),
)
ACTIONS = st.lists(
    st.one_of(MAKE_CALL, MAKE_CALL, MAKE_CALL, OTHERS), min_size=1, max_size=24
)
POLICY = st.sampled_from(
    [IrregularCallPolicy.APPLY, IrregularCallPolicy.APPLY, IrregularCallPolicy.PREVENT]
)
BOARDS = st.builds(
    Board,
    st.sampled_from(Edition),
    SEAT,
    policies=st.builds(Policies, out_of_turn=POLICY, inadmissible=POLICY),
)


def played(board: Board, actions: list[Action]) -> tuple[State, list[Event]]:
    """Judge actions, leaving out those that cannot have happened."""
    state, log = begin(board), list[Event]()
    for line, action in enumerate(actions, 1):
        try:
            decision = decide(state, Step(line, action))
        except ImpossibleActionError:
            continue
        state = decision.state
        log += decision.events
    return state, log


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow])
@given(BOARDS, ACTIONS)
def test_any_happening_is_judged_and_the_log_replays(
    board: Board, actions: list[Action]
) -> None:
    state, log = played(board, actions)
    assert replay(board, log) == state
    told = report(state)
    assert (told["turn"] is None) == (state.auction.ended and state.play is None)


@settings(max_examples=examples(80))
@given(BOARDS, ACTIONS)
def test_what_must_hold_of_the_record(board: Board, actions: list[Action]) -> None:
    auction = played(board, actions)[0].auction
    assert [m for m in auction.calls if m.standing == "legal"] == [*auction.legal_calls]
    open_ = {(o.made.line, o.made.call) for o in auction.options}
    assert open_ == {(m.line, m.call) for m in auction.calls if m.standing == "open"}
    bid = 0
    for made in auction.legal_calls:
        if made.call.is_bid and made.standing == "legal":
            bid = made.call.height
    assert auction.ended or not bid or auction.contract is None


@given(BOARDS, st.lists(st.integers(0, 37), max_size=40))
def test_a_legal_auction_has_no_ruling(board: Board, choices: list[int]) -> None:
    state = begin(board)
    for line, choice in enumerate(choices, 1):
        legal = legal_calls(state)
        if not legal:
            break
        seat = state.auction.turn
        assert seat is not None
        call = legal[choice % len(legal)]
        state = decide(state, Step(line, MakeCall(seat, call))).state
    assert not state.rulings
    assert not state.refused
    assert not state.questions
    assert not state.auction.spent


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(BOARDS, ACTIONS)
def test_legal_are_the_calls_that_are_neither_refused_nor_irregular(
    board: Board, actions: list[Action]
) -> None:
    state = played(board, actions)[0]
    seat = state.auction.turn
    assume(seat is not None)
    assert seat is not None
    legal = legal_calls(state)
    # What the next call would change of a ruling under 36 to 39 is not counted.
    if state.auction.at_once is not None:
        state = decide(state, Step(100, Attention(seat))).state
    for call in Call:
        after = decide(state, Step(101, MakeCall(seat, call))).state
        assert (call in legal) == counts_at_once(state, after, seat, call)


def counts_at_once(before: State, after: State, seat: Seat, call: Call) -> bool:
    """Whether the seat's call at line 101 is in order."""
    if after.refused != before.refused:
        return False
    found = [m for m in after.auction.calls if (m.line, m.call) == (101, call)]
    new = after.rulings[len(before.rulings) :]
    if not found or any((r.line, r.offender) == (101, seat) for r in new):
        return False
    # A pass is cancelled with others when a player was skipped, by nobody's fault.
    skipped = any(ruling.irregularity == "skipped-player" for ruling in new)
    return found[0].standing == "legal" or (found[0].withdrawn and skipped)


def turned(seat: Seat) -> Seat:
    return seat.lho


def turned_action(action: Action) -> Action:
    match action:
        case ExposeCards(hand, cards) | PlayCards(hand, cards):
            return type(action)(turned(hand), cards)
        case Answer(word, answer, seat):
            return Answer(word, answer, turned(seat) if seat else None)
        case Correct(line, by):
            return Correct(line, turned_action(by) if by else None)
        case MakeCall() | Accept() | Decline() | Change() | Replace() | Keep():
            return replace(action, seat=turned(action.seat))
        case Attention(seat):
            return Attention(turned(seat))
        case _:
            return action


@settings(max_examples=examples(60))
@given(BOARDS, ACTIONS)
def test_rotating_the_seats_rotates_every_ruling(
    board: Board, actions: list[Action]
) -> None:
    here = played(board, actions)[0]
    there = played(
        replace(board, dealer=turned(board.dealer)),
        [turned_action(action) for action in actions],
    )[0]
    assert len(here.rulings) == len(there.rulings)
    for one, other in zip(here.rulings, there.rulings, strict=True):
        assert turned(one.offender) is other.offender
        assert (one.law, one.laws, one.status) == (other.law, other.laws, other.status)
        for effect, twin in zip(one.effects, other.effects, strict=True):
            assert effect.seat is None or turned(effect.seat) is twin.seat
            assert (effect.kind, effect.scope, effect.call, effect.suits) == (
                twin.kind,
                twin.scope,
                twin.call,
                twin.suits,
            )


COMMON = {
    *("24A", "24B", "24C", "27A1", "28A", "28B", "29A", "33", "36A", "36B2"),
    *("36B4", "37A", "37B", "39A", "39B", "39C"),
}
"""Paragraphs by which both editions rule alike."""


@settings(max_examples=examples(80))
@given(BOARDS, ACTIONS)
def test_the_editions_agree_where_the_table_of_differences_says_nothing(
    board: Board, actions: list[Action]
) -> None:
    older = begin(replace(board, edition=Edition.LAWS_2007))
    newer = begin(replace(board, edition=Edition.LAWS_2017))
    for line, action in enumerate(actions, 1):
        try:
            older = decide(older, Step(line, action)).state
        except ImpossibleActionError:
            continue
        newer = decide(newer, Step(line, action)).state
        if {r.law for r in (*older.rulings, *newer.rulings)} - COMMON:
            return
        assert older.auction.legal_calls == newer.auction.legal_calls
        assert older.auction.turn == newer.auction.turn
        assert legal_calls(older) == legal_calls(newer)
        assert [(r.law, r.offender, r.status) for r in older.rulings] == [
            (r.law, r.offender, r.status) for r in newer.rulings
        ]
