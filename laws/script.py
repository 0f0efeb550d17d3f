"""The table script: one happening a line, read into actions and written back.

The notation is described in ``docs/table-script.md``. A script is a header (edition,
board or dealer and vulnerability, deal, policies) and then what happened at the
table, in the order in which it happened.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from laws.actions import (
    Accept,
    Action,
    Agree,
    Answer,
    Attention,
    Award,
    Change,
    Claim,
    Concede,
    Correct,
    Decline,
    Designation,
    ExposeCards,
    Extreme,
    Forbid,
    HandsReturned,
    Keep,
    LeadFaceDown,
    MakeCall,
    MoveCard,
    NameCard,
    NextBoardCall,
    Object,
    Overrule,
    PlayCards,
    PlayOn,
    Replace,
    Require,
    RoundEnds,
    Spread,
    Waive,
    Word,
)
from laws.board import Board, Edition
from laws.calls import Call
from laws.cards import RANKS, Card, Suit
from laws.header import Header, ScriptError, read_seat, whole_number
from laws.seats import Seat
from laws.steps import Step

__all__ = [
    "Script",
    "ScriptError",
    "Step",
    "format_action",
    "parse_line",
    "parse_script",
    "script_lines",
]


MOST_HAPPENINGS = 1000
"""Of one board: the longest auction has 319 calls, the play 52 cards."""


@dataclass(frozen=True, slots=True)
class Script:
    """A whole table script."""

    board: Board
    steps: tuple[Step, ...]


_LINE_BREAK = re.compile(r"\r\n?|\n")
"""What every editor counts as the end of a line, and nothing else; ``splitlines`` knows
eight more."""


def script_lines(text: str) -> list[str]:
    """The lines of a script, without a byte order mark at its head."""
    lines = _LINE_BREAK.split(text.removeprefix("\ufeff"))
    return lines if lines[-1] else lines[:-1]


def parse_script(text: str, edition: Edition | None = None) -> Script:
    """Read a table script.

    Args:
        text: the script.
        edition: the Laws to judge it by, whatever its own line says, which may then
            be missing.

    Raises:
        ScriptError: the first wrong line, with its number and what was expected.
    """
    header = Header()
    steps: list[Step] = []
    for number, raw in enumerate(script_lines(text), 1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        try:
            if header.read(line):
                if steps:
                    raise ScriptError("a header line after the first happening")
                continue
            if len(steps) == MOST_HAPPENINGS:
                raise ScriptError(f"expected at most {MOST_HAPPENINGS} happenings")
            steps.append(Step(number, parse_line(line)))
        except ScriptError as error:
            raise ScriptError(error.reason, number) from None
    return Script(header.board(edition), tuple(steps))


def parse_line(line: str) -> Action:
    """Read one happening, without a comment.

    Raises:
        ScriptError: says what was expected.
    """
    words = line.split()
    if not words:
        raise ScriptError("expected a happening, got an empty line")
    if words[0] == "&":
        rest = line.strip()[1:]
        action = None if rest.lstrip().startswith("&") else parse_line(rest)
        if not isinstance(action, MakeCall | PlayCards):
            raise ScriptError("only a call or a card can be simultaneous (&)")
        return replace(action, simultaneous=True)
    table_wide = _TABLE_WIDE.get(words[0])
    if table_wide is not None:
        return table_wide(words[1:])
    seat = read_seat(words[0])
    if len(words) == 1:
        raise ScriptError(f"expected what {seat} did, got nothing")
    by_seat = _BY_SEAT.get(words[1])
    if by_seat is not None:
        return by_seat(seat, words[2:])
    return _read_call_or_cards(seat, words[1:])


def _read_call_or_cards(seat: Seat, words: list[str]) -> Action:
    if words == ["-"]:
        return PlayCards(seat, ())
    token, alert, glued = words[0].partition("!")
    call = _as_call(token)
    if call is not None:
        explanation = " ".join([glued, *words[1:]]).strip()
        if explanation and not alert:
            raise ScriptError(
                f"expected nothing after the call {token}, got {explanation!r}"
                " (an explanation follows an alerted call, as in 2D!)"
            )
        return MakeCall(seat, call, alerted=bool(alert), explanation=explanation)
    if _as_card(words[0]) is None:
        raise ScriptError(
            f"expected a call (P X XX 1C … 7NT), a card (C2 … SA) or a happening"
            f" after {seat}, got {words[0]!r}"
        )
    return PlayCards(seat, tuple(read_card(word) for word in words))


def _as_call(token: str) -> Call | None:
    try:
        return Call(token)
    except ValueError:
        return None


def _as_card(token: str) -> Card | None:
    try:
        return Card(token)
    except ValueError:
        return None


def read_card(token: str) -> Card:
    """The card a token names; ScriptError says what was expected."""
    card = _as_card(token)
    if card is None:
        raise ScriptError(f"expected a card, suit then rank (C2 … SA), got {token!r}")
    return card


def read_call(token: str) -> Call:
    """The call a token names; ScriptError says what was expected."""
    call = _as_call(token)
    if call is None:
        raise ScriptError(f"expected a call (P X XX 1C … 7NT), got {token!r}")
    return call


def _read_suit(token: str) -> Suit:
    try:
        return Suit(token)
    except ValueError:
        raise ScriptError(f"expected a suit (C D H S), got {token!r}") from None


def _read_number(token: str, what: str, low: int, high: int) -> int:
    number = whole_number(token)
    if number is None or not low <= number <= high:
        raise ScriptError(f"expected {what} from {low} to {high}, got {token[:40]!r}")
    return number


def _one(words: list[str], what: str) -> str:
    if len(words) != 1:
        raise ScriptError(f"expected {what}, got {' '.join(words) or 'nothing'}")
    return words[0]


def _nothing(words: list[str]) -> None:
    if words:
        raise ScriptError(f"expected nothing more, got {' '.join(words)!r}")


def _bare(make: Callable[[Seat], Action]) -> Callable[[Seat, list[str]], Action]:
    def read(seat: Seat, words: list[str]) -> Action:
        _nothing(words)
        return make(seat)

    return read


def _cards(seat: Seat, words: list[str]) -> Action:
    if not words:
        raise ScriptError("expected the cards exposed, got nothing")
    return ExposeCards(seat, tuple(read_card(word) for word in words))


def _names(seat: Seat, words: list[str]) -> Action:
    token = _one(words, "a card, suit, rank, or one of high, low, win, any")
    card = _as_card(token)
    if card is not None:
        return NameCard(seat, card)
    if token in {suit.value for suit in Suit}:
        return NameCard(seat, Suit(token))
    if token in {word.value for word in Designation}:
        return NameCard(seat, Designation(token))
    if len(token) == 1 and token in RANKS:
        return NameCard(seat, token)
    raise ScriptError(
        "expected a card, a suit (C D H S), a rank (2 … 9 T J Q K A),"
        f" or one of high, low, win, any; got {token!r}"
    )


def _card_or_call(words: list[str]) -> Card | Call:
    token = _one(words, "a call or a card")
    return _as_card(token) or read_call(token)


def _attention(seat: Seat, words: list[str]) -> Action:
    if not words:
        return Attention(seat)
    if len(words) != 2:
        raise ScriptError("expected the revoker's seat and the trick, as in W 5")
    accused = read_seat(words[0])
    return Attention(seat, accused, _read_number(words[1], "a trick", 1, 13))


def _require(seat: Seat, words: list[str]) -> Action:
    token = _one(words, "a suit, highest or lowest")
    if token in {extreme.value for extreme in Extreme}:
        return Require(seat, Extreme(token))
    return Require(seat, _read_suit(token))


def _forbid(seat: Seat, words: list[str]) -> Action:
    if not words:
        raise ScriptError("expected the suits forbidden, got nothing")
    return Forbid(seat, tuple(_read_suit(word) for word in words))


def _tricks(words: list[str]) -> int:
    return _read_number(_one(words, "a number of tricks"), "tricks", 0, 13)


_BY_SEAT: dict[str, Callable[[Seat, list[str]], Action]] = {
    "accept": _bare(Accept),
    "decline": _bare(Decline),
    "spread": _bare(Spread),
    "down": _bare(LeadFaceDown),
    "keep": _bare(Keep),
    "waive": _bare(Waive),
    "agree": _bare(Agree),
    "object": _bare(Object),
    "play-on": _bare(PlayOn),
    "exposes": _cards,
    "names": _names,
    "moves": lambda seat, words: MoveCard(seat, read_card(_one(words, "a card"))),
    "change": lambda seat, words: Change(seat, _card_or_call(words)),
    "replace": lambda seat, words: Replace(seat, _card_or_call(words)),
    "attention": _attention,
    "require": _require,
    "forbid": _forbid,
    "claim": lambda seat, words: Claim(seat, _tricks(words)),
    "concede": lambda seat, words: Concede(seat, _tricks(words)),
}


def _next(words: list[str]) -> Action:
    if len(words) != 2:
        raise ScriptError("expected a seat and its call on the next board")
    return NextBoardCall(read_seat(words[0]), read_call(words[1]))


def _round(words: list[str]) -> Action:
    if words != ["ends"]:
        raise ScriptError("expected `round ends`")
    return RoundEnds()


def _hands(words: list[str]) -> Action:
    if words != ["returned"]:
        raise ScriptError("expected `hands returned`")
    return HandsReturned()


def _correct(rest: list[str]) -> Action:
    if not rest:
        raise ScriptError("expected the line to correct")
    line = _read_number(rest[0], "a line", 1, 99999)
    if len(rest) == 1:
        return Correct(line, None)
    if rest[1] == "director":
        raise ScriptError("a correction puts a table happening in its place")
    return Correct(line, parse_line(" ".join(rest[1:])))


def _director(words: list[str]) -> Action:
    if not words:
        raise ScriptError(f"expected one of {_director_words()} after director")
    head, rest = words[0], words[1:]
    if head == "award":
        if len(rest) != 2:
            raise ScriptError("expected a seat and its side's tricks, as in E 3")
        return Award(read_seat(rest[0]), _tricks(rest[1:]))
    if head == "overrule":
        return Overrule(_read_number(_one(rest, "a ruling"), "a ruling", 1, 999))
    if head == "correct":
        return _correct(rest)
    if head not in {word.value for word in Word}:
        raise ScriptError(f"expected one of {_director_words()}, got {head!r}")
    word = Word(head)
    seat = None
    if len(rest) > 1 and rest[0] in {s.value for s in Seat}:
        seat, rest = Seat(rest[0]), rest[1:]
    return Answer(word, _answer(word, rest), seat)


def _director_words() -> str:
    return ", ".join([*(word.value for word in Word), "award", "overrule", "correct"])


def _answer(word: Word, rest: list[str]) -> bool | tuple[Suit, ...] | Card | None:
    token = _one(rest, f"an answer to {word.value}")
    if word is Word.SHOWN:
        if token == "none":
            return ()
        return tuple(sorted({_read_suit(letter) for letter in token}))
    if word is Word.INTENDED:
        return None if token == "no" else read_card(token)
    if token not in {"yes", "no"}:
        raise ScriptError(f"expected yes or no to {word.value}, got {token!r}")
    return token == "yes"


_TABLE_WIDE: dict[str, Callable[[list[str]], Action]] = {
    "director": _director,
    "next": _next,
    "round": _round,
    "hands": _hands,
}


def format_action(action: Action) -> str:  # noqa: C901, PLR0911, PLR0912 - one line a kind
    """Write an action as its line of the table script."""
    match action:
        case MakeCall(seat, call, alerted, explanation, simultaneous):
            mark = "! " + explanation if alerted else ""
            return f"{'& ' * simultaneous}{seat} {call}{mark}".strip()
        case PlayCards(hand, cards, simultaneous):
            return f"{'& ' * simultaneous}{hand} {' '.join(cards) or '-'}"
        case ExposeCards(hand, cards):
            return f"{hand} exposes {' '.join(cards)}"
        case LeadFaceDown(seat):
            return f"{seat} down"
        case NameCard(seat, named):
            return f"{seat} names {named}"
        case MoveCard(hand, card):
            return f"{hand} moves {card}"
        case Change(seat, to):
            return f"{seat} change {to}"
        case Replace(seat, by):
            return f"{seat} replace {by}"
        case Attention(seat, accused, trick):
            return f"{seat} attention" + (f" {accused} {trick}" if accused else "")
        case Require(seat, what):
            return f"{seat} require {what}"
        case Forbid(seat, suits):
            return f"{seat} forbid {' '.join(suits)}"
        case Claim(seat, tricks):
            return f"{seat} claim {tricks}"
        case Concede(seat, tricks):
            return f"{seat} concede {tricks}"
        case Accept(seat):
            return f"{seat} accept"
        case Decline(seat):
            return f"{seat} decline"
        case Spread(seat):
            return f"{seat} spread"
        case Keep(seat):
            return f"{seat} keep"
        case Waive(seat):
            return f"{seat} waive"
        case Agree(seat):
            return f"{seat} agree"
        case Object(seat):
            return f"{seat} object"
        case PlayOn(seat):
            return f"{seat} play-on"
        case Answer(word, answer, seat):
            who = f"{seat} " if seat else ""
            return f"director {word} {who}{_format_answer(word, answer)}"
        case Award(seat, tricks):
            return f"director award {seat} {tricks}"
        case Overrule(ruling):
            return f"director overrule {ruling}"
        case Correct(line, by):
            return f"director correct {line}" + (f" {format_action(by)}" if by else "")
        case NextBoardCall(seat, call):
            return f"next {seat} {call}"
        case RoundEnds():
            return "round ends"
        case HandsReturned():
            return "hands returned"


def _format_answer(word: Word, answer: bool | tuple[Suit, ...] | Card | None) -> str:
    if isinstance(answer, tuple):
        return "".join(answer) or "none"
    if word is Word.INTENDED:
        return answer if isinstance(answer, Card) else "no"
    return "yes" if answer else "no"
