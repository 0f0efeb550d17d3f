"""What a check is, and the list of them all."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import pytest

from hil_tests.bench import Bench

SECTIONS = {
    "F": "Frames",
    "M": "Messages",
    "P": "Parts",
    "O": "Opening a link",
    "S": "Silence and polls",
    "E": "Events",
    "R": "Repeats",
    "A": "What the referee takes",
    "D": "Displays",
    "K": "Kinds of event",
    "X": "Pairing",
    "L": "Limits",
}
"""The sections of ``protocol/README.md`` that bind a terminal, in order."""

Function = Callable[..., Awaitable[None]]


class Runner(Protocol):
    """Runs a check to its end; pytest gives it to each test as ``bench``."""

    def run(self, check: "Check") -> None:
        """Run one check; raises what it raises."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a clause asks of a terminal."""

    clause: str
    name: str
    expected: str
    """In words, for the report."""
    function: Function = field(repr=False)
    is_slow: bool
    """It watches the terminal for seconds."""
    case: str | None = None

    async def on(self, bench: Bench) -> None:
        """Run it on a bench; raises Deviation or CannotCauseError."""
        await bench.begin()
        if self.case is None:
            await self.function(bench)
        else:
            await self.function(bench, self.case)


CHECKS: dict[str, Check] = {}
"""All checks of the modules that have been imported, by name."""


def check(
    clause: str, *, slow: bool = False, cases: Sequence[str] = ()
) -> Callable[[Function], Callable[..., None]]:
    """Make a test of a coroutine that takes a Bench, and list it.

    The first paragraph of its docstring is what the report says was expected.

    Args:
        clause: the clause of ``protocol/README.md``.
        slow: it takes seconds, whatever the terminal.
        cases: one check for each, which the coroutine takes after the bench.
    """

    def listed(function: Function) -> Callable[..., None]:
        name = function.__name__.removeprefix("test_")
        text = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
        make = functools.partial(
            Check, clause, expected=text, function=function, is_slow=slow
        )
        for case in cases:
            CHECKS[f"{name}[{case}]"] = make(name=f"{name}[{case}]", case=case)
        if not cases:
            CHECKS[name] = make(name=name)

        def run(bench: Runner) -> None:
            bench.run(CHECKS[name])

        def run_case(bench: Runner, case: str) -> None:
            bench.run(CHECKS[f"{name}[{case}]"])

        test: Callable[..., None] = run
        if cases:
            test = pytest.mark.parametrize("case", cases)(run_case)
        test.__doc__, test.__module__ = function.__doc__, function.__module__
        test.__name__ = test.__qualname__ = function.__name__
        return test if slow else pytest.mark.fast(test)

    return listed


def check_of(item: pytest.Item) -> Check:
    """The check that a test of the suite runs."""
    return CHECKS[item.name.removeprefix("test_")]


def place_of(check: Check) -> int:
    """Where a check stands in the report: the order of the specification."""
    return list(SECTIONS).index(check.clause[0])
