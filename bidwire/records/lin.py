"""LIN entries into records.

The cards of a LIN record come in playing order without their hands, so the hand
follows from the turn. Four hands are written S, W, N, E; the last may be left out.
"""

import re
from collections.abc import Iterator

from bidwire.records.lin_fields import Entry, Field, entries_of
from bidwire.records.record import (
    Contract,
    FormatError,
    PassedOut,
    PlayedCard,
    Record,
    RecordError,
)
from bidwire.records.rules import called, contract_of, has_ended, winner_of
from laws.actions import MakeCall
from laws.board import vulnerable_of
from laws.calls import Call
from laws.cards import DECK, Card, Denomination
from laws.header import whole_number
from laws.seats import SEATS, SIDES, Seat, Side


def read_lin(file: str, text: str) -> Iterator[Record | RecordError]:
    """The records of a LIN text, one for each deal."""
    for entry in entries_of(text):
        try:
            yield _record(file, entry)
        except FormatError as error:
            yield RecordError(file, entry.label, error.line, str(error))


def _record(file: str, entry: Entry) -> Record:
    for item in entry.fields:
        if not item.key:
            raise FormatError(
                item.line, f"expected key|value|, got {item.value[:60]!r}"
            )
    dealer, hands = _deal(entry)
    auction: list[MakeCall] = []
    cards: list[Card] = []
    result: int | None = None
    sides: frozenset[Side] | None = None
    for item in entry.fields:
        match item.key:
            case "sv":
                sides = _vulnerable(item)
            case "mb":
                _add_calls(auction, dealer, item)
            case "an":
                _explain(auction, item)
            case "pc":
                cards += _cards(item)
            case "mc":
                result = _tricks(item)
            case _:
                pass
    calls = called(auction)
    ended = has_ended(calls)
    contract, outcome = _outcome(entry)
    assumed: tuple[str, ...] = ()
    if sides is None:
        assumed = ("Vulnerable",)
        number = whole_number(entry.label.lstrip("oc"))
        sides = vulnerable_of(number) if number else frozenset()
    return Record(
        file=file,
        board=entry.label,
        line=entry.line,
        dealer=dealer,
        vulnerable=sides,
        hands=hands,
        auction=tuple(auction),
        auction_ended=ended,
        contract=contract,
        cards=_in_turn(cards, contract_of(calls), dealer) if ended else (),
        result=outcome if result is None else result,
        assumed=assumed,
    )


_DEALERS = {"1": Seat.SOUTH, "2": Seat.WEST, "3": Seat.NORTH, "4": Seat.EAST}
_HAND_ORDER = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_HAND = re.compile(r"(?:([SHDC])((?:10|[2-9TJQKA])*))*", re.IGNORECASE)
_SUIT_RANKS = re.compile(r"([SHDC])([^SHDC]*)")


def _deal(entry: Entry) -> tuple[Seat, tuple[frozenset[Card], ...] | None]:
    item = next((f for f in entry.fields if f.key == "md"), None)
    if item is None:
        raise FormatError(entry.line, "expected the deal (md)")
    dealer = _DEALERS.get(item.value[:1])
    if dealer is None:
        raise FormatError(
            item.line,
            f"md: expected the dealer as 1 S, 2 W, 3 N or 4 E, got {item.value[:1]!r}",
        )
    texts = [text.strip() for text in item.value[1:].split(",")]
    texts += [""] * (4 - len(texts))
    if not any(texts):
        return dealer, None
    owner: dict[Card, Seat] = {}
    for seat, text in zip(_HAND_ORDER, texts, strict=False):
        for card in _hand_cards(text, seat, item.line):
            if card in owner:
                raise FormatError(
                    item.line, f"md: {card} is held by both {owner[card]} and {seat}"
                )
            owner[card] = seat
    if not texts[3]:
        owner |= {card: Seat.EAST for card in DECK if card not in owner}
    hands = tuple(frozenset(c for c, s in owner.items() if s is seat) for seat in SEATS)
    for seat, hand in zip(SEATS, hands, strict=True):
        if len(hand) != 13:
            raise FormatError(
                item.line, f"md: hand of {seat}: expected 13 cards, got {len(hand)}"
            )
    return dealer, hands


def _hand_cards(text: str, seat: Seat, line: int) -> list[Card]:
    if not _HAND.fullmatch(text):
        raise FormatError(
            line, f"md: hand of {seat}: expected as in SAK2H3DT9C4, got {text!r}"
        )
    plain = text.upper().replace("10", "T")
    return [Card(s + rank) for s, ranks in _SUIT_RANKS.findall(plain) for rank in ranks]


