"""Whether the journal tells what the players did: each happening once, in order."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bidwire.replay.plan import BoardPlan
from bidwire.replay.room import EVENT, Room
from laws.script import format_action
from referee.entries import Entry, EventJudged, EventSetAside, EventTaken, RulingTold
from referee.happened import told_happening
from referee.journal_sqlite import SqliteJournal

_Name = tuple[str, int, int]
"""Terminal, boot and number of an event."""


def journal_differences(path: Path, room: Room) -> list[str]:
    """What the journal of a room that has been played lacks, or has too much of."""
    entries: dict[str, list[Entry]] = defaultdict(list)
    with SqliteJournal(path, EVENT) as journal:
        for row in journal.read():
            entries[row.table].append(row.entry)
    return [
        f"table {table}: {text}"
        for table, plans in room.tables.items()
        for text in _at_table(entries[table], plans)
    ]


def _at_table(entries: Sequence[Entry], plans: Sequence[BoardPlan]) -> Iterator[str]:
    taken: dict[_Name, EventTaken] = {}
    judged: dict[int, list[str]] = defaultdict(list)
    told: list[int] = []
    for entry in entries:
        match entry:
            case EventTaken(terminal=terminal, boot=boot, n=n):
                if (terminal, boot, n) in taken:
                    yield f"event {n} of boot {boot} of {terminal} was taken twice"
                taken[terminal, boot, n] = entry
            case EventJudged(terminal=terminal, boot=boot, n=n, play=play):
                judged[play].append(told_happening(taken[terminal, boot, n]))
            case EventSetAside(terminal=terminal, reason=reason):
                yield f"an event of {terminal} was set aside: {reason}"
            case RulingTold(number=number):
                told.append(number)
            case _:
                pass
    if told != list(range(1, len(told) + 1)):
        yield f"rulings were told in the order {told}"
    for play, plan in enumerate(plans, 1):
        played = [format_action(each.action) for each in plan.happenings]
        yield from _differing(plan.number, played, judged[play])


def _differing(board: int, played: list[str], judged: list[str]) -> Iterator[str]:
    """The first place where a board's log differs from what was played."""
    for number, (did, has) in enumerate(zip(played, judged, strict=False), 1):
        if did != has:
            yield f"board {board}: happening {number} was {did}, the journal has {has}"
            return
    if len(played) != len(judged):
        yield (
            f"board {board}: {len(played)} happenings were played,"
            f" the journal has {len(judged)}"
        )
