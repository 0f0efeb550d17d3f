"""The referee: it judges what the terminals send, and prompts the seats."""

from referee.settings import RefereeSettings, SettingsError, load_settings

__all__ = ["RefereeSettings", "SettingsError", "load_settings"]
