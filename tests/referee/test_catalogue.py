"""Every text that players read is in the catalogue, and in every language."""

import ast
import gettext
import re
from pathlib import Path

import pytest

from referee.catalogue import DOMAIN, LANGUAGES, LOCALE, Catalogue

REFEREE = LOCALE.parent
BIDWIRE = REFEREE.parent / "bidwire"
SOURCES = sorted(
    [
        *REFEREE.glob("*.py"),
        *BIDWIRE.glob("rule*.py"),
        *BIDWIRE.glob("journal/*.py"),
    ]
)


def texts_of(source: Path) -> set[str]:
    """Texts that a module marks: arguments of ``text``, ``texts`` and ``noted``."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        count = {"text": 1, "texts": 2, "noted": 1}.get(name, 0)
        for argument in node.args[:count]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                found.add(argument.value)
    return found


def template() -> set[str]:
    """The texts of the template: msgid and msgid_plural, lines joined."""
    text = (LOCALE / f"{DOMAIN}.pot").read_text(encoding="utf-8")
    entries = re.findall(r'^msgid(?:_plural)? ((?:".*"\n)+)', text, re.MULTILINE)
    joined = {
        "".join(ast.literal_eval(line) for line in entry.splitlines())
        for entry in entries
    }
    return joined - {""}


def test_template_lists_every_text() -> None:
    marked = set().union(*(texts_of(source) for source in SOURCES))
    assert template() == marked


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_catalogue_has_every_text_with_the_same_names_in_braces(language: str) -> None:
    translations = gettext.translation(DOMAIN, LOCALE, [language])
    for text in template():
        singular = translations.gettext(text)
        assert sorted(re.findall(r"{\w+[^}]*}", singular)) == sorted(
            re.findall(r"{\w+[^}]*}", text)
        )


def test_english_is_the_language_of_the_source() -> None:
    words = Catalogue("en")
    assert words.text("Your call") == "Your call"
    one, many = "{count} trick to {side}", "{count} tricks to {side}"
    assert words.texts(one, many, 1, side="North-South") == "1 trick to North-South"
    assert words.texts(one, many, 2, side="North-South") == "2 tricks to North-South"


def test_language_without_a_catalogue_falls_back_to_english() -> None:
    assert Catalogue("xx").text("Your call") == "Your call"
