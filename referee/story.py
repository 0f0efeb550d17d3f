"""What happened at a table, from its entries in the journal, for a disputed score.

The entries are folded as the referee folds them, so that the story tells of each ruling
what the table was told; nothing is judged again.
"""

from collections.abc import Iterable, Iterator

import msgspec

from laws.report import report
from laws.rulings import Status
from laws.state import State
from protocol.payloads import (
    LogKind,
    LogLine,
)
from referee.catalogue import LANGUAGES, Catalogue, catalogue
from referee.commands_told import command_in_words
from referee.directors_questions import judgement_told
from referee.entries import (
    Alarmed,
    Attended,
    CommandJudged,
    CommandTaken,
    CommandUnread,
    DirectorCalled,
    Entry,
    EventJudged,
    EventMalformed,
    EventServed,
    EventSetAside,
    EventsLost,
    EventTaken,
    LinkLost,
    PlayClosed,
    PlayOpened,
    RulingConfirmed,
    RulingTold,
    SeatsConfirmed,
    TerminalSeen,
)
from referee.folding import empty_record, received
from referee.happened import told_happening
from referee.journal import Row
from referee.meanings import meaning_of_command, meaning_of_key
from referee.names import contract_name, seat_name
from referee.playing import Playing, is_over
from referee.prompts import NOTICES
from referee.questions import option_told
from referee.reasons import call_in_words, happening_in_words, reason_in_words
from referee.record import Aside, Record, fold
from referee.wording import cited, ruling_in_words

Told = tuple[LogKind, str]


def tell(
    event: str, table: str, rows: Iterable[Row], words: Catalogue
) -> Iterator[LogLine]:
    """The story of a table; each line has the number of its entry in the journal.

    Args:
        event: whose journal it is.
        table: its id.
        rows: all entries of the journal, or of the table.
        words: of the reader.

    Raises:
        CodecError: an entry holds what is no event of the engine.
    """
    record, at = empty_record(event, table), 0.0
    for row in rows:
        if row.table != table:
            continue
        before, record = record, fold(record, row.entry)
        at = received(row.entry) or at
        for told in _told(row.entry, before, record, words):
            yield _line(row.number, at, row.entry, record, told)


def lines_of(
    entry: Entry, before: Record, after: Record, at: float
) -> Iterator[LogLine]:
    """What an entry tells, in all languages; numbered as the table numbers it.

    Args:
        entry: of the table's journal.
        before: the table before it.
        after: and after it.
        at: wall clock of the last entry that has one; 0 when there was none.
    """
    by_language = {
        language: tuple(_told(entry, before, after, catalogue(language)))
        for language in LANGUAGES
    }
    for i, told in enumerate(by_language["en"]):
        line = _line(after.number, at, entry, after, told)
        others = {
            language: texts[i][1]
            for language, texts in by_language.items()
            if texts[i] != told
        }
        yield msgspec.structs.replace(line, texts=others)


def _line(number: int, at: float, entry: Entry, record: Record, told: Told) -> LogLine:
    kind, text = told
    meant = entry.command.play if isinstance(entry, CommandTaken) else 0
    playing = record.playing(meant) if meant else record.play
    return LogLine(
        number=number,
        at=at or None,
        age_ms=entry.age_ms if isinstance(entry, EventTaken) else None,
        play=playing.number if playing else 0,
        board=playing.board.number if playing else 0,
        kind=kind,
        text=text,
    )


def _told(  # noqa: C901, PLR0912 - one branch a kind of entry
    entry: Entry, before: Record, after: Record, words: Catalogue
) -> Iterator[Told]:
    match entry:
        case EventTaken():
            told = happening_in_words(told_happening(entry), words)
            meaning = meaning_of_key(entry, before.play, words)
            yield LogKind.KEY, f"{told} ({meaning})" if meaning else told
        case EventJudged(play=play) | CommandJudged(play=play):
            yield from _judged(before.playing(play), after.playing(play), words)
        case EventSetAside():
            yield LogKind.ASIDE, _aside(entry, before, words)
        case EventMalformed():
            told = words.text(
                "{terminal}: an event that breaks a rule of the wire: {reason}",
                terminal=entry.terminal,
                reason=entry.reason,
            )
            yield LogKind.ASIDE, told
        case DirectorCalled():
            yield LogKind.CALL, _call(entry, words)
        case CommandTaken():
            yield LogKind.DIRECTOR, _command(entry, before, words)
        case CommandUnread():
            reason = reason_in_words(entry.reason, words)
            said = words.text("no command: {reason}", reason=reason)
            yield LogKind.DIRECTOR, _director(entry.by, said, words)
        case PlayOpened():
            yield LogKind.BOARD, _opened(entry, words)
        case PlayClosed():
            yield LogKind.BOARD, words.text("The playing is closed.")
        case RulingTold():
            told = words.text("The table is told (ruling {n}).", n=entry.number)
            yield LogKind.RULING, told
        case RulingConfirmed():
            told = words.text("The Director confirms it (Law {law}).", law=entry.law)
            yield LogKind.RULING, told
        case Attended():
            told = words.text("Entry {n} of the table is attended to.", n=entry.subject)
            yield LogKind.DIRECTOR, told
        case Alarmed():
            where = f"{entry.terminal}: " if entry.terminal else ""
            told = f"{where}{reason_in_words(entry.text, words)}"
            yield LogKind.ALARM, words.text("Alarm: {text}", text=told)
        case TerminalSeen() | LinkLost() | EventsLost():
            yield LogKind.LINK, _link(entry, words)
        case EventServed() | SeatsConfirmed():
            pass  # the key press says it all


