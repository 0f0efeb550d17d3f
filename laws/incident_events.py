"""Events that note what is not regular about the play, or what was decided of it."""

from dataclasses import dataclass, replace
from typing import Any

from laws.cards import Card
from laws.incidents import (
    Ahead,
    ChangeOption,
    Claim,
    Designated,
    Duty,
    Lapse,
    Revoke,
    Uncalled,
    Waived,
    WrongPlay,
)
from laws.play_events import with_play
from laws.seats import Seat
from laws.state import State


def _noting(state: State, **changes: Any) -> State:  # noqa: ANN401 - any field's
    play = state.play
    if play is None:
        return state
    incidents = replace(play.incidents, **changes)
    return with_play(state, replace(play, incidents=incidents))


@dataclass(frozen=True, slots=True)
class LapseSeen:
    """A card may have been a revoke; the hand will tell."""

    lapse: Lapse

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        return _noting(state, lapses=(*state.play.incidents.lapses, self.lapse))


@dataclass(frozen=True, slots=True)
class RevokeKnown:
    """A revoke was found, or what is known of it has changed."""

    revoke: Revoke

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        line = self.revoke.line
        incidents = state.play.incidents
        revokes = list(incidents.revokes)
        for i, known in enumerate(revokes):
            if known.line == line and known.hand is self.revoke.hand:
                revokes[i] = self.revoke
                break
        else:
            revokes.append(self.revoke)
        lapses = incidents.lapses
        if self.revoke.proven:
            lapses = tuple(
                lapse
                for lapse in lapses
                if lapse.line != line or lapse.hand is not self.revoke.hand
            )
        return _noting(state, revokes=tuple(revokes), lapses=lapses)


@dataclass(frozen=True, slots=True)
class RevokeDismissed:
    """What was taken for a revoke was none, or never happened."""

    revoke: Revoke

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        left = tuple(
            known
            for known in state.play.incidents.revokes
            if (known.line, known.hand) != (self.revoke.line, self.revoke.hand)
        )
        return _noting(state, revokes=left)


@dataclass(frozen=True, slots=True)
class LapsesForgotten:
    """Cards that may have been revokes went back: they no longer count.

    Each is named by the line that played it and its hand.
    """

    played: frozenset[tuple[int, Seat]]

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        left = tuple(
            lapse
            for lapse in state.play.incidents.lapses
            if (lapse.line, lapse.hand) not in self.played
        )
        return _noting(state, lapses=left)


@dataclass(frozen=True, slots=True)
class ChangesOffered:
    """These cards may be changed now, and no others."""

    options: tuple[ChangeOption, ...]

    def apply_to(self, state: State) -> State:
        return _noting(state, changes=self.options)


@dataclass(frozen=True, slots=True)
class DutySet:
    """Declarer's option binds a defender; None: it no longer does."""

    duty: Duty | None

    def apply_to(self, state: State) -> State:
        return _noting(state, duty=self.duty)


@dataclass(frozen=True, slots=True)
class LeadLeftFree:
    """Declarer has waived what he might have asked of a lead (26, 50D2, 51B)."""

    waived: Waived

    def apply_to(self, state: State) -> State:
        return _noting(state, waived=self.waived)


@dataclass(frozen=True, slots=True)
class WrongPlaySet:
    """A card out of turn awaits a ruling; None: it has been ruled on."""

    wrong: WrongPlay | None

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        incidents = state.play.incidents
        last = incidents.last_wrong if self.wrong else incidents.wrong
        return _noting(state, wrong=self.wrong, last_wrong=last)


@dataclass(frozen=True, slots=True)
class LeadRetracted:
    """Declarer had to retract a lead to this trick, and has yet to lead anew (60B)."""

    trick: int

    def apply_to(self, state: State) -> State:
        return _noting(state, retracted=self.trick)


@dataclass(frozen=True, slots=True)
class AheadSet:
    """Premature plays that stand and wait for their turn."""

    ahead: tuple[Ahead, ...]

    def apply_to(self, state: State) -> State:
        return _noting(state, ahead=self.ahead)


@dataclass(frozen=True, slots=True)
class SeveralSet:
    """Several cards were shown at once; None: one of them has been designated."""

    several: tuple[int, Seat, tuple[Card, ...]] | None

    def apply_to(self, state: State) -> State:
        return _noting(state, several=self.several)


@dataclass(frozen=True, slots=True)
class DesignationSet:
    """Declarer called for a card of dummy; None: it has been moved."""

    designated: Designated | None

    def apply_to(self, state: State) -> State:
        return _noting(state, designated=self.designated)


@dataclass(frozen=True, slots=True)
class UncalledSet:
    """Dummy moved a card not called for; None: it went back, or stands."""

    uncalled: Uncalled | None

    def apply_to(self, state: State) -> State:
        return _noting(state, uncalled=self.uncalled)


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """A claim, or what has become of it; None: it never counted."""

    claim: Claim | None

    def apply_to(self, state: State) -> State:
        return _noting(state, claim=self.claim)


@dataclass(frozen=True, slots=True)
class CalledOnNextBoard:
    """A seat has called on the next board (Laws 64B4, 69A)."""

    seat: Seat

    def apply_to(self, state: State) -> State:
        if state.play is None:
            return state
        called = state.play.incidents.called_next | {self.seat}
        return _noting(state, called_next=called)


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round has ended (Laws 64B5, 69A)."""

    def apply_to(self, state: State) -> State:
        return _noting(state, round_over=True)


@dataclass(frozen=True, slots=True)
class HandsBack:
    """All four hands are back in the board (Law 62D)."""

    def apply_to(self, state: State) -> State:
        return _noting(state, hands_returned=True)
