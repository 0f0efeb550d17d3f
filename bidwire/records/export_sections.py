"""The Auction and Play sections of PBN 2.1, and the tables of their times.

Both are tables of four columns, one for each seat: calls stand in the order in which
they were made, cards with the hand that played them, row n + 1 being led by the winner
of row n. The time tables have the same columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bidwire.records.record import MarkKind
from laws.actions import MakeCall
from laws.auction import is_sufficient
from laws.calls import Call
from laws.play import Play, PlayedCard, Trick
from laws.report import spoken_of
from laws.seats import Seat, rotation_from
from laws.state import State
from protocol.one_line import one_line

ABANDONED = "*"
"""What was not played any more, after a claim."""
GOES_ON = "+"
"""What has not been called or played yet."""
NOTHING = "-"
"""No call, card or time in this column."""


class _Cell(NamedTuple):
    """What stands in a column, and the happening that put it there, if one did."""

    text: str
    line: int | None = None


_EMPTY = _Cell(NOTHING)
_Row = Sequence[_Cell]


def auction_section(state: State, comments: Iterable[str] = ()) -> list[str]:
    """The Auction section: legal calls, comments behind them, the notes they refer to.

    ``^I`` stands before an insufficient bid that was accepted, ``^S`` for the call of
    a player who lost his turn, ``=n=`` behind an alerted call.
    """
    notes = _notes(state)
    lines = [f'[Auction "{state.board.dealer}"]']
    lines += _table(_auction_rows(state, notes))
    if not state.auction.ended:
        lines.append(GOES_ON)
    lines += comments
    lines += [
        f'[Note "{number}:{_quoted(one_line(text))}"]' for text, number in notes.items()
    ]
    return lines


def auction_times(state: State, times: Mapping[int, float]) -> list[str]:
    """The AuctionTimeTable: whole seconds for each call."""
    rows = _auction_rows(state, _notes(state))
    return [f'[AuctionTimeTable "{state.board.dealer}"]', *_times(rows, times)]


def _auction_rows(state: State, notes: Mapping[str, int]) -> list[_Row]:
    cells: list[_Cell] = []
    turn = state.board.dealer
    calls = state.auction.legal_calls
    told = _explanations(state)
    for at, made in enumerate(calls):
        while turn is not made.seat:
            cells.append(_Cell(f"^{MarkKind.SKIPPED_PLAYER}"))
            turn = turn.lho
        text = "Pass" if made.call is Call.PASS else made.call.value
        if made.call.is_bid and not is_sufficient(calls[:at], made.call):
            text = f"^{MarkKind.INSUFFICIENT_BID} {text}"
        if made.alerted:
            text += f" ={notes[told.get(made.line, '')]}="
        cells.append(_Cell(text, None if made.implied else made.line))
        turn = turn.lho
    return [cells[start : start + 4] for start in range(0, len(cells), 4)]


def _notes(state: State) -> dict[str, int]:
    """The explanations of alerted calls, numbered from 1; the same text but once."""
    told = _explanations(state)
    alerted = [made.line for made in state.auction.legal_calls if made.alerted]
    texts = dict.fromkeys(told.get(line, "") for line in alerted)
    return {text: number for number, text in enumerate(texts, 1)}


def _explanations(state: State) -> dict[int, str]:
    """What was explained at which line, a correction by the Director included."""
    really = dict(state.corrections)
    actions = ((step.line, really.get(step.line, step.action)) for step in state.steps)
    return {
        line: " ".join(action.explanation.split())
        for line, action in actions
        if isinstance(action, MakeCall)
    }


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def play_section(state: State, comments: Iterable[str] = ()) -> list[str]:
    """The Play section: the cards as they finally lie; nothing where nobody bid.

    ``^L`` stands before a lead out of turn that was accepted, ``^R`` before a card
    that revoked and was not replaced. Under the policy ``manual`` a revoke that nobody
    has drawn attention to is not told.
    """
    play = state.play
    if play is None:
        return []
    lines = [f'[Play "{play.declarer.lho}"]', *_table(_play_rows(state, play))]
    if not play.ended:
        lines.append(GOES_ON)
    elif len(play.tricks) < 13:
        lines.append(ABANDONED)
    return [*lines, *comments]


def play_times(state: State, times: Mapping[int, float]) -> list[str]:
    """The PlayTimeTable: whole seconds for each card; nothing where nobody bid."""
    play = state.play
    if play is None:
        return []
    rows = _play_rows(state, play)
    return [f'[PlayTimeTable "{play.declarer.lho}"]', *_times(rows, times)]


def _play_rows(state: State, play: Play) -> list[_Row]:
    tricks = [*play.tricks, play.current] if play.current.cards else play.tricks
    revoked = {
        (revoke.trick, revoke.hand, revoke.card)
        for revoke in spoken_of(state)
        if revoke.proven and not revoke.corrected
    }
    rows: list[_Row] = []
    due = _rightful_leader(state, play)
    for number, trick in enumerate(tricks, 1):
        cells = {}
        for played in _cards_of(trick, play):
            mark = ""
            if (number, played.hand, played.card) in revoked:
                mark = f"^{MarkKind.REVOKE} "
            # One mark a card: without this one the trick could not be followed.
            if played.hand is trick.leader is not due:
                mark = f"^{MarkKind.LEAD_OUT_OF_TURN} "
            cells[played.hand] = _Cell(mark + played.card, played.line)
        columns = rotation_from(play.declarer.lho)
        rows.append([cells.get(hand, _EMPTY) for hand in columns])
        due = trick.winner(play.trump)
    return rows


def _rightful_leader(state: State, play: Play) -> Seat:
    """Whose opening lead it was: on the left of who was declarer by the auction."""
    contract = state.contract or play.contract
    return contract.declarer.lho


def _cards_of(trick: Trick, play: Play) -> tuple[PlayedCard, ...]:
    """The cards of a trick, one that was added to it (67B1) included.

    Not one that would win it by its rank, which an added card does not: whoever reads
    the table would take the trick for the wrong side's and the next lead for wrong.
    """
    whole = (*trick.cards, *trick.added)
    winner = trick.winner(play.trump)
    same = Trick(trick.leader, whole).winner(play.trump) is winner
    return whole if same else trick.cards


def _table(rows: Sequence[_Row]) -> list[str]:
    """The rows as lines, their columns one below the other."""
    widths = [0] * 4
    for row in rows:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], len(cell.text))
    return [
        " ".join(
            cell.text.ljust(widths[column]) for column, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def _times(rows: Sequence[_Row], times: Mapping[int, float]) -> list[str]:
    return _table([[_time(cell, times) for cell in row] for row in rows])


def _time(cell: _Cell, times: Mapping[int, float]) -> _Cell:
    seconds = times.get(cell.line) if cell.line is not None else None
    return _EMPTY if seconds is None else _Cell(str(int(seconds + 0.5)))
