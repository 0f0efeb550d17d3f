"""Cards that declarer calls for from dummy (Laws 46, 51A, 63A2).

A designated card is played as soon as it is named (45C4a); dummy's own line only moves
it, which ``cards_of_dummy`` judges. With the deal unknown a suit or a rank alone waits
for that line.
"""

from laws.actions import Designation, NameCard, Word
from laws.card_play import waits
from laws.cards import Card, Suit, card_of
from laws.duties import following, in_order, penalty_cards
from laws.editions import rules_of
from laws.exposed_cards import designate_one
from laws.incident_events import DesignationSet, DutySet
from laws.incidents import Designated, Duty, DutyKind
from laws.judgement import Judgement
from laws.out_of_turn_leads import put_card, refuse_out_of_turn
from laws.penalty_cards import close_which
from laws.play import Play, PlayedCard, Trick
from laws.revokes import establish
from laws.rulings import Question
from laws.seats import Seat


def resolve(
    judge: Judgement, play: Play, named: Card | Suit | Designation | str
) -> frozenset[Card]:
    """The cards of dummy that a designation may mean (Laws 46A, B1 to B4).

    None: it is incomplete in a way that leaves it open, or void. Deal known only.
    """
    if isinstance(named, Card):
        return frozenset({named})
    held = play.cards_of(play.dummy)
    if held is None:
        return frozenset()
    led = play.current.suit_led
    if isinstance(named, Suit):
        suit = [card for card in held if card.suit is named]
        return _lowest(suit)
    if isinstance(named, Designation):
        return _by_word(judge, play, named, held, led)
    rank = [card for card in held if card.rank == named]
    if led is None and play.tricks:
        last = play.tricks[-1]
        won = last.card_from(play.dummy)
        dummy_won = last.winner(play.trump) is play.dummy
        if won is not None and dummy_won and card_of(won.suit, named) in held:
            return frozenset({card_of(won.suit, named)})
    return frozenset(following(held, led) & frozenset(rank))


def _lowest(cards: list[Card]) -> frozenset[Card]:
    return frozenset(sorted(cards, key=lambda card: card.strength)[:1])


def _by_word(
    judge: Judgement,
    play: Play,
    word: Designation,
    held: frozenset[Card],
    led: Suit | None,
) -> frozenset[Card]:
    """Law 46B1: high, low, win it; B5 (anything) is for either defender to say."""
    if word is Designation.ANY or not held:
        return frozenset()
    if word is Designation.WIN and led is None:
        return frozenset()
    can_follow = any(card.suit is led for card in held)
    rules = rules_of(judge.state.board.edition)
    says_nothing = rules.high_of_suit_led and not can_follow
    if says_nothing and word is not Designation.WIN:
        return frozenset()
    cards = sorted(following(held, led), key=lambda card: card.strength)
    if word is Designation.WIN:
        return _winning(play, cards)
    extreme = cards[0] if word is Designation.LOW else cards[-1]
    return frozenset(card for card in cards if card.strength == extreme.strength)


def _winning(play: Play, cards: list[Card]) -> frozenset[Card]:
    """46B1(b): the lowest card known to win the trick."""
    trick = play.current
    for card in cards:
        after = Trick(trick.leader, (*trick.cards, PlayedCard(0, play.dummy, card)))
        if after.winner(play.trump) is play.dummy:
            return frozenset({card})
    return frozenset()


def name_card(judge: Judgement, line: int, action: NameCard) -> None:
    """Declarer designates a card of dummy; after "anything" a defender does (46B5).

    A designation for the next trick establishes declarer's revokes (63A2).
    """
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "46A", "no play is in progress")
        return
    if waits(judge, line):
        return
    anybody = _anything_pending(play)
    if action.seat is not play.declarer and not (
        anybody and play.is_defender(action.seat)
    ):
        judge.refuse(line, "46A", "only declarer calls for a card of dummy")
        return
    if action.seat is play.declarer and _choose_penalty_card(judge, play, action):
        return
    if refuse_out_of_turn(judge, line, play.dummy):
        return
    cards = _intended(judge, line, action) or resolve(judge, play, action.named)
    if play.held is not None:
        cards &= play.known_of(play.dummy)
    elif isinstance(action.named, Card) and _elsewhere(play, action.named):
        cards = frozenset()
    if len(cards) == 1:
        (card,) = cards
        _designate(judge, line, action, card)
    elif cards or _is_open(play, action.named):
        _leave_open(judge, line, play, action, cards)
    else:
        judge.refuse(line, "46B4", f"dummy has no such card to play: {action.named}")


