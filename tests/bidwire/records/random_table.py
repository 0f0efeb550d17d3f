"""Players by chance, who err often: boards judged by the engine for property tests."""

import random
from collections.abc import Iterator

from laws.actions import (
    Accept,
    Action,
    Agree,
    Attention,
    Claim,
    Decline,
    ExposeCards,
    Keep,
    MakeCall,
    PlayCards,
    Replace,
    Spread,
)
from laws.board import Board, Edition
from laws.calls import BIDS, Call
from laws.cards import DECK, Card
from laws.engine import ImpossibleActionError, begin, decide
from laws.report import report
from laws.rulings import Question
from laws.seats import SEATS, SIDES, Seat
from laws.state import State
from laws.steps import Step

TEXTS = ("", "transfer", 'asks for "aces"', "5+ spades; {weak}", "a\\b: [2]", "weak")


def judged_by_chance(seed: int, edition: Edition, *, hide_deal: bool = False) -> State:
    """A board at the table, at its end or wherever chance stops it."""
    chance = random.Random(seed)  # noqa: S311 - the same board for the same seed
    return _Table(chance, edition, hide_deal=hide_deal).run()


class _Table:
    def __init__(
        self, chance: random.Random, edition: Edition, *, hide_deal: bool
    ) -> None:
        self._chance = chance
        cards = list(DECK)
        chance.shuffle(cards)
        self._dealt = {
            seat: set(cards[13 * at : 13 * at + 13]) for at, seat in enumerate(SEATS)
        }
        board = Board(
            edition,
            chance.choice(SEATS),
            frozenset(side for side in SIDES if chance.random() < 0.5),
            None if hide_deal else tuple(map(frozenset, self._dealt.values())),
        )
        self._state = begin(board)
        self._errs = chance.choice([0.0, 0.03, 0.1, 0.25])
        self._last = chance.choice([20, 60, 400, 400, 400])

    def run(self) -> State:
        for line in range(1, self._last):
            if self._is_over():
                break
            for action in self._actions():
                try:
                    self._state = decide(self._state, Step(line, action)).state
                except ImpossibleActionError:
                    continue
                break
        return self._state

    def _is_over(self) -> bool:
        state = self._state
        if state.questions and any(question.holds for question in state.questions):
            return False
        if not state.auction.ended:
            return False
        return state.play is None or state.play.ended

    def _actions(self) -> Iterator[Action]:
        """What may come next, the first that can have happened counts."""
        for _ in range(20):
            yield self._action()

    def _action(self) -> Action:
        asked = [q for q in self._state.questions if q.to is not None and q.holds]
        if asked and self._chance.random() < 0.7:
            answer = self._answer(self._chance.choice(asked))
            if answer is not None:
                return answer
        return self._call() if self._state.play is None else self._card()

    def _answer(self, question: Question) -> Action | None:
        seat, chance = question.to, self._chance
        assert seat is not None
        if "agree" in question.choices:
            return Agree(seat)
        if "spread" in question.choices and chance.random() < 0.3:
            return Spread(seat)
        if "accept" in question.choices:
            return Accept(seat) if chance.random() < 0.5 else Decline(seat)
        if "keep" in question.choices and chance.random() < 0.5:
            return Keep(seat)
        if "replace" in question.choices and question.seat is not None:
            return Replace(question.seat, self._any_card(question.seat))
        return None

    def _call(self) -> Action:
        chance = self._chance
        errs = chance.random() < self._errs
        turn = self._state.auction.turn
        seat = chance.choice(SEATS) if errs or turn is None else turn
        legal = [Call(call) for call in report(self._state)["legal"]] or [Call.PASS]
        call = chance.choice(legal[:12])
        if chance.random() < 0.5:
            call = Call.PASS
        if chance.random() < self._errs:
            call = chance.choice([Call.DOUBLE, Call.REDOUBLE, *BIDS[:15]])
        alerted = chance.random() < 0.2
        return MakeCall(seat, call, alerted, chance.choice(TEXTS) if alerted else "")

    def _card(self) -> Action:
        chance = self._chance
        play = self._state.play
        assert play is not None
        if play.current.cards or len(play.tricks) < 3 or chance.random() > self._errs:
            return self._play(play.current.next_hand())
        left = 13 - len(play.tricks)
        return Claim(play.declarer, chance.randint(0, left))

    def _play(self, turn: Seat) -> Action:
        chance = self._chance
        roll = chance.random()
        if roll < self._errs / 4:
            hand = chance.choice(SEATS)
            accused, trick = chance.choice(SEATS), chance.randint(1, 12)
            irregular: tuple[Action, ...] = (
                ExposeCards(hand, (self._any_card(hand),)),
                Attention(hand, accused, trick),
                PlayCards(turn, ()),
            )
            return chance.choice(irregular)
        if roll < self._errs:
            hand = chance.choice([turn, *SEATS])
            return PlayCards(hand, (self._any_card(hand),))
        return PlayCards(turn, (self._legal_card(turn),))

    def _held(self, hand: Seat) -> list[Card]:
        """What is left of the cards dealt, which the referee need not know."""
        play = self._state.play
        if play is None:
            return sorted(self._dealt[hand])
        tricks = (*play.tricks, play.current)
        gone = {p.card for t in tricks for p in (*t.cards, *t.added)}
        return sorted(self._dealt[hand] - gone) or sorted(self._dealt[hand])

    def _any_card(self, hand: Seat) -> Card:
        return self._chance.choice(self._held(hand))

    def _legal_card(self, hand: Seat) -> Card:
        play = self._state.play
        held = self._held(hand)
        if play is not None:
            led = play.current.suit_led
            held = [card for card in held if card.suit is led] or held
        return self._chance.choice(held)
