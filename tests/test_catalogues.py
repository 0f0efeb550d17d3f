"""Every text that people read is marked, translated, and compiled for programs."""

import ast
import gettext
import json
import re
import string
from pathlib import Path

import pytest

from broker.catalogue import Catalogue
from broker.catalogue.sources import CATALOGUES as BROKER
from broker.catalogue.translating import Catalogues, Source
from desk.catalogue.sources import CATALOGUES as DESK
from referee.catalogue.sources import CATALOGUES as REFEREE
from terminal.catalogue.sources import CATALOGUES as TERMINAL

ALL = {"broker": BROKER, "desk": DESK, "referee": REFEREE, "terminal": TERMINAL}


@pytest.fixture(params=ALL)
def package(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def catalogues(package: str) -> Catalogues:
    return ALL[package]


def names_in(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def forms(source: Source) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else source


def texts_of(source: Path) -> set[str]:
    """Texts that a module marks: arguments of ``text``, ``texts`` and ``noted``.

    Of a table it is all that are in it.
    """
    if source.suffix == ".json":
        return set(json.loads(source.read_text(encoding="utf-8")).values())
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        count = {"text": 1, "texts": 2, "noted": 1}.get(name, 0)
        for argument in node.args[:count]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                found.add(argument.value)
    return found


def template(catalogues: Catalogues) -> set[str]:
    """The texts of the template: msgid and msgid_plural, lines joined."""
    text = catalogues.template.read_text(encoding="utf-8")
    entries = re.findall(r'^msgid(?:_plural)? ((?:".*"\n)+)', text, re.MULTILINE)
    joined = {
        "".join(ast.literal_eval(line) for line in entry.splitlines())
        for entry in entries
    }
    return joined - {""}


def test_the_template_lists_every_text_of_the_modules(catalogues: Catalogues) -> None:
    modules = [file for file in catalogues.sources if file.suffix != ".html"]
    marked = set().union(*(texts_of(module) for module in modules))
    assert marked
    assert marked <= template(catalogues)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<p>{{ text("Your call") }}</p>', ["Your call"]),
        ('{{ text("Board {n}", n=text("one")) }}', ["Board {n}", "one"]),
        (
            '{{ texts("{count} table", "{count} tables", n) }}',
            [("{count} table", "{count} tables")],
        ),
        ('{% set x = noted("Pass") %}{{ text(x) }}', ["Pass"]),
        ("{{ text(name) }}<p>Bare</p>", []),
    ],
)
def test_a_page_marks_its_texts_as_a_module_does(
    page: str, expected: list[Source], tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    assert Catalogues(REFEREE.texts, (file,)).extracted() == expected


def test_every_text_is_translated(catalogues: Catalogues) -> None:
    sources = catalogues.extracted()
    assert catalogues.languages() == ["es"]
    for language in catalogues.languages():
        translations = catalogues.read_translations(language)
        assert [source for source in sources if source not in translations] == []


def test_nothing_is_translated_that_nobody_reads(catalogues: Catalogues) -> None:
    assert set(catalogues.read_translations("es")) <= set(catalogues.extracted())


def test_what_programs_read_is_what_translators_wrote(
    package: str, catalogues: Catalogues
) -> None:
    translations = catalogues.read_translations("es")
    compiled = catalogues.po_file("es").with_suffix(".mo").read_bytes()
    behind = f"run python -m {package}.catalogue"
    assert compiled == catalogues.mo_bytes(translations, "es"), behind
    texts = catalogues.texts
    read = gettext.translation(texts.domain, texts.folder, ["es"])
    for source, told in translations.items():
        if isinstance(source, str):
            assert read.gettext(source) == told[0]
        else:
            assert [read.ngettext(*source, count) for count in (1, 2)] == list(told)


def test_what_translators_read_is_what_the_source_marks(
    package: str, catalogues: Catalogues
) -> None:
    sources = catalogues.extracted()
    behind = f"run python -m {package}.catalogue"
    listed = catalogues.template.read_text(encoding="utf-8")
    assert listed == catalogues.po_text(sources, {}), behind
    written = catalogues.po_file("es").read_text(encoding="utf-8")
    translations = catalogues.read_translations("es")
    assert written == catalogues.po_text(sources, translations, "es"), behind


def test_the_braces_name_the_same(catalogues: Catalogues) -> None:
    for source, told in catalogues.read_translations("es").items():
        expected = names_in(forms(source)[0])
        assert all(names_in(form) == expected for form in (*forms(source), *told))
        formats = re.findall(r"{(\w+:[^}]+)}", forms(source)[0])
        assert all(re.findall(r"{(\w+:[^}]+)}", form) == formats for form in told)


def test_what_counts_has_both_forms() -> None:
    counting = [
        told
        for catalogues in ALL.values()
        for source, told in catalogues.read_translations("es").items()
        if len(forms(source)) > 1
    ]
    assert counting
    assert all(len(told) == 2 and told[0] != told[1] for told in counting)


ENGLISH = re.compile(
    r"\b(the|and|tricks?|auction|declarer|dummy|partner|lead|must|turn)\b"
)


def test_no_english_is_left_over(catalogues: Catalogues) -> None:
    translations = catalogues.read_translations("es")
    told = [form for forms_of in translations.values() for form in forms_of]
    assert [form for form in told if ENGLISH.search(without_quotes(form))] == []


def without_quotes(text: str) -> str:
    """Without what is quoted from a script, and without the names in braces."""
    return re.sub(r"`[^`]*`|{[^}]*}", "", text)


def test_a_new_language_begins_with_an_empty_file(
    package: str, catalogues: Catalogues
) -> None:
    begun = catalogues.po_text(["Your call"], {}, "fr")
    assert 'msgid "Your call"\nmsgstr ""' in begun
    assert package == catalogues.texts.domain


def test_english_is_the_language_of_the_source() -> None:
    words = Catalogue("en")
    assert words.text("Your call") == "Your call"
    one, many = "{count} trick to {side}", "{count} tricks to {side}"
    assert words.texts(one, many, 1, side="North-South") == "1 trick to North-South"
    assert words.texts(one, many, 2, side="North-South") == "2 tricks to North-South"


def test_language_without_a_catalogue_falls_back_to_english(
    catalogues: Catalogues,
) -> None:
    assert catalogues.texts.catalogue("xx").text("Your call") == "Your call"
    assert catalogues.texts.languages() == ("en", "es")
