"""How far each table is in each round, from its public facts and the event's plan."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from desk.room import Room
from desk.room_view import natural
from desk.tools import Plan, Planned
from protocol.payloads import Phase, TableState


class Stage(StrEnum):
    """Where a table stands in a round."""

    UNKNOWN = "unknown"
    """No referee has told of the table."""
    TO_COME = "to-come"
    """It is in an earlier round."""
    WAITING = "waiting"
    """Its next board waits until the Director opens the round."""
    READY = "ready"
    """Its next board may be played."""
    PLAYING = "playing"
    FINISHED = "finished"
    """It is through with all of its boards of the round."""


@dataclass(frozen=True, slots=True)
class TableRound:
    """A table in a round.

    Attributes:
        table: its id.
        stage: where it stands.
        board: that is being played, or is next; 0 for none.
        played: boards of the round that it is through with.
        boards: of the round; 0 where nobody has told the plan.
    """

    table: str
    stage: Stage
    board: int = 0
    played: int = 0
    boards: int = 0


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round; number 0 is all boards of an event without rounds."""

    number: int
    tables: tuple[TableRound, ...]

    def count(self, *stages: str) -> int:
        """How many tables stand at one of these stages."""
        return sum(each.stage in stages for each in self.tables)

    @property
    def is_over(self) -> bool:
        """Whether every table is through with it."""
        return self.count(Stage.FINISHED) == len(self.tables)

    @property
    def is_current(self) -> bool:
        """Whether a table is in it, or waits for it."""
        return bool(self.count(Stage.WAITING, Stage.READY, Stage.PLAYING))

    def at(self, table: str) -> TableRound | None:
        """The table in this round; None where it has no part in it."""
        return next((each for each in self.tables if each.table == table), None)


def rounds_of(room: Room, plan: Plan) -> list[RoundView]:
    """All rounds, by number; of a table without a plan, those that it is in.

    Args:
        room: what is known.
        plan: of the event; tables that it does not name are taken as they are.
    """
    found: dict[int, list[TableRound]] = {}
    for table in sorted(room.states.keys() | plan.tables.keys(), key=natural):
        state = room.states.get(table)
        planned = plan.tables.get(table, ())
        for number, each in _rounds(table, state, planned):
            found.setdefault(number, []).append(each)
    return [RoundView(number, tuple(found[number])) for number in sorted(found)]


def _rounds(
    table: str, state: TableState | None, planned: tuple[Planned, ...]
) -> Iterator[tuple[int, TableRound]]:
    if state is None:
        for number, boards in _by_round(planned).items():
            yield number, TableRound(table, Stage.UNKNOWN, boards=len(boards))
        return
    place = place_of(state, planned)
    if place is None:
        yield from _as_it_is(table, state)
        return
    for number, places in _by_round(planned).items():
        running = is_running(state) and state.round == number
        begun = sum(each < place for each in places)
        played = begun - running
        is_next = bool(state.next_board) and state.next_round == number
        if running:
            stage, board = Stage.PLAYING, state.board
        elif played == len(places):
            stage, board = Stage.FINISHED, 0
        elif is_next and state.waiting == "round":
            stage, board = Stage.WAITING, state.next_board
        elif is_next and not is_running(state):
            stage, board = Stage.READY, state.next_board
        else:
            stage, board = Stage.TO_COME, 0
        yield number, TableRound(table, stage, board, max(played, 0), len(places))


def _as_it_is(table: str, state: TableState) -> Iterator[tuple[int, TableRound]]:
    """The round of a table whose plan nobody has told, and its next one."""
    if is_running(state):
        yield state.round, TableRound(table, Stage.PLAYING, state.board)
    elif state.next_board:
        stage = Stage.WAITING if state.waiting == "round" else Stage.READY
        yield state.next_round, TableRound(table, stage, state.next_board)
    if not is_running(state) and state.play:
        over = not state.next_board or state.next_round != state.round
        if over:
            yield state.round, TableRound(table, Stage.FINISHED)


def is_running(state: TableState) -> bool:
    """Whether a board is being played."""
    return state.phase not in {Phase.IDLE, Phase.ENDED}


def place_of(state: TableState, planned: tuple[Planned, ...]) -> int | None:
    """How many boards of the plan the table has begun; None where they do not fit."""
    if not planned:
        return None
    if not state.next_board:
        return len(planned)
    following = Planned(state.next_board, state.next_round)
    return planned.index(following) if following in planned else None


def _by_round(planned: tuple[Planned, ...]) -> Mapping[int, list[int]]:
    """Places of the boards in the plan, by their round."""
    rounds: dict[int, list[int]] = {}
    for place, each in enumerate(planned):
        rounds.setdefault(each.round, []).append(place)
    return rounds
