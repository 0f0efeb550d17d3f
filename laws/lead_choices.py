"""What declarer may ask of a defender on lead, or before whom one has played.

Decides how Law 26 and Laws 50D2, 51B are exercised at a defender's turn to lead, 57A
before a defender's play, 59 (inability), and a lead made before the choice (49).
"""

from dataclasses import replace

from laws.actions import Extreme, Forbid, Require, Waive
from laws.cards import SUITS, Suit
from laws.duties import penalty_cards
from laws.editions import rules_of
from laws.events import Released
from laws.incident_events import DutySet, LeadLeftFree
from laws.incidents import Duty, DutyKind, Waived
from laws.judgement import Judgement
from laws.lead_restrictions import lead_options, lead_question
from laws.penalty_cards import penalty_card
from laws.play import Play
from laws.play_events import CardsWithdrawn
from laws.rulings import Effect, EffectKind, Question, Ruling
from laws.seats import Seat
from laws.taking_back import forget

LEAD = "lead"
"""Declarer's question before a defender's lead."""
PREMATURE = "premature"
"""Declarer's question after a defender played before his partner (57A)."""
_BY_PENALTY_CARD = frozenset({"50D2", "51B2"})
"""Paragraphs by which he is asked for the sake of penalty cards; else it is 26."""


def offer_lead_choices(judge: Judgement, line: int) -> None:
    """A trick is about to be led to: ask declarer what the Laws let him choose.

    What he has left free for this lead he is not asked again, when another card is
    exposed before it is made.
    """
    play = judge.state.play
    if play is None or play.ended or play.current.cards or not judge.state.bindings:
        return
    leader = play.current.leader
    if not play.is_defender(leader):
        return
    waived = _waived(play)
    by_call = None
    if waived is None or not waived.by_call:
        by_call = lead_question(judge.state, line, leader)
    offered = (by_call, _for_penalty_cards(judge, line, play, leader))
    wanted = [question for question in offered if question is not None]
    # What he is asked already is asked once, and not of cards that lie there no more.
    for question in judge.state.questions:
        if question.question != LEAD:
            continue
        same = [w for w in wanted if replace(w, line=question.line) == question]
        if same:
            wanted.remove(same[0])
        else:
            judge.close(question)
    for question in wanted:
        judge.ask(question)


def _waived(play: Play) -> Waived | None:
    """What declarer has left free for the lead that is due."""
    waived = play.incidents.waived
    due = (play.number, play.current.leader)
    return waived if waived and (waived.trick, waived.hand) == due else None


def _for_penalty_cards(
    judge: Judgement, line: int, play: Play, leader: Seat
) -> Question | None:
    """50D2, 51B: the leader's partner has major penalty cards."""
    suits = _suits_to_choose(judge, play, leader)
    if not suits:
        return None
    choices = [f"require {suit}" for suit in suits]
    choices += [f"forbid {suit}" for suit in suits]
    if len(suits) > 1:
        choices.append("forbid " + " ".join(suits))
    return Question(
        to=play.declarer,
        question=LEAD,
        law="50D2" if len(suits) == 1 else "51B2",
        line=line,
        seat=leader,
        about=" ".join(suits),
        choices=(*choices, "waive"),
        holds=True,
    )


def _suits_to_choose(judge: Judgement, play: Play, leader: Seat) -> tuple[Suit, ...]:
    """Suits of the partner's major penalty cards, less those left free already."""
    waived = _waived(play)
    gone = waived.suits if waived is not None else frozenset()
    return tuple(s for s in _penalty_suits(judge, leader) if s not in gone)


def _penalty_suits(judge: Judgement, leader: Seat) -> tuple[Suit, ...]:
    """Suits of the major penalty cards of the leader's partner."""
    suits = {
        b.effect.card.suit
        for b in penalty_cards(judge.state, leader.partner)
        if b.effect.card is not None and b.effect.rank == "major"
    }
    return tuple(suit for suit in SUITS if suit in suits)


def open_choices(judge: Judgement) -> list[Question]:
    """Declarer's questions of this kind that are open."""
    return [q for q in judge.state.questions if q.question in {LEAD, PREMATURE}]


def close_choices(judge: Judgement) -> None:
    """Declarer has chosen, or has let the choice go by playing on."""
    for question in open_choices(judge):
        judge.close(question)


