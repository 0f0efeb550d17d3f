"""What follows from a cancelled call out of turn: a table of Laws 30 to 32 and 26.

Apart from the engine, so that the engine can be compared with it. The withdrawn call
and its replacement count as natural, and as the same only if they are the same call.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bidwire.records.plan import Effect
from laws.board import Edition
from laws.calls import Call
from laws.cards import SUITS, Suit
from laws.seats import Seat


class Turn(StrEnum):
    """Whose turn it was, seen from the offender."""

    RHO = "RHO"
    PARTNER = "partner"
    LHO = "LHO"


class Bond(StrEnum):
    """What a paragraph lays on a player."""

    OFFENDER_PASSES_ONCE = "offender passes once"
    OFFENDER_PASSES = "offender passes throughout"
    PARTNER_PASSES_ONCE = "partner passes once"
    PARTNER_PASSES = "partner passes throughout"
    PARTNER_MAY_NOT_DOUBLE = "partner may not double at this turn"
    OFFENDER_REPEATS = "offender repeats his call"


@dataclass(frozen=True, slots=True)
class Rectification:
    """The paragraph that decides and what it compels."""

    law: str
    bonds: tuple[Bond, ...] = ()


def at_once(
    edition: Edition, turn: Turn, call: Call, *, bid_made: bool
) -> Rectification | None:
    """What holds as soon as the call is cancelled; None if more must happen first."""
    if call is Call.PASS:
        return _pass_at_once(edition, turn, bid_made=bid_made)
    if edition is Edition.LAWS_2007 and turn is not Turn.RHO:
        law = "31B" if call.is_bid else "32A"
        return Rectification(law, (Bond.PARTNER_PASSES,))
    return None


def _pass_at_once(
    edition: Edition, turn: Turn, *, bid_made: bool
) -> Rectification | None:
    once = (Bond.OFFENDER_PASSES_ONCE,)
    if edition is Edition.LAWS_2017:
        return Rectification("30A", once) if turn is Turn.RHO else None
    if not bid_made:
        return Rectification("30A", once)
    if turn is Turn.RHO:
        return Rectification("30B1", once)
    bonds = (Bond.OFFENDER_PASSES, Bond.PARTNER_MAY_NOT_DOUBLE)
    return Rectification("30B2(a)", bonds)


def after_rho(edition: Edition, call: Call, rho_call: Call) -> Rectification | None:
    """What holds once RHO, whose turn it was, has called; a pass is settled by then."""
    old = edition is Edition.LAWS_2007
    if rho_call is Call.PASS:
        law = "31A1" if call.is_bid else ("32B1" if old else "32A1")
        return Rectification(law, (Bond.OFFENDER_REPEATS,))
    if old and call is Call.DOUBLE:
        return Rectification("32B2", (Bond.PARTNER_PASSES,))
    return None


def after_replacement(edition: Edition, call: Call, replacement: Call) -> Rectification:
    """What holds once the offender has called in turn, where nothing held before."""
    same = replacement is call
    once = (Bond.PARTNER_PASSES_ONCE,)
    if edition is Edition.LAWS_2007:
        if replacement.denomination is call.denomination:
            return Rectification("31A2(a)", once)
        return Rectification("31A2(b)", (Bond.PARTNER_PASSES,))
    if call is Call.PASS:
        return (
            Rectification("30B1(b)(i)") if same else Rectification("30B1(b)(ii)", once)
        )
    law = "31A2" if call.is_bid else "32A2"
    return Rectification(f"{law}(a)") if same else Rectification(f"{law}(b)", once)


def restricted_suits(
    edition: Edition, call: Call, replacement: Call, legal_bids: Iterable[Call]
) -> tuple[Suit, ...]:
    """Suits of the lead restriction on the offender's partner (26); none if empty.

    Args:
        edition: the Laws.
        call: the withdrawn call.
        replacement: the call that took its place.
        legal_bids: the offender's calls in the legal auction.
    """
    if replacement is call:
        return ()
    named = {c.denomination.suit for c in legal_bids if c.denomination is not None}
    if edition is Edition.LAWS_2017:
        return tuple(suit for suit in SUITS if suit not in named)
    suit = call.denomination.suit if call.denomination is not None else None
    if suit is None:
        return SUITS
    return () if suit in named else (suit,)


def may_require(edition: Edition, call: Call) -> bool:
    """Whether declarer may require the suit and not only forbid one (26A, 2007)."""
    suit = call.denomination.suit if call.denomination is not None else None
    return edition is Edition.LAWS_2007 and suit is not None


def effects_of(bonds: Iterable[Bond], offender: Seat, call: Call) -> tuple[Effect, ...]:
    """The bonds as effects of a ruling."""
    partner = offender.partner
    made: dict[Bond, Effect] = {
        Bond.OFFENDER_PASSES_ONCE: _must_pass(offender, "next_turn"),
        Bond.OFFENDER_PASSES: _must_pass(offender, "rest_of_auction"),
        Bond.PARTNER_PASSES_ONCE: _must_pass(partner, "next_turn"),
        Bond.PARTNER_PASSES: _must_pass(partner, "rest_of_auction"),
        Bond.PARTNER_MAY_NOT_DOUBLE: {
            "kind": "may_not",
            "seat": partner.value,
            "calls": ["X", "XX"],
            "scope": "this_turn",
        },
        Bond.OFFENDER_REPEATS: {
            "kind": "must_repeat",
            "seat": offender.value,
            "call": call.value,
        },
    }
    return tuple(made[bond] for bond in bonds)


def _must_pass(seat: Seat, scope: str) -> Effect:
    return {"kind": "must_pass", "seat": seat.value, "scope": scope}
