"""What daemons say of their terminals is told in the language of the reader."""

from pathlib import Path

import pytest

from broker.line_reasons import TEXTS, is_known, line_reason_in_words
from protocol.link import DownReason
from terminal.ble.transport import LOST
from terminal.relayed import DOWN, UNANSWERED, UNHEARD, UNJOINED, UNOPENED
from tests.places import REPOSITORY
from tests.sentences import sentences_in

ENGLISH, SPANISH = TEXTS.catalogue("en"), TEXTS.catalogue("es")

TERMINAL, PROTOCOL = REPOSITORY / "terminal", REPOSITORY / "protocol"


@pytest.mark.parametrize(
    ("file", "call", "argument"),
    [
        (TERMINAL / "admission.py", "Refused", 1),
        (TERMINAL / "ports.py", "PortError", 0),
        (TERMINAL / "carriers.py", "PortError", 0),
        (TERMINAL / "daemon.py", "line_lost", 1),
        (TERMINAL / "web" / "connection.py", "lost", 0),
        (TERMINAL / "web" / "connection.py", "close", 1),
        (PROTOCOL / "daemon_link.py", "Refused", 1),
    ],
)
def test_what_is_said_outright_is_known(file: Path, call: str, argument: int) -> None:
    said = sentences_in(file, {call}, argument)
    assert said
    assert [s for s in said if not is_known(s)] == []


@pytest.mark.parametrize(
    "reason", [*DOWN.values(), LOST, UNANSWERED, UNHEARD, UNJOINED, UNOPENED]
)
def test_a_reason_of_a_link_is_translated(reason: str) -> None:
    assert line_reason_in_words(reason, ENGLISH) == reason
    assert line_reason_in_words(reason, SPANISH) != reason


def test_every_reason_of_a_link_that_is_down_has_words() -> None:
    assert DOWN.keys() == set(DownReason)


@pytest.mark.parametrize(
    ("reason", "spanish"),
    [
        (
            "expected seats N S, got E W; keeps events 7/0-3, 8/0-0",
            "se esperaban las posiciones N S, se recibió E W; guarda",
        ),
        (
            "x: no such device; is the terminal plugged in?; last heard 2.5 s before",
            "x: no existe el dispositivo; ¿está enchufado el terminal?; oído",
        ),
        (
            "ble://C0:00:00:00:01:03: not heard; is the terminal switched on and near?",
            "ble://C0:00:00:00:01:03: no se oye",
        ),
        (
            "a tablet at 10.0.0.7 does not know the join code: the key is another",
            "una tableta en 10.0.0.7 no conoce el código de acceso: la clave es otra",
        ),
    ],
)
def test_a_reason_within_another_is_translated_too(reason: str, spanish: str) -> None:
    assert line_reason_in_words(reason, SPANISH).startswith(spanish)


def test_what_an_operating_system_says_stays_as_it_is() -> None:
    reason = "/dev/box: cannot be opened: [Errno 5] Input/output error"
    told = line_reason_in_words(reason, SPANISH)
    assert told == "/dev/box: no se puede abrir: [Errno 5] Input/output error"
    assert line_reason_in_words("something new", SPANISH) == "something new"
