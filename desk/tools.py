"""What the command line hands to the desk: all that hangs on the event file.

The desk is a client of MQTT, which tells what happens and not what is planned, reads no
records and scores nothing. ``bidwire desk`` knows how; ``python -m desk`` runs without.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from laws.seats import Seat, Side
from protocol.payloads import TableResult


@dataclass(frozen=True, slots=True)
class Remark:
    """A text for the user.

    Attributes:
        text: in English.
        texts: in other languages, by their code.
    """

    text: str
    texts: Mapping[str, str] = field(default_factory=dict)


class ToolError(Exception):
    """It cannot be done.

    Attributes:
        remark: says why, and where, to the user.
    """

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.text)
        self.remark = remark


@dataclass(frozen=True, slots=True)
class Planned:
    """A board that a table is to play.

    Attributes:
        board: its number.
        round: 0 when the event has none.
    """

    board: int
    round: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What the event is to play.

    Attributes:
        tables: the boards of each table, in order.
        delay_s: seconds after a board until everyone may see its result.
        is_called: whether a round waits until the Director opens it.
        seats: of each terminal, by its id.
    """

    tables: Mapping[str, tuple[Planned, ...]] = field(default_factory=dict)
    delay_s: float = 0.0
    is_called: bool = False
    seats: Mapping[str, tuple[Seat, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoardDeal:
    """The hands of a board.

    Attributes:
        board: its number.
        deal: in PBN.
        line: where it stands in its file, from 1.
    """

    board: int
    deal: str
    line: int


@dataclass(frozen=True, slots=True)
class DealFile:
    """What a file of deals holds.

    Attributes:
        name: of the file.
        deals: by number; none when something is wrong.
        wrong: what is, each with its line.
    """

    name: str
    deals: tuple[BoardDeal, ...] = ()
    wrong: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A contestant's place, as people read it; numbers have two decimals at most."""

    place: str
    contestant: str
    boards: int
    total: str
    penalty: str
    percent: str
    imps: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The contestants, best first; of one direction, or of all with None."""

    side: Side | None
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """A playing of a board.

    Attributes:
        result: as the referee published it.
        ns, ew: the pairs, with their names as far as they are known.
        points: by side: matchpoints, IMPs or points.
        percent: by side, of the top; empty where there is none.
    """

    result: TableResult
    ns: str
    ew: str
    points: tuple[str, str]
    percent: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Traveller:
    """All results of a board; ``datum`` is Butler's, empty elsewhere."""

    board: int
    rows: tuple[TravellerRow, ...]
    datum: str = ""


@dataclass(frozen=True, slots=True)
class MatchTeam:
    """What a team has of a match."""

    team: str
    imps: str
    vps: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two teams: IMPs by board, empty until both tables have played."""

    round: int
    teams: tuple[MatchTeam, MatchTeam]
    boards: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scored results.

    Attributes:
        scoring: the method: ``matchpoints``, ``teams``…
        rankings: by direction, or one of all.
        travellers: by board.
        matches: of teams.
        remarks: what is not in the ranking.
    """

    scoring: str
    rankings: tuple[Ranking, ...] = ()
    travellers: tuple[Traveller, ...] = ()
    matches: tuple[Match, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Export:
    """A form in which results are handed on.

    Attributes:
        name: of the form, as in addresses.
        title: for people.
        media_type: of the file.
        suffix: of the file's name.
        write: makes the file's content; ToolError says why it cannot.
    """

    name: str
    title: str
    media_type: str
    suffix: str
    write: Callable[[Sequence[TableResult]], bytes]


@dataclass(frozen=True, slots=True)
class Tools:
    """All of it.

    Attributes:
        plan: as the event file is now.
        read_deals: reads a file of deals: its name and its bytes.
        score: scores results, of a round or of all with 0; ToolError says why it
            cannot. Always called in the same thread.
        exports: the forms of results.
    """

    plan: Callable[[], Plan]
    read_deals: Callable[[str, bytes], DealFile]
    score: Callable[[Sequence[TableResult], int], Scores]
    exports: tuple[Export, ...]
