"""What the referee tells in several languages, in that of the reader."""

from collections.abc import Mapping
from typing import Any, Protocol


class Told(Protocol):
    """A text in English, and in other languages by their code."""

    @property
    def text(self) -> str:
        """In English."""

    @property
    def texts(self) -> Mapping[str, str]:
        """In other languages."""


def told(of: Told | Mapping[str, Any], language: str) -> str:
    """The text in a language, in English where there is none in it."""
    if isinstance(of, Mapping):
        return str(of.get("texts", {}).get(language) or of.get("text", ""))
    return of.texts.get(language, of.text)


class Reasoned(Protocol):
    """Something with a reason in English, and in other languages by their code."""

    @property
    def reason(self) -> str:
        """In English."""

    @property
    def texts(self) -> Mapping[str, str]:
        """In other languages."""


def told_reason(of: Reasoned, language: str) -> str:
    """The reason in a language, in English where there is none in it."""
    return of.texts.get(language, of.reason)
