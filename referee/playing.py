"""One playing of a board at a table: the engine's state and what the table knows of it.

"Play" here is the whole playing of a board, auction included, as in EVENT and DISPLAY.
"""

from dataclasses import dataclass, replace

from laws.actions import MakeCall
from laws.events import Event
from laws.rulings import Question, Ruling
from laws.seats import Seat
from laws.state import RulingKey, State, key_of
from protocol.scores import Adjustment, Penalty
from referee.settings import BoardSettings


@dataclass(frozen=True, slots=True)
class Told:
    """A ruling that the table has been told of.

    Attributes:
        key: the ruling.
        number: among all rulings that the table has been told of, from 1.
        at: how many happenings there were when it was told.
    """

    key: RulingKey
    number: int
    at: int


@dataclass(frozen=True, slots=True)
class Playing:
    """A playing of a board.

    Attributes:
        number: counts the playings at the table, from 1.
        place: of the board in the table's list, from 0.
        board: as the settings have it.
        state: the engine's.
        judged_at: for each happening, in order, the journal number at which it was
            judged.
        asked_at: the open questions, each with the journal number that raised it.
        confirmed: rulings that the Director has put into effect.
        told: rulings that the table has been told of.
        closed: whether events no longer apply to it.
        hands_asked: whether the Director has asked for the hands.
        adjustment: the score that the Director has given in place of the result.
        penalties: procedural penalties from it.
        scored_at: journal number at which either was last changed.
    """

    number: int
    place: int
    board: BoardSettings
    state: State
    judged_at: tuple[int, ...] = ()
    asked_at: tuple[tuple[Question, int], ...] = ()
    confirmed: frozenset[RulingKey] = frozenset()
    told: tuple[Told, ...] = ()
    closed: bool = False
    hands_asked: bool = False
    adjustment: Adjustment | None = None
    penalties: tuple[Penalty, ...] = ()
    scored_at: int = 0

    @property
    def next_line(self) -> int:
        """The number that the next happening gets."""
        return len(self.state.steps) + 1

    @property
    def is_over(self) -> bool:
        """Whether the Laws have a result: passed out, or play ended."""
        return is_over(self.state)

    def told_of(self, key: RulingKey) -> Told | None:
        """What the table has been told of a ruling."""
        return next((told for told in self.told if told.key == key), None)

    def explanations(self) -> dict[int, str]:
        """Explanations of alerted calls, by the line of the call."""
        return {
            step.line: step.action.explanation
            for step in self.state.steps
            if isinstance(step.action, MakeCall) and step.action.explanation
        }

    def asked(self, seat: Seat | None) -> tuple[Question, ...]:
        """The open questions to a seat, or to the Director (None)."""
        return tuple(q for q in self.state.questions if q.to is seat)


def adjusted(playing: Playing, given: Adjustment, number: int) -> Playing:
    """The playing with an adjusted score in place of an earlier one, or without."""
    kept = None if given.is_withdrawn else given
    return replace(playing, adjustment=kept, scored_at=number)


def penalized(playing: Playing, given: Penalty, number: int) -> Playing:
    """The playing with a penalty in place of an earlier one, or without."""
    others = tuple(
        penalty
        for penalty in playing.penalties
        if (penalty.side, penalty.unit) != (given.side, given.unit)
    )
    kept = (*others, given) if given.amount else others
    return replace(playing, penalties=kept, scored_at=number)


def is_over(state: State) -> bool:
    """Whether the Laws have a result: passed out, or play ended."""
    if not state.auction.ended:
        return False
    return state.contract is None or (state.play is not None and state.play.ended)


def player_of(state: State, hand: Seat) -> Seat:
    """Who acts for a hand: declarer for dummy's."""
    return state.play.player_of(hand) if state.play is not None else hand


def judged(playing: Playing, events: tuple[Event, ...], number: int) -> Playing:
    """The playing after a happening was judged; folds, and judges nothing."""
    before = playing.state
    state = before
    for event in events:
        state = event.apply_to(state)
    more = len(state.steps) - len(before.steps)
    raised = dict(playing.asked_at)
    return replace(
        playing,
        state=state,
        judged_at=(*playing.judged_at, *(number for _ in range(more))),
        asked_at=tuple((q, raised.get(q, number)) for q in state.questions),
    )


def ruling_of(playing: Playing, key: RulingKey) -> Ruling | None:
    """The latest ruling of a key."""
    return next((r for r in reversed(playing.state.rulings) if key_of(r) == key), None)
