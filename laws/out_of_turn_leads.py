"""Leads out of turn (Laws 53 to 56, 58A, 60B, 60C).

Decides 53 (acceptance), 54 (a faced opening lead out of turn), 55 (declarer's lead),
56 (a defender's), 58A (two at once), 60B and 60C. A lead out of turn waits in the state
until those who have a choice have made it, by word or by playing.
"""

from dataclasses import replace

from laws.actions import Word
from laws.board import IrregularCallPolicy
from laws.card_play import play_card
from laws.cards import Card
from laws.duties import penalty_cards
from laws.effects import adjustable, rules
from laws.incident_events import LeadRetracted, WrongPlaySet
from laws.incidents import WrongKind, WrongPlay
from laws.judgement import Judgement
from laws.lead_choices import offer_lead_choices
from laws.penalty_cards import penalty_card
from laws.play import Play, PlayedCard
from laws.play_events import CardShown, DeclarerChanged, LeadAccepted
from laws.premature_plays import declarer_chooses, judge_premature, rule_out_of_turn
from laws.revokes import establish, establish_no_more, prove_lapses
from laws.rulings import Effect, EffectKind, Given, Question
from laws.seats import Seat


def put_card(
    judge: Judgement, line: int, hand: Seat, card: Card, *, simultaneous: bool = False
) -> None:
    """A card from a hand, in turn or not."""
    play = judge.state.play
    if play is None:
        return
    played = PlayedCard(line, hand, card)
    wrong = play.incidents.wrong
    if wrong is not None and wrong.kind is WrongKind.NOT_THE_PENALTY_CARD:
        if play.is_defender(hand):
            judge.refuse(line, "52B1", "declarer has to accept or refuse first")
            return
        wrong = None
    if judge.state.questions and play.is_defender(hand) and declarer_chooses(judge):
        judge.refuse(line, "57A", "declarer has to choose first")
    elif wrong is not None:
        _while_one_waits(judge, wrong, played, simultaneous=simultaneous)
    elif play.current.next_hand() is hand:
        play_card(judge, line, hand, card)
    elif not refuse_out_of_turn(judge, line, hand):
        judge.emit(CardShown(hand, card))
        prove_lapses(judge, line, hand, card)
        judge_there = judge_premature if play.current.cards else _lead_out_of_turn
        judge_there(judge, line, judge.state.play or play, hand, card)


def refuse_out_of_turn(judge: Judgement, line: int, hand: Seat) -> bool:
    """Policy ``prevent``: a card of a hand whose turn it is not is refused (44)."""
    play = judge.state.play
    policy = judge.state.board.policies.out_of_turn
    if play is None or policy is not IrregularCallPolicy.PREVENT:
        return False
    turn = play.current.next_hand()
    if turn is hand:
        return False
    judge.refuse(line, "44", f"it is the turn of {turn}")
    return True


def _lead_out_of_turn(
    judge: Judgement, line: int, play: Play, hand: Seat, card: Card
) -> None:
    """53, 54, 55: a lead out of turn is put to those who may accept it.

    It is a lead to the trick, so it establishes the side's revokes (63A1).
    """
    establish(judge, hand, "63A1", play.number)
    opening = play.number == 1
    if play.is_defender(hand) and play.incidents.retracted == play.number:
        # 60B: declarer, told to retract, has yet to lead from the right hand.
        effect = penalty_card(judge, hand, card, "major")
        rule_out_of_turn(judge, line, hand, ("60B", "50B"), (effect,))
        return
    if opening and not play.is_defender(hand):
        rule_out_of_turn(judge, line, hand, ("54E", "24"))
        return
    kind = WrongKind.OPENING_LEAD if opening else WrongKind.LEAD
    wrong = WrongPlay(line, hand, card, kind, play.number)
    judge.emit(WrongPlaySet(wrong))
    if play.number == 13 and not rules(judge).last_lead_acceptable:
        _retract(judge, line, wrong)
        return
    if not play.is_defender(hand):
        choices = _open_to(judge, wrong, ("accept", "decline"))
        for seat in hand.side.other.seats:
            _ask(judge, wrong, seat, "55A", choices)
        return
    restrictions: tuple[str, ...] = ()
    if hand.partner is play.current.leader:
        restrictions = (f"require {card.suit}", f"forbid {card.suit}")
    spread = ("spread",) if opening else ()
    choices = _open_to(judge, wrong, (*spread, "accept", "decline", *restrictions))
    _ask(judge, wrong, play.declarer, "54" if opening else "53A", choices)


def _open_to(
    judge: Judgement, wrong: WrongPlay, choices: tuple[str, ...]
) -> tuple[str, ...]:
    """The choices that the Director's word leaves (47E1, 54C)."""
    if _misled(judge, wrong):
        return ("decline",)
    if not _must_accept(judge, wrong):
        return choices
    # 2017: presumed declarer plays the hand; before, he may accept by spreading it.
    plays = rules(judge).must_accept_and_play
    return ("accept",) if plays else ("spread", "accept")