def choose(judge: Judgement, line: int, action: Require | Forbid | Waive) -> None:
    """Declarer requires, forbids or waives."""
    play = judge.state.play
    questions = open_choices(judge)
    if play is None or not questions:
        judge.refuse(line, "26", "declarer has nothing to choose now")
        return
    if action.seat is not play.declarer:
        judge.refuse(line, "10C2", "the choice is declarer's")
        return
    if isinstance(action, Waive):
        _leave_free(judge, play, questions)
        return
    if questions[0].question == PREMATURE:
        _choose_premature(judge, line, play, questions[0], action)
        return
    hand = questions[0].seat
    duty = None
    if hand is not None and any(q.law not in _BY_PENALTY_CARD for q in questions):
        duty = _duty_by_call(judge, hand, action)
    if duty is None and hand is not None:
        duty = _duty_by_penalty_card(judge, play, hand, action)
    if duty is None:
        offered = ", ".join(dict.fromkeys(c for q in questions for c in q.choices))
        judge.refuse(line, questions[0].law, f"expected one of: {offered}")
        return
    close_choices(judge)
    if duty.law[:2] in {"50", "51"}:
        _pick_up(judge, line, duty)
    judge.emit(DutySet(duty))
    _undo_premature_lead(judge, line, duty)


def _duty_by_call(
    judge: Judgement, hand: Seat, action: Require | Forbid
) -> Duty | None:
    """Law 26: one suit that the restriction names, in a way that it allows."""
    for binding in lead_options(judge.state, hand):
        suits = binding.effect.suits or ()
        requires = binding.effect.mode == "require_or_forbid"
        if isinstance(action, Require):
            if requires and isinstance(action.what, Suit) and action.what in suits:
                return Duty(hand, DutyKind.REQUIRE, (action.what,), "26A2")
        elif len(action.suits) == 1 and action.suits[0] in suits:
            law = "26A2" if requires else "26B"
            return Duty(hand, DutyKind.FORBID, action.suits, law)
    return None


def _leave_free(judge: Judgement, play: Play, questions: list[Question]) -> None:
    """He requires and forbids nothing; the penalty cards stay (50D2(b), 51B2(c))."""
    hand = questions[0].seat
    if hand is not None and questions[0].question == LEAD:
        asked = {question.law for question in questions}
        cards = asked & _BY_PENALTY_CARD
        before = _waived(play)
        suits = frozenset(_penalty_suits(judge, hand)) if cards else frozenset()
        by_call = bool(asked - cards) or (before is not None and before.by_call)
        if before is not None:
            suits |= before.suits
        judge.emit(LeadLeftFree(Waived(play.number, hand, suits, by_call)))
    close_choices(judge)


def _duty_by_penalty_card(
    judge: Judgement, play: Play, hand: Seat, action: Require | Forbid
) -> Duty | None:
    """50D2(a), 51B: require one suit of a penalty card, or forbid one or more."""
    suits = _suits_to_choose(judge, play, hand)
    several = len(suits) > 1
    if isinstance(action, Require):
        if isinstance(action.what, Suit) and action.what in suits:
            law = "51B2(a)" if several else "50D2(a)"
            return Duty(hand, DutyKind.REQUIRE, (action.what,), law)
        return None
    if action.suits and set(action.suits) <= set(suits):
        law = "51B2(b)" if several else "50D2(a)"
        return Duty(hand, DutyKind.FORBID, action.suits, law)
    return None


def _pick_up(judge: Judgement, line: int, duty: Duty) -> None:
    """50D2(a), 51B: the penalty cards of the suits chosen go back to the hand.

    50E2 (2017): from now on what they told is unauthorised for their owner's partner.
    """
    owner = duty.hand.partner
    for binding in penalty_cards(judge.state, owner):
        card = binding.effect.card
        if card is not None and card.suit in duty.suits:
            judge.emit(Released(binding))
    law = rules_of(judge.state.board.edition).penalty_card_picked_up
    if law is None:
        return
    kind = EffectKind.UNAUTHORISED_INFORMATION
    judge.rule(
        Ruling(
            law=law,
            irregularity="exposed-card",
            offender=owner,
            line=line,
            laws=(duty.law, law),
            effects=(Effect(kind=kind, seat=duty.hand, law=law),),
        )
    )


