"""What a seat sees now: pure, from the state of the play and nothing else.

Most pressing first: what was wrong with the seat's last key press, the Director,
options, duties, whose turn it is, rulings that concern the seat, and then where the
board stands. Nothing here reads a hand that the seat may not see, and nothing tells
of a ruling that the table may not know.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from laws.play import Play
from laws.report import turn_of
from laws.rulings import Status
from laws.script import format_action
from laws.seats import SEATS, Seat
from laws.state import key_of
from protocol.happenings import Kind
from protocol.messages import Asked, Choice
from referee.catalogue import Catalogue, noted
from referee.choices import CHOICES_MAX, choices_of
from referee.context import (
    auction_block,
    board_line,
    contract_line,
    last_calls,
    last_trick_line,
    penalty_cards_line,
    result_lines,
    trick_line,
)
from referee.duties import declarer_is_choosing, duties_of, waits_of
from referee.explanations import told_to_seat
from referee.fit import Block
from referee.locks import locks_of
from referee.names import seat_name
from referee.playing import Playing, player_of
from referee.questions import is_choosing, question_in_words
from referee.reasons import happening_in_words
from referee.record import UNDO, Aside, Record
from referee.rounds import awaits_round
from referee.seating import awaits_seats, pairs_line, seat_choices, seats_in_words
from referee.settings import Boards
from referee.visible import is_settled, proposed, visible, waits_for_director

STOP = noted("Stop: the Director decides. Please wait")

CALLED = noted("The Director has been called")

RULING_SHOWN = 4
"""Happenings after which a ruling is no longer shown: once around the table."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A seat's display before it is fitted to the terminal."""

    ask: Asked
    hand: Seat | None
    blocks: tuple[Block, ...]
    choices: tuple[Choice, ...] = ()
    locks: tuple[str, ...] = ()


class BoardText:
    """Where a table's board stands, told once for all who read it alike."""

    def __init__(self, record: Record) -> None:
        """Prepare; it is told when the first reads it."""
        self.record = record
        self._told: dict[tuple[str, int], tuple[Block, ...]] = {}

    def told(
        self, playing: Playing, words: Catalogue, columns: int
    ) -> tuple[Block, ...]:
        """The board of the playing that is open, for a display of so many columns."""
        reader = (words.language, columns)
        if reader not in self._told:
            self._told[reader] = tuple(_where(self.record, playing, words, columns))
        return self._told[reader]


def prompt(
    shown: BoardText, seat: Seat, words: Catalogue, *, columns: int, alone: bool
) -> Prompt:
    """What a seat sees.

    Args:
        shown: the table.
        seat: whose display it is.
        words: texts of the terminal's language.
        columns: characters of a line of the display.
        alone: the terminal serves this seat only.
    """
    record = shown.record
    playing = record.play
    if playing is None or playing.closed:
        return _between_boards(record, seat, words, None)
    if playing.is_over and is_settled(playing, record.event.questions):
        return _between_boards(record, seat, words, playing)
    if proposed(playing):  # what it binds is not announced yet
        stop = (*_notices(record, seat, words), words.text(STOP))
        blocks = (*stop, *shown.told(playing, words, columns))
        return Prompt(Asked.WAIT, None, tuple(block for block in blocks if block))
    asked, hand = asks(record, playing, seat)
    choices = [
        choice
        for question in playing.asked(seat)
        for choice in choices_of(question, seat, words)
    ]
    return Prompt(
        asked,
        hand,
        tuple(
            block
            for block in _blocks(
                record, playing, seat, words, shown.told(playing, words, columns)
            )
            if block
        ),
        tuple(dict.fromkeys(choices))[:CHOICES_MAX],
        locks_of(
            playing.state, seat, alone=alone, compelled=record.event.lock_compelled
        ),
    )


