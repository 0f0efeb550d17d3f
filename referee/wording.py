"""Rulings in words, with their citation, in the language of the reader.

To the seat that an effect binds it says "you"; to all others it names the seat.
"""

from laws.rulings import Binding, Effect, EffectKind, LeadMode, Ruling, Scope
from laws.seats import Seat
from referee.assumptions import assumption_in_words
from referee.catalogue import Catalogue, noted
from referee.names import call_name, seat_name, side_name, suit_names
from referee.playing import Playing

IRREGULARITIES: dict[str, tuple[str, str]] = {
    "call-out-of-turn": (
        noted("{seat} called out of turn"),
        noted("You called out of turn"),
    ),
    "insufficient-bid": (
        noted("{seat} made an insufficient bid"),
        noted("Your bid was insufficient"),
    ),
    "change-of-call": (
        noted("{seat} changed a call"),
        noted("You changed your call"),
    ),
    "unintended-call": (
        noted("{seat} made an unintended call"),
        noted("Your call was unintended"),
    ),
    "inadmissible-double": (
        noted("{seat} made an inadmissible double or redouble"),
        noted("Your double or redouble was inadmissible"),
    ),
    "call-by-barred-player": (
        noted("{seat} called though he had to pass"),
        noted("You called though you had to pass"),
    ),
    "call-after-auction": (
        noted("{seat} called after the auction"),
        noted("You called after the auction"),
    ),
    "exposed-card": (
        noted("{seat} exposed a card"),
        noted("You exposed a card"),
    ),
    "premature-lead": (
        noted("{seat} led or played too early"),
        noted("You led or played too early"),
    ),
    "lead-out-of-turn": (
        noted("{seat} led out of turn"),
        noted("You led out of turn"),
    ),
    "play-out-of-turn": (
        noted("{seat} played out of turn"),
        noted("You played out of turn"),
    ),
    "penalty-card-not-played": (
        noted("{seat} did not play a penalty card"),
        noted("You did not play your penalty card"),
    ),
    "uncalled-card": (
        noted("Dummy moved a card that was not called"),
        noted("You moved a card that was not called"),
    ),
    "change-of-designation": (
        noted("{seat} changed the card called from dummy"),
        noted("You changed the card called from dummy"),
    ),
    "card-changed": (
        noted("A card was changed after {seat}'s irregularity"),
        noted("A card was changed after your irregularity"),
    ),
    "missing-card": (
        noted("{seat} contributed no card to a trick"),
        noted("You contributed no card to a trick"),
    ),
    "extra-card": (
        noted("{seat} played two cards to a trick"),
        noted("You played two cards to a trick"),
    ),
    "revoke": (noted("{seat} revoked"), noted("You revoked")),
    "no-revoke": (noted("{seat} did not revoke"), noted("You did not revoke")),
    "concession": (
        noted("{seat}'s concession is void"),
        noted("Your concession is void"),
    ),
    "contested-claim": (
        noted("{seat}'s claim is contested"),
        noted("Your claim is contested"),
    ),
    "claim-void": (noted("{seat}'s claim is void"), noted("Your claim is void")),
    "misinformation": (
        noted("{seat} gave misinformation"),
        noted("You gave misinformation"),
    ),
    "wrong-board": (
        noted("{seat} called on cards from a wrong board"),
        noted("You called on cards from a wrong board"),
    ),
    "action-before-director": (
        noted("A side gained after {seat}'s irregularity, the Laws not being known"),
        noted("A side gained after your irregularity, the Laws not being known"),
    ),
    "dummy-suggests": (
        noted("Dummy touched a card that was not called"),
        noted("You touched a card that was not called"),
    ),
    "dummy-warns": (
        noted("Dummy warned declarer of the wrong hand"),
        noted("You warned declarer of the wrong hand"),
    ),
    "simultaneous-calls": (
        noted("{seat} called at the same moment as another"),
        noted("You called at the same moment as another"),
    ),
}
"""What happened: told of a seat, and told to it."""

CHANGE_ALLOWED = noted("The change is allowed")

OUTCOMES: dict[str, str] = {
    "27A1": noted("Accepted: the bid stands"),
    "28A": noted("That was in rotation"),
    "28B": noted("The call is cancelled; nothing else follows"),
    "29A": noted("Accepted: the call stands"),
    "43B2(a)": noted("Either defender chooses the hand that leads"),
    "47E2(a)": CHANGE_ALLOWED,
    "53A": noted("Accepted: the lead stands"),
    "54B": noted("Accepted: the lead stands"),
    "55A": noted("Accepted: the lead stands"),
}
"""What follows from rulings that rectify nothing."""


