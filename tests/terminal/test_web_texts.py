"""The texts of the web terminal's page: complete in both languages."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

STATIC = Path(str(files("terminal.web") / "static"))
ENGLISH, SPANISH = (
    json.loads((STATIC / "texts" / f"{language}.json").read_text(encoding="utf-8"))
    for language in ("en", "es")
)
USED = re.compile(r"""\bt\(\s*["`]([\w.-]+)(["`]|\$\{)""")


def test_each_language_has_every_text() -> None:
    assert list(ENGLISH) == list(SPANISH)
    for name in ENGLISH:
        assert ENGLISH[name].strip(), name
        assert SPANISH[name].strip(), name
        assert _values(ENGLISH[name]) == _values(SPANISH[name]), name


@pytest.mark.parametrize("module", sorted(STATIC.glob("*.js")), ids=lambda p: p.stem)
def test_every_text_that_a_module_shows_is_there(module: Path) -> None:
    for name, end in USED.findall(module.read_text(encoding="utf-8")):
        if end == "${":  # the beginning of a name
            assert any(known.startswith(name) for known in ENGLISH), name
        else:
            assert name in ENGLISH


def _values(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))