def asks(record: Record, playing: Playing, seat: Seat) -> tuple[Asked, Seat | None]:
    """What is asked of the seat, and from which hand a card is."""
    questions = playing.asked(seat)
    if questions:
        by_card = (q.seat for q in questions if q.question in _BY_CARD)
        hand = next(by_card, None)
        return (Asked.CHOICE, None) if hand is None else (Asked.CARD, hand)
    if waits_for_director(playing, record.event.questions):
        return Asked.WAIT, None
    turn = turn_of(playing.state)
    choosing = any(question.to is not None for question in playing.state.questions)
    if choosing or turn is None or player_of(playing.state, turn) is not seat:
        return Asked.NONE, None
    return (Asked.CALL, None) if playing.state.play is None else (Asked.CARD, turn)


_BY_CARD = frozenset({"replace", "supply", "designate"})
"""Questions that a card answers."""


def _blocks(
    record: Record,
    playing: Playing,
    seat: Seat,
    words: Catalogue,
    where: tuple[Block, ...],
) -> Iterator[Block]:
    yield from _notices(record, seat, words)
    if waits_for_director(playing, record.event.questions):
        yield words.text(STOP)
    elif _is_called(record):
        yield words.text(CALLED)
    elif any(
        c.reason == UNDO and c.seat is seat for c in record.calls if not c.attended
    ):
        yield words.text("The Director has been asked to undo it")
    for question in playing.asked(seat):
        yield question_in_words(playing, question, words)
    waits = tuple(waits_of(playing, seat, words))
    yield from waits or _others_choosing(playing, seat, words)
    yield from duties_of(playing, seat, words)
    yield _turn_line(playing, seat, words)
    now, *rest = where
    yield now
    yield from _news(playing, seat, words)
    yield penalty_cards_line(playing, words)
    yield from rest


def _is_called(record: Record) -> bool:
    """Whether somebody has called the Director aloud, who has not come yet."""
    return any(not call.silent and not call.attended for call in record.calls)


def _where(
    record: Record, playing: Playing, words: Catalogue, columns: int
) -> Iterator[Block]:
    """Where the board stands; first the last calls, or the trick in progress."""
    auction = playing.state.play is None
    yield last_calls(playing, words) if auction else trick_line(playing, words)
    yield contract_line(playing, words)
    yield last_trick_line(playing, words)
    yield board_line(playing.board.number, playing.state.board, words)
    if not playing.state.auction.legal_calls:
        yield pairs_line(record, playing.board, words)
        yield from _last_result(record, playing, words)
    yield auction_block(playing, columns, words)


def _between_boards(
    record: Record, seat: Seat, words: Catalogue, finished: Playing | None
) -> Prompt:
    """The result of the last board, and the one that comes next."""
    blocks: list[Block] = [*_notices(record, seat, words)]
    if _is_called(record):
        blocks.append(words.text(CALLED))
    following, choices = _next_board(record, seat, words)
    blocks += following
    last = finished or record.play
    if last is not None and last.is_over:
        blocks += result_lines(last, words)
        blocks += _news(last, seat, words)
    return Prompt(Asked.CHOICE if choices else Asked.NONE, None, tuple(blocks), choices)


def _next_board(
    record: Record, seat: Seat, words: Catalogue
) -> tuple[tuple[Block, ...], tuple[Choice, ...]]:
    """What has to be done before the next board opens."""
    place = record.next_place
    if place is None:
        return (words.text("All boards have been played"),), ()
    board, event = record.table.boards[place], record.event
    header = board.board(event.edition, event.policies.policies())
    if awaits_round(record) is not None:
        told = words.text("Round {number} has not begun", number=board.round)
        pairs = pairs_line(record, board, words)
        return (told, pairs) if pairs else (told,), ()
    if awaits_seats(record) is not None:
        seats = seats_in_words(record, seat, words)
        blocks = (*seats, board_line(board.number, header, words))
        return blocks, seat_choices(record, seat, words)
    if event.boards is not Boards.PLACED:
        return (), ()
    if seat is header.dealer:
        label = words.text("Board {number} is here", number=board.number)
        asked = words.text("Is board {number} on the table?", number=board.number)
        return (asked,), (Choice(Kind.BOARD.value, (board.number,), label),)
    dealer = seat_name(header.dealer, words)
    told = words.text(
        "Next: board {number}. {dealer} confirms it", number=board.number, dealer=dealer
    )
    return (told,), ()


