"""What holds in every play, however irregular."""

from dataclasses import fields as fields_of
from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from laws.actions import (
    Accept,
    Action,
    Agree,
    Answer,
    Attention,
    Award,
    Change,
    Claim,
    Concede,
    Decline,
    Designation,
    ExposeCards,
    Extreme,
    Forbid,
    HandsReturned,
    Keep,
    LeadFaceDown,
    MakeCall,
    MoveCard,
    NameCard,
    NextBoardCall,
    Object,
    Overrule,
    PlayCards,
    PlayOn,
    Replace,
    Require,
    RoundEnds,
    Spread,
    Waive,
    Word,
)
from laws.board import Board, Edition, Policies, RevokePolicy
from laws.calls import Call
from laws.cards import DECK, SUITS, Card
from laws.engine import ImpossibleActionError, begin, decide, replay
from laws.events import Event
from laws.report import legal, report, turn_of
from laws.seats import SEATS, SIDES, Seat
from laws.state import State
from laws.steps import Step
from tests.long import examples

Hands = tuple[frozenset[Card], ...]

FEW = settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)


def dealt(shuffler: Random) -> Hands:
    deck = list(DECK)
    shuffler.shuffle(deck)
    return tuple(frozenset(deck[i : i + 13]) for i in range(0, 52, 13))


HANDS = st.randoms(use_true_random=True).map(dealt)
CONTRACTS = st.sampled_from([Call.ONE_NOTRUMP, Call.FOUR_SPADES, Call.TWO_CLUBS])
SEAT = st.sampled_from(SEATS)
SUIT = st.sampled_from(SUITS)
CARD = st.sampled_from(DECK)
TRICK = st.integers(1, 13)
WORDS = st.sampled_from(
    [w for w in Word if w not in {Word.SHOWN, Word.INTENDED, Word.WRONG_BOARD}]
)


@st.composite
def boards(draw: st.DrawFn, *, known: bool | None = None) -> tuple[Board, Hands]:
    """A board and its hands, which the referee may or may not know."""
    hands = draw(HANDS)
    told = draw(st.booleans()) if known is None else known
    board = Board(
        draw(st.sampled_from(Edition)),
        draw(SEAT),
        draw(st.frozensets(st.sampled_from(SIDES))),
        hands if told else None,
        Policies(revoke=draw(st.sampled_from(RevokePolicy))),
    )
    return board, hands


def bid(board: Board, call: Call) -> tuple[State, list[Event]]:
    """The state after the dealer's bid and three passes, and the log."""
    state = begin(board)
    log: list[Event] = []
    seat = board.dealer
    for line, made in enumerate([call, Call.PASS, Call.PASS, Call.PASS], 1):
        decision = decide(state, Step(line, MakeCall(seat, made)))
        state = decision.state
        log += decision.events
        seat = seat.lho
    return state, log


def on_table(state: State) -> set[Card]:
    play = state.play
    assert play is not None
    return {
        played.card
        for trick in (*play.tricks, play.current)
        for played in (*trick.cards, *trick.added)
    }


def held_by(state: State, hands: Hands, seat: Seat) -> list[Card]:
    """What the seat holds in truth, whatever the referee knows."""
    return sorted(hands[SEATS.index(seat)] - on_table(state))


def is_hidden(state: State) -> bool:
    return state.play is not None and state.play.held is None


def follows(state: State, cards: list[Card]) -> list[Card]:
    assert state.play is not None
    led = state.play.current.suit_led
    return [card for card in cards if card.suit is led] or cards


@st.composite
def happenings(draw: st.DrawFn, state: State, hands: Hands) -> Action:
    """Mostly the next card; often an irregular one, or an answer, or nonsense."""
    play = state.play
    assert play is not None
    turn = turn_of(state) or draw(SEAT)
    own = held_by(state, hands, turn)
    seat = draw(SEAT)
    cards = held_by(state, hands, seat)
    kind = draw(st.integers(0, 99))
    if kind < 45 and own and not play.ended:
        return PlayCards(turn, (draw(st.sampled_from(follows(state, own))),))
    if kind < 58 and own:
        return PlayCards(turn, (draw(st.sampled_from(own)),))
    if kind < 66 and cards:
        several = draw(st.lists(st.sampled_from(cards), max_size=3, unique=True))
        simultaneous = draw(st.booleans())
        return PlayCards(seat, tuple(several), simultaneous=simultaneous)
    if kind < 80 and state.questions:
        return draw(answers(state, hands))
    return draw(others(state, hands))


