"""Vectors of the rule by which the referee takes a terminal's log."""

from typing import Any

import msgspec

from laws.seats import Seat
from protocol.intake import Intake, Verdict
from protocol.messages import Event, Held, Hello, Lost
from protocol.vectors.pieces import HELLO
from protocol.vectors.plain import plain

Said = Hello | Event | Lost
Case = tuple[Hello, *tuple[Said, ...]]


def intakes() -> list[dict[str, Any]]:
    """Sequences of HELLO, EVENT and LOST with the verdict on each and the ACK."""
    cases: dict[str, Case] = {
        "in order, a duplicate, a gap": (
            _hello((7, 0, 0)),
            *(_event(7, n) for n in (0, 0, 1, 3, 2, 3)),
        ),
        "taken up in the middle": (_hello((7, 5, 9)), _event(7, 4), _event(7, 5)),
        "a later boot after the earlier one is complete": (
            _hello((7, 0, 2)),
            _event(7, 0),
            _hello((7, 1, 2), (8, 0, 1)),
            _event(8, 0),
            _event(7, 1),
            _event(8, 0),
            _event(7, 1),
        ),
        "a boot of which nothing was acknowledged is complete when not held": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _hello((9, 0, 1)),
            _event(9, 0),
        ),
        "a random boot": (
            _hello((900, 0, 0), volatile=True),
            _event(900, 0),
            _hello((12, 0, 0), volatile=True),
            _event(12, 0),
            _event(900, 1),
        ),
        "lost events": (
            _hello((7, 0, 0)),
            _event(7, 0),
            Lost(7, 2, 3),
            Lost(7, 1, 3),
            Lost(7, 1, 3),
            _event(7, 4),
        ),
        "the beginning of a later boot lost": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _hello((8, 3, 4)),
            _event(8, 3),
            Lost(8, 0, 2),
            _event(8, 3),
        ),
    }
    return [{"name": name, "steps": _steps(case)} for name, case in cases.items()]


def _hello(*held: tuple[int, int, int], volatile: bool = False) -> Hello:
    return msgspec.structs.replace(
        HELLO,
        boot=held[-1][0],
        volatile=volatile,
        held=tuple(Held(*h) for h in held),
    )


def _event(boot: int, n: int) -> Event:
    return Event(boot, n, Seat.NORTH, 3, 12, 0, "call", None, ("P",))


def _steps(case: Case) -> list[dict[str, Any]]:
    first, *rest = case
    intake = Intake.begin(first)
    steps = [_step(first, None, intake)]
    for said in rest:
        verdict = None
        if isinstance(said, Hello):
            intake = intake.greet(said)
        else:
            verdict = intake.judge(said)
            if verdict is Verdict.NEXT:
                intake = intake.take(said)
        steps.append(_step(said, verdict, intake))
    return steps


def _step(said: Said, verdict: Verdict | None, intake: Intake) -> dict[str, Any]:
    return {
        "said": plain(said),
        "verdict": verdict.value if verdict else None,
        "ack": plain(intake.ack),
    }