NOTICES: dict[Aside, str] = {
    Aside.IMPOSSIBLE: noted("{what}: not possible. Call the Director"),
    Aside.FAILED: noted("{what}: not judged. Call the Director"),
    Aside.WRONG_BOARD: noted("{what}: wrong board"),
    Aside.ROUND: noted("{what}: the round has not begun"),
    Aside.SEATS: noted("{what}: the pairs must confirm their seats first"),
    Aside.CLOSED_PLAY: noted("{what}: that board is over, it does not count"),
    Aside.NO_BOARD: noted("{what}: no board was shown yet, it does not count"),
    Aside.MALFORMED: noted("{what}: not understood, it does not count"),
    Aside.UNASKED: noted("{what}: nobody has asked this"),
    Aside.OLD_PROMPT: noted("{what}: too late, this is no longer asked"),
}
"""What a seat is told of its last key press."""


def _notices(record: Record, seat: Seat, words: Catalogue) -> Iterator[str]:
    for notice in record.notices:
        if notice.seat is seat and notice.reason in NOTICES:
            what = happening_in_words(notice.happening, words)
            yield words.text(NOTICES[notice.reason], what=what)
    playing = record.play
    if playing is None or playing.closed or not playing.state.refused:
        return
    refusal, step = playing.state.refused[-1], playing.state.steps[-1]
    actor = getattr(step.action, "seat", getattr(step.action, "hand", None))
    if step.line == refusal.line and actor is seat:
        yield words.text(
            "{what}: not allowed (Law {law})",
            what=format_action(step.action),
            law=refusal.law,
        )


def _others_choosing(playing: Playing, seat: Seat, words: Catalogue) -> Iterator[str]:
    by_declarer = declarer_is_choosing(playing, seat, words)
    if by_declarer is not None:
        yield by_declarer
        return
    if playing.asked(seat):
        return
    for other in SEATS:
        if other is not seat and playing.asked(other):
            yield is_choosing(playing, other, words)


def _turn_line(playing: Playing, seat: Seat, words: Catalogue) -> str:
    """Whose turn it is, when no option is open."""
    turn, play = turn_of(playing.state), playing.state.play
    choosing = any(question.to is not None for question in playing.state.questions)
    if turn is None or choosing:
        return ""
    if play is not None:
        return _turn_to_play(play, turn, seat, words)
    if turn is seat:
        return words.text("Your call")
    return words.text("{seat} to call", seat=seat_name(turn, words))


def _turn_to_play(play: Play, turn: Seat, seat: Seat, words: Catalogue) -> str:
    leads = not play.current.cards
    if turn is play.dummy and seat in turn.side.seats:
        if seat is turn:
            return words.text("Wait: declarer plays your card")
        return words.text("Play a card from dummy")
    if turn is not seat:
        source = noted("{seat} to lead") if leads else noted("{seat} to play")
        return words.text(source, seat=seat_name(turn, words))
    if leads and not play.tricks:
        return words.text("Your opening lead")
    return words.text("Your lead") if leads else words.text("Your card")


def _news(playing: Playing, seat: Seat, words: Catalogue) -> Iterator[str]:
    """Rulings that concern the seat, for as long as they are news."""
    now = len(playing.state.steps)
    bound = tuple(binding.effect for binding in playing.state.bindings)  # his duties
    seen: set[tuple[str, Seat]] = set()
    for ruling in reversed(visible(playing)):
        told = playing.told_of(key_of(ruling))
        fresh = told is not None and now - told.at < RULING_SHOWN
        what = (ruling.irregularity, ruling.offender)
        if not fresh or ruling.status is not Status.IN_FORCE or what in seen:
            continue
        in_words = told_to_seat(playing, ruling, seat, words, known=bound)
        if in_words:
            seen.add(what)  # the latest ruling on it is the one to go by
            yield in_words


def _last_result(record: Record, playing: Playing, words: Catalogue) -> Iterator[str]:
    before = record.playing(playing.number - 1)
    if before is not None and before.is_over:
        yield from result_lines(before, words)
