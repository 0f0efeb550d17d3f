"""The tables of a journal, folded as the referee folds them, never judged again."""

from collections.abc import Iterable

from broker.settings import BrokerSettings
from laws.board import Edition
from referee.entries import Entry
from referee.journal import Row
from referee.record import Record, fold
from referee.settings import RefereeSettings, TableSettings


def empty_record(event: str, table: str) -> Record:
    """A table of which nothing is known but what its entries will say."""
    settings = TableSettings(id=table, terminals=())
    whole = RefereeSettings(
        event=event,
        broker=BrokerSettings(),
        journal="journal",
        edition=Edition.LAWS_2017,
        tables=(settings,),
    )
    return Record(whole, settings)


def received(entry: Entry) -> float:
    """The wall clock of an entry, 0 when it was not kept."""
    return float(getattr(entry, "received", 0.0))


class Tables:
    """The records of all tables, as far as the entries have been taken.

    Attributes:
        records: by table.
        last: wall clock of the last entry that has one, Unix seconds; 0 for none.
    """

    def __init__(self, event: str) -> None:
        self.records: dict[str, Record] = {}
        self.last = 0.0
        self._event = event

    def take(self, rows: Iterable[Row]) -> None:
        """Take entries in their order.

        Raises:
            CodecError: an entry holds what is no event of the engine.
        """
        for row in rows:
            before = self.records.get(row.table)
            record = before or empty_record(self._event, row.table)
            self.records[row.table] = fold(record, row.entry)
            self.last = max(self.last, received(row.entry))