def _undo_premature_lead(judge: Judgement, line: int, duty: Duty) -> None:
    """A lead made before declarer chose goes back if the choice forbids it (49)."""
    play = judge.state.play
    if play is None or not play.current.cards:
        _release_used(judge, duty.hand)
        return
    led = play.current.cards[0]
    held = play.cards_of(duty.hand)
    cards = (held or frozenset()) | {led.card}
    right = duty.allowed(cards, None)
    complies = (
        led.card in right if held is not None else _may_comply(duty, led.card.suit)
    )
    if not complies:
        forget(judge, play.number, 0)
        judge.emit(CardsWithdrawn(line, play.number, 0, "49"))
        pc = penalty_card(judge, duty.hand, led.card, "major")
        judge.rule(
            Ruling(
                law="49",
                irregularity="premature-lead",
                offender=duty.hand,
                line=line,
                laws=(duty.law, "49", "50B"),
                effects=(pc,),
            ),
            (pc,),
        )
    elif duty.kind is DutyKind.REQUIRE:
        judge.emit(DutySet(None))
    _release_used(judge, duty.hand)


def _may_comply(duty: Duty, suit: Suit) -> bool:
    """Deal unknown: whether a lead of the suit is what the duty asks."""
    return (suit in duty.suits) is (duty.kind is DutyKind.REQUIRE)


def _release_used(judge: Judgement, hand: Seat) -> None:
    """A restriction under Law 26 is for the first turn to lead only."""
    for binding in lead_options(judge.state, hand):
        judge.emit(Released(binding))


def led(judge: Judgement, hand: Seat) -> None:
    """A hand has led: restrictions of its first lead lapse, a requirement is met."""
    play = judge.state.play
    if play is None:
        return
    if not open_choices(judge):
        _release_used(judge, hand)
    duty = play.incidents.duty
    if duty is not None and duty.hand is hand and duty.kind is not DutyKind.FORBID:
        judge.emit(DutySet(None))


def play_went_on(judge: Judgement, hand: Seat) -> None:
    """A hand of declarer's side has played: a choice not made is gone."""
    play = judge.state.play
    if play is None or play.is_defender(hand):
        return
    for question in open_choices(judge):
        if question.question == LEAD and question.seat is not None:
            _release_used(judge, question.seat)
        judge.close(question)


def trick_over(judge: Judgement) -> None:
    """A trick is complete: what bound one play, or a lead now lost, binds no more."""
    play = judge.state.play
    duty = play.incidents.duty if play is not None else None
    if play is None or duty is None:
        return
    if not duty.leads or play.current.leader is not duty.hand:
        judge.emit(DutySet(None))


def offer_premature(judge: Judgement, line: int, offender: Seat) -> None:
    """57A: declarer chooses what the offender's partner has to play.

    2007: the highest or lowest of the suit led, or not a suit that he names; 2017:
    the highest, the lowest, another suit, or not another suit.
    """
    play = judge.state.play
    if play is None:
        return
    led_suit = play.current.suit_led
    highest, _, _, require = rules_of(judge.state.board.edition).premature
    choices = ["require highest", "require lowest"]
    suits = [suit for suit in SUITS if suit is not led_suit or require is None]
    if require is not None:
        choices += [f"require {suit}" for suit in suits]
    choices += [f"forbid {suit}" for suit in suits]
    judge.ask(
        Question(
            to=play.declarer,
            question=PREMATURE,
            law=highest[:3],
            line=line,
            seat=offender.partner,
            about=led_suit or "",
            choices=(*choices, "waive"),
            holds=True,
        )
    )


def _choose_premature(
    judge: Judgement,
    line: int,
    play: Play,
    question: Question,
    action: Require | Forbid,
) -> None:
    """57A: what the offender's partner has to play to this trick; 59 if he cannot."""
    law = rules_of(judge.state.board.edition).premature
    highest, lowest, forbid, require = law
    hand = question.seat
    duty = None
    if hand is None:
        return
    if isinstance(action, Require) and isinstance(action.what, Extreme):
        if action.what is Extreme.HIGHEST:
            duty = Duty(hand, DutyKind.HIGHEST, (), highest, leads=False)
        else:
            duty = Duty(hand, DutyKind.LOWEST, (), lowest, leads=False)
    elif isinstance(action, Require) and isinstance(action.what, Suit):
        if require is not None and action.what is not play.current.suit_led:
            duty = Duty(hand, DutyKind.REQUIRE, (action.what,), require, leads=False)
    elif isinstance(action, Forbid) and len(action.suits) == 1:
        other = action.suits[0] is not play.current.suit_led
        if require is None or other:
            duty = Duty(hand, DutyKind.FORBID, action.suits, forbid, leads=False)
    if duty is None:
        offered = ", ".join(question.choices)
        judge.refuse(line, question.law, f"expected one of: {offered}")
        return
    close_choices(judge)
    judge.emit(DutySet(duty))
