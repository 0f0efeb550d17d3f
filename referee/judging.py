"""Judging what waits: each event is applied, served, set aside, or held.

Everything that is decided here is an entry for the journal, folded at once into the
record, so that what comes next is judged by what the journal will say.
"""

import logging
from collections.abc import Callable
from typing import assert_never

from laws.actions import Action
from laws.engine import Decision, ImpossibleActionError, decide
from laws.events import Event as LawEvent
from laws.events import Refused
from laws.script import format_action
from laws.seats import Seat
from laws.state import State
from laws.steps import Step
from protocol.happenings import (
    CallDirector,
    GiveAnswer,
    HappeningError,
    Kind,
    PlaceBoard,
    Request,
    RequestUndo,
)
from protocol.limits import TEXT_MAX
from protocol.payloads import DirectorCommand, Service
from referee.afterwards import calls_on_next_board
from referee.codec import encode_event
from referee.director import (
    CommandRefusedError,
    Happens,
    Opens,
    Order,
    OutdatedCommandError,
    Serves,
    UnreadCommand,
    read_command,
)
from referee.entries import (
    Alarmed,
    Attended,
    CommandJudged,
    CommandTaken,
    CommandUnread,
    DirectorCalled,
    Entry,
    EventJudged,
    EventServed,
    EventSetAside,
    EventTaken,
    PlayClosed,
    PlayOpened,
    RulingConfirmed,
    RulingTold,
    SeatsConfirmed,
)
from referee.happened import happening_of
from referee.options import is_of_older_prompt
from referee.order import needs_poll
from referee.playing import Playing
from referee.record import UNDO, Aside, Folded, Record, fold
from referee.rounds import awaits_round
from referee.seating import NO, awaits_seats, is_about_seats, pair_at
from referee.settings import Boards
from referee.visible import is_settled, newly_visible

logger = logging.getLogger(__name__)

_ANY_PLAY = frozenset({Kind.BOARD, Kind.DIRECTOR, Kind.UNDO})
"""Kinds that belong to the table, whatever is being played."""