_VULNERABLE: dict[str, frozenset[Side]] = {
    "o": frozenset(),
    "0": frozenset(),
    "-": frozenset(),
    "n": frozenset({SIDES[0]}),
    "e": frozenset({SIDES[1]}),
    "b": frozenset(SIDES),
}


def _vulnerable(item: Field) -> frozenset[Side] | None:
    if not item.value:
        return None
    sides = _VULNERABLE.get(item.value.lower())
    if sides is None:
        raise FormatError(item.line, f"sv: expected o, n, e or b, got {item.value!r}")
    return sides


_CALLS = re.compile(r"(?:(?:[1-7](?:NT?|[CDHS])|XX?|P|D|R)!?)*", re.IGNORECASE)
_ONE_CALL = re.compile(r"([1-7](?:NT?|[CDHS])|XX?|P|D|R)(!?)", re.IGNORECASE)
_LETTERS = {"P": "P", "D": "X", "R": "XX", "X": "X", "XX": "XX"}


def _add_calls(auction: list[MakeCall], dealer: Seat, item: Field) -> None:
    """Add the calls of one ``mb``; old files run several together."""
    if not _CALLS.fullmatch(item.value):
        raise FormatError(
            item.line, f"mb: expected a call (p d r 1C to 7N), got {item.value!r}"
        )
    for word, alert in _ONE_CALL.findall(item.value):
        name = word.upper()
        if name.endswith("N"):
            name += "T"
        seat = auction[-1].seat.lho if auction else dealer
        call = Call(_LETTERS.get(name, name))
        auction.append(MakeCall(seat, call, alerted=bool(alert)))


def _explain(auction: list[MakeCall], item: Field) -> None:
    """``an`` explains the call before; it is an alert only if the call has a ``!``."""
    if auction:
        last = auction[-1]
        auction[-1] = MakeCall(
            last.seat, last.call, alerted=last.alerted, explanation=item.value
        )


_CARDS = re.compile(r"(?:[SHDC](?:10|[2-9TJQKA]))*", re.IGNORECASE)


def _cards(item: Field) -> list[Card]:
    if not _CARDS.fullmatch(item.value):
        raise FormatError(
            item.line, f"pc: expected a card (suit, rank), got {item.value!r}"
        )
    plain = item.value.upper().replace("10", "T")
    return [Card(plain[at : at + 2]) for at in range(0, len(plain), 2)]


def _tricks(item: Field) -> int | None:
    if not item.value:
        return None
    tricks = whole_number(item.value)
    if tricks is None or tricks > 13:
        raise FormatError(
            item.line,
            f"mc: expected declarer's tricks, 0 to 13, got {item.value[:40]!r}",
        )
    return tricks


_OUTCOME = re.compile(
    r"([1-7])([CDHSN])([NESW])(xx|x|r)?(?:(=)|([+-])(\d{1,2}))", re.IGNORECASE
)


def _outcome(entry: Entry) -> tuple[Contract | PassedOut | None, int | None]:
    """Contract and declarer's tricks by the head of a vugraph file."""
    if entry.outcome.upper().startswith("P"):
        return PassedOut(), None
    match = _OUTCOME.fullmatch(entry.outcome)
    if match is None:
        return None, None
    letter = match[2].upper()
    contract = Contract(
        int(match[1]),
        Denomination("NT" if letter == "N" else letter),
        (match[4] or "").upper().replace("R", "XX"),
        Seat(match[3].upper()),
    )
    over = int(match[7] or 0) * (-1 if match[6] == "-" else 1)
    tricks = 6 + contract.level + over
    return contract, tricks if 0 <= tricks <= 13 else None


def _in_turn(
    cards: list[Card], contract: Contract | PassedOut, dealer: Seat
) -> tuple[PlayedCard, ...]:
    """The cards with their hands: clockwise from the leader, the winner leads next.

    Cards of a board that was passed out, which nobody led, count from the dealer.
    """
    trump = None
    seat = dealer
    if isinstance(contract, Contract) and contract.declarer is not None:
        trump = contract.denomination.suit
        seat = contract.declarer.lho
    played: list[PlayedCard] = []
    for card in cards:
        played.append(PlayedCard(seat, card))
        seat = seat.lho
        if len(played) % 4 == 0:
            seat = winner_of(played[-4:], trump)
    return tuple(played)
