"""What an event of a terminal says happened, in the terms of the Laws."""

from dataclasses import replace

from laws.actions import Action, MakeCall
from laws.script import format_action
from protocol.happenings import (
    CallDirector,
    EventKey,
    GiveAnswer,
    HappeningError,
    PlaceBoard,
    Request,
    RequestUndo,
    action_from,
)
from protocol.one_line import one_line
from referee.entries import EventTaken


def happening_of(taken: EventTaken) -> Action | Request:
    """The action or request; HappeningError when its data are malformed."""
    action = action_from(EventKey(taken.kind, taken.seat, taken.hand, taken.data))
    match action:
        case MakeCall(explanation=explanation):
            # The script's line separates by single blanks; nothing else is lost by it.
            return replace(action, explanation=one_line(explanation))
        case CallDirector(reason=reason):
            return replace(action, reason=one_line(reason))
        case _:
            return action


def told_happening(taken: EventTaken) -> str:
    """The same for people: its line of the table script, else its kind and data."""
    try:
        action = happening_of(taken)
    except HappeningError:
        return " ".join([taken.seat, taken.kind, *(str(d) for d in taken.data)])
    match action:
        case PlaceBoard(seat, board):
            return f"{seat} places board {board}"
        case GiveAnswer(seat, question, answer):
            return f"{seat} answers {question}: {answer}"
        case CallDirector(seat):
            return f"{seat} calls the Director"
        case RequestUndo(seat):
            return f"{seat} asks to undo"
        case _:
            return format_action(action)
