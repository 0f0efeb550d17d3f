"""Commands of the Director: each done once, or refused with the reason."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from laws.actions import (
    Action,
    Answer,
    Award,
    Correct,
    HandsReturned,
    Overrule,
    RoundEnds,
)
from laws.board import parse_deal
from laws.header import ScriptError
from laws.script import parse_line
from protocol.objects import Token
from protocol.payloads import DirectorCommand, Service
from referee.playing import Playing
from referee.record import Record
from referee.settings import Rounds
from referee.visible import is_proposed


class CommandRefusedError(ValueError):
    """A command cannot be done: says why, and what was expected."""


class OutdatedCommandError(CommandRefusedError):
    """It was meant for the table as it was before: look again, and say it again."""


@dataclass(frozen=True, slots=True)
class UnreadCommand:
    """A message on the Director's topic that is no command, and why."""

    id: str
    by: str
    reason: str


class _Sender(msgspec.Struct):
    id: Token
    by: object = ""


def unread_command(payload: bytes, reason: str) -> UnreadCommand | None:
    """Whom to tell the reason for which a message is no command; None if unknown."""
    try:
        sender = msgspec.json.decode(payload, type=_Sender)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return UnreadCommand(sender.id, str(sender.by)[:64], reason)


@dataclass(frozen=True, slots=True)
class Happens:
    """The command says what happened at the table, or is the Director's word."""

    playing: Playing
    action: Action


@dataclass(frozen=True, slots=True)
class Opens:
    """The command opens the playing of the board at this place of the list."""

    place: int


@dataclass(frozen=True, slots=True)
class Serves:
    """The command is a service that the record alone decides on."""

    service: Service


Order = Happens | Opens | Serves


def read_command(record: Record, command: DirectorCommand) -> Order:
    """What a command asks for, when it can be done as things stand.

    Raises:
        CommandRefusedError: says why it cannot.
    """
    if command.happening:
        return _read_happening(record, command)
    match command.service:
        case Service.OPEN:
            return _read_open(record, command)
        case Service.CONFIRM | Service.REJECT:
            return _read_confirm(record, command)
        case None:
            raise CommandRefusedError("expected a happening or a service")
        case _:
            _CHECKS[command.service](record, command)
    return Serves(command.service)


def _check_release(record: Record, command: DirectorCommand) -> None:
    if command.terminal and record.table.terminal(command.terminal) is None:
        raise CommandRefusedError(
            f"expected a terminal of the table, got {command.terminal!r}"
        )
    held_since = [
        number
        for taken, number in zip(record.waiting, record.waiting_since, strict=True)
        if command.terminal in {"", taken.terminal}
    ]
    forgets = record.lost and not command.drop
    if not held_since and not forgets:
        raise CommandRefusedError("nothing is held")
    if held_since:
        _check_seen(command, held_since[0], "the event that is held")
    if forgets:
        _check_seen(command, record.lost_at, "the loss of events")


def _check_subject(record: Record, command: DirectorCommand) -> None:
    subjects = {c.id for c in record.calls} | {a.id for a in record.alarms}
    if command.subject not in subjects:
        raise CommandRefusedError(
            f"expected the id of a call or an alarm, got {command.subject}"
        )


def _check_close(record: Record, command: DirectorCommand) -> None:
    _running(record)
    _check_unmoved(record, command)


def _check_round(record: Record, command: DirectorCommand) -> None:
    number = command.round
    if record.event.rounds is not Rounds.CALLED:
        raise CommandRefusedError("rounds begin by themselves in this event")
    rounds = sorted({board.round for board in record.table.boards if board.round})
    if number not in rounds:
        raise CommandRefusedError(
            f"expected a round of the table ({', '.join(map(str, rounds)) or 'none'}),"
            f" got {number}"
        )
    if number in record.rounds_open:
        raise CommandRefusedError(f"round {number} is open already")


def _check_deal(record: Record, command: DirectorCommand) -> None:
    to_come = record.table.boards[len(record.plays) and record.plays[-1].place + 1 :]
    if command.board not in {board.number for board in to_come}:
        raise CommandRefusedError(
            f"expected a board that is still to be played, got {command.board}"
        )
    try:
        parse_deal(command.deal)
    except ValueError as error:
        raise CommandRefusedError(f"deal: {error}") from None


def _check_hands(record: Record, command: DirectorCommand) -> None:
    playing = _playing_meant(record, command)
    if playing.state.board.hands is None:
        raise CommandRefusedError(
            f"nobody has told the hands of board {playing.board.number}"
        )


def _check_adjustment(record: Record, command: DirectorCommand) -> None:
    playing = _playing_meant(record, command)
    if command.adjustment is None:
        raise CommandRefusedError("adjustment: expected one, got none")
    _check_score_seen(playing, command)


def _check_score_seen(playing: Playing, command: DirectorCommand) -> None:
    """That he had seen what Directors have made of the score: given, or corrected."""
    steps = zip(playing.state.steps, playing.judged_at, strict=True)
    corrected = (
        number for step, number in steps if isinstance(step.action, Correct | Overrule)
    )
    _check_seen(command, max((playing.scored_at, *corrected)), "the score")


def _check_penalty(record: Record, command: DirectorCommand) -> None:
    playing = _playing_meant(record, command)
    if command.penalty is None:
        raise CommandRefusedError("penalty: expected one, got none")
    _check_score_seen(playing, command)


