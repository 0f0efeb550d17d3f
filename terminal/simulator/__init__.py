"""Simulated terminals: the far end of the wire, with players who act on it."""

from terminal.simulator.reports import (
    Command,
    Report,
    decode_command,
    decode_report,
    encode_command,
    encode_report,
)
from terminal.simulator.settings import (
    BoardScript,
    Fault,
    FaultKind,
    Happening,
    SimulatedSettings,
    SimulatorSettings,
    TableScript,
)
from terminal.simulator.simulator import Simulator
from terminal.simulator.terminal import (
    KeyLockedError,
    KeyRefusedError,
    MemoryFullError,
    SimulatedTerminal,
    TerminalWatcher,
)

__all__ = [
    "BoardScript",
    "Command",
    "Fault",
    "FaultKind",
    "Happening",
    "KeyLockedError",
    "KeyRefusedError",
    "MemoryFullError",
    "Report",
    "SimulatedSettings",
    "SimulatedTerminal",
    "Simulator",
    "SimulatorSettings",
    "TableScript",
    "TerminalWatcher",
    "decode_command",
    "decode_report",
    "encode_command",
    "encode_report",
]