def answers(state: State, hands: Hands) -> st.SearchStrategy[Action]:
    """An answer to an open question, fitting or not."""

    def owned(seat: Seat) -> st.SearchStrategy[Card]:
        return st.sampled_from(sorted(hands[SEATS.index(seat)]))

    question = st.sampled_from(state.questions)
    to_director = [q for q in state.questions if q.to is None and q.question in [*Word]]
    fitting: list[st.SearchStrategy[Action]] = [
        question.flatmap(
            # Where the deal is hidden nobody sees that a card is another hand's.
            lambda q: st.builds(
                Replace,
                st.just(q.seat or SEATS[0]),
                owned(q.seat or SEATS[0]) if is_hidden(state) else CARD,
            )
        ),
        question.map(lambda q: Keep(q.seat or SEATS[0])),
        question.map(lambda q: Accept(q.to or SEATS[0])),
        question.map(lambda q: Decline(q.to or SEATS[0])),
        question.map(lambda q: Waive(q.to or SEATS[0])),
        question.flatmap(
            lambda q: st.builds(
                Require, st.just(q.to or SEATS[0]), SUIT | st.sampled_from(Extreme)
            )
        ),
        question.flatmap(
            lambda q: st.builds(Forbid, st.just(q.to or SEATS[0]), st.tuples(SUIT))
        ),
        question.map(lambda q: Agree(q.to or SEATS[0])),
        question.map(lambda q: Object(q.to or SEATS[0])),
    ]
    if to_director:
        asked = st.sampled_from(to_director)
        fitting.append(
            asked.flatmap(
                lambda q: st.builds(
                    Answer, st.just(Word(q.question)), st.booleans(), st.just(q.seat)
                )
            )
        )
    return st.one_of(fitting)


def others(state: State, hands: Hands) -> st.SearchStrategy[Action]:
    """Everything else that the script can tell."""
    assert state.play is not None
    dummy = hands[SEATS.index(state.play.dummy)]
    named = st.one_of(
        st.sampled_from(sorted(dummy)),
        SUIT,
        st.sampled_from(["7", "A"]),
        st.sampled_from(Designation),
    )
    declarer = st.just(state.play.declarer)
    return st.one_of(
        st.builds(Attention, SEAT, SEAT, TRICK),
        st.builds(Attention, SEAT),
        st.builds(NameCard, declarer | SEAT, named),
        st.builds(MoveCard, st.just(state.play.dummy), st.sampled_from(sorted(dummy))),
        SEAT.flatmap(
            lambda seat: st.builds(
                ExposeCards,
                st.just(seat),
                st.tuples(st.sampled_from(sorted(hands[SEATS.index(seat)]))),
            )
        ),
        *([] if is_hidden(state) else [st.builds(Change, declarer, CARD)]),
        st.builds(LeadFaceDown, SEAT),
        st.builds(Spread, SEAT),
        st.builds(Claim, SEAT, st.integers(0, 6)),
        st.builds(Concede, SEAT, st.integers(0, 6)),
        st.builds(PlayOn, SEAT),
        st.builds(Award, SEAT, st.integers(0, 13)),
        st.builds(NextBoardCall, SEAT, st.just(Call.PASS)),
        st.just(RoundEnds()),
        st.just(HandsReturned()),
        st.builds(Answer, WORDS, st.booleans(), SEAT | st.none()),
        st.builds(Overrule, st.integers(1, 4)),
    )


def accounted_for(state: State, hands: Hands) -> None:
    """52 cards: each in its own hand or on the table from it, none twice."""
    play = state.play
    assert play is not None
    played = [
        (played.hand, played.card)
        for trick in (*play.tricks, play.current)
        for played in (*trick.cards, *trick.added)
    ]
    cards = [card for _, card in played]
    assert len(set(cards)) == len(cards)
    for hand, card in played:
        assert card in hands[SEATS.index(hand)]
    if play.held is None:
        for seat, shown in zip(SEATS, play.shown, strict=True):
            assert shown <= hands[SEATS.index(seat)]
        seen = frozenset[Card]().union(*play.shown)
        assert seen - play.loose == set(cards)
        return
    held = [card for hand in play.held for card in hand]
    assert sorted([*held, *cards]) == sorted(DECK)


@FEW
@given(boards(), CONTRACTS, st.data())
def test_any_happening_is_judged_or_refused_and_the_log_replays(
    table: tuple[Board, Hands], call: Call, data: st.DataObject
) -> None:
    board, hands = table
    state, log = bid(board, call)
    for line in range(5, 5 + data.draw(st.integers(1, 90))):
        action = data.draw(happenings(state, hands))
        try:
            decision = decide(state, Step(line, action))
        except ImpossibleActionError:
            continue
        state = decision.state
        log += decision.events
        accounted_for(state, hands)
        report(state)
    assert replay(board, log) == state


@settings(FEW, max_examples=examples(15))
@given(boards(known=True), CONTRACTS, st.data())
def test_legal_are_the_cards_that_are_neither_refused_nor_irregular(
    table: tuple[Board, Hands], call: Call, data: st.DataObject
) -> None:
    board, hands = table
    state, _ = bid(board, call)
    for line in range(5, 5 + data.draw(st.integers(1, 60))):
        try:
            action = data.draw(happenings(state, hands))
            state = decide(state, Step(line, action)).state
        except ImpossibleActionError:
            continue
        turn = turn_of(state)
        if turn is None:
            continue
        for card in held_by(state, hands, turn):
            after = decide(state, Step(500, PlayCards(turn, (card,)))).state
            listed = card in legal(state)
            assert listed == in_order_now(state, after, turn), (turn, card)


