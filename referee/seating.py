"""Who sits where: shown before the first call, and confirmed where the event wants it.

Each round the two pairs say at their displays that they are the ones that the event
expects at the table; the first board of the round opens when both have. Who says no
calls the Director, and may say yes when he has moved. What the Director opens himself
waits for nobody.
"""

from collections.abc import Iterator

from laws.seats import SIDES, Seat, Side
from protocol.happenings import GiveAnswer, Kind
from protocol.messages import Choice
from protocol.payloads import Pairs
from referee.catalogue import Catalogue
from referee.names import side_name
from referee.record import Record
from referee.rounds import awaits_round
from referee.settings import BoardSettings
from referee.visible import is_settled

SEATS_QUESTION = "seats"
"""The question's word in the display's choices and in the answer (K1)."""

YES, NO = "yes", "no"


def awaits_seats(record: Record) -> BoardSettings | None:
    """The board that opens when the pairs have confirmed their seats, if one does."""
    place, playing = record.next_place, record.open_play
    if not record.event.confirm_seats or place is None:
        return None
    if playing is not None and not is_settled(playing, record.event.questions):
        return None
    if awaits_round(record) is not None:
        return None  # asked when it has begun
    boards = record.table.boards
    board = boards[place]
    if not board.pairs.ns and not board.pairs.ew:
        return None  # there is nobody to be taken for somebody else
    if place > 0 and _seated(board) == _seated(boards[place - 1]):
        return None
    return None if record.seated >= set(SIDES) else board


def _seated(board: BoardSettings) -> tuple[int, Pairs]:
    return board.round, board.pairs


def is_about_seats(record: Record, happened: object) -> bool:
    """Whether a seat answers whether the right pair sits there."""
    if not isinstance(happened, GiveAnswer) or happened.question != SEATS_QUESTION:
        return False
    return happened.answer in {YES, NO} and record.event.confirm_seats


def pair_at(pairs: Pairs, side: Side) -> str:
    """The id of the pair that the event expects at these seats."""
    return pairs.ns if side is Side.NORTH_SOUTH else pairs.ew


def named_pair(record: Record, pair: str) -> str:
    """A pair as displays name it: nothing that is journalled or retained."""
    return record.event.names.get(pair, pair) or "?"


def pairs_line(record: Record, board: BoardSettings, words: Catalogue) -> str:
    """The round, and who plays whom; empty when the event names nobody."""
    pairs = board.pairs
    if not pairs.ns and not pairs.ew:
        return ""
    told = words.text(
        "{ns} North-South, {ew} East-West",
        ns=named_pair(record, pairs.ns),
        ew=named_pair(record, pairs.ew),
    )
    if not board.round:
        return told
    heading = words.text("Round {number}", number=board.round)
    return f"{heading}: {told}"


def seats_in_words(record: Record, seat: Seat, words: Catalogue) -> Iterator[str]:
    """What a seat reads while its board waits for the seats to be confirmed."""
    board = awaits_seats(record)
    if board is None:
        return
    if seat.side in record.seated:
        other = side_name(seat.side.other, words)
        yield words.text("{side} must confirm their seats", side=other)
    else:
        pair, side = pair_at(board.pairs, seat.side), side_name(seat.side, words)
        asked = named_pair(record, pair)
        yield words.text("Are you {pair}, {side}?", pair=asked, side=side)
    yield pairs_line(record, board, words)


def seat_choices(record: Record, seat: Seat, words: Catalogue) -> tuple[Choice, ...]:
    """The answers that a seat is offered."""
    if awaits_seats(record) is None or seat.side in record.seated:
        return ()
    answers = {YES: words.text("Yes"), NO: words.text("No")}
    return tuple(
        Choice(Kind.ANSWER.value, (SEATS_QUESTION, answer), label)
        for answer, label in answers.items()
    )