def _aside(entry: EventSetAside, before: Record, words: Catalogue) -> str:
    name = (entry.terminal, entry.boot, entry.n)
    told = (
        told_happening(e) for e in before.waiting if (e.terminal, e.boot, e.n) == name
    )
    what = next(told, f"{entry.terminal} {entry.boot}/{entry.n}")
    what = happening_in_words(what, words)
    source = NOTICES.get(Aside(entry.reason))
    if source is None:
        reason = reason_in_words(entry.reason, words)
        return words.text("{what}: not applied ({reason})", what=what, reason=reason)
    detail = f" ({reason_in_words(entry.detail, words)})" if entry.detail else ""
    return f"{words.text(source, what=what)}{detail}"


def _opened(entry: PlayOpened, words: Catalogue) -> str:
    told = words.text(
        "Board {board}, Laws of {edition}",
        board=entry.board.number,
        edition=entry.edition.value,
    )
    pairs = entry.board.pairs
    return f"{told}: {pairs.ns} - {pairs.ew}" if pairs.ns and pairs.ew else told


def _call(entry: DirectorCalled, words: Catalogue) -> str:
    seat = seat_name(entry.seat, words)
    if entry.silent:
        told = words.text("{seat} calls the Director silently", seat=seat)
    else:
        told = words.text("{seat} calls the Director", seat=seat)
    if not entry.reason:
        return told
    return f"{told}: {call_in_words(entry.reason, words)}"


def _director(by: str, said: str, words: Catalogue) -> str:
    return words.text("Director ({by}): {said}", by=by, said=said)


def _command(entry: CommandTaken, before: Record, words: Catalogue) -> str:
    said = command_in_words(entry.command, words)
    meant = entry.command.play
    playing = before.playing(meant) if meant else before.play
    meaning = meaning_of_command(entry.command, playing, words)
    if meaning:
        said = f"{said} ({meaning})"
    if entry.command.reason:
        said = f"{said}: {entry.command.reason}"
    if not entry.done:
        reason = reason_in_words(entry.reason, words)
        refused = words.text("refused: {reason}", reason=reason)
        said = f"{said} ({refused})"
    return _director(entry.command.by, said, words)


def _link(entry: TerminalSeen | LinkLost | EventsLost, words: Catalogue) -> str:
    match entry:
        case TerminalSeen(terminal=terminal, hello=hello):
            return words.text(
                "{terminal}: link up, serial number {serial}",
                terminal=terminal,
                serial=hello.serial,
            )
        case LinkLost(terminal=terminal, reason=reason):
            return words.text(
                "{terminal}: link lost ({reason})",
                terminal=terminal,
                reason=reason_in_words(reason, words),
            )
        case EventsLost(terminal=terminal, first=first, last=last):
            return words.text(
                "{terminal}: events {first} to {last} are lost",
                terminal=terminal,
                first=first,
                last=last,
            )


def _judged(
    before: Playing | None, after: Playing | None, words: Catalogue
) -> Iterator[Told]:
    """What a happening has led to: rulings, refusals, questions, the result."""
    if before is None or after is None:
        return
    old, new = before.state, after.state
    for ruling in new.rulings:
        if ruling not in old.rulings:
            told = ruling_in_words(after, ruling, words)
            if ruling.status is Status.SUPERSEDED:
                told = f"{words.text('Undone')}: {told}"
            yield LogKind.RULING, told
    for refusal in new.refused[len(old.refused) :]:
        reason = reason_in_words(refusal.reason, words)
        told = f"{reason} ({cited(refusal.law, after, words)})"
        yield LogKind.REFUSAL, f"{words.text('Not allowed')}: {told}"
    for question in new.questions:
        if question not in old.questions:
            told_to = judgement_told if question.to is None else option_told
            yield LogKind.QUESTION, told_to(after, question, words)
    result = _result(new, words)
    if result and result != _result(old, words):
        yield LogKind.RESULT, result


def _result(state: State, words: Catalogue) -> str:
    """The result of a playing that is over, else empty."""
    if not is_over(state):
        return ""
    scored = report(state)["result"]
    if state.contract is None or scored is None:
        return words.text("Passed out.")
    told = words.text(
        "Result: {tricks} tricks for declarer, {score} for North-South",
        tricks=scored["declarer_tricks"],
        score=f"{scored['score_NS']:+d}",
    )
    return f"{contract_name(state.contract, words)}. {told}"
