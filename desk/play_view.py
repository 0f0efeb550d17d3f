"""A playing of a board as its pages show it, whether it goes on or is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desk.room import Room
from laws.board import dealer_of, parse_deal, vulnerable_of
from laws.cards import SUITS, Card
from laws.seats import SEATS, SIDES, Seat, Side
from protocol.course import Course, CourseRuling
from protocol.payloads import Contract, LogLine, Pairs, TableResult

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RulingView:
    """A ruling.

    Attributes:
        number: in the report, from 1; what overruling names.
        plain: as in the report.
        told: in words; None of a referee that does not tell it.
    """

    number: int
    plain: Plain
    told: CourseRuling | None

    @property
    def stands(self) -> bool:
        """Whether it is in force."""
        return bool(self.plain["status"] == "in-force")


@dataclass(frozen=True, slots=True)
class PlayView:
    """A playing of a board, for who may know all of it.

    Attributes:
        table, play, board, round, pairs: which one.
        is_running: whether it is the table's last.
        number: the journal number of the desk, which commands expect.
        judged: the report.
        course: what happened, and in words.
        contract: None before there is one, and of a board passed out.
        result: as the referee scored it; None while it goes on.
        deal: the hands in PBN, once a Director has asked for them.
        edition: of the Laws.
    """

    table: str
    play: int
    board: int
    round: int
    pairs: Pairs
    is_running: bool
    number: int
    judged: Plain
    course: Course
    contract: Contract | None
    result: TableResult | None
    deal: str
    edition: str

    @property
    def rulings(self) -> list[RulingView]:
        """All rulings, in order."""
        told = {ruling.number: ruling for ruling in self.course.rulings}
        return [
            RulingView(number, plain, told.get(number))
            for number, plain in enumerate(self.judged.get("rulings", ()), 1)
        ]

    @property
    def hands(self) -> dict[Seat, list[tuple[str, list[Card]]]]:
        """The cards dealt by suit, spades first; empty until somebody has asked."""
        if not self.deal:
            return {}
        return {
            seat: [
                (suit.value, sorted_down(card for card in hand if card.suit is suit))
                for suit in reversed(SUITS)
            ]
            for seat, hand in zip(SEATS, parse_deal(self.deal), strict=True)
        }


def sorted_down(cards: Any) -> list[Card]:  # noqa: ANN401 - any iterable of cards
    """Cards of a suit, the highest first."""
    return sorted(cards, key=lambda card: -card.strength)


def play_view(room: Room, table: str, play: int = 0) -> PlayView | None:
    """A playing, or None when nothing was heard of it.

    Args:
        room: what is known.
        table: where.
        play: 0 is the running one.
    """
    desk, state = room.desks.get(table), room.states.get(table)
    if desk is None:
        return None
    play = play or desk.play
    result = room.results.get((table, play))
    if play == desk.play and desk.play:
        of_state = state if state is not None and state.play == play else None
        known = result or of_state
        return PlayView(
            table=table,
            play=play,
            board=desk.board,
            round=known.round if known else 0,
            pairs=known.pairs if known else Pairs(),
            is_running=True,
            number=desk.number,
            judged=desk.judged or {},
            course=desk.course or _untold(desk.board),
            contract=known.contract if known else None,
            result=result,
            deal=desk.deal,
            edition=str((desk.judged or {}).get("edition", "")),
        )
    if result is None:
        return None
    judged = result.judged or {}
    return PlayView(
        table=table,
        play=play,
        board=result.board,
        round=result.round,
        pairs=result.pairs,
        is_running=False,
        number=desk.number,
        judged=judged,
        course=result.course or _untold(result.board),
        contract=result.contract,
        result=result,
        deal=result.deal,
        edition=str(judged.get("edition", "")),
    )


def _untold(board: int) -> Course:
    """Of a board of which only the number is known."""
    vulnerable = vulnerable_of(board)
    sides: tuple[Side, ...] = tuple(side for side in SIDES if side in vulnerable)
    return Course(dealer=dealer_of(board), vulnerable=sides)


def plays_of(room: Room, table: str) -> list[TableResult]:
    """The results of a table, the newest first."""
    of_table = (result for (at, _), result in room.results.items() if at == table)
    return sorted(of_table, key=lambda result: -result.play)


def log_of(room: Room, table: str, play: int) -> list[LogLine]:
    """All that the logs of a table say about a playing, in the journal's order.

    A later log has what was done about it when the next board had begun.
    """
    lines = {
        (line.number, line.text): line
        for log in room.logs(table)
        for line in log.lines
        if line.play == play or (log.play == play and line.play == 0)
    }
    return sorted(lines.values(), key=lambda line: line.number)