def _ask(
    judge: Judgement, wrong: WrongPlay, to: Seat, law: str, choices: tuple[str, ...]
) -> None:
    judge.ask(
        Question(
            to=to,
            question="accept",
            law=law,
            line=wrong.line,
            seat=wrong.hand,
            about=wrong.card,
            choices=choices,
            holds=True,
        )
    )


def _close(judge: Judgement, wrong: WrongPlay) -> None:
    judge.emit(WrongPlaySet(None))
    for question in judge.state.questions:
        if question.question == "accept" and question.line == wrong.line:
            judge.close(question)


def _told_to(judge: Judgement, partner: Seat) -> Effect:
    """What a defender's withdrawn card tells his partner is unauthorised."""
    kind = EffectKind.UNAUTHORISED_INFORMATION
    return Effect(kind=kind, seat=partner, law=rules(judge).withdrawn_information)


def _said(judge: Judgement, word: Word, wrong: WrongPlay, law: str) -> Given | None:
    """The Director's word on the card, if he has said it unasked."""
    question = Question(
        to=None, question=word, law=law, line=wrong.line, seat=wrong.hand
    )
    return judge.said(word, question)


def _misled(judge: Judgement, wrong: WrongPlay) -> bool:
    """47E1: an opponent told him that it was his turn."""
    given = _said(judge, Word.MISLED, wrong, "47E1")
    return given is not None and given.answer is True


def _must_accept(judge: Judgement, wrong: WrongPlay) -> bool:
    """54C: declarer could have seen a card of dummy."""
    if wrong.kind is not WrongKind.OPENING_LEAD:
        return False
    given = _said(judge, Word.COULD_SEE, wrong, "54C")
    return given is not None and given.answer is True


def accept_lead(judge: Judgement, line: int, seat: Seat) -> None:
    """53A, 54B, 55A: the lead stands, and play goes on from it."""
    wrong = _entitled(judge, line, seat)
    if wrong is None:
        return
    if _misled(judge, wrong):
        judge.refuse(line, "47E1", "the lead is taken back, it cannot be accepted")
        return
    opening = wrong.kind is WrongKind.OPENING_LEAD
    _accept(judge, line, wrong, "54B" if opening else "53A")


def _entitled(judge: Judgement, line: int, seat: Seat) -> WrongPlay | None:
    """The lead that awaits the seat's word; None and a refusal when none does."""
    play = judge.state.play
    wrong = play.incidents.wrong if play is not None else None
    if play is None or wrong is None:
        judge.refuse(line, "53A", "nothing awaits acceptance")
        return None
    if play.is_defender(wrong.hand):
        fitting = seat is play.declarer
    else:
        fitting = play.is_defender(seat)
    if not fitting:
        judge.refuse(line, "10C2", f"the choice is not {seat}'s")
        return None
    return wrong


def _accept(
    judge: Judgement, line: int, wrong: WrongPlay, law: str, *, played: bool = False
) -> None:
    """The lead stands.

    By playing to it the other side has let its rights go (60A2), but not those that it
    had before: the offenders' penalty cards and restrictions remain (60A3).
    """
    _close(judge, wrong)
    play = judge.state.play
    laws = [law, "53A"]
    if play is not None and not play.is_defender(wrong.hand):
        laws.append("55A")
    if played:
        laws.append("60A2")
        laws += ["60A3"] if _is_under_an_obligation(judge, wrong.hand) else []
    rule_out_of_turn(judge, line, wrong.hand, tuple(dict.fromkeys(laws)))
    judge.emit(LeadAccepted(wrong.hand))
    play_card(judge, wrong.line, wrong.hand, wrong.card)


def _is_under_an_obligation(judge: Judgement, hand: Seat) -> bool:
    """Whether a penalty card, or a lead restriction, binds the hand's side."""
    play = judge.state.play
    duty = play.incidents.duty if play is not None else None
    kinds = {EffectKind.PENALTY_CARD, EffectKind.LEAD_RESTRICTION}
    return (duty is not None and duty.hand.side is hand.side) or any(
        b.effect.kind in kinds
        and b.effect.seat is not None
        and b.effect.seat.side is hand.side
        for b in judge.state.bindings
    )


def spread_hand(judge: Judgement, line: int, seat: Seat, wrong: WrongPlay) -> None:
    """54A: presumed declarer spreads his hand and becomes dummy."""
    play = judge.state.play
    if play is None or seat is not play.declarer:
        judge.refuse(line, "54A", "only presumed declarer may spread his hand")
        return
    if _misled(judge, wrong):
        judge.refuse(line, "47E1", "the lead is taken back, it cannot be accepted")
        return
    if _must_accept(judge, wrong) and rules(judge).must_accept_and_play:
        judge.refuse(line, "54C", "declarer could have seen a card of dummy")
        return
    judge.emit(DeclarerChanged(seat.partner))
    _accept(judge, line, wrong, "54A")


