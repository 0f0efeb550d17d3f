"""The daemon between terminals and the broker, and the simulated terminal."""

from terminal.daemon import Daemon
from terminal.relay import Publication, Relay
from terminal.settings import DaemonSettings, Level, Security, TerminalSettings

__all__ = [
    "Daemon",
    "DaemonSettings",
    "Level",
    "Publication",
    "Relay",
    "Security",
    "TerminalSettings",
]
