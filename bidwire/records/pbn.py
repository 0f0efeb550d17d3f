"""PBN 2.1 games into records.

Tags may be inherited (``#``, ``##v``); a game without a deal and a board of its own is
another table's result on the board of the game before, which many files leave unsaid.
"""

from collections.abc import Iterator

from bidwire.records.pbn_games import Game, games_of
from bidwire.records.pbn_sections import (
    Auction,
    Play,
    read_auction,
    read_play,
    with_leading_passes,
)
from bidwire.records.pbn_tags import (
    contract_tag,
    deal_tag,
    dealer_tag,
    number_of,
    result_tag,
    vulnerable_tag,
)
from bidwire.records.record import (
    Contract,
    FormatError,
    Record,
    RecordError,
)
from bidwire.records.rules import called, contract_of, has_ended
from laws.board import dealer_of, vulnerable_of


def read_pbn(file: str, text: str) -> Iterator[Record | RecordError]:
    """The records of a PBN text, one for each game."""
    inherited = _Inheritance()
    for game in games_of(text):
        assumed = inherited.fill(game)
        board = game.tags.get("board", "")
        try:
            yield _record(file, board, game, assumed)
        except FormatError as error:
            yield RecordError(file, board, error.line, str(error))


_BOARD_TAGS = ("board", "dealer", "vulnerable", "deal")


class _Inheritance:
    """Tags that a game takes from the games before it (PBN 2.1 section 4.8)."""

    def __init__(self) -> None:
        self._before: dict[str, str] = {}
        self._kept: dict[str, str] = {}

    def fill(self, game: Game) -> list[str]:
        """Fill in the tags of a game; the names of those it did not ask for."""
        tags = game.tags
        for name, value in tags.items():
            if value == "#":
                tags[name] = self._before.get(name, "")
            elif value.startswith("##"):
                tags[name] = self._kept[name] = value[2:]
        for name, value in self._kept.items():
            tags.setdefault(name, value)
        assumed: list[str] = []
        if tags and not {"deal", "board"} & tags.keys():
            for name in _BOARD_TAGS:
                if name not in tags and name in self._before:
                    tags[name] = self._before[name]
                    assumed.append(name.capitalize())
        if tags:
            self._before = dict(tags)
        return assumed


def _record(file: str, board: str, game: Game, assumed: list[str]) -> Record:
    if game.faults:
        raise FormatError(game.faults[0].line, game.faults[0].message)
    number = number_of(game)
    dealer = dealer_tag(game)
    if dealer is None:
        if not number:
            raise FormatError(game.line, "expected a Dealer tag or a Board number")
        dealer = dealer_of(number)
        assumed.append("Dealer")
    vulnerable = vulnerable_tag(game)
    if vulnerable is None:
        vulnerable = vulnerable_of(number) if number else frozenset()
        assumed.append("Vulnerable")
    hands = deal_tag(game)
    contract, swapped = contract_tag(game)
    auction = read_auction(game.auction, dealer) if game.auction else Auction()
    if isinstance(contract, Contract) and not swapped:
        longer = with_leading_passes(auction, contract)
        if longer is not None:
            auction = longer
            assumed.append("leading passes")
    ended = has_ended(called(auction.calls))
    made = contract_of(called(auction.calls)) if ended else contract
    play = Play()
    if game.play is not None and made is not None:
        trump = made.denomination.suit if isinstance(made, Contract) else None
        play = read_play(game.play, trump, hands)
        if play.moved:
            assumed.append("columns of Play")
    declarer = contract.declarer if isinstance(contract, Contract) else None
    if declarer is None and isinstance(made, Contract):
        declarer = made.declarer
    result, result_irregular = result_tag(game, declarer)
    return Record(
        file=file,
        board=board,
        line=game.line,
        dealer=dealer,
        vulnerable=vulnerable,
        hands=hands,
        auction=auction.calls,
        auction_ended=ended,
        contract=contract,
        swapped=swapped,
        cards=play.cards,
        result=result,
        result_irregular=result_irregular,
        marks=auction.marks + play.marks,
        assumed=tuple(assumed),
    )