def decline_lead(judge: Judgement, line: int, seat: Seat) -> None:
    """54D, 55A, 56: the lead is retracted.

    Of two defenders who differ about declarer's lead the one next in turn to it
    decides (55A); the other's word waits for his.
    """
    wrong = _entitled(judge, line, seat)
    play = judge.state.play
    if wrong is None or play is None:
        return
    if _must_accept(judge, wrong):
        judge.refuse(line, "54C", "declarer could have seen a card of dummy")
        return
    decides = seat is wrong.hand.lho or _misled(judge, wrong)
    if play.is_defender(seat) and not decides:
        waiting = replace(wrong, declined=wrong.declined | {seat})
        judge.emit(WrongPlaySet(waiting))
        for question in judge.state.questions:
            if question.question == "accept" and question.to is seat:
                judge.close(question)
        return
    _retract(judge, line, wrong)


def _retract(judge: Judgement, line: int, wrong: WrongPlay) -> None:
    """The card goes back; a defender's becomes a major penalty card (54D, 56)."""
    play = judge.state.play
    _close(judge, wrong)
    if play is None:
        return
    hand = wrong.hand
    if _misled(judge, wrong):
        rule_out_of_turn(judge, line, hand, ("47E1",))
        if not rules(judge).misled_establishes:
            establish_no_more(judge, hand)
        return
    if not play.is_defender(hand):
        own = play.current.leader.side is hand.side
        if own:
            judge.emit(LeadRetracted(play.number))
        law = "55B2" if own else "55B1"
        # 55C: a line of his that may rest on what the card told him.
        effects = (adjustable("55C"),)
        rule_out_of_turn(judge, line, hand, (law, "55A", "55C"), effects)
        return
    law = "54D" if wrong.kind is WrongKind.OPENING_LEAD else "56"
    effect = penalty_card(judge, hand, wrong.card, "major")
    told = _told_to(judge, hand.partner)
    rule_out_of_turn(judge, line, hand, (law, "50B", "50D"), (effect, told))
    offer_lead_choices(judge, line)


def _while_one_waits(
    judge: Judgement, wrong: WrongPlay, played: PlayedCard, *, simultaneous: bool
) -> None:
    """A card while a lead out of turn awaits its fate."""
    play = judge.state.play
    if play is None:
        return
    line, hand, card = played.line, played.hand, played.card
    rightful = play.current.next_hand()
    if hand is rightful and (simultaneous or hand.side is not wrong.hand.side):
        _rightful_lead(judge, wrong, played, simultaneous=simultaneous)
    elif hand is wrong.hand.lho and not _misled(judge, wrong):
        _accept(judge, line, wrong, "53A", played=True)
        put_card(judge, line, hand, card)
    elif (
        play.is_defender(hand) and hand is wrong.hand.rho and not _misled(judge, wrong)
    ):
        # The lead stands, and the defender has played before his partner (57).
        _accept(judge, line, wrong, rules(judge).right_defender, played=True)
        put_card(judge, line, hand, card)
    elif hand is rightful and wrong.declined:
        _retract(judge, line, wrong)
        put_card(judge, line, hand, card)
    elif play.is_defender(hand) and _is_another_card(judge, wrong, card):
        _before_ruling(judge, line, hand, card)
    else:
        judge.refuse(line, "9B2", f"the lead of {wrong.card} awaits a decision")


def _is_another_card(judge: Judgement, wrong: WrongPlay, card: Card) -> bool:
    """Whether a defender's card does not lie there already, as his side's lead does."""
    play = judge.state.play
    faced = {b.effect.card for b in penalty_cards(judge.state)} | {wrong.card}
    return play is not None and play.is_defender(wrong.hand) and card not in faced


def _before_ruling(judge: Judgement, line: int, hand: Seat, card: Card) -> None:
    """60C: the offending side plays on; the choice remains, the card is a penalty card.

    Played before a ruling it has been seen (49), and on purpose (50B).
    """
    judge.emit(CardShown(hand, card))
    prove_lapses(judge, line, hand, card)
    effect = penalty_card(judge, hand, card, "major")
    rule_out_of_turn(judge, line, hand, ("60C", "49", "50B"), (effect,))


def _rightful_lead(
    judge: Judgement, wrong: WrongPlay, played: PlayedCard, *, simultaneous: bool
) -> None:
    """53C (2007), 53B (2017): whose lead it was leads; the wrong card just goes back.

    58A: of two led at once the other comes after the legal one.
    """
    _close(judge, wrong)
    line = played.line
    if simultaneous:
        rule_out_of_turn(judge, line, wrong.hand, ("58A",))
        play_card(judge, line, played.hand, played.card)
        put_card(judge, wrong.line, wrong.hand, wrong.card)
        return
    play = judge.state.play
    partner = wrong.hand.partner
    effects: tuple[Effect, ...] = ()
    if play is not None and play.is_defender(partner):
        effects = (_told_to(judge, partner),)
    rule_out_of_turn(judge, line, wrong.hand, (rules(judge).rightful_lead,), effects)
    play_card(judge, line, played.hand, played.card)
