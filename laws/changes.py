"""Cards changed because another's was (Laws 45C4b, 47D, 62C).

Decides 62C1 (the innocent side), 62C2 (the offender's partner, after an innocent
player has changed), 45D1 (declarer, after the one at his right has) and 47D (an
innocent player after that partner has).
"""

from laws.cards import Card
from laws.editions import rules_of
from laws.incident_events import ChangesOffered
from laws.incidents import ChangeOption
from laws.judgement import Judgement
from laws.play import PlayedCard
from laws.possession import check_held
from laws.rulings import Effect, EffectKind, Question, Ruling
from laws.seats import Seat
from laws.state import State
from laws.taking_back import (
    fate_of,
    penalty_effects,
    play_last_cards,
    put_instead,
    substitutes,
)


def offer_changes(judge: Judgement, options: tuple[ChangeOption, ...]) -> None:
    """Put the options to those who have them, beside those that are still open."""
    play = judge.state.play
    if play is None or not options:
        return
    judge.emit(ChangesOffered((*play.incidents.changes, *options)))
    for option in options:
        judge.ask(
            Question(
                to=play.player_of(option.hand),
                question="change",
                law=option.law,
                line=option.line,
                seat=option.hand,
                about=option.card,
                choices=("replace", "keep"),
                holds=True,
            )
        )


def close_changes(
    judge: Judgement, line: int, option: ChangeOption | None = None
) -> None:
    """An option has been taken or kept, or (None) play has gone on and all are gone."""
    play = judge.state.play
    if play is None or not play.incidents.changes:
        return
    left = tuple(
        o for o in play.incidents.changes if option is not None and o != option
    )
    judge.emit(ChangesOffered(left))
    for question in judge.state.questions:
        if question.question == "change" and not _is_open(left, question):
            judge.close(question)
    if not left:
        play_last_cards(judge, line)


def _is_open(options: tuple[ChangeOption, ...], question: Question) -> bool:
    asked = (question.seat, question.about, question.law)
    return any((o.hand, o.card, o.law) == asked for o in options)


def keep_card(judge: Judgement, line: int, hand: Seat) -> None:
    """A player keeps a card that he might have changed (62C); declarer dummy's too."""
    options = _options_of(judge.state, hand) or _options_by(judge.state, hand)
    if not options:
        judge.refuse(line, "62C", f"{hand} has been offered no change")
        return
    close_changes(judge, line, options[0])


def _options_of(state: State, hand: Seat) -> tuple[ChangeOption, ...]:
    """A hand's options; two when it had also led to the next trick."""
    play = state.play
    options = play.incidents.changes if play is not None else ()
    return tuple(option for option in options if option.hand is hand)


def _options_by(state: State, player: Seat) -> tuple[ChangeOption, ...]:
    """The options on cards of the hand that a player plays for another: dummy's."""
    play = state.play
    options = play.incidents.changes if play is not None else ()
    return tuple(o for o in options if play and play.player_of(o.hand) is player)


def change_card(judge: Judgement, line: int, hand: Seat, card: Card) -> None:
    """Laws 62C1, C2 and 47D: a player takes back a card played after another's.

    With two cards to change the one meant is the first that the new card may replace.
    """
    options = _options_of(judge.state, hand)
    if not options:
        judge.refuse(line, "62C", f"{hand} has been offered no change")
        return
    same = [option for option in options if option.card is card]
    if same:
        close_changes(judge, line, same[0])
        return
    check_held(judge.state, hand, card)
    fitting = [o for o in options if _may_replace(judge.state, o, card)]
    if not fitting:
        legal = " ".join(substitutes(judge.state, hand, options[0].trick))
        judge.refuse(line, "44C", f"expected a legal card ({legal}), got {card}")
        return
    _change(judge, line, fitting[0], card)


