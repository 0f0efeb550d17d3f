"""The Spanish catalogue: whole, current, in the field's terms, and fit for displays."""

import string
from collections.abc import Iterator

import pytest

from broker.catalogue.translating import Catalogues, Source
from laws.actions import (
    Accept,
    Action,
    Agree,
    Decline,
    Forbid,
    Keep,
    Object,
    PlayOn,
    Require,
    Spread,
    Waive,
)
from laws.cards import SUITS, Suit
from laws.rulings import Question
from laws.seats import Seat
from protocol.messages import Encoding
from referee.catalogue import catalogue
from referee.catalogue.sources import CATALOGUES
from referee.choices import LABEL_MAX, label_in_words
from referee.fit import PAGES_MAX, paginate, plain

TRANSLATIONS = CATALOGUES.read_translations("es")
TEXTS = sorted(TRANSLATIONS.items(), key=str)

SHOWN = Catalogues(
    CATALOGUES.texts,
    tuple(file for file in CATALOGUES.sources if file.parent.name == "referee"),
)
"""Modules whose texts displays show; the others are for the Director's terminal."""

LONGEST = {
    "agreement": "Norte-Sur",
    "assumption": "el nuevo canto de Oeste no es comparable",
    "call": "redoblo",
    "calls": "doblo, redoblo",
    "cards": "N:SA E:S2 S:S3 W:S4",
    "contract": "7NT redoblado, por Oeste",
    "level": "cumplido",
    "seat": "Oeste",
    "dealer": "Oeste",
    "pair": "García-Pérez",
    "ns": "García-Pérez",
    "ew": "Müller-Ruiz",
    "side": "Este-Oeste",
    "suit": "corazones",
    "suits": "tréboles, diamantes, corazones, picas",
    "tricks": "13",
    "vulnerable": "Este-Oeste",
    "law": "30B1(b)(ii)",
}
"""What may stand in the braces, at its longest; else a number."""


def names_in(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def filled(text: str) -> str:
    return text.format(**{name: LONGEST.get(name, 10) for name in names_in(text)})


def forms(source: Source) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else source


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0 bazas"), (1, "1 baza"), (2, "2 bazas"), (1000000, "1000000 bazas")],
)
def test_what_counts_has_its_plural(count: int, expected: str) -> None:
    words = catalogue("es")
    one, many = "{count} trick to {side}", "{count} tricks to {side}"
    told = words.texts(one, many, count, side="Norte-Sur")
    assert told == f"{expected} para Norte-Sur"


def shown_texts() -> Iterator[str]:
    """All that a display may have to show, in both languages."""
    for source in SHOWN.extracted():
        yield from forms(source)
        yield from TRANSLATIONS[source]


@pytest.mark.parametrize("encoding", Encoding)
@pytest.mark.parametrize(("columns", "rows"), [(16, 2), (20, 4), (21, 8)])
def test_every_text_fits_a_display_and_no_word_is_cut(
    columns: int, rows: int, encoding: Encoding
) -> None:
    for text in shown_texts():
        told = filled(text)
        pages = paginate([told], columns, rows, encoding)
        assert len(pages) <= PAGES_MAX
        shown = " ".join(line for page in pages for line in page)
        assert shown.split() == plain(told, encoding).split(), text


def test_a_display_without_accents_loses_only_them() -> None:
    told = plain("¿Qué palos mostró 2D de Sur?", Encoding.ASCII)
    assert told == "Que palos mostro 2D de Sur?"


def test_labels_of_choices_are_not_cut() -> None:
    seat = Seat.WEST
    question = Question(to=seat, question="lead", law="26", line=1, about="redouble")
    actions: list[Action] = [
        Accept(seat),
        Decline(seat),
        Spread(seat),
        Waive(seat),
        Keep(seat),
    ]
    actions += [Agree(seat), Object(seat), PlayOn(seat)]
    actions += [Require(seat, suit) for suit in SUITS]
    actions += [Forbid(seat, (suit, Suit.DIAMONDS)) for suit in SUITS]
    for action in actions:
        label = label_in_words(action, question, catalogue("es"))
        assert label is not None
        assert len(label) <= LABEL_MAX


@pytest.mark.parametrize(
    "term",
    [
        "renuncio",
        "canto",
        "oferta fuera de turno",
        "baza",
        "OMD",
        "OMI",
        "salida",
        "declarante",
        "muerto",
        "rectificación",
        "remate",
        "tablilla",
        "bando infractor",
        "bando inocente",
    ],
)
def test_it_speaks_of_the_game_as_players_do(term: str) -> None:
    assert any(term in form for _, told in TEXTS for form in told)
