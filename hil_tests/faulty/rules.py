"""What a fault is: another end of the link, or another terminal around it."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from protocol.link import DownReason, State, Trigger
from protocol.terminal_link import TerminalLink
from terminal.simulator import SimulatedTerminal

Breaking = type[TerminalLink] | type[SimulatedTerminal]
"""A class that breaks a rule; its name and docstring say which."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that is broken."""

    name: str
    meaning: str
    breaking: Breaking


class FaultyLink(TerminalLink):
    """What the faulty ends of the link share."""

    def go_down(self, now: float) -> None:
        """Take the link for down, as after silence."""
        if self.state is State.UP:
            self._leave_up(DownReason.SILENCE)
            self._fire(Trigger.SILENCE)
            self._begin_opening(now)


def fault_of(breaking: Breaking) -> Fault:
    """The fault that a class is: ``CrcNotChecked`` is ``crc-not-checked``."""
    name = re.sub(r"(?<!^)(?=[A-Z0-9])", "-", breaking.__name__).lower()
    return Fault(name, (breaking.__doc__ or "").partition("\n")[0], breaking)


def made_with(fault: Fault) -> Callable[..., SimulatedTerminal]:
    """What makes a simulated terminal with a fault."""
    if issubclass(fault.breaking, TerminalLink):
        return functools.partial(SimulatedTerminal, link_type=fault.breaking)
    return fault.breaking
