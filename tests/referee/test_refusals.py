"""What the referee itself says in English is told in the language of the reader."""

import re

import pytest

from laws.seats import Seat
from protocol.happenings import CallDirector, RequestUndo
from protocol.objects import Service
from protocol.table_payloads import Desk
from referee.catalogue import catalogue
from referee.reasons import (
    REASONS,
    SENTENCES,
    call_in_words,
    happening_in_words,
    is_known,
    reason_in_words,
)
from referee.record import Aside
from referee.refusals import LAST, REFUSALS
from referee.settings import Questions
from referee.views import desk
from tests.places import REPOSITORY
from tests.referee.bench import Bench, settings
from tests.sentences import sentences_in

ENGLISH, SPANISH = catalogue("en"), catalogue("es")

REFUSING = {"CommandRefusedError", "OutdatedCommandError"}


def desk_of(bench: Bench) -> Desk:
    return desk(bench.table, "s")


@pytest.fixture
def bench() -> Bench:
    return Bench(settings(questions=Questions.ASSUME))


def test_every_reason_for_refusing_a_command_is_known() -> None:
    said = sentences_in(REPOSITORY / "referee" / "director.py", REFUSING)
    said |= sentences_in(REPOSITORY / "referee" / "judging.py", REFUSING)
    assert len(said) > 20
    # What has another sentence in its braces is tested below.
    composed = {
        "H2: H2",
        "H2 came up at entry H2, after entry H2 that the command expects",
        "deal: H2",
        "impossible: H2",
    }
    assert composed <= said
    assert [s for s in said - composed if not is_known(s)] == []


def test_every_alarm_is_known() -> None:
    said = sentences_in(REPOSITORY / "referee" / "table.py", {"_alarm_once"})
    composed = {
        "refused: H2",
        "replaced: serial number H2 instead of H2, of which H2 was taken",
    }
    assert composed < said
    assert [s for s in said - composed if not is_known(s)] == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("it is the turn of W", "es el turno de O"),
        ("expected a terminal of the table, got nothing", "nada"),
    ],
)
def test_seats_and_sides_have_the_readers_letters_and_names_stay(
    said: str, told: str
) -> None:
    assert told in reason_in_words(said, SPANISH)
    placed = happening_in_words("W places board 3", SPANISH)
    assert placed == "O coloca la tablilla 3"
    wrong = call_in_words("wrong seats: EW is not W", SPANISH)
    assert wrong == "posiciones equivocadas: EO no es W"


@pytest.mark.parametrize("why", list(Aside))
def test_every_reason_for_leaving_an_event_aside_is_known(why: Aside) -> None:
    assert is_known(why)
    assert reason_in_words(why, SPANISH) != why


@pytest.mark.parametrize(
    ("said", "spanish"),
    [
        (
            "refused: expected serial number A1, got A2, which belongs to t2-n",
            "rechazado: se esperaba el número de serie A1, se recibió A2, que corr",
        ),
        (
            "ruling 2 came up at entry 7, after entry 5 that the command expects",
            "la decisión 2 surgió en la entrada 7, después de la entrada 5 que",
        ),
        (
            "expected a round of the table (none), got 3",
            "se esperaba una ronda de la mesa (ninguna), se recibió 3",
        ),
        (
            "'W 5': expected a call or a card, got nothing",
            "'W 5': se esperaba un canto o una carta, se recibió nada",
        ),
        (
            "impossible: N does not hold S2",
            "imposible: N no tiene S2",
        ),
        (
            "Law 53A: nothing awaits acceptance",
            "Ley 53A: nada espera aceptación",
        ),
        (
            "wrong board: expected board 3, got board 4",
            "tablilla equivocada: se esperaba la tablilla 3, se recibió la tablilla 4",
        ),
        (
            "replaced: serial number B2 instead of B1, of which nothing was taken",
            "sustituido: número de serie B2 en lugar de B1, del que no se tomó nada",
        ),
        ("deal: a deal has 4 hands, got 3", "reparto: un reparto tiene 4 manos"),
        ("the port hung up; last heard 2.5 s before", "el puerto se cortó; oído por"),
        (
            "line 4 is the Director's own word",
            "la línea 4 es palabra del propio Director",
        ),
        ("there is no play to end", "no hay ningún carteo"),
    ],
)
def test_what_is_said_is_told_in_spanish(said: str, spanish: str) -> None:
    assert reason_in_words(said, SPANISH).startswith(spanish)


def test_each_sentence_is_taken_for_itself() -> None:
    for source in (*REFUSALS, *REASONS, *LAST):
        filled = re.sub(r"{\w+}", "H2", source)
        found = SENTENCES.source_of(filled)
        assert found is not None
        assert re.sub(r"{\w+}", "H2", found) == filled, source


def test_what_a_player_explains_is_told_as_he_wrote_it() -> None:
    assert happening_in_words("N places board 4", SPANISH) == "N coloca la tablilla 4"
    for own in ("N 2D! partner must pass", "N 2D! calls the Director", "N 1S"):
        assert happening_in_words(own, SPANISH) == own


def test_a_long_or_deep_sentence_stays_as_it_is() -> None:
    long, deep = "impossible: " * 1000, "deal: " * 60 + "x"
    assert reason_in_words(long, SPANISH) == long
    assert reason_in_words(deep, ENGLISH) == deep
    assert reason_in_words(deep, SPANISH) == "reparto: " * 4 + "deal: " * 56 + "x"


def test_a_refused_command_is_answered_in_every_language(bench: Bench) -> None:
    bench.direct(service=Service.CONFIRM, ruling=3)
    (reply,) = desk_of(bench).replies
    assert reply.reason == "there is no ruling 3"
    assert reply.texts == {"es": "no hay ninguna decisión 3"}


def test_a_command_that_is_done_has_no_texts(bench: Bench) -> None:
    bench.direct(service=Service.CLOSE)
    assert [reply.texts for reply in desk_of(bench).replies] == [{}]


def test_what_a_player_writes_is_told_as_he_wrote_it(bench: Bench) -> None:
    bench.does(CallDirector(Seat.NORTH, False, "nothing is held"))
    (call,) = desk_of(bench).calls
    assert (call.reason, call.texts) == ("nothing is held", {})


def test_what_a_key_says_for_him_is_told_in_every_language(bench: Bench) -> None:
    bench.does("N 1S", RequestUndo(Seat.NORTH))
    (call,) = desk_of(bench).calls
    assert call.texts == {"es": "deshacer: la última pulsación fue un error"}
