"""What waits for the Director at each table, line by line as it comes and goes."""

from collections.abc import Callable, Iterator
from typing import Any

from bidwire.screen_text import on_one_line
from laws.actions import Word
from laws.rulings import Question
from laws.seats import Seat
from protocol.payloads import Desk, Payload
from referee.catalogue import catalogue
from referee.directors_questions import directors_question
from referee.names import seat_name

Plain = dict[str, Any]


class Watch:
    """Hears the desks and says what is new on them, and what is settled."""

    def __init__(self, say: Callable[[str], None], table: str | None = None) -> None:
        """Prepare.

        Args:
            say: prints a line for people.
            table: only this one; None is all.
        """
        self._say = say
        self._only = table
        self._open: dict[str, tuple[str, ...]] = {}

    def hear(self, payload: Payload) -> None:
        """Take a message of the Director's topics."""
        if not isinstance(payload, Desk) or self._only not in {None, payload.table}:
            return
        before = self._open.get(payload.table, ())
        now = tuple(map(on_one_line, open_at(payload)))
        self._open[payload.table] = now
        for line in before:
            if line not in now:
                self._say(f"{payload.table}: settled: {line}")
        for line in now:
            if line not in before:
                self._say(f"{payload.table}: {line}")


def open_at(desk: Desk) -> Iterator[str]:
    """What waits for the Director on a desk, each with the command that answers it."""
    board = f"board {desk.board}"
    for question in desk.questions:
        if question["to"] == "director":
            yield f"{board}: {_question(question)}"
    for ruling in desk.proposed:
        number = ruling["number"]
        yield (
            f"{board}: proposed ruling {number}: {ruling['text']}"
            f" [confirm {number} | reject {number}]"
        )
    for suspicion in desk.suspicions:
        yield f"{board}: the table does not know: {_suspicion(suspicion)}"
    for call in desk.calls:
        if not call.attended:
            silently = " silently" if call.silent else ""
            why = f": {call.reason}" if call.reason else ""
            name = seat_name(call.seat, catalogue("en"))
            yield f"{name} calls you{silently}{why} [attend {call.id}]"
    for alarm in desk.alarms:
        which = f"{alarm.terminal}: " if alarm.terminal else ""
        yield f"{which}{alarm.text} [attend {alarm.id}]"
    for held in desk.held:
        yield (
            f"held of {held.terminal}: {held.happening}: {held.reason}"
            f" [release {held.terminal} | drop {held.terminal}]"
        )
    for event in desk.aside:
        yield f"not applied, of {event.terminal}: {event.happening}: {event.reason}"


def _question(plain: Plain) -> str:
    """A question as a sentence, with its citation and the answers that it takes."""
    seat = Seat(plain["seat"]) if plain["seat"] else None
    asked = Question(
        to=None,
        question=plain["question"],
        law=plain["law"],
        line=plain["line"],
        seat=seat,
        about=plain["about"],
    )
    text = directors_question(asked, catalogue("en"))
    waits = " The table waits." if plain["holds"] else ""
    return f"{text}{waits} (Law {plain['law']}) [{_answers(plain)}]"


def _answers(plain: Plain) -> str:
    word = plain["question"]
    if word not in set(Word):
        return "director award SEAT TRICKS"
    whose = f" {plain['seat']}" if plain["seat"] else ""
    choices = plain["choices"] or ["yes", "no"]
    return " | ".join(f"director {word}{whose} {choice}" for choice in choices)


def _suspicion(plain: Plain) -> str:
    """A revoke, or a ruling, that is kept from the table."""
    if "text" in plain:
        return str(plain["text"])
    seat = seat_name(Seat(plain["seat"]), catalogue("en"))
    return (
        f"revoke of {seat} at trick {plain['trick']}: {plain['card']},"
        f" {plain['state']} (Law {plain['law']})"
    )
