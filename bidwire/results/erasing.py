"""Erasing players' names: the one file that has them, written anew without.

The journal cannot be changed, and need not be: it knows pairs by their ids.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

from bidwire.event_file import EventFile, EventFileError, naming, read_event_file
from bidwire.event_settings import director_file, read_event_names
from bidwire.files import replace_file
from bidwire.journal.sources import open_journal
from bidwire.results.names import write_names
from broker.complaint import one_of
from referee.journal import row_of


def erase(path: Path, *, pairs: Sequence[str], due: bool) -> list[str]:
    """Erase names.

    Args:
        path: the event file.
        pairs: whose names; none for those of all.
        due: only if the days of retention are over.

    Returns:
        What was done, and what else may hold the names, for people.

    Raises:
        EventFileError: the event file, or the file of names, is wrong.
        BrokenChainError, JournalError: ``due`` cannot be told.
        OSError: the file cannot be written; the names are still there.
    """
    event, folder = read_event_file(path), path.resolve().parent
    with naming(path):
        if event.names is None:
            raise EventFileError(
                "names: expected a file of names; what stands in ns and ew is in the"
                " journal and cannot be erased"
            )
        names = read_event_names(event, folder)
        if due:
            waits = _not_due(path, event)
            if waits:
                return [waits]
        for pair in pairs:
            if pair not in names.pairs:
                there = one_of(sorted(names.pairs)) if names.pairs else "none any more"
                raise EventFileError(f"--pair: expected {there}, got {pair!r}")
    file = folder / event.names
    left = {p: n for p, n in names.pairs.items() if pairs and p not in pairs}
    whose = ", ".join(pairs) if pairs else "all pairs"
    today = datetime.now().astimezone().date()
    remark = f"The names of {whose} were erased on {today}."
    replace_file(file, write_names(left, [remark]), like=file)
    return [f"{file}: the names of {whose} are erased", *_elsewhere(event, file)]


def _not_due(path: Path, event: EventFile) -> str:
    """Why nothing is to be erased yet; empty when the days are over."""
    days = event.event.retention_days
    if days is None:
        raise EventFileError(
            "event.retention_days: expected a number of days for --due"
        )
    last = _last_day(path)
    if last is None:
        return f"{path}: nothing has been played yet: no names are erased"
    end = last + timedelta(days=days)
    if datetime.now().astimezone().date() > end:
        return ""
    return f"{path}: the names are kept until {end}: none are erased"


def _last_day(path: Path) -> date | None:
    """The day of the journal's last happening."""
    last = 0.0
    with open_journal(path) as journal:
        for link in journal.links():
            last = max(last, getattr(row_of(link).entry, "received", 0.0))
    return datetime.fromtimestamp(last).astimezone().date() if last else None


def _elsewhere(event: EventFile, file: Path) -> Iterator[str]:
    """What else may hold the names."""
    if not event.broker.embedded or director_file(event, file.parent).exists():
        yield (
            "a `bidwire up` that runs this event shows them on its displays until it"
            " is started again"
        )
    yield (
        "exports written before, copies and backups of the file may still have them;"
        " the journal and the broker's retained messages never had them"
    )
    for other in sorted(file.parent.glob(f"*{file.name}*")):
        if other.name != file.name:
            yield f"it may be a copy: {other}"
