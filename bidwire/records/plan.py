"""What a replay does to a record: the happenings to play and what must come of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bidwire.records.happenings import Happening
from bidwire.records.record import Contract, PassedOut, Record
from laws.board import Edition
from laws.calls import Call
from laws.cards import Card
from laws.seats import Seat, Side


class Kind(StrEnum):
    """What can be injected into a record, by its name on the command line."""

    OUT_OF_TURN = "out-of-turn"
    REVOKE = "revoke"
    DUPLICATE = "duplicate"
    RESET = "reset"
    KILL_REFEREE = "kill-referee"
    KILL_DAEMON = "kill-daemon"
    KILL_BROKER = "kill-broker"
    DROP = "drop"
    CORRUPT = "corrupt"
    NOISE = "noise"
    HOLD = "hold"
    UNPLUG = "unplug"
    CUT_BROKER = "cut-broker"
    FULL_DISK = "full-disk"
    CLOCK_JUMP = "clock-jump"


IRREGULARITIES = frozenset({Kind.OUT_OF_TURN, Kind.REVOKE})
"""Kinds that are happenings at the table; the others are faults of the machinery."""

OF_TERMINALS = (
    *(Kind.DUPLICATE, Kind.RESET, Kind.DROP, Kind.CORRUPT),
    *(Kind.NOISE, Kind.HOLD, Kind.UNPLUG),
)
"""Faults of a terminal or its line."""

OF_PROCESSES = (
    *(Kind.KILL_REFEREE, Kind.KILL_DAEMON, Kind.KILL_BROKER),
    *(Kind.CUT_BROKER, Kind.FULL_DISK, Kind.CLOCK_JUMP),
)
"""Faults of what a whole room has in common."""

Effect = Mapping[str, Any]
"""An effect of a ruling, with the keys of ``bidwire rule --json``."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Tricks that go to a side after play (Law 64)."""

    to: Side
    tricks: int


@dataclass(frozen=True, slots=True)
class Injected:
    """An irregularity put into a record, and the ruling that must be found.

    Attributes:
        kind: ``out-of-turn`` or ``revoke``.
        board: the board's label.
        at: number of the happening in the plan, from 0.
        seat: the offender; of a revoke, the hand that revoked.
        call: the call out of turn.
        card: the card played in revoking.
        trick: the trick of the revoke, from 1.
        irregularity: its name in a ruling.
        law: the paragraph that decides it in the plan's edition, as in ``31A2(b)``;
            of a revoke, the paragraph of Law 64 that holds once play has ended.
        effects: what the ruling must compel or allow; of a call out of turn that was
            accepted or overtaken (29A, 28B) and of a revoke, none.
        moved: tricks transferred for this revoke.
    """

    kind: Kind
    board: str
    at: int
    seat: Seat
    irregularity: str
    law: str
    call: Call | None = None
    card: Card | None = None
    trick: int | None = None
    effects: tuple[Effect, ...] = ()
    moved: int = 0

    def plain(self) -> dict[str, Any]:
        """As an object of the replay report; what does not apply is left out."""
        plain: dict[str, Any] = {
            "kind": self.kind.value,
            "at": self.at,
            "seat": self.seat.value,
            "irregularity": self.irregularity,
            "law": self.law,
        }
        if self.kind is Kind.REVOKE:
            plain |= {
                "card": self.card and self.card.value,
                "trick": self.trick,
                "moved": self.moved,
            }
        else:
            plain |= {
                "call": self.call and self.call.value,
                "effects": [dict(e) for e in self.effects],
            }
        return plain


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of wire, terminal or process when so many happenings have been sent.

    ``seat`` is whose terminal or line it strikes, None for a process; ``seconds`` how
    long it lasts where it does not pass at once.
    """

    kind: Kind
    board: str
    at: int
    seat: Seat | None = None
    seconds: float = 0.0

    def plain(self) -> dict[str, Any]:
        """As an object of the replay report."""
        plain: dict[str, Any] = {"kind": self.kind.value, "at": self.at}
        return plain | ({"seat": self.seat.value} if self.seat else {})


@dataclass(frozen=True, slots=True)
class Plan:
    """One board as it is to be played.

    Attributes:
        record: where it comes from.
        edition: the Laws that its expectations are by.
        happenings: what to play, in order, with who presses the key.
        injected: the irregularities in it.
        faults: what goes wrong around it.
        contract: what the table comes to, with who plays the hand.
        tricks: tricks as played by each side, those of an agreed claim included.
        transfer: what is transferred after play, None if nothing.
        omitted: why something asked for was not injected, one sentence each.
    """

    record: Record
    edition: Edition
    happenings: tuple[Happening, ...]
    injected: tuple[Injected, ...]
    faults: tuple[Fault, ...]
    contract: Contract | PassedOut
    tricks: Mapping[Side, int]
    transfer: Transfer | None = None
    omitted: tuple[str, ...] = ()