def _change(judge: Judgement, line: int, option: ChangeOption, card: Card) -> None:
    """The card goes back; what that lets others do, and what it tells whom."""
    play = judge.state.play
    trick = play.trick_at(option.trick) if play is not None else None
    place = trick.place_of(option.hand) if trick is not None else None
    if trick is None or place is None:
        return
    by = PlayedCard(line, option.hand, card)
    put_instead(judge, option.trick, by, option.law)
    if option.hand.side is not option.offender.side:
        effects = told_to_offenders(judge, option.offender)
        later = _option_of_partner(judge, line, option, place)
    else:
        effects = fate_of(judge, trick.cards[place])
        later = _options_after_partner(judge, line, option, place)
    effects += [
        Effect(kind=EffectKind.MAY_CHANGE, seat=o.hand, card=o.card) for o in later
    ]
    judge.rule(
        Ruling(
            law=option.law,
            irregularity="card-changed",
            offender=option.offender,
            line=line,
            laws=tuple(dict.fromkeys((option.law, *(o.law for o in later)))),
            effects=tuple(effects),
        ),
        penalty_effects(effects),
    )
    _drop_withdrawn_options(judge)
    offer_changes(judge, later)
    close_changes(judge, line, option)


def _may_replace(state: State, option: ChangeOption, card: Card) -> bool:
    """Whether the card may lie in the place of the option's."""
    play = state.play
    trick = play.trick_at(option.trick) if play is not None else None
    if play is None or trick is None:
        return False
    if play.held is not None:
        return card in substitutes(state, option.hand, option.trick)
    led = trick.suit_led if trick.place_of(option.hand) else None
    # Who followed suit can do so again; the rest of the hand is not known.
    return led is None or card.suit is led or option.card.suit is not led


def _drop_withdrawn_options(judge: Judgement) -> None:
    """Options on cards that have gone back with a trick are none any more."""
    play = judge.state.play
    if play is None:
        return
    for option in play.incidents.changes:
        trick = play.trick_at(option.trick)
        if trick is None or trick.card_from(option.hand) is None:
            left = tuple(o for o in play.incidents.changes if o is not option)
            judge.emit(ChangesOffered(left))
            for question in judge.state.questions:
                if (question.question, question.seat) == ("change", option.hand):
                    judge.close(question)


def told_to_offenders(judge: Judgement, offender: Seat) -> list[Effect]:
    """What an innocent player's withdrawn card tells may not be used by offenders.

    2007 16D2, 2017 16C2; dummy has no use for it.
    """
    play = judge.state.play
    law = rules_of(judge.state.board.edition).withdrawn_information
    return [
        Effect(kind=EffectKind.UNAUTHORISED_INFORMATION, seat=seat, law=law)
        for seat in offender.side.seats
        if play is not None and seat is not play.dummy
    ]


def _option_of_partner(
    judge: Judgement, line: int, option: ChangeOption, place: int
) -> tuple[ChangeOption, ...]:
    """62C2: the offender's partner, if he played after the innocent player.

    45D1: declarer, if the innocent player is the one at his right.
    """
    play = judge.state.play
    trick = play.trick_at(option.trick) if play is not None else None
    partner = option.offender.partner
    by_dummy = option.law == "45D1"
    if trick is None or option.law not in {"62C1", "47D", "45D1"}:
        return ()
    if by_dummy and option.hand is not partner.rho:
        return ()
    law = "45D1" if by_dummy else "62C2"
    return tuple(
        ChangeOption(line, p.hand, option.trick, p.card, law, option.offender)
        for p in trick.cards[place + 1 :]
        if p.hand is partner
    )


def _options_after_partner(
    judge: Judgement, line: int, option: ChangeOption, place: int
) -> tuple[ChangeOption, ...]:
    """47D: an innocent player who had played after the offender's partner changed."""
    play = judge.state.play
    trick = play.trick_at(option.trick) if play is not None else None
    if play is None or trick is None:
        return ()
    open_to = {o.hand for o in play.incidents.changes}
    return tuple(
        ChangeOption(line, p.hand, option.trick, p.card, "47D", option.offender)
        for p in trick.cards[place + 1 :]
        if p.hand.side is not option.offender.side and p.hand not in open_to
    )
