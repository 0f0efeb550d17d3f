"""Boards to judge: dealt by chance from a seed, or taken from files of records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bidwire.records.dealing import dealt
from bidwire.records.files import find_files
from bidwire.records.inject import board_random, plan_board
from bidwire.records.plan import IRREGULARITIES, Plan
from bidwire.records.reading import read_records
from bidwire.records.record import Contract, Record
from laws.actions import PlayCards
from laws.board import Board, Edition
from laws.cards import Card, Suit
from laws.seats import Seat
from laws.steps import Step


@dataclass(frozen=True, slots=True)
class BenchBoard:
    """A board and what happens on it.

    Attributes:
        board: as the referee gets it.
        steps: what happens, numbered from 1.
        cards: the cards played, in order.
        leader: who led first; None when nothing was played.
        trump: the trump suit.
        irregular: an irregularity was put in.
    """

    board: Board
    steps: tuple[Step, ...]
    cards: tuple[Card, ...]
    leader: Seat | None
    trump: Suit | None
    irregular: bool


class NoBoardsError(ValueError):
    """The files have no record that could be judged."""


def boards_of(
    paths: Sequence[Path], edition: Edition, *, number: int, seed: int, irregular: float
) -> list[BenchBoard]:
    """So many boards: of the files, over again if they have fewer, or dealt.

    Args:
        paths: PBN and LIN files or folders of them; none to deal by chance.
        edition: the Laws to judge by.
        number: of boards.
        seed: the same boards for the same seed.
        irregular: the share that is to have a call out of turn or a revoke. A board
            that none can be put into stays as it is.

    Raises:
        NoBoardsError: no record of the files can be played to an end.
    """
    records = list(_records(paths)) if paths else []
    if paths and not records:
        raise NoBoardsError("no record in these files can be played to an end")
    boards = []
    for at in range(number):
        chance = board_random(seed, at)
        record = records[at % len(records)] if records else dealt(chance, at + 1)
        # Spread evenly, so that a share means the same for few boards and many.
        chosen = int((at + 1) * irregular) > int(at * irregular)
        kinds = IRREGULARITIES if chosen else frozenset()
        boards.append(_board(plan_board(record, edition, kinds, chance)))
    return boards


def _records(paths: Sequence[Path]) -> Iterator[Record]:
    for file in find_files(paths):
        for record in read_records(file):
            if isinstance(record, Record) and record.is_playable:
                yield record


def _board(plan: Plan) -> BenchBoard:
    actions = [happening.action for happening in plan.happenings]
    played = [a for a in actions if isinstance(a, PlayCards) and len(a.cards) == 1]
    contract = plan.contract
    return BenchBoard(
        board=plan.record.board_for(plan.edition),
        steps=tuple(Step(line, action) for line, action in enumerate(actions, 1)),
        cards=tuple(action.cards[0] for action in played),
        leader=played[0].hand if played else None,
        trump=contract.denomination.suit if isinstance(contract, Contract) else None,
        irregular=bool(plan.injected),
    )
