"""Double dummy: endings solved by force too, positions with an obvious answer."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.board import parse_deal
from laws.cards import DECK, SUITS, Card, Suit
from laws.seats import SEATS, Seat, rotation_from
from referee import double_dummy
from referee.double_dummy import (
    DoubleDummyError,
    Position,
    solve,
    solved_at_once,
)
from tests.long import examples
from tests.referee.by_force import by_force

ONE_SUIT_EACH = parse_deal(
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
)


@st.composite
def endings(draw: st.DrawFn, most: int) -> Position:
    """Positions of so many cards at most, anywhere in a trick."""
    size = draw(st.integers(1, most))
    trump = draw(st.sampled_from([*SUITS, None]))
    leader = draw(st.sampled_from(SEATS))
    # Few suits and long ones alike: from a pack, or from its high cards.
    pack = DECK if draw(st.booleans()) else [c for c in DECK if c.strength > 8]
    cards = draw(st.permutations(pack))
    hands = [frozenset(cards[i * size : (i + 1) * size]) for i in range(4)]
    trick: list[Card] = []
    for seat in rotation_from(leader)[: draw(st.integers(0, 3))]:
        i = SEATS.index(seat)
        led = {c for c in hands[i] if trick and c.suit is trick[0].suit}
        card = draw(st.sampled_from(sorted(led or hands[i])))
        trick.append(card)
        hands[i] -= {card}
    return Position(trump, leader, tuple(trick), tuple(hands))


def is_worth_solving(position: Position) -> bool:
    """Whether the hand on play still has a card."""
    return position.left > 0


@settings(max_examples=examples(60), deadline=None)
@given(endings(3).filter(is_worth_solving))
def test_ending_of_three_cards_is_solved_as_by_force(position: Position) -> None:
    assert solve(position) == by_force(position)


@settings(max_examples=examples(20), deadline=None)
@given(endings(4).filter(is_worth_solving))
def test_ending_of_four_cards_is_solved_as_by_force(position: Position) -> None:
    assert solve(position) == by_force(position)


@settings(max_examples=examples(30), deadline=None)
@given(endings(3).filter(is_worth_solving), st.data())
def test_hand_that_is_held_to_some_of_its_cards_plays_one_of_them(
    position: Position, data: st.DataObject
) -> None:
    cards = position.hands[SEATS.index(position.turn)]
    led = {c for c in cards if position.trick and c.suit is position.trick[0].suit}
    some = data.draw(st.sets(st.sampled_from(sorted(led or cards)), min_size=1))
    held = Position(
        position.trump,
        position.leader,
        position.trick,
        position.hands,
        frozenset(some),
    )
    assert solve(held) == by_force(held)


@pytest.mark.parametrize("leader", SEATS)
def test_thirteen_cards_of_a_suit_take_every_trick_in_notrump_when_on_lead(
    leader: Seat,
) -> None:
    assert solve(Position(None, leader, (), ONE_SUIT_EACH)) == 13


@pytest.mark.parametrize(
    ("trump", "leader", "tricks"),
    [
        (Suit.SPADES, Seat.EAST, 0),
        (Suit.SPADES, Seat.SOUTH, 13),
        (Suit.CLUBS, Seat.NORTH, 0),
        (Suit.CLUBS, Seat.EAST, 13),
    ],
)
def test_thirteen_trumps_take_every_trick(
    trump: Suit, leader: Seat, tricks: int
) -> None:
    assert solve(Position(trump, leader, (), ONE_SUIT_EACH)) == tricks


def ending(*hands: str) -> tuple[frozenset[Card], ...]:
    return tuple(frozenset(Card(card) for card in hand.split()) for hand in hands)


def test_card_in_the_trick_counts() -> None:
    """West has led the ace; what East throws cannot win."""
    hands = ending("H2 S3", "D2 S4", "H4 SA", "SK")
    assert solve(Position(None, Seat.WEST, (Card("HA"),), hands)) == 1
    hands = ending("H2 S3", "D2 S4", "H4 S5", "SA")
    assert solve(Position(None, Seat.WEST, (Card("HA"),), hands)) == 0


def test_finesse_that_double_dummy_never_misses() -> None:
    """North leads up to the ace and queen; the king sits before or behind them."""
    under = ending("S3 S2", "SK S4", "SA SQ", "H2 H3")
    behind = ending("S3 S2", "H2 H3", "SA SQ", "SK S4")
    assert solve(Position(None, Seat.NORTH, (), under)) == 2
    assert solve(Position(None, Seat.NORTH, (), behind)) == 1


@pytest.mark.parametrize(
    ("hands", "trick"),
    [
        (ending("S3 S2", "SK", "SA SQ", "H2 H3"), ()),
        (ending("S3 S2", "SK S4", "SA SQ", "H2 H3"), (Card("S7"),)),
        (ending("", "", "", ""), ()),
    ],
)
def test_position_that_cannot_be_is_refused(
    hands: tuple[frozenset[Card], ...], trick: tuple[Card, ...]
) -> None:
    position = Position(None, Seat.NORTH, trick, hands)
    with pytest.raises(DoubleDummyError, match="as many cards as the trick leaves"):
        solve(position)
    assert solved_at_once(position) is None


def test_hand_cannot_be_held_to_cards_that_it_may_not_play() -> None:
    hands = ending("H2 S3", "D2 S4", "H4 SA", "SK")
    position = Position(
        None, Seat.WEST, (Card("HA"),), hands, restricted=frozenset({Card("S3")})
    )
    with pytest.raises(DoubleDummyError, match="may play none of its cards"):
        solve(position)


def test_several_threads_may_ask() -> None:
    positions = [Position(t, s, (), ONE_SUIT_EACH) for t in SUITS for s in SEATS]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(solve, positions)) == [solve(p) for p in positions]


def test_without_dds_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    load_anew = double_dummy._library.__wrapped__
    monkeypatch.setattr(double_dummy, "_library", load_anew)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    position = Position(None, Seat.NORTH, (), ONE_SUIT_EACH)
    assert solved_at_once(position) is None
    with pytest.raises(DoubleDummyError, match="endplay is not installed"):
        solve(position)