def _intended(judge: Judgement, line: int, action: NameCard) -> frozenset[Card]:
    """46B head: a different intention that is beyond dispute, as the Director says."""
    if isinstance(action.named, Card):
        return frozenset()
    question = Question(
        to=None, question=Word.INTENDED, law="46B", line=line, seat=action.seat
    )
    given = judge.said(Word.INTENDED, question)
    card = given.answer if given is not None else None
    return frozenset({card}) if isinstance(card, Card) else frozenset()


def told_unasked(play: Play, word: Word) -> tuple[int, Seat] | None:
    """The happening that a Director's word on the play is about, unasked.

    What declarer intended (46B) is about the last card that he called for; that an
    opponent misled a player (47E1) or that declarer could see a card (54C) about the
    last lead out of turn.
    """
    incidents = play.incidents
    if word is Word.INTENDED and incidents.designated is not None:
        return incidents.designated.line, play.declarer
    wrong = incidents.wrong or incidents.last_wrong
    if word in {Word.MISLED, Word.COULD_SEE} and wrong is not None:
        return wrong.line, wrong.hand
    return None


def _elsewhere(play: Play, card: Card) -> bool:
    """Deal unknown: whether the card is known not to lie in dummy."""
    seen = any(card in shown for shown in play.shown)
    return seen and card not in play.known_of(play.dummy)


def _is_open(play: Play, named: Card | Suit | Designation | str) -> bool:
    """Whether the designation leaves the card to others: anybody, or dummy's line."""
    if named is Designation.ANY:
        return True
    return play.held is None and not isinstance(named, Card)


def _anything_pending(play: Play) -> bool:
    designated = play.incidents.designated
    return (
        designated is not None
        and designated.card is None
        and designated.named == Designation.ANY
        and designated.trick == play.number
    )


def _designate(judge: Judgement, line: int, action: NameCard, card: Card) -> None:
    """The card is played by being named (45C4a)."""
    play = judge.state.play
    if play is None or not designate_one(judge, line, play.dummy, card)[0]:
        return
    close_designation(judge)
    named = str(action.named)
    establish(judge, play.declarer, "63A2", play.number)
    judge.emit(DesignationSet(Designated(line, play.number, named, card)))
    put_card(judge, line, play.dummy, card)


def close_designation(judge: Judgement) -> None:
    """Nobody is asked any more which card declarer meant (46)."""
    for question in judge.state.questions:
        if question.question == "designate" and question.law != "58B2":
            judge.close(question)


def _leave_open(
    judge: Judgement,
    line: int,
    play: Play,
    action: NameCard,
    cards: frozenset[Card],
) -> None:
    """46B3(b): two cards fit; 46B5: either defender says; else dummy's line tells."""
    named = str(action.named)
    establish(judge, play.declarer, "63A2", play.number)
    judge.emit(DesignationSet(Designated(line, play.number, named, None)))
    if action.named is Designation.ANY:
        asked, law = [*play.declarer.side.other.seats], "46B5"
    elif cards:
        asked, law = [play.declarer], "46B3(b)"
    else:
        return
    for seat in asked:
        judge.ask(
            Question(
                to=seat,
                question="designate",
                law=law,
                line=line,
                seat=play.dummy,
                about=named,
                choices=tuple(f"names {card}" for card in in_order(cards))
                or ("names",),
                holds=True,
            )
        )


def _choose_penalty_card(judge: Judgement, play: Play, action: NameCard) -> bool:
    """51A: with two penalty cards playable declarer says which is played."""
    hand = play.current.next_hand()
    owned = [b.effect.card for b in penalty_cards(judge.state, hand)]
    if not play.is_defender(hand) or action.named not in owned:
        return False
    close_which(judge)
    leads = not play.current.cards
    card = Card(action.named)
    judge.emit(DutySet(Duty(hand, DutyKind.CARD, (), "51A", leads, card)))
    return True
