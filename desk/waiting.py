"""What waits for the Director at a table: questions with their answers, and the rest.

Of earlier boards, too: under Law 64C a question may be answered when the next board
has begun.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desk.room import Room
from laws.actions import Word
from laws.seats import Seat
from protocol.course import Course
from protocol.payloads import Alarm, HeldEvent, SilentCall

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that a question takes.

    Attributes:
        line: of the table script.
        foreseen: what it would lead to, with ``text`` and ``texts``; None where the
            table does not wait for it.
    """

    line: str
    foreseen: Plain | None

    @property
    def words(self) -> list[str]:
        """The answer alone, as the script has it."""
        words = self.line.split()
        return words[-1:] if words[0] == "director" else words[1:]


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question, to the Director or to a player.

    Attributes:
        play: the playing that it is about.
        board: its board.
        plain: as in the report.
        told: in words, with ``text`` and ``texts``.
        answers: as lines of the script.
        evidence: double dummy beside the result, of the question of 64C.
    """

    play: int
    board: int
    plain: Plain
    told: Plain
    answers: tuple[Answer, ...]
    evidence: Plain | None = None

    @property
    def id(self) -> str:
        """Unique on a table's page."""
        plain = self.plain
        return f"{self.play}-{plain['line']}-{plain['question']}-{plain['seat']}"

    @property
    def to(self) -> Seat | None:
        """Who is asked: a player, or the Director (None)."""
        to = self.plain["to"]
        return None if to == "director" else Seat(to)

    @property
    def holds(self) -> bool:
        """Whether the board waits for the answer."""
        return bool(self.plain["holds"])

    @property
    def claimed(self) -> tuple[int, int] | None:
        """Tricks claimed and remaining, where a claim is to be adjudicated (70)."""
        if self.to is not None or self.plain["question"] != "claim":
            return None
        tricks, _, remaining, *_ = self.plain["about"].split()
        return int(tricks), int(remaining)

    @property
    def is_about_suits(self) -> bool:
        """Whether any number of suits answers it."""
        return self.to is None and self.plain["question"] == Word.SHOWN


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for the Director at a table.

    Attributes:
        table: its id.
        number: the journal number of the desk, which commands expect.
        play: the running playing.
        board: its board.
        calls: for the Director, that nobody has attended to.
        questions: the running board's first, those that hold it before others.
        proposed: rulings that wait for a click.
        suspicions: what the table has not been told.
        held: events that are not judged yet.
        aside: events that were not applied; nothing is to be done about them.
        alarms: of equipment or numbering.
    """

    table: str
    number: int = 0
    play: int = 0
    board: int = 0
    calls: tuple[SilentCall, ...] = ()
    questions: tuple[Asked, ...] = ()
    proposed: tuple[Plain, ...] = ()
    suspicions: tuple[Plain, ...] = ()
    held: tuple[HeldEvent, ...] = ()
    aside: tuple[HeldEvent, ...] = ()
    alarms: tuple[Alarm, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether there is something to do for the Director himself.

        A player's option waits for the player, and what the table does not know for
        the players to speak of it.
        """
        return bool(
            self.calls
            or any(asked.to is None for asked in self.questions)
            or self.proposed
            or self.held
            or self.alarms
        )


def waiting_at(room: Room, table: str) -> Waiting:
    """What waits for the Director at a table now."""
    desk = room.desks.get(table)
    if desk is None:
        return Waiting(table)
    judged = desk.judged or {}
    now = _questions(
        (desk.play, desk.board), judged, desk.course, desk.foreseen, desk.evidence
    )
    earlier = (
        asked
        for (of, play), result in sorted(room.results.items())
        if of == table and play != desk.play and result.judged is not None
        for asked in _questions(
            (play, result.board), result.judged, result.course, (), desk.evidence
        )
        if asked.to is None
    )
    return Waiting(
        table,
        number=desk.number,
        play=desk.play,
        board=desk.board,
        calls=tuple(call for call in desk.calls if not call.attended),
        questions=(*sorted(now, key=_urgency), *earlier),
        proposed=desk.proposed,
        suspicions=desk.suspicions,
        held=desk.held,
        aside=desk.aside,
        alarms=desk.alarms,
    )


def _urgency(asked: Asked) -> tuple[bool, bool]:
    return (asked.to is not None, not asked.holds)


def _questions(
    of: tuple[int, int],
    judged: Plain,
    course: Course | None,
    foreseen: Sequence[Plain],
    evidence: Sequence[Plain],
) -> Iterator[Asked]:
    """The open questions of a playing.

    Args:
        of: the playing, and its board.
        judged: its report.
        course: its questions in words; None of a referee that does not tell it.
        foreseen: what answers would lead to.
        evidence: of the table.
    """
    play, board = of
    untold = list(foreseen)
    words = course.questions if course is not None else ()
    for place, plain in enumerate(judged.get("questions", ())):
        told: Plain = {"text": plain.get("about", "")}
        if place < len(words):
            told = {"text": words[place].text, "texts": words[place].texts}
        answers = tuple(_answers(plain, untold))
        yield Asked(play, board, plain, told, answers, _evidence(of, plain, evidence))


def _answers(plain: Plain, untold: list[Plain]) -> Iterator[Answer]:
    """The answers to a question; takes those that were foreseen off the list."""
    seat = plain["seat"]
    if plain["to"] != "director":
        begins = tuple(f"{hand} " for hand in {plain["to"], seat} - {None})
    else:
        about = f"{seat} " if seat is not None else ""
        begins = (f"director {plain['question']} {about}",)
    mine = [each for each in untold if str(each["line"]).startswith(begins)]
    for each in mine:
        untold.remove(each)
        yield Answer(each["line"], each)
    if not mine and plain["to"] == "director" and plain["question"] != "claim":
        for choice in plain["choices"]:
            yield Answer(f"{begins[0]}{choice}", None)


def _evidence(
    of: tuple[int, int], plain: Plain, evidence: Sequence[Plain]
) -> Plain | None:
    if plain["question"] != Word.DAMAGE:
        return None
    wanted = (of[0], plain["line"], plain["seat"])
    return next(
        (e for e in evidence if (e["play"], e["line"], e["seat"]) == wanted), None
    )
