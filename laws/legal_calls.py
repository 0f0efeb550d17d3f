"""The calls that the Laws leave to the seat whose turn it is, now."""

from laws.auction import admissible_calls
from laws.auction_state import OptionKind
from laws.calls import Call
from laws.effects import BARS
from laws.rulings import EffectKind
from laws.state import State


def legal_calls(state: State) -> tuple[Call, ...]:
    """Legal calls of the seat to act, in view of what binds it; none after the end.

    Where the seat has an option on the call before (25B, 27A1), they are those with
    which it accepts.
    """
    auction = state.auction
    seat = auction.turn
    if seat is None:
        return ()
    calls = auction.legal_calls
    option = auction.options[-1] if auction.options else None
    if (
        option is not None
        and option.kind is not OptionKind.OUT_OF_ROTATION
        and option.made.seat.lho is seat
    ):
        first = option.first
        calls = tuple(m for m in calls if first is None or not m.is_same(first))
        calls = (*calls, option.made)
    legal = admissible_calls(calls, seat)
    effects = [b.effect for b in state.bindings if b.effect.seat is seat]
    bars = [effect for effect in effects if effect.kind in BARS]
    if any(effect.kind is EffectKind.MUST_PASS for effect in bars):
        return (Call.PASS,)
    for effect in bars:
        if effect.call is not None:
            return (effect.call,)
        if effect.calls is not None:
            legal = tuple(call for call in legal if call not in effect.calls)
    return legal
