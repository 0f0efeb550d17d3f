"""What binds a seat now, and what it has to wait for, in words."""

from collections.abc import Iterator

from laws.actions import Word
from laws.auction_state import Due, DueKind, OpenOption, OptionKind, Position
from laws.board import Edition
from laws.incidents import Duty, DutyKind, WrongKind
from laws.play import Play
from laws.rulings import EffectKind
from laws.seats import Seat
from laws.state import Binding
from referee.catalogue import Catalogue, noted
from referee.names import call_name, seat_name, suit_names
from referee.playing import Playing
from referee.wording import cited, effect_in_words

CALL_AGAIN: dict[Edition, str] = {
    Edition.LAWS_2007: noted("Your {call} is cancelled: make any legal call"),
    Edition.LAWS_2017: noted(
        "Your {call} is cancelled: make any legal call. If it is not comparable, your "
        "partner must pass once"
    ),
}

REPEAT_DENOMINATION = noted(
    "Your {call} is cancelled. Repeat its denomination: partner passes once. "
    "Otherwise: partner passes for the rest of the auction"
)

WAIT_FOR_RHO = noted(
    "Your {call} is cancelled. Wait: if {seat} passes you must repeat it"
)

CORRECT_BID: dict[Edition, str] = {
    Edition.LAWS_2007: noted(
        "Correct your {call}: the lowest sufficient bid in the same denomination, or "
        "one of the same meaning; otherwise partner must pass for the rest of the "
        "auction"
    ),
    Edition.LAWS_2017: noted(
        "Correct your {call}: the lowest sufficient bid in the same denomination, or "
        "a comparable call; otherwise partner must pass for the rest of the auction"
    ),
}

CORRECT_BARRED = noted("Correct your {call}. Your partner must pass from now on")


def duties_of(playing: Playing, seat: Seat, words: Catalogue) -> Iterator[str]:
    """What a seat must or may not do, most pressing first."""
    for binding in playing.state.bindings:
        if binding.effect.seat is seat and binding.effect.kind in _DUTIES:
            yield _bound_in_words(playing, binding, words)
    for due in playing.state.auction.dues:
        if due.seat is seat and due.kind is not DueKind.RESTRICTION:
            yield _due_in_words(playing, due, words)
    play = playing.state.play
    if play is not None and play.incidents.duty is not None:
        duty = play.incidents.duty
        if duty.hand is seat:
            told = _duty_in_words(duty, words)
            yield f"{told} ({cited(duty.law, playing, words)})"


_DUTIES = frozenset(
    {
        EffectKind.MUST_PASS,
        EffectKind.MUST_REPEAT,
        EffectKind.MAY_NOT,
        EffectKind.PENALTY_CARD,
    }
)
"""Effects that a seat is reminded of while they bind. A question tells of the rest."""


def _bound_in_words(playing: Playing, binding: Binding, words: Catalogue) -> str:
    effect = binding.effect
    turn = playing.state.auction.turn
    if effect.kind is EffectKind.MUST_PASS and turn is effect.seat:
        told = words.text("You must pass now")
    else:
        told = effect_in_words(effect, effect.seat, words)
    return f"{told} ({cited(binding.law, playing, words)})"


def _due_in_words(playing: Playing, due: Due, words: Catalogue) -> str:
    edition = playing.state.board.edition
    call = call_name(due.withdrawn.call, words)
    if due.kind is DueKind.REPLACES_INSUFFICIENT:
        source = CORRECT_BARRED if due.barred else CORRECT_BID[edition]
    elif due.position is Position.RHO and not due.rho_acted:
        source = WAIT_FOR_RHO
    elif edition is Edition.LAWS_2007 and due.rho_acted:
        source = REPEAT_DENOMINATION
    else:
        source = CALL_AGAIN[edition]
    told = words.text(source, call=call, seat=seat_name(due.seat.rho, words))
    return f"{told} ({cited(due.ruling[1], playing, words)})"


def _duty_in_words(duty: Duty, words: Catalogue) -> str:
    suits = suit_names(duty.suits, words)
    match duty.kind:
        case DutyKind.REQUIRE:
            return words.text("Declarer requires {suits}", suits=suits)
        case DutyKind.FORBID:
            return words.text("Declarer forbids {suits}", suits=suits)
        case DutyKind.HIGHEST:
            return words.text("Declarer requires your highest card of the suit led")
        case DutyKind.LOWEST:
            return words.text("Declarer requires your lowest card of the suit led")
        case DutyKind.CARD:
            return words.text("Declarer requires {card}", card=duty.card)


def waits_of(playing: Playing, seat: Seat, words: Catalogue) -> Iterator[str]:
    """What a seat has to do, or leave alone, while others decide."""
    for question in playing.asked(None):
        if question.question == Word.UNINTENDED.value and question.seat is seat:
            yield words.text("Was it a slip, never meant? Tell the Director alone")
    for option in playing.state.auction.options[-1:]:
        yield from _while_open(option, seat, words)
    play = playing.state.play
    if play is None:
        return
    yield from _while_wrong(play, seat, words)
    claim = play.incidents.claim
    if claim is not None and not claim.settled and claim.seat is seat:
        yield words.text(
            "You claim {tricks} of {remaining} tricks: state how you play on",
            tricks=claim.tricks,
            remaining=claim.remaining,
        )
    designated = play.incidents.designated
    if (
        designated is not None
        and seat is play.dummy
        and designated.trick == play.number
        and not play.current.card_from(seat)
    ):
        yield words.text("Declarer calls {card}", card=designated.named)


def _while_open(option: OpenOption, seat: Seat, words: Catalogue) -> Iterator[str]:
    if option.made.seat is seat:
        call, lho = call_name(option.made.call, words), seat_name(seat.lho, words)
        if option.kind is OptionKind.OUT_OF_ROTATION:
            yield words.text(
                "Your {call} was out of turn: wait for {seat}", call=call, seat=lho
            )
        elif option.kind is OptionKind.INSUFFICIENT:
            yield words.text(
                "Your {call} is insufficient: wait for {seat}", call=call, seat=lho
            )
        else:
            yield words.text(
                "Your second call counts only if {seat} accepts it: wait", seat=lho
            )
    elif option.turn is seat and seat is not option.made.seat.lho:
        yield words.text("It is your turn: wait, then call normally")


def _while_wrong(play: Play, seat: Seat, words: Catalogue) -> Iterator[str]:
    """A card out of turn lies on the table."""
    wrong = play.incidents.wrong
    if wrong is None:
        return
    defender = play.is_defender(wrong.hand)
    if play.player_of(wrong.hand) is seat:
        if defender:
            yield words.text("Leave {card} faced and wait", card=wrong.card)
        else:
            yield words.text("{card} was led out of turn: wait", card=wrong.card)
    elif wrong.hand.partner is seat and defender:
        if wrong.kind is WrongKind.OPENING_LEAD:
            yield words.text("Do not lead; take a face-down card back")
        else:
            yield words.text("Wait for declarer")
    elif seat is play.dummy and wrong.kind is WrongKind.OPENING_LEAD:
        yield words.text("Do not spread your hand yet")


def declarer_is_choosing(playing: Playing, seat: Seat, words: Catalogue) -> str | None:
    """What a defender is told while declarer has a choice about his card."""
    play = playing.state.play
    if play is None:
        return None
    for question in playing.asked(play.declarer):
        if question.seat is seat and question.question == "lead":
            return words.text("Wait for declarer, then lead")
        if question.seat is seat and question.question == "premature":
            return words.text("Wait for declarer, then play")
    return None
