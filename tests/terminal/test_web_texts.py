"""The texts of the web terminal's page, by the names that its modules use."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from terminal.catalogue import page_texts

STATIC = Path(str(files("terminal.web") / "static"))
ENGLISH = page_texts("en")
USED = re.compile(r"""\bt\(\s*["`]([\w.-]+)(["`]|\$\{)""")


@pytest.mark.parametrize("module", sorted(STATIC.glob("*.js")), ids=lambda p: p.stem)
def test_every_text_that_a_module_shows_is_there(module: Path) -> None:
    for name, end in USED.findall(module.read_text(encoding="utf-8")):
        if end == "${":  # the beginning of a name
            assert any(known.startswith(name) for known in ENGLISH), name
        else:
            assert name in ENGLISH


def test_a_language_without_a_catalogue_is_told_in_english() -> None:
    assert page_texts("xx") == ENGLISH
    assert page_texts("es")["seat.W"] == "Oeste"
