"""The incident report of a board: all that an appeals committee needs (Laws 92, 93)."""

from dataclasses import dataclass
from typing import Any

from desk.auction_grid import rows_of
from desk.play_view import PlayView, log_of
from desk.room import Room
from laws.cards import Denomination
from laws.contract import Contract, Risk
from laws.scoring import score
from laws.seats import Side
from protocol.payloads import LogKind, LogLine

_ASKED = {LogKind.QUESTION, LogKind.DIRECTOR, LogKind.CALL}


@dataclass(frozen=True, slots=True)
class Incident:
    """What the report of a board is made of.

    Attributes:
        playing: the board.
        rows: the auction's, a cell a column.
        lines: the log, in order.
        asked: of these, calls for the Director, questions, and what he said or did.
        evidence: double dummy, of each settled revoke.
        score_before: North-South's score without the transfer of tricks; None where
            nothing was transferred.
    """

    playing: PlayView
    rows: list[Any]
    lines: list[LogLine]
    asked: list[LogLine]
    evidence: list[dict[str, Any]]
    score_before: int | None


def incident_of(room: Room, playing: PlayView) -> Incident:
    """The report of a board as things stand."""
    desk = room.desks.get(playing.table)
    lines = log_of(room, playing.table, playing.play)
    known = desk.evidence if desk is not None else ()
    return Incident(
        playing=playing,
        rows=list(rows_of(playing.course.calls, playing.course.dealer)),
        lines=lines,
        asked=[line for line in lines if line.kind in _ASKED],
        evidence=[each for each in known if each["play"] == playing.play],
        score_before=_score_before(playing),
    )


def _score_before(playing: PlayView) -> int | None:
    result = playing.result
    if result is None or result.contract is None or not playing.judged.get("transfer"):
        return None
    side = result.contract.declarer.side
    tricks = result.tricks.get(side)
    if tricks is None:
        return None
    contract = Contract(
        result.contract.level,
        Denomination(result.contract.denomination),
        Risk(result.contract.risk),
        result.contract.declarer,
    )
    points = score(contract, tricks, vulnerable=side in playing.course.vulnerable)
    return points if side is Side.NORTH_SOUTH else -points