class Judging:
    """A record, and the entries that have been added to it."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.folded: list[Folded] = []

    def write(self, entry: Entry) -> None:
        """Add an entry."""
        before, self.record = self.record, fold(self.record, entry)
        self.folded.append(Folded(before, entry, self.record))

    # -- events of terminals ------------------------------------------------------

    def judge_waiting(
        self, is_clear: Callable[[EventTaken], bool]
    ) -> tuple[EventTaken, ...]:
        """Judge what can be judged, in the order of arrival.

        What is regular goes first. Of what is not, the oldest goes when it is clear.

        Args:
            is_clear: whether nothing pressed before an event can still be missing.

        Returns:
            The events that are held.
        """
        while True:
            held = self._judge_regular()
            oldest = next(iter(held.values()), None)
            if oldest is None or not is_clear(oldest):
                return tuple(held.values())
            self._try(oldest, may_be_irregular=True)

    def _judge_regular(self) -> dict[str, EventTaken]:
        """Judge everything that is regular; what is held, by terminal."""
        while True:
            held: dict[str, EventTaken] = {}
            for taken in self.record.waiting:
                if taken.terminal in held:
                    continue  # behind another of its terminal
                if self._try(taken, may_be_irregular=False):
                    break  # others may have become regular by it
                held[taken.terminal] = taken
            else:
                return held

    def _try(self, taken: EventTaken, *, may_be_irregular: bool) -> bool:
        """Do what an event calls for; False when it has to be held."""
        try:
            happened = happening_of(taken)
        except HappeningError as error:
            self._set_aside(taken, Aside.MALFORMED, str(error))
            return True
        reason = self._reason_against(taken, happened)
        if reason is not None:
            self._set_aside(taken, reason)
            return True
        match happened:
            case PlaceBoard() | GiveAnswer() | CallDirector() | RequestUndo():
                self._serve(taken, happened)
                return True
            case _:
                return self._judge(taken, happened, may_be_irregular=may_be_irregular)

    def _reason_against(
        self, taken: EventTaken, happened: Action | Request
    ) -> Aside | None:
        terminal = self.record.table.terminal(taken.terminal)
        if terminal is None or taken.seat not in terminal.seats:
            return Aside.NOT_SERVED
        if taken.kind in _ANY_PLAY or is_about_seats(self.record, happened):
            return None
        playing = self.record.play
        if playing is None or playing.closed or playing.number != taken.play:
            return Aside.CLOSED_PLAY if taken.play else Aside.NO_BOARD
        if isinstance(happened, GiveAnswer):
            return Aside.UNASKED
        if isinstance(happened, PlaceBoard | CallDirector | RequestUndo):
            return None
        late = is_of_older_prompt(playing, taken.seat, happened, taken.rev)
        return Aside.OLD_PROMPT if late else None

    def _judge(
        self, taken: EventTaken, action: Action, *, may_be_irregular: bool
    ) -> bool:
        playing = self.record.play
        assert playing is not None  # noqa: S101 - else there was a reason against it
        step = Step(playing.next_line, action)
        try:
            events = _decided(playing.state, step).events
        except (ImpossibleActionError, EngineFailedError) as error:
            if not may_be_irregular:
                return False
            if isinstance(error, EngineFailedError):
                self._set_aside(taken, Aside.FAILED, str(error))
                text = f"{format_action(action)}: {error}"
                self.write(Alarmed(text=text[:TEXT_MAX], terminal=taken.terminal))
            else:
                self._set_aside(taken, Aside.IMPOSSIBLE, str(error))
            return True
        if needs_poll(step, events) and not may_be_irregular:
            return False
        self.write(
            EventJudged(
                terminal=taken.terminal,
                boot=taken.boot,
                n=taken.n,
                play=playing.number,
                events=_encoded(events),
            )
        )
        self._tell(playing.number)
        return True

    def _set_aside(self, taken: EventTaken, reason: Aside, detail: str = "") -> None:
        self.write(
            EventSetAside(
                terminal=taken.terminal,
                boot=taken.boot,
                n=taken.n,
                reason=reason,
                detail=detail,
            )
        )

    # -- what the engine has nothing to do with -----------------------------------

    def _serve(self, taken: EventTaken, request: Request) -> None:
        match request:
            case PlaceBoard():
                self._place_board(taken, request)
                return
            case CallDirector(seat, silent, reason):
                call = (seat, silent, reason)
            case RequestUndo(seat):
                call = (seat, True, UNDO)
            case GiveAnswer():
                self._answer_seats(taken, request)
                return
            case _:
                assert_never(request)
        self._call(taken, *call)

    def _call(self, taken: EventTaken, seat: Seat, silent: bool, reason: str) -> None:
        self.write(
            DirectorCalled(
                terminal=taken.terminal,
                boot=taken.boot,
                n=taken.n,
                seat=seat,
                silent=silent,
                reason=reason,
            )
        )

    def _answer_seats(self, taken: EventTaken, given: GiveAnswer) -> None:
        """A pair says whether it sits where the event expects it."""
        board, playing = awaits_seats(self.record), self.record.open_play
        meant = taken.play == (playing.number if playing is not None else 0)
        if given.answer == NO:
            pair = pair_at(board.pairs, given.seat.side) if board is not None else ""
            reason = f"wrong seats: {given.seat.side} is not {pair or 'the pair named'}"
            self._call(taken, given.seat, False, reason[:TEXT_MAX])
        elif board is not None and meant:
            self.write(
                SeatsConfirmed(
                    terminal=taken.terminal,
                    boot=taken.boot,
                    n=taken.n,
                    side=given.seat.side,
                )
            )
        else:  # his partner was quicker
            self._served(taken)

    def _place_board(self, taken: EventTaken, placed: PlaceBoard) -> None:
        playing = self.record.play
        due = self.record.next_place
        running = playing is not None and not self._is_done(playing)
        if playing is not None and (running or due is None):
            expected = playing.board.number
        elif due is not None:
            expected = self.record.table.boards[due].number
        else:
            self._set_aside(taken, Aside.WRONG_BOARD, "no board is to be played")
            return
        if placed.board != expected:
            detail = f"expected board {expected}, got board {placed.board}"
            self._set_aside(taken, Aside.WRONG_BOARD, detail)
            self.write(Alarmed(text=f"wrong board: {detail}", terminal=taken.terminal))
            return
        if not running and awaits_round(self.record) is not None:
            self._set_aside(taken, Aside.ROUND)
            return
        if not running and awaits_seats(self.record) is not None:
            self._set_aside(taken, Aside.SEATS)
            return
        self._served(taken)
        if not running and due is not None:
            self._open(due)

    def _served(self, taken: EventTaken) -> None:
        self.write(EventServed(terminal=taken.terminal, boot=taken.boot, n=taken.n))

    # -- boards -------------------------------------------------------------------

    def turn_boards(self) -> None:
        """Open the next board where boards open by themselves."""
        if self.record.event.boards is not Boards.AUTO:
            return
        place, playing = self.record.next_place, self.record.play
        if place is None or awaits_round(self.record) is not None:
            return
        if awaits_seats(self.record) is not None:
            return
        if playing is None or self._is_done(playing):
            self._open(place)

    def _is_done(self, playing: Playing) -> bool:
        if playing.closed:
            return True
        if any(
            taken.play == playing.number and taken.kind not in _ANY_PLAY
            for taken in self.record.waiting
        ):
            return False
        return is_settled(playing, self.record.event.questions)

    def _open(self, place: int) -> None:
        playing = self.record.play
        number = 1
        if playing is not None:
            number = playing.number + 1
            if not playing.closed:
                self.write(PlayClosed(play=playing.number))
        event = self.record.event
        self.write(
            PlayOpened(
                play=number,
                place=place,
                board=self.record.board(place),
                edition=event.edition,
                policies=event.policies,
            )
        )

    # -- rulings ------------------------------------------------------------------

    def _tell(self, play: int) -> None:
        """Tell the table what it may know from now on."""
        playing = self.record.playing(play)
        if playing is None:
            return
        for ruling in newly_visible(playing):
            self.write(
                RulingTold(
                    number=self.record.rulings_told + 1,
                    play=play,
                    line=ruling.line,
                    law=ruling.law,
                    offender=ruling.offender,
                )
            )

    # -- the Director -------------------------------------------------------------

    def command(self, command: DirectorCommand, wall: float) -> None:
        """Do a command of the Director, or refuse it with the reason; once."""
        if command.id in self.record.commands:
            return
        try:
            order = read_command(self.record, command)
            happened = self._foresee(order)
        except CommandRefusedError as error:
            self.write(
                CommandTaken(
                    command=command,
                    received=wall,
                    done=False,
                    reason=str(error),
                    outdated=isinstance(error, OutdatedCommandError),
                )
            )
            return
        against = _refused_by_the_laws(happened)
        self.write(
            CommandTaken(command=command, received=wall, done=True, reason=against)
        )
        for play, events in happened:
            self.write(CommandJudged(id=command.id, play=play, events=_encoded(events)))
            self._tell(play)
        match order:
            case Opens(place):
                self._open(place)
            case Serves(service):
                self._do(service, command)
            case Happens():
                pass

    def unread(self, command: UnreadCommand, wall: float) -> None:
        """Tell the sender of what is no command why it was not done; once."""
        if command.id not in self.record.commands:
            self.write(
                CommandUnread(
                    id=command.id,
                    by=command.by,
                    received=wall,
                    reason=command.reason,
                )
            )

    def _foresee(self, order: Order) -> list[tuple[int, tuple[LawEvent, ...]]]:
        """What the happening of a command leads to, nothing for another command.

        Raises:
            CommandRefusedError: it cannot have happened.
        """
        if not isinstance(order, Happens):
            return []
        playing, led_to = order.playing, []
        state, line = playing.state, playing.next_line
        afterwards = calls_on_next_board(self.record, playing)
        for action in (*afterwards, order.action):
            try:
                decision = _decided(state, Step(line, action))
            except ImpossibleActionError as error:
                raise CommandRefusedError(f"impossible: {error}") from None
            except EngineFailedError as error:
                raise CommandRefusedError(str(error)) from None
            led_to.append((playing.number, decision.events))
            state, line = decision.state, line + 1
        return led_to

    def _do(self, service: Service, command: DirectorCommand) -> None:
        playing = self.record.play
        match service:
            case Service.CLOSE if playing is not None:
                self.write(PlayClosed(play=playing.number))
            case Service.CONFIRM:
                self._confirm(command)
            case Service.ATTEND:
                self.write(Attended(subject=command.subject))
            case Service.RELEASE:
                self._release(command)
            case Service.OPEN | Service.REJECT | Service.CLOSE:
                pass  # these are other orders
            case (
                Service.ROUND
                | Service.DEAL
                | Service.HANDS
                | Service.ADJUST
                | Service.PENALTY
            ):
                pass  # the record has it from the command

    def _confirm(self, command: DirectorCommand) -> None:
        number = command.play or (self.record.play.number if self.record.play else 0)
        playing = self.record.playing(number)
        if playing is None:
            return
        ruling = playing.state.rulings[command.ruling - 1]
        self.write(
            RulingConfirmed(
                play=number,
                line=ruling.line,
                law=ruling.law,
                offender=ruling.offender,
            )
        )
        self._tell(number)

    def _release(self, command: DirectorCommand) -> None:
        """Judge, or drop, the oldest event that is held (of a terminal)."""
        for taken in self.record.waiting:
            if command.terminal in {"", taken.terminal}:
                if command.drop:
                    self._set_aside(taken, Aside.DROPPED)
                else:
                    self._try(taken, may_be_irregular=True)
                return


def _encoded(events: tuple[LawEvent, ...]) -> tuple[object, ...]:
    return tuple(encode_event(event) for event in events)


class EngineFailedError(RuntimeError):
    """The engine raised what it never should: a defect, told and not fatal."""


def _decided(state: State, step: Step) -> Decision:
    """What the engine decides.

    Raises:
        ImpossibleActionError: it cannot have happened.
        EngineFailedError: the engine failed; one event must not stop the room, nor
            come back for ever because nobody acknowledges it.
    """
    try:
        return decide(state, step)
    except ImpossibleActionError:
        raise
    except Exception as error:
        logger.exception("the engine failed on %r", step)
        kind = type(error).__name__
        raise EngineFailedError(f"the engine failed ({kind}: {error})") from error


def _refused_by_the_laws(happened: list[tuple[int, tuple[LawEvent, ...]]]) -> str:
    """Why the Laws do not allow the happening of a command; empty where they do."""
    if not happened:
        return ""
    refused = [event for event in happened[-1][1] if isinstance(event, Refused)]
    return "; ".join(f"Law {e.refusal.law}: {e.refusal.reason}" for e in refused)
