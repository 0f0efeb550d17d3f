"""What the referee itself says in plain words, and its journal keeps in English.

Why a command of the Director is refused, why an event is not applied, its alarms.
``referee.reasons`` tells them in the language of the reader.
"""

from referee.catalogue import noted

REFUSALS = (
    # Why a command is not done.
    noted("expected a happening or a service"),
    noted("expected a terminal of the table, got {got}"),
    noted("nothing is held"),
    noted("expected the id of a call or an alarm, got {got}"),
    noted("rounds begin by themselves in this event"),
    noted("expected a round of the table ({rounds}), got {got}"),
    noted("none"),
    noted("round {number} is open already"),
    noted("expected a board that is still to be played, got {got}"),
    noted("nobody has told the hands of board {number}"),
    noted("adjustment: expected one, got none"),
    noted("penalty: expected one, got none"),
    noted("no play is open"),
    noted("no board has been played yet"),
    noted("ruling {number} does not wait for the Director"),
    noted("board {number} is being played: close it first"),
    noted("expected a board of the table's list, got {got}"),
    noted(
        "the table has moved on: expected {expected} as its last entry, got {number}"
    ),
    noted(
        "{what} came up at entry {number}, after entry {expected} that the command"
        " expects"
    ),
    noted("the score"),
    noted("the event that is held"),
    noted("the loss of events"),
    noted("impossible: {reason}"),
    noted("the engine failed ({error})"),
    noted("Law {law}: {what}; Law {other}: {reason}"),
    noted("Law {law}: {reason}"),
    noted("deal: {reason}"),
    # Why an event is not applied.
    noted("malformed: {error}"),
    noted("malformed"),
    noted("seat not served"),
    noted("no board shown"),
    noted("closed play"),
    noted("older prompt"),
    noted("impossible"),
    noted("engine failed: {reason}"),
    noted("engine failed"),
    noted("wrong board: {reason}"),
    noted("wrong board"),
    noted("dropped"),
    noted("round not begun"),
    noted("seats not confirmed"),
    noted("unasked"),
    noted("no board is to be played"),
    noted("expected board {expected}, got board {got}"),
    # Alarms, and why links are lost.
    noted("its daemon is gone"),
    noted("its daemon restarted"),
    noted(
        "replaced: serial number {serial} instead of {before}, of which no event after"
        " {number} of boot {boot} was taken"
    ),
    noted(
        "replaced: serial number {serial} instead of {before}, of which nothing was"
        " taken"
    ),
    noted("its memory was reset: its events are numbered anew"),
    noted("events {first} to {last} of its boot {boot} are lost"),
    noted("refused: {reason}"),
    noted("{happening}: the engine failed ({error})"),
    # A line of a script with what is wrong with it.
    noted("'{line}': {reason}"),
)
"""In the order of the search, as ``Sentences`` has it."""

CALLS = (
    noted("undo: the last key press was a mistake"),
    noted("wrong seats: NS is not {pair}"),
    noted("wrong seats: EW is not {pair}"),
    noted("the pair named"),
)
"""Why a player calls the Director by an answer or a key; other reasons he types."""

LAST = (
    noted("there is no play {number}"),
    noted("ruling {number}"),
    noted("line {number}"),
    noted("the question {word}"),
    noted("the answer {word}"),
)
"""Those that could take in others: looked for when nothing else fits."""

HAPPENINGS = (
    noted("{seat} places board {number}"),
    noted("{seat} answers {question}: {answer}"),
    noted("{seat} calls the Director"),
    noted("{seat} asks to undo"),
    noted("an event"),
)
"""What happened, where it is no line of a table script."""
