"""What ``bidwire desk`` hands to the desk: the plan, deals and results of an event."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bidwire.desk.complaints import remark_of
from bidwire.desk.deals import read_deals
from bidwire.desk.kept import Kept
from bidwire.desk.scores import told_scores
from bidwire.event_file import EventFile, EventFileError, read_event_file, read_seats
from bidwire.event_settings import files_of, planned_boards
from bidwire.files import stamp
from bidwire.results.exports import EXPORTS
from bidwire.results.session import (
    Material,
    NothingPlayedError,
    Session,
    score,
)
from bidwire.results.source import gather, read_material
from bidwire.results.teams import NoSuchTeamError
from desk.tools import Export, Plan, Planned, Scores, ToolError, Tools
from protocol.payloads import TableResult
from referee.codec import CodecError
from referee.journal import DamagedJournalError, JournalError
from referee.journal_chain import BrokenChainError
from referee.settings import Rounds, delay_s


class PlanReader:
    """The plan of an event file, read anew when the file has changed."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            EventFileError: it is wrong.
        """
        self._path = path
        self._stamp = stamp(path)
        self._plan = _plan(path)

    def __call__(self) -> Plan:
        """The plan; while the file is wrong, the one before."""
        now = stamp(self._path)
        if now != self._stamp:
            self._stamp = now
            try:
                self._plan = _plan(self._path)
            except EventFileError:
                return self._plan  # told by `bidwire up`, which follows the file too
        return self._plan


class Scorer:
    """Scores published results; what it has scored is kept (``kept.Kept``)."""

    def __init__(self, path: Path) -> None:
        """Prepare, for an event file."""
        self._path = path
        self._folder = path.resolve().parent
        self._read: tuple[object, EventFile] | None = None
        self._kept = Kept[Scores]()

    def __call__(self, results: Sequence[TableResult], round_number: int) -> Scores:
        """The scores, of a round or of all with 0.

        Raises:
            ToolError: says why they cannot be scored.
        """
        try:
            event = self._event()
            files = tuple(map(stamp, files_of(event, self._folder)))
            return self._kept.get(
                (event, files),
                (tuple(results), round_number),
                lambda: told_scores(
                    _session(gather(event, self._folder, results), round_number)
                ),
            )
        except EventFileError as error:
            raise ToolError(remark_of(str(error))) from None

    def _event(self) -> EventFile:
        """The event file, read anew when it has changed."""
        now = stamp(self._path)
        if self._read is None or self._read[0] != now:
            self._read = now, read_event_file(self._path)
        return self._read[1]


def _plan(path: Path) -> Plan:
    event = read_event_file(path)
    return Plan(
        tables={
            table.id: tuple(
                Planned(board, number) for number, board in planned_boards(table)
            )
            for table in event.tables
        },
        delay_s=delay_s(event.event.publish) or 0.0,
        is_called=event.event.rounds is Rounds.CALLED,
        seats={each.id: read_seats(each.seats) for each in event.terminals},
    )


def desk_tools(path: Path) -> Tools:
    """The tools for an event file.

    Raises:
        EventFileError: it is wrong.
    """
    return Tools(
        plan=PlanReader(path),
        read_deals=read_deals,
        score=Scorer(path),
        exports=tuple(
            Export(
                name=each.form.value,
                title=each.title,
                media_type=each.media_type,
                suffix=each.suffix,
                write=_writer(path, each.write),
            )
            for each in EXPORTS
        ),
    )


def _writer(
    path: Path, write: Callable[[Session], bytes]
) -> Callable[[Sequence[TableResult]], bytes]:
    def written(results: Sequence[TableResult]) -> bytes:
        return write(_session(_whole(path, results), 0))

    return written


def _published(path: Path, results: Sequence[TableResult]) -> Material:
    """Results as the referee has published them, with what the event file knows."""
    try:
        return gather(read_event_file(path), path.resolve().parent, results)
    except EventFileError as error:
        raise ToolError(remark_of(str(error))) from None


def _whole(path: Path, results: Sequence[TableResult]) -> Material:
    """The same, with auctions and hands where this machine keeps the journal."""
    try:
        if not read_event_file(path).broker.embedded:
            return _published(path, results)
        return read_material(path)
    except (
        BrokenChainError,
        CodecError,
        DamagedJournalError,
        EventFileError,
        JournalError,
    ) as error:
        raise ToolError(remark_of(str(error))) from None


def _session(material: Material, round_number: int) -> Session:
    try:
        return score(material, round_number=round_number)
    except (NothingPlayedError, NoSuchTeamError) as error:
        raise ToolError(remark_of(str(error))) from None
