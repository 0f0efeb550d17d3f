"""What happens on the next board and matters to the last one (Laws 64B4, 69A)."""

from laws.actions import MakeCall, NextBoardCall
from referee.playing import Playing
from referee.record import Record


def calls_on_next_board(record: Record, playing: Playing) -> tuple[NextBoardCall, ...]:
    """Each seat's first call on the next board that the engine has not been told of."""
    following = record.playing(playing.number + 1)
    if following is None:
        return ()
    known = {
        step.action.seat
        for step in playing.state.steps
        if isinstance(step.action, NextBoardCall)
    }
    calls: dict[object, NextBoardCall] = {}
    for step in following.state.steps:
        action = step.action
        if isinstance(action, MakeCall) and action.seat not in known:
            calls.setdefault(action.seat, NextBoardCall(action.seat, action.call))
    return tuple(calls.values())