_CHECKS: dict[Service, Callable[[Record, DirectorCommand], None]] = {
    Service.CLOSE: _check_close,
    Service.RELEASE: _check_release,
    Service.ATTEND: _check_subject,
    Service.ROUND: _check_round,
    Service.DEAL: _check_deal,
    Service.HANDS: _check_hands,
    Service.ADJUST: _check_adjustment,
    Service.PENALTY: _check_penalty,
}
"""Why a service that the record alone decides on cannot be done, if it cannot."""


def _running(record: Record) -> Playing:
    playing = record.play
    if playing is None or playing.closed:
        raise CommandRefusedError("no play is open")
    return playing


def _playing_meant(record: Record, command: DirectorCommand) -> Playing:
    if command.play == 0:
        if record.play is None:
            raise CommandRefusedError("no board has been played yet")
        return record.play
    playing = record.playing(command.play)
    if playing is None:
        raise CommandRefusedError(f"there is no play {command.play}")
    return playing


def _check_unmoved(record: Record, command: DirectorCommand) -> None:
    if command.expects < record.moved:
        raise OutdatedCommandError(
            f"the table has moved on: expected {command.expects} as its last entry, "
            f"got {record.moved}"
        )


def _read_happening(record: Record, command: DirectorCommand) -> Happens:
    playing = _playing_meant(record, command)
    try:
        action = parse_line(command.happening)
    except ScriptError as error:
        raise CommandRefusedError(f"{command.happening!r}: {error.reason}") from None
    match action:
        case Answer():
            _check_answer(record, playing, command, action)
        case Overrule(number):
            _check_ruling_seen(playing, command, number)
        case Correct(line):
            _check_seen(command, _came_up(playing, line), f"line {line}")
        case RoundEnds() | HandsReturned() | Award():
            pass  # true or wanted whatever happened since
        case _:
            _check_unmoved(record, command)
    return Happens(playing, action)


def _check_answer(
    record: Record, playing: Playing, command: DirectorCommand, answer: Answer
) -> None:
    """An answer is outdated when the question is not the one that was seen."""
    for question, asked in playing.asked_at:
        meant = question.to is None and question.question == answer.word.value
        if meant and answer.seat in (None, question.seat):
            _check_seen(command, asked, f"the question {answer.word}")
            return
    if any(given.word is answer.word for given in playing.state.given):
        # Another answer to a question that was answered before: by somebody who knows.
        answered = _answered(playing, answer)
        if answered:
            _check_seen(command, answered, f"the answer {answer.word}")
            return
    _check_unmoved(record, command)


def _came_up(playing: Playing, line: int) -> int:
    """Journal number at which a line came up, or was last corrected; 0 for no line."""
    steps = zip(playing.state.steps, playing.judged_at, strict=True)
    return max(
        (
            number
            for step, number in steps
            if step.line == line
            or (isinstance(step.action, Correct) and step.action.line == line)
        ),
        default=0,
    )


def _answered(playing: Playing, answer: Answer) -> int:
    """Journal number at which such an answer was last given; 0 when it never was."""
    steps = zip(playing.state.steps, playing.judged_at, strict=True)
    return max(
        (
            number
            for step, number in steps
            if isinstance(step.action, Answer)
            and step.action.word is answer.word
            and (answer.seat is None or step.action.seat in (None, answer.seat))
        ),
        default=0,
    )


def _check_ruling_seen(playing: Playing, command: DirectorCommand, number: int) -> None:
    """That the Director had seen the ruling; whether there is one, the engine says."""
    if not 1 <= number <= len(playing.state.rulings):
        return
    ruling = playing.state.rulings[number - 1]
    if ruling.line <= len(playing.judged_at):
        given = playing.judged_at[ruling.line - 1]
        _check_seen(command, given, f"ruling {number}")


def _check_seen(command: DirectorCommand, number: int, what: str) -> None:
    if command.expects < number:
        raise OutdatedCommandError(
            f"{what} came up at entry {number}, after entry {command.expects} that "
            "the command expects"
        )


def _read_confirm(record: Record, command: DirectorCommand) -> Order:
    playing = _playing_meant(record, command)
    number = command.ruling
    if not 1 <= number <= len(playing.state.rulings):
        raise CommandRefusedError(f"there is no ruling {number}")
    if not is_proposed(playing, playing.state.rulings[number - 1]):
        raise CommandRefusedError(f"ruling {number} does not wait for the Director")
    _check_ruling_seen(playing, command, number)
    if command.service is Service.REJECT:
        return Happens(playing, Overrule(number))
    return Serves(Service.CONFIRM)


def _read_open(record: Record, command: DirectorCommand) -> Opens:
    _check_unmoved(record, command)
    playing = record.play
    if playing is not None and not playing.closed and not playing.is_over:
        raise CommandRefusedError(
            f"board {playing.board.number} is being played: close it first"
        )
    places = [
        place
        for place, board in enumerate(record.table.boards)
        if board.number == command.board
    ]
    if not places:
        raise CommandRefusedError(
            f"expected a board of the table's list, got {command.board}"
        )
    after = playing.place if playing is not None else -1
    return Opens(next((p for p in places if p > after), places[-1]))
