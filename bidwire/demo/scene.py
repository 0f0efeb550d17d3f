"""What the demo shows: only what came over the wire and the broker."""

from dataclasses import dataclass, field

from bidwire.replay.plan import BoardPlan
from laws.board import Edition
from laws.cards import Denomination
from laws.contract import Contract, Risk
from laws.scoring import score
from laws.script import format_action
from laws.seats import SEATS, Seat
from protocol.payloads import (
    Desk,
    Payload,
    RulingPublished,
    TableResult,
    TableState,
)
from terminal.simulator.reports import Report, ScreenReport


@dataclass
class Scene:
    """The four displays, the table, the Director's desk; kept up to date.

    Attributes:
        screens: the first page of each seat's display, and the page it shows now.
        table: the table's public state.
        desk: what the Director alone is told.
        rulings: those that the table knows, in order.
        result: of the board, once it is over.
        done: happenings that all four displays reflect.
    """

    plan: BoardPlan
    edition: Edition
    columns: int
    rows: int
    screens: dict[Seat, ScreenReport] = field(default_factory=dict)
    table: TableState | None = None
    desk: Desk | None = None
    rulings: dict[int, RulingPublished] = field(default_factory=dict)
    result: TableResult | None = None

    def take(self, news: Report | Payload) -> bool:
        """Take something in; whether it changes what is shown."""
        match news:
            case ScreenReport(seat=seat):
                self.screens[seat] = news
            case TableState():
                self.table = news
            case Desk():
                self.desk = news
            case RulingPublished(number=number):
                self.rulings[number] = news
            case TableResult():
                self.result = news
            case _:
                return False
        return True

    @property
    def done(self) -> int:
        """How many happenings every display reflects."""
        if len(self.screens) < len(SEATS):
            return -1
        return min(
            screen.at if screen.board == self.plan.number else -1
            for screen in self.screens.values()
        )

    def special(self) -> list[tuple[Seat, ScreenReport]]:
        """Displays that offer an option, or lock keys since a ruling compels a call."""
        return [
            (seat, self.screens[seat])
            for seat in SEATS
            if seat in self.screens
            and (self.screens[seat].choices or self.screens[seat].locks)
        ]

    @property
    def last_happening(self) -> str:
        """The last happening that every display reflects, as the script writes it."""
        if self.done < 1:
            return ""
        return format_action(self.plan.happenings[self.done - 1].action)

    def score_as_played(self) -> int | None:
        """North-South's score before any transfer of tricks."""
        result = self.result
        if result is None or result.contract is None:
            return None
        played = result.contract
        side = played.declarer.side
        contract = Contract(
            played.level,
            Denomination(played.denomination),
            Risk(played.risk),
            played.declarer,
        )
        points = score(
            contract,
            result.tricks[side],
            vulnerable=side in self.plan.board.vulnerable,
        )
        return points if side is Seat.NORTH.side else -points
