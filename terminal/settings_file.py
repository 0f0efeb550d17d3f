"""Settings files: a JSON object, read into a struct; errors name the key."""

import re
from pathlib import Path
from typing import TypeVar

import msgspec

_OWN_KEY = re.compile("[a-z_]+: ")
_Settings = TypeVar("_Settings", bound=msgspec.Struct)


class SettingsError(ValueError):
    """A settings file that cannot be used: names the file and the key."""


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
        raise SettingsError(f"{path}: {_with_key_first(str(error))}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: expected a JSON object: {error}") from error


def _with_key_first(message: str) -> str:
    """``terminals[0].port: Expected …`` from msgspec's ``Expected … - at `$.…```."""
    text, _, where = message.partition(" - at `$")
    key = where.rstrip("`").removeprefix(".")
    if not key:
        return text
    # Errors of our own begin with the key within the object that is meant.
    return f"{key}.{text}" if _OWN_KEY.match(text) else f"{key}: {text}"