def citation(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    """The paragraph as people cite it: ``Law 31A2(b), 2007``."""
    return cited(ruling.law, playing, words)


def cited(law: str, playing: Playing, words: Catalogue) -> str:
    """A paragraph with the edition that the event plays by."""
    edition = playing.state.board.edition
    return words.text("Law {law}, {edition}", law=law, edition=edition)


def binding_in_words(binding: Binding, playing: Playing, words: Catalogue) -> str:
    """What binds, as a sentence with its citation."""
    effect = effect_in_words(binding.effect, None, words)
    return f"{effect}. ({cited(binding.law, playing, words)})"


def irregularity_in_words(ruling: Ruling, reader: Seat | None, words: Catalogue) -> str:
    """What happened, told to a reader (None: to everyone)."""
    told = IRREGULARITIES.get(ruling.irregularity)
    if told is None:
        what = ruling.irregularity.replace("-", " ")
        return f"{seat_name(ruling.offender, words)}: {what}"
    of_seat, to_seat = told
    if reader is ruling.offender:
        return words.text(to_seat)
    return words.text(of_seat, seat=seat_name(ruling.offender, words))


def outcome_in_words(ruling: Ruling, words: Catalogue) -> str:
    """What follows from a ruling that rectifies nothing; empty for the others."""
    if (ruling.law, ruling.irregularity) == ("25A1", "unintended-call"):
        return words.text(CHANGE_ALLOWED)
    outcome = OUTCOMES.get(ruling.law)
    return words.text(outcome) if outcome is not None else ""


def ruling_in_words(playing: Playing, ruling: Ruling, words: Catalogue) -> str:
    """A whole ruling for everyone: what happened, what follows, the citation."""
    parts = [irregularity_in_words(ruling, None, words)]
    parts += [told for told in [outcome_in_words(ruling, words)] if told]
    parts += [effect_in_words(effect, None, words) for effect in ruling.effects]
    parts += [
        words.text("Assumed: {assumption}", assumption=assumption_in_words(text, words))
        for text in ruling.assumptions
    ]
    return f"{'. '.join(parts)}. ({citation(playing, ruling, words)})"


def effect_in_words(effect: Effect, reader: Seat | None, words: Catalogue) -> str:  # noqa: C901, PLR0911, PLR0912 - one line a kind of effect
    """What follows, told to a reader (None: to everyone)."""
    you = reader is not None and effect.seat is reader
    seat = seat_name(effect.seat, words) if effect.seat is not None else ""
    match effect.kind:
        case EffectKind.MUST_PASS:
            return must_pass_in_words(effect, you=you, seat=seat, words=words)
        case EffectKind.MUST_REPEAT:
            call = call_name(effect.call, words) if effect.call is not None else ""
            if you:
                return words.text("You must repeat {call}", call=call)
            return words.text("{seat} must repeat {call}", seat=seat, call=call)
        case EffectKind.MAY_NOT:
            calls = ", ".join(call_name(call, words) for call in effect.calls or ())
            if you:
                return words.text("You may not {calls} at this turn", calls=calls)
            return words.text(
                "{seat} may not {calls} at this turn", seat=seat, calls=calls
            )
        case EffectKind.LEAD_RESTRICTION:
            return _lead_in_words(effect, seat, words)
        case EffectKind.PENALTY_CARD:
            return penalty_card_in_words(effect, you=you, seat=seat, words=words)
        case EffectKind.MUST_CORRECT:
            if you:
                return words.text(
                    "Put a legal card in place of yours in trick {trick}",
                    trick=effect.trick,
                )
            return words.text(
                "{seat} must correct trick {trick}", seat=seat, trick=effect.trick
            )
        case EffectKind.MAY_CHANGE:
            if you:
                return words.text("You may change {card}", card=effect.card)
            return words.text("{seat} may change {card}", seat=seat, card=effect.card)
        case EffectKind.TRANSFER:
            side = side_name(effect.to, words) if effect.to is not None else ""
            return words.texts(
                "{count} trick to {side}",
                "{count} tricks to {side}",
                effect.tricks or 0,
                side=side,
            )
        case EffectKind.UNAUTHORISED_INFORMATION:
            law = effect.law
            if you:
                return words.text("Do not use what was withdrawn (Law {law})", law=law)
            return words.text(
                "{seat} may not use what was withdrawn (Law {law})", seat=seat, law=law
            )
        case EffectKind.ADJUST_POSSIBLE:
            return words.text(
                "The Director may adjust the score (Law {law})", law=effect.law
            )


def must_pass_in_words(
    effect: Effect, *, you: bool, seat: str, words: Catalogue
) -> str:
    """An enforced pass."""
    rest = effect.scope is Scope.REST_OF_AUCTION
    if you and rest:
        return words.text("You must pass for the rest of the auction")
    if you:
        return words.text("You must pass at your next turn")
    if rest:
        return words.text("{seat} must pass for the rest of the auction", seat=seat)
    return words.text("{seat} must pass at the next turn", seat=seat)


def penalty_card_in_words(
    effect: Effect, *, you: bool, seat: str, words: Catalogue
) -> str:
    """A penalty card, and what its owner has to do with it."""
    major = effect.rank == "major"
    if you and major:
        return words.text(
            "Your {card} stays faced: play it as soon as you legally can",
            card=effect.card,
        )
    if you:
        return words.text(
            "Your {card} stays faced: play it before any other small card of the suit",
            card=effect.card,
        )
    if major:
        return words.text(
            "{card} of {seat} is a major penalty card", card=effect.card, seat=seat
        )
    return words.text(
        "{card} of {seat} is a minor penalty card", card=effect.card, seat=seat
    )


def _lead_in_words(effect: Effect, seat: str, words: Catalogue) -> str:
    suits = suit_names(effect.suits or (), words)
    if effect.mode is LeadMode.FORBID_ONE:
        return words.text(
            "Declarer may forbid {seat} one of these suits when he first leads: "
            "{suits}",
            seat=seat,
            suits=suits,
        )
    return words.text(
        "Declarer may require or forbid a suit when {seat} first leads: {suits}",
        seat=seat,
        suits=suits,
    )
