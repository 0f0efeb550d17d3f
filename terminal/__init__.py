"""The daemon between terminals and the broker, and the simulated terminal."""

from terminal.daemon import Daemon
from terminal.relay import Publication, Relay
from terminal.settings import DaemonSettings, Level, Security, TerminalSettings
from terminal.settings_file import SettingsError, read_settings

__all__ = [
    "Daemon",
    "DaemonSettings",
    "Level",
    "Publication",
    "Relay",
    "Security",
    "SettingsError",
    "TerminalSettings",
    "read_settings",
]
