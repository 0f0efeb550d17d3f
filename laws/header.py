"""The header of a table script: edition, dealer, vulnerability, deal, policies."""

from dataclasses import replace
from enum import StrEnum
from typing import Any

from laws.board import (
    Board,
    Edition,
    IrregularCallPolicy,
    Policies,
    RevokePolicy,
    RulingsPolicy,
    dealer_of,
    parse_deal,
    vulnerable_of,
)
from laws.cards import Card
from laws.seats import SIDES, Seat, Side


class ScriptError(ValueError):
    """A line of a table script is wrong.

    Attributes:
        reason: what was expected and what came.
        line: its number from 1, None when no single line is to blame.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line


def read_seat(token: str) -> Seat:
    """The seat a token names; ScriptError says what was expected."""
    try:
        return Seat(token)
    except ValueError:
        raise ScriptError(f"expected a seat (N E S W), got {token!r}") from None


def split_word(line: str) -> tuple[str, str]:
    """The first word of a line and the rest, whatever white space is between them."""
    word, *rest = line.split(maxsplit=1) or [""]
    return word, rest[0].rstrip() if rest else ""


MOST_DIGITS = 6
"""Digits of the longest number that anything at a table is counted by."""


def whole_number(token: str) -> int | None:
    """The number that a token of ASCII digits writes; None for any other token."""
    if token.isascii() and token.isdigit() and len(token) <= MOST_DIGITS:
        return int(token)
    return None


_VULNERABILITY: dict[str, frozenset[Side]] = {
    "none": frozenset(),
    "NS": frozenset({SIDES[0]}),
    "EW": frozenset({SIDES[1]}),
    "all": frozenset(SIDES),
    "both": frozenset(SIDES),
}

_POLICIES: dict[str, type[StrEnum]] = {
    "revoke": RevokePolicy,
    "out_of_turn": IrregularCallPolicy,
    "inadmissible": IrregularCallPolicy,
    "rulings": RulingsPolicy,
}


class Header:
    """Collects the header lines of a script and makes the board of them."""

    def __init__(self) -> None:
        self._edition: Edition | None = None
        self._dealer: Seat | None = None
        self._vulnerable: frozenset[Side] | None = None
        self._hands: tuple[frozenset[Card], ...] | None = None
        self._policies = Policies()
        self._seen: set[str] = set()

    def read(self, line: str) -> bool:
        """Read the line if it is a header line; False when it is none.

        Raises:
            ScriptError: it is one, and wrong.
        """
        word, rest = split_word(line)
        reader = {
            "edition": self._read_edition,
            "board": self._read_board,
            "dealer": self._read_dealer,
            "vul": self._read_vulnerable,
            "deal": self._read_deal,
            "policy": self._read_policy,
        }.get(word)
        if reader is None:
            return False
        if word != "policy":
            if word in self._seen:
                raise ScriptError(f"a second {word} line")
            self._seen.add(word)
        reader(rest)
        return True

    def board(self, edition: Edition | None = None) -> Board:
        """The board that the header describes.

        Args:
            edition: the Laws that apply, whatever the header says of them.

        Raises:
            ScriptError: the edition or the dealer is missing.
        """
        edition = edition or self._edition
        if edition is None:
            raise ScriptError("expected a line `edition 2007` or `edition 2017`")
        if self._dealer is None:
            raise ScriptError("expected a line `board N` or `dealer N|E|S|W`")
        return Board(
            edition,
            self._dealer,
            self._vulnerable or frozenset(),
            self._hands,
            self._policies,
        )

    def _read_edition(self, rest: str) -> None:
        try:
            self._edition = Edition(rest)
        except ValueError:
            raise ScriptError(f"expected edition 2007 or 2017, got {rest!r}") from None

    def _read_board(self, rest: str) -> None:
        if self._seen & {"dealer", "vul"}:
            raise ScriptError("expected either board, or dealer and vul; got both")
        number = whole_number(rest)
        if not number:
            raise ScriptError(f"expected a board number from 1, got {rest[:40]!r}")
        self._dealer = dealer_of(number)
        self._vulnerable = vulnerable_of(number)

    def _read_dealer(self, rest: str) -> None:
        if "board" in self._seen:
            raise ScriptError("expected either board, or dealer and vul; got both")
        self._dealer = read_seat(rest)

    def _read_vulnerable(self, rest: str) -> None:
        if "board" in self._seen:
            raise ScriptError("expected either board, or dealer and vul; got both")
        if rest not in _VULNERABILITY:
            raise ScriptError(f"expected vul none, NS, EW or all, got {rest!r}")
        self._vulnerable = _VULNERABILITY[rest]

    def _read_deal(self, rest: str) -> None:
        try:
            self._hands = parse_deal(rest)
        except ValueError as error:
            raise ScriptError(str(error)) from None

    def _read_policy(self, rest: str) -> None:
        name, value = split_word(rest)
        values = _POLICIES.get(name)
        if values is None:
            expected = ", ".join(_POLICIES)
            raise ScriptError(f"expected a policy of {expected}, got {name!r}")
        if f"policy {name}" in self._seen:
            raise ScriptError(f"a second policy {name} line")
        self._seen.add(f"policy {name}")
        try:
            chosen: Any = values(value)
        except ValueError:
            expected = ", ".join(values)
            raise ScriptError(
                f"expected policy {name} to be one of {expected}, got {value!r}"
            ) from None
        self._policies = replace(self._policies, **{name: chosen})
