"""EVENTs and the happenings of the Laws, translated both ways; names of keys.

Clauses K of ``protocol/README.md``; the table of kinds is in ``protocol.kinds``. What
only the Director does has no kind: it comes as a command.
"""

from collections.abc import Iterable
from typing import NamedTuple

from laws import actions
from laws.actions import Action
from laws.calls import Call
from laws.seats import Seat
from protocol.kinds import (
    CARD_NAMES,
    KINDS,
    CallDirector,
    Field,
    GiveAnswer,
    Kind,
    KindSpec,
    PlaceBoard,
    Request,
    RequestUndo,
)
from protocol.messages import Datum, DisplayFields, EventFields

__all__ = [
    "ALERT_KEY",
    "DIRECTOR_ONLY",
    "KEYS",
    "KINDS",
    "MOVES_CARD",
    "CallDirector",
    "EventKey",
    "GiveAnswer",
    "HappeningError",
    "Kind",
    "PlaceBoard",
    "Request",
    "RequestUndo",
    "action_from",
    "action_of",
    "fields_of",
    "is_locked",
    "is_named",
]


class HappeningError(ValueError):
    """An event that is no happening: says what was expected of its data."""


DIRECTOR_ONLY: frozenset[type] = frozenset(
    {
        actions.Answer,
        actions.Award,
        actions.Overrule,
        actions.Correct,
        actions.RoundEnds,
        actions.HandsReturned,
    }
)
"""Actions that come as a Director's command alone."""


MOVES_CARD: frozenset[str] = frozenset(
    kind.value for kind, spec in KINDS.items() if spec.moves_card
)
"""Kinds whose events name the hand that a card comes from (K1)."""


class EventKey(NamedTuple):
    """The part of an EVENT that says what happened."""

    kind: str
    seat: Seat
    hand: Seat | None
    data: tuple[Datum, ...]


_KIND_OF: dict[object, Kind] = {
    spec.action: kind
    for kind, spec in KINDS.items()
    if kind not in {Kind.CARDS, Kind.REVOKE}
}


def action_of(event: EventFields) -> Action | Request:
    """What an event says, as an action of the Laws or a request.

    Raises:
        HappeningError: the kind is unknown or its data are not as the kind has them.
    """
    return action_from(EventKey(event.kind, event.seat, event.hand, event.data))


def action_from(key: EventKey) -> Action | Request:
    """The same for the four fields alone, as a display's choice gives them.

    Raises:
        HappeningError: as ``action_of``.
    """
    spec = _spec_of(key.kind)
    required = sum(not field.optional for field in spec.fields)
    if len(key.data) < required:
        raise HappeningError(
            f"{key.kind}: expected {required} data "
            f"({', '.join(f.name for f in spec.fields)}), got {len(key.data)}"
        )
    if spec.moves_card != (key.hand is not None):
        expected = "the hand of the card" if spec.moves_card else "no hand"
        raise HappeningError(f"{key.kind}: expected {expected}, got {key.hand!r}")
    values = {
        field.name: _read(key.kind, field, datum)
        for field, datum in zip(spec.fields, key.data, strict=False)
    }
    if spec.moves_card:
        return spec.action(hand=key.hand, **values)
    return spec.action(seat=key.seat, **values)


def fields_of(action: Action | Request, seat: Seat | None = None) -> EventKey:
    """The kind, seat, hand and data of the EVENT that says an action.

    Args:
        action: what happened.
        seat: who acts, where it is not the hand's own seat (declarer who plays
            dummy's card).

    Raises:
        HappeningError: only the Director does this (``DIRECTOR_ONLY``).
    """
    kind = _kind_of(action)
    spec = KINDS[kind]
    data = [field.write(getattr(action, field.name)) for field in spec.fields]
    for field, datum in zip(reversed(spec.fields), reversed(tuple(data)), strict=True):
        if not field.optional or datum:
            break
        data.pop()
    hand: Seat | None = getattr(action, "hand", None)
    actor = seat or hand or getattr(action, "seat", None)
    assert actor is not None  # noqa: S101 - every class in KINDS has one of them
    return EventKey(kind.value, actor, hand, tuple(data))


def _kind_of(action: Action | Request) -> Kind:
    match action:
        case actions.PlayCards(cards=cards) if len(cards) != 1:
            return Kind.CARDS
        case actions.Attention(accused=Seat()):
            return Kind.REVOKE
        case _:
            kind = _KIND_OF.get(type(action))
    if kind is None:
        raise HappeningError(
            f"{type(action).__name__} has no EVENT kind: it is a Director's command"
        )
    return kind


def _spec_of(kind: str) -> KindSpec:
    try:
        return KINDS[Kind(kind)]
    except ValueError:
        raise HappeningError(
            f"expected a kind ({', '.join(Kind)}), got {kind!r}"
        ) from None


def _read(kind: str, field: Field, datum: Datum) -> object:
    try:
        return field.read(datum)
    except (ValueError, TypeError):
        raise HappeningError(
            f"{kind}: expected {field.name} to be {field.expected}; got {datum!r}"
        ) from None


# -- keys ---------------------------------------------------------------------------

ALERT_KEY = "alert"
"""The key that marks the next call as alerted."""

KEYS: frozenset[str] = frozenset(
    {ALERT_KEY}
    | {kind.value for kind in Kind}
    | {call.value for call in Call}
    | CARD_NAMES
)
"""Names of keys in a DISPLAY's locks (K3): a call, a card, or a kind, which locks
every key that sends this kind; and ``alert``."""


def is_locked(display: DisplayFields, key: EventKey) -> bool:
    """Whether a display locks a key (D8, D9, K3).

    What the display itself offers as a choice is never locked. The name of a call or
    a card locks the key that makes the call or plays the card, and no other one that
    carries the same name, such as ``change``.
    """
    if any((c.kind, c.data) == (key.kind, key.data) for c in display.choices):
        return False
    return is_named(key, display.locks)


def is_named(key: EventKey, locks: Iterable[str]) -> bool:
    """Whether the names of a display's locks name a key (K3)."""
    names = {key.kind}
    if key.kind in {Kind.CALL, Kind.CARD}:
        names.update(str(datum) for datum in key.data[:1])
    if key.kind == Kind.CALL and key.data[1:2] == (True,):
        names.add(ALERT_KEY)
    return not names.isdisjoint(locks)
