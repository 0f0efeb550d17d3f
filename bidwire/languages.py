"""The languages that the commands speak."""

import os
from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """Languages that ``bidwire rule`` and ``bidwire journal`` speak."""

    ENGLISH = "en"
    SPANISH = "es"


def preferred_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language of the environment if there is a catalogue for it, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            language = environ[name].partition("_")[0].partition(".")[0].lower()
            return language if language in set(Language) else "en"
    return "en"
