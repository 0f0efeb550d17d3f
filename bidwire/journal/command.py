"""What ``bidwire journal`` prints."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bidwire.event_file import EventFile, EventFileError, naming, read_event_file
from bidwire.event_settings import heads_path, rounds_of
from bidwire.journal.signing import (
    SignedHead,
    SigningError,
    append_head,
    check_signature,
    hex_of,
    make_key,
    read_key,
    sign,
)
from bidwire.journal.sources import open_journal
from bidwire.screen_text import on_one_line
from broker.complaint import one_of
from protocol.payloads import LogLine
from referee.catalogue import Catalogue, catalogue
from referee.journal import Row, row_of
from referee.journal_chain import (
    BrokenChainError,
    Head,
    Link,
    checked,
    start_of,
    verify,
)
from referee.story import tell

Say = Callable[[str], None]


class NoSuchTableError(ValueError):
    """The journal has no such table, or board: says which it has."""


@dataclass(frozen=True, slots=True)
class Signed:
    """Signed heads, and the key that they must be signed by."""

    heads: tuple[SignedHead, ...]
    public: Ed25519PublicKey


def verify_journal(
    path: Path,
    noted: Iterable[Head],
    say: Say,
    *,
    signed: Signed | None = None,
) -> None:
    """Check a journal and say that it is whole, and its head.

    Args:
        path: the journal, or an event file.
        noted: heads noted earlier.
        say: prints a line for people.
        signed: signed heads, which it must have had.

    Raises:
        BrokenChainError: names the first entry that does not fit.
        BrokenSignatureError: a head was not signed by this key, or not so.
        JournalError: it is none.
    """
    heads, found = tuple(noted), signed.heads if signed is not None else ()
    with open_journal(path) as journal:
        if signed is not None:
            for each in found:
                check_signature(each, journal.event, signed.public)
        wanted = (*heads, *(each.head for each in found))
        _check_alike(wanted)
        head = verify(journal.event, journal.links(), wanted)
        say(f"{path}: event {journal.event}: whole, {head.number} entries")
    for noted_head in heads:
        say(f"noted {noted_head.number}: still the same")
    for each in found:
        of_round = f"round {each.round}, " if each.round else ""
        say(f"signed {each.number} ({of_round}{each.time}): still the same")
    say(f"head {head}")


def _check_alike(heads: Iterable[Head]) -> None:
    """Raise BrokenChainError where two heads say different things of an entry."""
    known: dict[int, bytes] = {}
    for head in heads:
        if known.setdefault(head.number, head.hash) != head.hash:
            raise BrokenChainError(head.number, "two heads of it are not the same")


def sign_journal(
    path: Path, key: Path | None, round_number: int, output: Path | None, say: Say
) -> None:
    """Check a journal, sign its head, and write that behind those signed before.

    Args:
        path: the journal, or an event file.
        key: file of the key; None is that of the event file.
        round_number: the round that has ended, one of the event file's where that is
            given; 0 names none.
        output: file of the signed heads; None is the one beside the journal.
        say: prints a line for people.

    Raises:
        SigningError: the key cannot be used, or none is named; or there is no such
            round.
        EventFileError: the event file is wrong.
        BrokenChainError, JournalError: the journal cannot be signed.
        OSError: the signed head cannot be written.
    """
    heads = path.with_name(f"{path.name}.heads")
    if path.suffix == ".toml":
        event, folder = read_event_file(path), path.resolve().parent
        _check_round(path, event, round_number)
        heads = heads_path(event, folder)
        if key is None and event.event.signing_key is not None:
            key = folder / event.event.signing_key
    if key is None:
        raise SigningError(f"{path}: expected --key, or an event with a signing_key")
    secret = read_key(key)
    with open_journal(path) as journal:
        head = verify(journal.event, journal.links())
        signed = sign(journal.event, round_number, head, secret)
    file = output or heads
    append_head(file, signed)
    say(f"head {head} signed in {file}")


def _check_round(path: Path, event: EventFile, number: int) -> None:
    """Raise SigningError for a round that the event does not have."""
    rounds = {0}.union(*map(rounds_of, event.tables))
    if number not in rounds:
        told = [str(each) for each in sorted(rounds - {0})]
        known = one_of(told) if told else "none, since the event has no rounds"
        raise SigningError(f"{path}: --round: expected {known}, got {number}")


def make_signing_key(path: Path, say: Say) -> None:
    """Make the key pair that an event file names.

    Raises:
        EventFileError: the event file is wrong, names no key, or there is one.
        OSError: it cannot be written.
    """
    event = read_event_file(path)
    with naming(path):
        if event.event.signing_key is None:
            raise EventFileError(
                "event.signing_key: expected the file that the key is to be written to,"
                f' such as signing_key = "{event.event.id}.key"'
            )
        file = path.resolve().parent / event.event.signing_key
        if file.exists():
            raise EventFileError(
                f"event.signing_key: {file} is there already; what it has signed could"
                " not be told from another key's"
            )
    public = make_key(file, like=path)
    digits = hex_of(read_key(file).public_key())
    say(f"{file}: the key, for its owner's eyes only")
    say(f"{public}: the public key, for everyone who is to check: {digits}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be told.

    Attributes:
        table: its id.
        board: only this one; 0 is all.
        language: of the texts.
        as_json: one JSON object in place of lines.
    """

    table: str
    board: int = 0
    language: str = "en"
    as_json: bool = False


