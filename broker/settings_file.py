"""Settings files: a JSON object, read into a struct; errors name the key."""

from pathlib import Path
from typing import TypeVar

import msgspec

from broker.complaint import complaint

_Settings = TypeVar("_Settings")

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
"""The levels of the logging module."""


class SettingsError(ValueError):
    """Settings that cannot be used: names the file and the key."""


def read_settings(path: Path, settings_type: type[_Settings]) -> _Settings:
    """Read a settings file.

    Args:
        path: the JSON file.
        settings_type: the struct that it must fill.

    Raises:
        SettingsError: there is no such file, it is no JSON, or a value is not what
            its key wants.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        return msgspec.json.decode(content, type=settings_type)
    except msgspec.ValidationError as error:
        told = complaint(error, settings_type, msgspec.json.decode(content))
        raise SettingsError(f"{path}: {told}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: expected a JSON object: {error}") from error


def check_log_level(name: str) -> None:
    """Raise ValueError unless ``name`` is a level of the logging module."""
    if name not in LOG_LEVELS:
        raise ValueError(f"log_level: expected {', '.join(LOG_LEVELS)}, got {name!r}")
