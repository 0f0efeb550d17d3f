"""What a file of records says about one board: deal, auction, play and result.

Only vocabulary is taken from ``laws``; nothing here has been judged by the engine.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from laws.actions import MakeCall
from laws.board import Board, Edition, Policies
from laws.cards import Card, Denomination
from laws.script import Script
from laws.seats import Seat, Side


class PlayedCard(NamedTuple):
    """A card and the hand that it was played from."""

    hand: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: level and denomination, risk ("", "X" or "XX") and declarer.

    The declarer is None where a file names the contract alone.
    """

    level: int
    denomination: Denomination
    risk: str = ""
    declarer: Seat | None = None

    def __str__(self) -> str:
        by = f" by {self.declarer}" if self.declarer else ""
        return f"{self.level}{self.denomination}{self.risk}{by}"


@dataclass(frozen=True, slots=True)
class PassedOut:
    """Nobody bid."""

    def __str__(self) -> str:
        return "passed out"


class MarkKind(StrEnum):
    """Irregularities that PBN 2.1 (section 3.9) can mark in a record."""

    INSUFFICIENT_BID = "I"
    """An insufficient bid that was accepted."""
    SKIPPED_PLAYER = "S"
    """A player lost his turn to a call out of rotation that was accepted."""
    REVOKE = "R"
    """A revoke that was not noticed in time."""
    LEAD_OUT_OF_TURN = "L"
    """A lead out of turn that was accepted."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An irregularity that the file itself declares.

    ``at`` counts from 0 in the auction (insufficient bid; skipped player: the call
    made by the next player) or in the cards (revoke, lead out of turn). ``seat`` is
    the player who called, played or was skipped.
    """

    kind: MarkKind
    at: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class Breach:
    """Where a record breaks the rules of the game, and how."""

    line: int
    message: str


class FormatError(ValueError):
    """A record breaks its file format.

    Attributes:
        line: where, from 1.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordError:
    """A record, or a file, that cannot be read or breaks the rules.

    ``line`` counts from 1; ``board`` is empty where the board is not known.
    """

    file: str
    board: str
    line: int
    message: str

    def __str__(self) -> str:
        board = f", board {self.board}" if self.board else ""
        return f"{self.file}:{self.line}{board}: {self.message}"


@dataclass(frozen=True, slots=True)
class Record:
    """One board of a PBN or LIN file.

    Attributes:
        file: the file as it was named to the reader.
        board: what the file calls the board ("12", or LIN's "o46"), or "".
        line: where the record begins in the file, from 1.
        dealer: the dealer.
        vulnerable: the sides that are vulnerable.
        hands: the deal, in the order N, E, S, W; None where it is not known.
        auction: the calls in the order in which they were made.
        auction_ended: whether the calls end the auction (Law 22).
        contract: by the tags of the file, None where they do not say.
        swapped: the tags say that declarer and dummy changed places (``^N``).
        cards: the cards in playing order, as far as they are known without a gap.
        result: tricks of the declaring side by the file (PBN ``Result``, LIN
            ``mc``), None where it does not say.
        result_irregular: the result is not what the cards and a claim make (``^8``):
            tricks were transferred, or the players agreed on a wrong number.
        marks: the irregularities that the file declares.
        assumed: names of the tags that the file left out and that were taken from
            the game before or from the board's number.
        breaches: where the record breaks the rules of the game.
    """

    file: str
    board: str
    line: int
    dealer: Seat
    vulnerable: frozenset[Side] = frozenset()
    hands: tuple[frozenset[Card], ...] | None = None
    auction: tuple[MakeCall, ...] = ()
    auction_ended: bool = False
    contract: Contract | PassedOut | None = None
    swapped: bool = False
    cards: tuple[PlayedCard, ...] = ()
    result: int | None = None
    result_irregular: bool = False
    marks: tuple[Mark, ...] = ()
    assumed: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = ()

    @property
    def is_substantial(self) -> bool:
        """A full auction and at least 20 cards."""
        return self.auction_ended and len(self.cards) >= 20

    @property
    def is_complete(self) -> bool:
        """A full auction and all 52 cards."""
        return self.auction_ended and len(self.cards) == 52

    @property
    def is_playable(self) -> bool:
        """Whether it keeps the rules and can be played to an end.

        That is: a full auction, and all cards, or some and the file's result (the rest
        is then claimed; not where the result is irregular, which tells no claim), or
        nobody bid.
        """
        if not self.auction_ended or self.breaches:
            return False
        passed_out = not any(action.call.is_bid for action in self.auction)
        told = self.result is not None and not self.result_irregular
        claimed = bool(self.cards) and told
        return passed_out or claimed or len(self.cards) == 52

    @property
    def error(self) -> RecordError | None:
        """The first breach of the rules, as a report; None for a clean record."""
        if not self.breaches:
            return None
        first = self.breaches[0]
        return RecordError(self.file, self.board, first.line, first.message)

    def board_for(
        self,
        edition: Edition,
        policies: Policies | None = None,
        *,
        hide_deal: bool = False,
    ) -> Board:
        """The board as the referee gets it, without the deal if that is hidden."""
        return Board(
            edition,
            self.dealer,
            self.vulnerable,
            None if hide_deal else self.hands,
            policies or Policies(),
        )


@dataclass(frozen=True, slots=True)
class ScriptRecord:
    """A table script, kept whole."""

    file: str
    board: str
    line: int
    script: Script = field(repr=False)
