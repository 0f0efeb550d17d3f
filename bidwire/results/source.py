"""The results of an event from its journal, during the event or after it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bidwire.event_file import EventFile, naming, read_event_file
from bidwire.event_settings import read_deals, read_event_names, seatings
from bidwire.journal.sources import open_journal
from bidwire.results.methods import Scoring
from bidwire.results.session import Material
from laws.board import format_deal
from laws.state import State
from protocol.payloads import TableResult
from referee.folding import Tables
from referee.journal import row_of
from referee.journal_chain import checked
from referee.views import result

SESSION = "journal"
"""Stands for the referee's session in results that come from a journal."""


def read_material(path: Path, scoring: Scoring | None = None) -> Material:
    """What there is to score.

    Args:
        path: an event file.
        scoring: in place of the event's.

    Raises:
        EventFileError: the event file, or a file that it names, is wrong.
        BrokenChainError, CodecError, JournalError: the journal cannot be read.
    """
    event = read_event_file(path)
    with open_journal(path) as journal:
        tables = Tables(journal.event)
        tables.take(row_of(link) for link in checked(journal.event, journal.links()))
    results: list[TableResult] = []
    states: dict[tuple[str, int], State] = {}
    deals: dict[int, str] = {}
    for table, record in tables.records.items():
        for playing in record.plays:
            found = result(record, playing, SESSION)
            if found is None:
                continue
            results.append(found)
            states[table, playing.number] = playing.state
            hands = playing.state.board.hands
            if hands is not None:
                deals[playing.board.number] = format_deal(hands)
    with naming(path):
        material = gather(event, path.resolve().parent, results, scoring)
    return replace(
        material,
        deals={**material.deals, **deals},
        states=states,
        played_on=(
            datetime.fromtimestamp(tables.last).astimezone().date()
            if tables.last
            else None
        ),
    )


def gather(
    event: EventFile,
    folder: Path,
    results: Iterable[TableResult],
    scoring: Scoring | None = None,
) -> Material:
    """Results, as the referee published them, with what the event file knows.

    Args:
        event: the event file.
        folder: where it lies.
        results: of the event.
        scoring: in place of the event's.

    Raises:
        EventFileError: a file that it names is wrong.
    """
    return Material(
        event=event.event.id,
        title=event.event.title,
        club=event.event.club,
        club_number=event.event.club_number,
        results=tuple(results),
        scoring=scoring or event.event.scoring,
        teams={pair: team.id for team in event.teams for pair in team.pairs},
        names=read_event_names(event, folder),
        seatings=seatings(event),
        deals=read_deals(event, folder),
    )
