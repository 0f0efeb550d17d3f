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
from laws.report import legal, turn_of
from laws.rulings import EffectKind
from laws.seats import Seat
from laws.state import State
from protocol.happenings import Kind
from referee.playing import is_over, player_of

_CALLS = (Kind.CALL.value,)
_CARDS = (Kind.CARD.value, Kind.CARDS.value, Kind.FACE_DOWN.value, Kind.NAMED.value)


def locks_of(
    state: State, seat: Seat, *, alone: bool, compelled: bool
) -> tuple[str, ...]:
    """The keys that a seat's display locks.

    A seat whose turn it is not has its calls, or its cards, locked where the policy
    ``out_of_turn`` prevents; not while it is asked something, which a key may answer.

    Args:
        state: of the board.
        seat: whose display it is.
        alone: the terminal serves this seat only, so that what depends on its cards
            is seen by nobody else.
        compelled: also lock what a ruling compels.
    """
    if is_over(state):
        return ()
    auction = state.play is None
    policies = state.board.policies
    locked: list[str] = []
    if not _acts(state, seat):
        prevents = policies.out_of_turn is IrregularCallPolicy.PREVENT
        if prevents and all(question.to is not seat for question in state.questions):
            locked += _CALLS if auction else _CARDS
    elif auction:
        if policies.inadmissible is IrregularCallPolicy.PREVENT:
            locked += _inadmissible(state, seat)
        if compelled:
            locked += _not_compelled(state, seat)
    elif policies.revoke is RevokePolicy.PREVENT and alone:
        locked += _revokes(state)
    return tuple(dict.fromkeys(locked))


def _acts(state: State, seat: Seat) -> bool:
    """Whether it is the seat's turn; declarer's for dummy's cards."""
    turn = turn_of(state)
    return turn is not None and player_of(state, turn) is seat


def _inadmissible(state: State, seat: Seat) -> Iterable[str]:
    calls = state.auction.legal_calls
    return [call.value for call in Call if not admissible(calls, seat, call)]


def _not_compelled(state: State, seat: Seat) -> Iterable[str]:
    """Calls other than the one that a ruling leaves the seat."""
    allowed = set(Call)
    for effect in (binding.effect for binding in state.bindings):
        if effect.seat is not seat:
            continue
        if effect.kind is EffectKind.MUST_PASS:
            allowed &= {Call.PASS}
        elif effect.kind is EffectKind.MUST_REPEAT and effect.call is not None:
            allowed &= {effect.call}
        elif effect.kind is EffectKind.MAY_NOT:
            allowed -= set(effect.calls or ())
    return [call.value for call in Call if call not in allowed]


def _revokes(state: State) -> Iterable[str]:
    """Cards that would be a revoke; none when the hand is not known."""
    allowed = set(legal(state))
    return [card.value for card in DECK if card not in allowed] if allowed else []
