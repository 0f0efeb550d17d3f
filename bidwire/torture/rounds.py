"""A round of ``bidwire torture``: dealt boards, and the faults that strike them."""

from dataclasses import replace
from random import Random

from bidwire.records.dealing import dealt
from bidwire.records.inject import board_random, plan_board, with_strikes
from bidwire.records.plan import IRREGULARITIES, OF_PROCESSES, OF_TERMINALS, Kind, Plan
from bidwire.replay.plan import BoardPlan, judge, plan_record
from bidwire.replay.room import Room
from laws.board import Edition, Policies

FAULTS_OF_A_BOARD = 4
"""Kinds of faults that strike the terminals and lines of each board."""

STRIKES_OF_A_ROUND = 3
"""Kinds of faults that strike what the room has in common, once each."""


def room_of_round(
    number: int, *, tables: int, boards: int, seed: int, skipped: frozenset[Kind]
) -> Room:
    """The boards and faults of a round, the same for the same seed.

    Args:
        number: of the round, from 0.
        tables: at a time.
        boards: of each table.
        seed: of the whole run.
        skipped: kinds of faults that cannot strike here.
    """
    edition = list(Edition)[number % len(Edition)]
    chance = board_random(seed, -1 - number)
    total = tables * boards
    plans = [
        _plan(board_random(seed, number * total + at), at + 1, edition)
        for at in range(total)
    ]
    kinds = [kind for kind in OF_PROCESSES if kind not in skipped]
    struck = chance.sample(kinds, STRIKES_OF_A_ROUND)
    plans = with_strikes(plans, struck, chance, times=1)
    planned = [_board_plan(at + 1, plan) for at, plan in enumerate(plans)]
    return Room(
        edition=edition,
        policies=Policies(),
        tables={f"t{at + 1}": tuple(planned[at::tables]) for at in range(tables)},
        seed=seed + number,
    )


def _plan(chance: Random, number: int, edition: Edition) -> Plan:
    kinds = chance.sample(OF_TERMINALS, FAULTS_OF_A_BOARD)
    record = dealt(chance, number)
    return plan_board(record, edition, IRREGULARITIES | set(kinds), chance)


def _board_plan(number: int, plan: Plan) -> BoardPlan:
    board = plan_record(number, plan, Policies())
    return replace(board, judged=judge(board.board, board.happenings))