def in_order_now(before: State, after: State, hand: Seat) -> bool:
    """Whether the hand's card at line 500 is in order."""
    assert after.play is not None
    if after.refused != before.refused:
        return False
    asked = {q.question: q for q in before.questions}
    if "supply" in asked or any(
        b.effect.kind == "must_correct" for b in before.bindings
    ):
        # It mends what was wrong, which is ruled on; a wrong card is refused.
        return True
    if "lead" in asked and asked["lead"].seat is hand:
        # He has to wait for declarer's choice, which may send the lead back (49).
        return False
    wrong = after.play.incidents.wrong
    return not (
        (wrong is not None and wrong.line == 500)
        or any(revoke.line == 500 for revoke in after.play.incidents.revokes)
        or any((r.line, r.offender) == (500, hand) for r in after.rulings)
    )


def play_out(
    state: State, hands: Hands, data: st.DataObject, *, revokes: bool
) -> list[Action]:
    """Cards of a whole play in turn; now and then one that does not follow suit."""
    actions: list[Action] = []
    line = 100
    while state.play is not None and not state.play.ended:
        turn = state.play.current.next_hand()
        own = held_by(state, hands, turn)
        wrong = revokes and data.draw(st.integers(0, 9)) == 0
        cards = own if wrong else follows(state, own)
        action = PlayCards(turn, (data.draw(st.sampled_from(cards)),))
        state = decide(state, Step(line, action)).state
        actions.append(action)
        line += 1
    return actions


def follow_up(state: State, actions: list[Action]) -> State:
    for line, action in enumerate(actions, 100):
        state = decide(state, Step(line, action)).state
    return state


@FEW
@given(boards(), CONTRACTS, st.data())
def test_a_regular_play_yields_no_ruling(
    table: tuple[Board, Hands], call: Call, data: st.DataObject
) -> None:
    board, hands = table
    state, _ = bid(board, call)
    state = follow_up(state, play_out(state, hands, data, revokes=False))
    assert state.play is not None
    assert state.play.ended
    assert len(state.play.tricks) == 13
    told = report(state)
    assert (told["rulings"], told["refused"], told["questions"]) == ([], [], [])
    assert told["revokes"] == []
    assert sum(told["tricks"].values()) == 13


@FEW
@given(boards(known=True), CONTRACTS, st.data())
def test_with_the_deal_hidden_the_same_revokes_are_found(
    table: tuple[Board, Hands], call: Call, data: st.DataObject
) -> None:
    board, hands = table
    board = replace(board, policies=Policies())
    state, _ = bid(board, call)
    actions = play_out(state, hands, data, revokes=True)
    known = report(follow_up(state, actions))
    hidden, _ = bid(replace(board, hands=None), call)
    inferred = report(follow_up(hidden, actions))
    for plain in (known, inferred):
        assert plain["tricks"] == known["tricks"]
    for key in ("revokes", "transfer", "result"):
        assert known[key] == inferred[key]


def turned(action: Action, by: int) -> Action:
    """The same happening with every seat moved on by some places."""

    def seat(old: Seat) -> Seat:
        return SEATS[(SEATS.index(old) + by) % 4]

    changes = {
        name: seat(value)
        for name in ("seat", "hand", "accused")
        if isinstance(value := getattr(action, name, None), Seat)
    }
    fields = {field.name: getattr(action, field.name) for field in fields_of(action)}
    return type(action)(**(fields | changes))


@FEW
@given(boards(), CONTRACTS, st.integers(1, 3), st.data())
def test_turning_the_table_turns_every_ruling(
    table: tuple[Board, Hands], call: Call, by: int, data: st.DataObject
) -> None:
    board, hands = table
    state, _ = bid(board, call)
    hands_turned = tuple(hands[(i - by) % 4] for i in range(4))
    sides = {side: SIDES[(i + by) % 2] for i, side in enumerate(SIDES)}
    other = replace(
        board,
        dealer=SEATS[(SEATS.index(board.dealer) + by) % 4],
        vulnerable=frozenset(sides[side] for side in board.vulnerable),
        hands=hands_turned if board.hands is not None else None,
    )
    mirror, _ = bid(other, call)
    for line in range(5, 5 + data.draw(st.integers(1, 60))):
        action = data.draw(happenings(state, hands))
        assume(not isinstance(action, Overrule))
        try:
            state = decide(state, Step(line, action)).state
        except ImpossibleActionError:
            continue
        mirror = decide(mirror, Step(line, turned(action, by))).state
    assert [(r.law, r.line, r.laws, len(r.effects)) for r in state.rulings] == [
        (r.law, r.line, r.laws, len(r.effects)) for r in mirror.rulings
    ]
    for ruling, twin in zip(state.rulings, mirror.rulings, strict=True):
        assert SEATS[(SEATS.index(ruling.offender) + by) % 4] is twin.offender
    assert [r.law for r in state.refused] == [r.law for r in mirror.refused]
