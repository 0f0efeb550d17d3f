"""Rounds that the Director opens, where the event wants it."""

from referee.record import Record
from referee.settings import BoardSettings, Rounds
from referee.visible import is_settled


def awaits_round(record: Record) -> BoardSettings | None:
    """The board that opens when the Director has opened its round, if one does.

    What the Director opens himself waits for nothing, and neither does a board that
    belongs to no round.
    """
    place, playing = record.next_place, record.open_play
    if record.event.rounds is not Rounds.CALLED or place is None:
        return None
    if playing is not None and not is_settled(playing, record.event.questions):
        return None
    board = record.table.boards[place]
    is_open = not board.round or board.round in record.rounds_open
    return None if is_open else board
