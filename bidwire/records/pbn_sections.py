"""The Auction and Play sections of a PBN game into calls and cards.

The Play section is a table with a column for each hand, not in playing order: row
n + 1 is led by the winner of row n. A ``-`` is a card nobody knows, so what comes
after it in playing order cannot be used.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bidwire.records.pbn_games import Section, Token
from bidwire.records.record import Contract, FormatError, Mark, MarkKind, PlayedCard
from bidwire.records.rules import called, contract_of, has_ended, winner_of
from laws.actions import MakeCall
from laws.calls import Call
from laws.cards import Card, Suit
from laws.seats import SEATS, Seat, rotation_from


@dataclass(frozen=True, slots=True)
class Auction:
    """Calls in order and the irregularities marked in them."""

    calls: tuple[MakeCall, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """Cards in playing order and the irregularities marked in them.

    ``moved`` tells that rows stood in the wrong columns.
    """

    cards: tuple[PlayedCard, ...] = ()
    marks: tuple[Mark, ...] = ()
    moved: bool = False


def seat_of(text: str, line: int, what: str) -> Seat:
    """The seat that a tag names.

    Raises:
        FormatError: it names none.
    """
    try:
        return Seat(text.strip().upper())
    except ValueError:
        raise FormatError(
            line, f"{what}: expected a seat (N E S W), got {text!r}"
        ) from None


_WORDS = re.compile(
    r"\^[A-Za-z]|=\d+=|\$\d+|[!?]{1,2}|[A-Za-z0-9]+\*?|[-*+]|.", re.DOTALL
)
"""Tokens delimit themselves: ``1S!=1=$5`` is four. A ``*`` that sticks to a call is
an alert, alone it ends the section."""


_NOTE = re.compile(r"=(\d+)=")
_COMMENT = re.compile(r"\$\d+|[!?]{1,2}")
"""A numeric annotation glyph, or the suffix that stands for one."""


def _words(section: Section) -> Iterator[Token]:
    for token in section.tokens:
        for word in _WORDS.findall(token.text):
            yield Token(word, token.line)


_CALL_NAMES = {"PASS": "P", "D": "X", "DBL": "X", "R": "XX", "RDBL": "XX"}


def _call_of(word: str, line: int) -> Call:
    name = word.upper()
    if name[0].isdigit() and name.endswith("N"):
        name += "T"
    try:
        return Call(_CALL_NAMES.get(name, name))
    except ValueError:
        raise FormatError(
            line, f"Auction: expected a call (Pass X XX 1C to 7NT AP), got {word!r}"
        ) from None


def read_auction(section: Section, dealer: Seat) -> Auction:
    """Read the Auction section.

    A note is an alert (PBN 2.1 section 3.5.4), and so is a ``*`` that sticks to a call.

    Raises:
        FormatError: a word of it is no call.
    """
    reader = _AuctionReader(
        seat_of(section.value, section.line, "Auction") if section.value else dealer
    )
    for token in _words(section):
        word = token.text.upper()
        if word in {"*", "+"}:
            break
        note = _NOTE.fullmatch(word)
        if note is not None:
            reader.explain(section.notes.get(note[1], ""), token.line)
        elif not _COMMENT.fullmatch(word):
            reader.read(token.text, token.line)
    return Auction(tuple(reader.calls), tuple(reader.marks))


class _AuctionReader:
    def __init__(self, seat: Seat) -> None:
        self.calls: list[MakeCall] = []
        self.marks: list[Mark] = []
        self._seat = seat
        self._insufficient = False

    def read(self, word: str, line: int) -> None:
        name = word.upper()
        if name == "-":
            if self.calls:
                raise FormatError(line, "Auction: expected a call, got '-'")
            self._seat = self._seat.lho
        elif name == "^S":
            self._mark(MarkKind.SKIPPED_PLAYER)
            self._seat = self._seat.lho
        elif name == "^I":
            self._insufficient = True
        elif name == "AP":
            while not has_ended(called(self.calls)):
                self._add(Call.PASS)
        else:
            self._add(_call_of(word.removesuffix("*"), line), word.endswith("*"))

    def explain(self, note: str, line: int) -> None:
        if not self.calls:
            raise FormatError(line, "Auction: expected a call before its note")
        last = self.calls[-1]
        self.calls[-1] = MakeCall(last.seat, last.call, True, note)

    def _mark(self, kind: MarkKind) -> None:
        self.marks.append(Mark(kind, len(self.calls), self._seat))

    def _add(self, call: Call, alerted: bool = False) -> None:
        if self._insufficient:
            self._mark(MarkKind.INSUFFICIENT_BID)
        self._insufficient = False
        self.calls.append(MakeCall(self._seat, call, alerted))
        self._seat = self._seat.lho


def with_leading_passes(auction: Auction, tagged: Contract) -> Auction | None:
    """The auction behind the passes that a file left out, None where none is missing.

    Some files begin the auction with the first bid though the dealer passed. Then the
    calls stand at the wrong seats and the declarer is not the one of the tags: as many
    passes are put in front as bring him out.
    """
    calls = called(auction.calls)
    if auction.marks or tagged.declarer is None or not has_ended(calls):
        return None
    made = contract_of(calls)
    if not isinstance(made, Contract) or made.declarer is None:
        return None
    missing = (SEATS.index(tagged.declarer) - SEATS.index(made.declarer)) % 4
    same = (made.level, made.denomination) == (tagged.level, tagged.denomination)
    if not missing or not same:
        return None
    around = rotation_from(auction.calls[0].seat)
    passes = [MakeCall(seat, Call.PASS) for seat in around[:missing]]
    moved = [
        MakeCall(
            rotation_from(action.seat)[missing],
            action.call,
            action.alerted,
            action.explanation,
        )
        for action in auction.calls
    ]
    return Auction((*passes, *moved))


def _card_of(word: str, line: int) -> Card:
    try:
        return Card(word.upper().replace("10", "T"))
    except ValueError:
        raise FormatError(
            line, f"Play: expected a card (suit, rank) or '-', got {word!r}"
        ) from None


@dataclass(slots=True)
class _Row:
    """Cards and marks by hand; unknown cards are left out."""

    cards: dict[Seat, Card]
    marks: dict[Seat, MarkKind]
    line: int


def read_play(
    section: Section, trump: Suit | None, hands: tuple[frozenset[Card], ...] | None
) -> Play:
    """Read the Play section into playing order.

    Where the deal is known, a row that stands a number of columns off, each of its
    cards with another hand than the one that was dealt it, is moved to its hands.

    Raises:
        FormatError: a word of it is no card.
    """
    leader = seat_of(section.value, section.line, "Play")
    owners = _owners(hands)
    cards: list[PlayedCard] = []
    marks: list[Mark] = []
    moved = False
    for row in _rows(section, leader):
        columns_off = _columns_off(row, owners)
        if columns_off:
            _move(row, columns_off)
            moved = True
        for seat, kind in row.marks.items():
            if kind is MarkKind.LEAD_OUT_OF_TURN:
                leader = seat
        trick: list[PlayedCard] = []
        for seat in rotation_from(leader):
            if seat not in row.cards:
                break
            if seat in row.marks:
                marks.append(Mark(row.marks[seat], len(cards) + len(trick), seat))
            trick.append(PlayedCard(seat, row.cards[seat]))
        cards += trick
        if len(trick) < 4:
            break
        leader = winner_of(trick, trump)
    return Play(tuple(cards), tuple(marks), moved)


def _rows(section: Section, first: Seat) -> Iterator[_Row]:
    columns = rotation_from(first)
    row = _Row({}, {}, section.line)
    column = 0
    mark: MarkKind | None = None
    for token in _words(section):
        word = token.text.upper()
        if word == "*":
            break
        if _NOTE.fullmatch(word) or _COMMENT.fullmatch(word):
            continue
        if word in {"^R", "^L"}:
            mark = MarkKind(word[1])
            continue
        if word not in {"-", "+"}:
            row.cards[columns[column]] = _card_of(token.text, token.line)
            if mark is not None:
                row.marks[columns[column]] = mark
        mark = None
        column += 1
        if column == 4:
            yield row
            row, column = _Row({}, {}, token.line), 0
    if row.cards:
        yield row


def _owners(hands: tuple[frozenset[Card], ...] | None) -> dict[Card, Seat]:
    if hands is None:
        return {}
    return {card: s for s, hand in zip(SEATS, hands, strict=True) for card in hand}


def _columns_off(row: _Row, owners: dict[Card, Seat]) -> int:
    """By how many columns every card of a row is off; 0 where they do not agree."""
    off = {
        (SEATS.index(owners[card]) - SEATS.index(seat)) % 4
        for seat, card in row.cards.items()
        if card in owners
    }
    return off.pop() if len(off) == 1 else 0


def _move(row: _Row, columns: int) -> None:
    row.cards = {rotation_from(s)[columns]: card for s, card in row.cards.items()}
    row.marks = {rotation_from(s)[columns]: kind for s, kind in row.marks.items()}
