"""A ruling explained: a short text for each seat, and one for the Director.

    told_to_seat(playing, ruling, Seat.SOUTH, words)
    told_to_director(playing, ruling, words)

The displays, the desk and ``bidwire rule`` take their texts from here, each with its
citation. A seat reads what happened and what of it concerns the seat; the Director
reads in addition what the paragraph says and what was assumed.
"""

from laws.rulings import Effect, EffectKind, Ruling
from laws.seats import SEATS, Seat
from referee.assumptions import assumption_in_words
from referee.catalogue import Catalogue
from referee.paragraphs import paragraph_in_words
from referee.playing import Playing
from referee.wording import (
    citation,
    effect_in_words,
    irregularity_in_words,
    outcome_in_words,
)


def told_to_director(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    """The whole ruling: what happened, the paragraph, what follows, what is assumed."""
    edition = playing.state.board.edition
    sentence = paragraph_in_words(ruling.law, edition, words)
    parts = [irregularity_in_words(ruling, None, words), sentence.removesuffix(".")]
    parts += [effect_in_words(effect, None, words) for effect in ruling.effects]
    parts += [
        words.text("Assumed: {assumption}", assumption=assumption_in_words(text, words))
        for text in ruling.assumptions
    ]
    told = ". ".join(part for part in parts if part)
    return f"{told}. ({citation(playing, ruling, words)})"


def told_to_seat(
    playing: Playing,
    ruling: Ruling,
    seat: Seat,
    words: Catalogue,
    *,
    known: tuple[Effect, ...] = (),
) -> str:
    """The ruling as far as it concerns the seat; empty when it does not.

    Args:
        playing: the board.
        ruling: of that board.
        seat: who reads it.
        words: in his language.
        known: effects that he is told of elsewhere, so that they are left out.
    """
    effects = [
        effect
        for effect in ruling.effects
        if _concerns(effect, ruling, seat)
        and not (effect.seat is seat and effect in known)
    ]
    near = seat.side is ruling.offender.side or seat is ruling.offender.lho
    outcome = outcome_in_words(ruling, words) if near else ""
    parts = [outcome] if outcome else []
    parts += [effect_in_words(effect, seat, words) for effect in effects]
    if not parts and seat is not ruling.offender:
        return ""
    told = ". ".join([irregularity_in_words(ruling, seat, words), *parts])
    return f"{told} ({citation(playing, ruling, words)})"


def told_to_seats(
    playing: Playing, ruling: Ruling, words: Catalogue
) -> dict[Seat, str]:
    """The texts of the seats that the ruling concerns."""
    told = {seat: told_to_seat(playing, ruling, seat, words) for seat in SEATS}
    return {seat: text for seat, text in told.items() if text}


def _concerns(effect: Effect, ruling: Ruling, seat: Seat) -> bool:
    match effect.kind:
        case EffectKind.ADJUST_POSSIBLE:
            return False  # for the Director
        case EffectKind.UNAUTHORISED_INFORMATION:
            return effect.seat is seat
        case EffectKind.TRANSFER | EffectKind.LEAD_RESTRICTION:
            return True
        case _:
            return effect.seat is seat or ruling.offender is seat
