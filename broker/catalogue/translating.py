"""Brings the catalogues of a package up to its source.

For who changes a text or translates; it needs Babel, of the ``dev`` dependencies. The
template gets every text that the source marks, each language keeps the translations
of those that are still there, and what a program reads (``.mo``) is compiled anew.
"""

import ast
import json
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from babel.messages.plurals import get_plural
from babel.messages.pofile import normalize, read_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from broker.catalogue.texts import Texts

Source = str | tuple[str, str]
"""A text in English; one that counts, in the singular and the plural."""

Translations = Mapping[Source, tuple[str, ...]]
"""Each text in another language, in as many forms as there are; empty: missing."""

KEYWORDS = {"noted": 1, "text": 1, "texts": 2}
"""Functions that mark texts, and how many of their arguments are texts."""

TEMPLATE = ".html"
"""What the name of a page's template ends with: Jinja2's language, not Python."""

TABLE = ".json"
"""What the name of a table ends with: an object of texts by name."""

_MAGIC = 0x950412DE
_MO_HEADER = struct.Struct("<7I")


@dataclass(frozen=True, slots=True)
class Catalogues:
    """The files of a package's catalogues.

    Attributes:
        texts: what they hold.
        sources: modules, and templates of pages, that mark the texts, and tables of
            them.
    """

    texts: Texts
    sources: tuple[Path, ...]

    def extracted(self) -> list[Source]:
        """Every text that the sources mark, in order."""
        found = {source for file in self.sources for source in _marked(file)}
        return sorted(found, key=_singular)

    @property
    def template(self) -> Path:
        """The list of all texts."""
        return self.texts.folder / f"{self.texts.domain}.pot"

    def po_file(self, language: str) -> Path:
        """Where a language's translations are kept."""
        name = f"{self.texts.domain}.po"
        return self.texts.folder / language / "LC_MESSAGES" / name

    def languages(self) -> list[str]:
        """Languages that are translated into."""
        found = self.texts.folder.glob(f"*/*/{self.texts.domain}.po")
        return sorted(path.parent.parent.name for path in found)

    def read_translations(self, language: str) -> Translations:
        """What a language's file has; texts without a translation are left out."""
        with self.po_file(language).open("rb") as file:
            kept = read_po(file, locale=language)
        translations: dict[Source, tuple[str, ...]] = {}
        for message in kept:
            forms = _as_tuple(message.string)
            match _as_tuple(message.id):
                case (text,) if text and all(forms):
                    translations[text] = forms
                case (one, many) if all(forms):
                    translations[one, many] = forms
                case _:
                    pass
        return translations

    def po_text(
        self, sources: Iterable[Source], translations: Translations, language: str = ""
    ) -> str:
        """A catalogue as translators read it; without a language, the template."""
        entries = [f'msgid ""\nmsgstr {normalize(self._header(language))}']
        for source in sources:
            if isinstance(source, str):
                (told,) = translations.get(source, ("",))
                entries.append(f"msgid {normalize(source)}\nmsgstr {normalize(told)}")
                continue
            one, many = source
            forms = translations.get(source, ("",) * self._plurals(language)[0])
            lines = [f"msgid {normalize(one)}", f"msgid_plural {normalize(many)}"]
            lines += [f"msgstr[{i}] {normalize(form)}" for i, form in enumerate(forms)]
            entries.append("\n".join(lines))
        return "\n\n".join(entries) + "\n"

    def mo_bytes(self, translations: Translations, language: str) -> bytes:
        """A catalogue as programs read it: GNU's ``.mo``, with the texts in order."""
        texts = {b"": self._header(language).encode()}
        for source, forms in translations.items():
            key = source if isinstance(source, str) else "\0".join(source)
            texts[key.encode()] = "\0".join(forms).encode()
        keys = sorted(texts)
        count, start = len(keys), _MO_HEADER.size
        places: list[int] = []
        data = b""
        for part in (keys, [texts[key] for key in keys]):
            for text in part:
                places += [len(text), start + 16 * count + len(data)]
                data += text + b"\0"
        header = _MO_HEADER.pack(_MAGIC, 0, count, start, start + 8 * count, 0, 0)
        return header + struct.pack(f"<{len(places)}I", *places) + data

    def update(self) -> None:
        """Write the template and every language's files; say what is missing."""
        sources = self.extracted()
        self.template.write_text(self.po_text(sources, {}), encoding="utf-8")
        for language in self.languages():
            known = self.read_translations(language)
            kept = {source: known[source] for source in sources if source in known}
            file = self.po_file(language)
            file.write_text(self.po_text(sources, kept, language), encoding="utf-8")
            file.with_suffix(".mo").write_bytes(self.mo_bytes(kept, language))
            missing = [source for source in sources if source not in kept]
            sys.stdout.write(f"{language}: {len(kept)} texts, {len(missing)} missing\n")
            for source in missing:
                sys.stdout.write(f"  {_singular(source)}\n")

    def _plurals(self, language: str) -> tuple[int, str]:
        """How many forms a language has, and which: as its file says, or as usual."""
        file = self.po_file(language)
        if language and file.exists() and file.stat().st_size:
            with file.open("rb") as kept:
                catalogue = read_po(kept, locale=language)
            return catalogue.num_plurals, catalogue.plural_forms
        usual = get_plural(language or "en")
        return usual.num_plurals, usual.plural_forms

    def _header(self, language: str) -> str:
        lines = ["Project-Id-Version: bidwire", f"Language: {language}"]
        lines += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8"]
        lines += ["Content-Transfer-Encoding: 8bit"]
        if language:
            lines.append(f"Plural-Forms: {self._plurals(language)[1]}")
        return "\n".join(lines) + "\n"


def _marked(file: Path) -> Iterator[Source]:
    """The texts that a source marks, by the functions that it gives them to.

    Of a table it is all that are in it.
    """
    content = file.read_text(encoding="utf-8")
    if file.suffix == TABLE:
        yield from json.loads(content).values()
        return
    found = _marked_on_page if file.suffix == TEMPLATE else _marked_in_module
    for name, arguments in found(content):
        texts = [a for a in arguments[: KEYWORDS[name]] if isinstance(a, str)]
        match texts:
            case [text]:
                yield text
            case [one, many]:
                yield one, many
            case _:
                pass


def _marked_in_module(content: str) -> Iterator[tuple[str, list[object]]]:
    for node in ast.walk(ast.parse(content)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in KEYWORDS:
            yield name, [getattr(argument, "value", None) for argument in node.args]


def _marked_on_page(content: str) -> Iterator[tuple[str, list[object]]]:
    page = Environment(autoescape=True).parse(content)
    for _, name, arguments in extract_from_ast(page, tuple(KEYWORDS)):
        yield name, [*arguments] if isinstance(arguments, tuple) else [arguments]


def _singular(source: Source) -> str:
    return source if isinstance(source, str) else source[0]


def _as_tuple(text: str | Iterable[str] | None) -> tuple[str, ...]:
    if text is None or isinstance(text, str):
        return (text or "",)
    return tuple(text)