class _Reading:
    """The entries of a journal as far as they fit; what is wrong is kept."""

    def __init__(self, event: str, links: Iterator[Link]) -> None:
        self.tables: dict[str, None] = {}
        self.head = start_of(event)
        self.broken: BrokenChainError | None = None
        self._links = checked(event, links)

    def rows(self) -> Iterator[Row]:
        try:
            for link in self._links:
                self.tables[link.table] = None
                self.head = Head(link.number, link.hash)
                yield row_of(link)
        except BrokenChainError as error:
            self.broken = error


def show_table(path: Path, wanted: Wanted, say: Say) -> None:
    """Say what happened at a table.

    Raises:
        BrokenChainError: what came before the first entry that does not fit was said.
        NoSuchTableError: nothing happened there.
        CodecError, JournalError: it is no journal, or an entry cannot be read.
    """
    words = catalogue(wanted.language)
    with open_journal(path) as journal:
        reading = _Reading(journal.event, journal.links())
        story = list(tell(journal.event, wanted.table, reading.rows(), words))
        if wanted.table not in reading.tables and reading.broken is None:
            known = (
                one_of(list(reading.tables)) if reading.tables else "no table at all"
            )
            raise NoSuchTableError(
                f"{path}: table: expected {known}, got {wanted.table!r}"
            )
        lines = [line for line in story if wanted.board in {0, line.board}]
        if story and not lines:
            boards = sorted({line.board for line in story} - {0})
            known = one_of([str(board) for board in boards]) if boards else "none yet"
            raise NoSuchTableError(
                f"{path}: --board: expected {known}, got {wanted.board}"
            )
        if wanted.as_json:
            plain = _plain(journal.event, wanted.table, lines, reading)
            say(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            title = words.text(
                "Table {table} of event {event}, from entry 1 to {head}",
                table=wanted.table,
                event=journal.event,
                head=reading.head,
            )
            say(title)
            for text in _in_words(lines, words):
                say(on_one_line(text))
    if reading.broken is not None:
        raise reading.broken


def _plain(
    event: str, table: str, lines: Iterable[LogLine], reading: _Reading
) -> dict[str, Any]:
    broken = reading.broken
    return {
        "event": event,
        "table": table,
        "head": str(reading.head),
        "broken": str(broken) if broken is not None else None,
        "happened": [
            {
                "number": line.number,
                "time": _iso(line.at),
                "age_ms": line.age_ms,
                "play": line.play,
                "board": line.board,
                "kind": line.kind.value,
                "text": line.text,
            }
            for line in lines
        ],
    }


def _iso(at: float | None) -> str | None:
    """UTC, so that two journals can be laid side by side."""
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")


def _in_words(lines: Iterable[LogLine], words: Catalogue) -> Iterator[str]:
    """One line each under the day: local time, age of a key press, what happened."""
    day = ""
    for line in lines:
        moment = datetime.fromtimestamp(line.at).astimezone() if line.at else None
        today = moment.strftime("%Y-%m-%d %Z") if moment else day
        if today != day:
            day = today
            yield ""
            yield day
        time = moment.strftime("%H:%M:%S") if moment else " " * 8
        yield f"{time} {_age(line, words):>10}  {line.text}"


def _age(line: LogLine, words: Catalogue) -> str:
    """How long before that time the key was pressed."""
    if line.age_ms is None:
        return ""
    return words.text("age {seconds} s", seconds=f"{line.age_ms / 1000:.1f}")
