"""Keys that do nothing while a display is shown.

No key is locked by default: what must not happen at the table can happen, and is
ruled on. Locked is only what a policy ``prevent`` names, and what a ruling that the
table knows compels.
"""

from collections.abc import Iterable

from laws.auction import admissible
from laws.board import IrregularCallPolicy, RevokePolicy
from laws.calls import Call
from laws.cards import DECK
from laws.report import legal
from laws.rulings import EffectKind
from laws.seats import Seat
from protocol.happenings import Kind
from referee.playing import Playing

_CALLS = (Kind.CALL.value,)
_CARDS = (Kind.CARD.value, Kind.CARDS.value, Kind.FACE_DOWN.value, Kind.NAMED.value)


def locks_of(
    playing: Playing, seat: Seat, *, to_act: Seat | None, alone: bool, compelled: bool
) -> tuple[str, ...]:
    """The keys that a seat's display locks.

    Args:
        playing: the play.
        seat: whose display it is.
        to_act: the hand (in the auction the seat) that this seat is asked to act for.
        alone: the terminal serves this seat only, so that what depends on its cards
            is seen by nobody else.
        compelled: also lock what a ruling compels.
    """
    if playing.is_over:
        return ()
    auction = playing.state.play is None
    policies = playing.state.board.policies
    locked: list[str] = []
    if to_act is None:
        if policies.out_of_turn is IrregularCallPolicy.PREVENT:
            locked += _CALLS if auction else _CARDS
    elif auction:
        if policies.inadmissible is IrregularCallPolicy.PREVENT:
            locked += _inadmissible(playing, seat)
        if compelled:
            locked += _not_compelled(playing, seat)
    elif policies.revoke is RevokePolicy.PREVENT and alone:
        locked += _revokes(playing)
    return tuple(dict.fromkeys(locked))


def _inadmissible(playing: Playing, seat: Seat) -> Iterable[str]:
    calls = playing.state.auction.legal_calls
    return [call.value for call in Call if not admissible(calls, seat, call)]


def _not_compelled(playing: Playing, seat: Seat) -> Iterable[str]:
    """Calls other than the one that a ruling leaves the seat."""
    allowed = set(Call)
    for effect in (binding.effect for binding in playing.state.bindings):
        if effect.seat is not seat:
            continue
        if effect.kind is EffectKind.MUST_PASS:
            allowed &= {Call.PASS}
        elif effect.kind is EffectKind.MUST_REPEAT and effect.call is not None:
            allowed &= {effect.call}
        elif effect.kind is EffectKind.MAY_NOT:
            allowed -= set(effect.calls or ())
    return [call.value for call in Call if call not in allowed]


def _revokes(playing: Playing) -> Iterable[str]:
    """Cards that would be a revoke; none when the hand is not known."""
    allowed = set(legal(playing.state))
    return [card.value for card in DECK if card not in allowed] if allowed else []
