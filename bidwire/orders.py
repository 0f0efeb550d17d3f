"""The Director's commands as he types them: the table script, and a few services.

director comparable yes     what the table script has, of any table
confirm 2                   a service: proposed ruling 2 takes effect
"""

from collections.abc import Callable

from bidwire.score_orders import ScoreError, read_adjustment, read_penalty
from desk.director import Order
from laws.header import ScriptError, whole_number
from laws.script import parse_line
from protocol.payloads import Service
from protocol.topics import TopicError, check_level


class OrderError(ValueError):
    """No command: says what was expected."""


HAPPENING_MAX = 200
"""Characters of a line of the table script in a command."""


def read_order(text: str, play: int = 0) -> Order:
    """Read a command.

    Args:
        text: a line of the table script (``docs/table-script.md``), or a service
            (``SERVICES``).
        play: the playing of a board that it is about; 0 is the running one.

    Raises:
        OrderError: it is none; says what was expected.
    """
    words = text.split()
    word = words[0] if words else ""
    if word in SERVICES:
        return SERVICES[word](words[1:], play)
    try:
        parse_line(text)
    except ScriptError as error:
        raise OrderError(
            f"{text!r}: {error.reason}; or a service: {', '.join(SERVICES)}"
        ) from None
    if len(text) > HAPPENING_MAX:
        raise OrderError(f"expected at most {HAPPENING_MAX} characters")
    return Order(happening=text, play=play)


def _numbered(
    what: str, make: Callable[[int, int], Order]
) -> Callable[[list[str], int], Order]:
    """Reads the number that a service takes."""

    def read(words: list[str], play: int) -> Order:
        number = whole_number(words[0]) if len(words) == 1 else None
        if number is None:
            raise OrderError(f"expected the number of {what}, got {_got(words)}")
        return make(number, play)

    return read


def _close(words: list[str], play: int) -> Order:
    if words or play:
        raise OrderError("close: expected nothing else: the running play is closed")
    return Order(service=Service.CLOSE)


def _release(*, drop: bool) -> Callable[[list[str], int], Order]:
    def read(words: list[str], _: int) -> Order:
        if len(words) != 1:
            raise OrderError(f"expected the id of a terminal, got {_got(words)}")
        try:
            terminal = check_level(words[0])
        except TopicError as error:
            raise OrderError(str(error)) from None
        return Order(service=Service.RELEASE, terminal=terminal, drop=drop)

    return read


def _hands(words: list[str], play: int) -> Order:
    if words:
        raise OrderError(f"hands: expected nothing else, got {_got(words)}")
    return Order(service=Service.HANDS, play=play)


def _adjust(words: list[str], play: int) -> Order:
    try:
        given = read_adjustment(" ".join(words))
    except ScoreError as error:
        raise OrderError(str(error)) from None
    return Order(service=Service.ADJUST, play=play, adjustment=given)


def _penalty(words: list[str], play: int) -> Order:
    try:
        given = read_penalty(" ".join(words))
    except ScoreError as error:
        raise OrderError(str(error)) from None
    return Order(service=Service.PENALTY, play=play, penalty=given)


def _got(words: list[str]) -> str:
    return repr(" ".join(words)) if words else "nothing"


SERVICES: dict[str, Callable[[list[str], int], Order]] = {
    "confirm": _numbered(
        "a proposed ruling",
        lambda n, play: Order(service=Service.CONFIRM, ruling=n, play=play),
    ),
    "reject": _numbered(
        "a proposed ruling",
        lambda n, play: Order(service=Service.REJECT, ruling=n, play=play),
    ),
    "attend": _numbered(
        "a call for the Director or an alarm",
        lambda n, _: Order(service=Service.ATTEND, subject=n),
    ),
    "open": _numbered("a board", lambda n, _: Order(service=Service.OPEN, board=n)),
    "round": _numbered("a round", lambda n, _: Order(service=Service.ROUND, round=n)),
    "hands": _hands,
    "adjust": _adjust,
    "penalty": _penalty,
    "close": _close,
    "release": _release(drop=False),
    "drop": _release(drop=True),
}
"""The services by their word: what reads the rest of each."""
