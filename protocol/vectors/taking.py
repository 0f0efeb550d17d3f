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
        "a boot without events between": (
            _hello((7, 0, 2)),
            _event(7, 0),
            _event(7, 1),
            _hello((7, 1, 2), (8, 0, 0)),
            _hello((7, 1, 2), (9, 0, 0)),
            _event(7, 1),
            _event(9, 0),
        ),
        "the memory was reset: a lower boot": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _hello((3, 0, 0)),
            _event(3, 0),
        ),
        "the memory was reset: the same boot again": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _event(7, 1),
            _hello((7, 1, 2)),
            _hello((7, 0, 1)),
            _event(7, 0),
            _event(7, 1),
        ),
        "the memory was reset: the same boot again and one after it": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _event(7, 1),
            _hello((7, 0, 1), (8, 0, 0)),
            _event(7, 0),
            _event(8, 0),
        ),
        "the memory was reset: only earlier boots": (
            _hello((7, 0, 0)),
            _event(7, 0),
            _hello((5, 0, 1), (8, 0, 0)),
            _event(5, 0),
        ),
        "the same random boot again": (
            _hello((900, 0, 0), volatile=True),
            _event(900, 0),
            _hello((900, 0, 1), volatile=True),
            _hello((900, 0, 0), volatile=True),
            _event(900, 0),
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
            Lost(7, 2, 5),
            _event(7, 6),
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
        if isinstance(said, Hello):
            verdict = "reset" if intake.is_reset(said) else None
            intake = intake.greet(said)
        else:
            judged = intake.judge(said)
            verdict = judged.value
            if judged is Verdict.NEXT:
                intake = intake.take(said)
        steps.append(_step(said, verdict, intake))
    return steps


def _step(said: Said, verdict: str | None, intake: Intake) -> dict[str, Any]:
    return {"said": plain(said), "verdict": verdict, "ack": plain(intake.ack)}
