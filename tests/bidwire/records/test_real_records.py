"""All the real records: counts, LIN beside PBN of the same boards, endplay beside."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from endplay.parsers import lin as endplay_lin
from endplay.parsers import pbn as endplay_pbn

from bidwire.records import (
    Contract,
    Kind,
    Record,
    RecordError,
    board_random,
    declarer_of,
    expected_contract,
    plan_board,
    read_records,
)
from laws.actions import PlayCards
from laws.board import Edition
from laws.cards import SUITS
from tests.long import LONG, long

pytestmark = [pytest.mark.records, pytest.mark.timeout(300)]

BBO = "lorserker-ben/Boards/BBO"
THORVALD = "lorserker-ben/Boards/Thorvald"
WRONIE = "jarekczek-pbntools/test/test_8_bbo_wronie_20130824"
SKY = "jarekczek-pbntools/test/test_6_bbo_skyclub_20130810"
FORREST = "forrestrice-bridge-bots"
ENDPLAY = "dominicprice-endplay"

LARGE = "example3.pbn"
"""Takes three times as long to read as all the others together."""


@pytest.fixture(scope="module")
def everything(records: Path) -> dict[Path, list[Record]]:
    """Every record of the files; not one of them breaks its format."""
    found: dict[Path, list[Record]] = {}
    for path in sorted(records.rglob("*")):
        if path.suffix in {".pbn", ".lin"} and (LONG or path.name != LARGE):
            items = list(read_records(path))
            assert [str(i) for i in items if isinstance(i, RecordError)] == []
            found[path] = [item for item in items if isinstance(item, Record)]
    return found


def under(
    everything: dict[Path, list[Record]], root: Path, folder: str, suffix: str = ""
) -> Iterator[Record]:
    for path, found in everything.items():
        if path.is_relative_to(root / folder) and path.suffix.endswith(suffix):
            yield from found


@pytest.mark.parametrize(
    ("folder", "suffix", "count", "substantial", "complete"),
    [
        (BBO, "", 296, 292, 292),
        (THORVALD, "", 1238, 67, 67),
        (WRONIE, ".lin", 736, 721, 468),
        (WRONIE, ".pbn", 735, 720, 468),
        (SKY, ".lin", 44, 44, 27),
        (SKY, ".pbn", 44, 44, 27),
        (FORREST, "", 38, 28, 1),
        pytest.param(ENDPLAY, "", 7944, 6103, 356, marks=long),
    ],
)
def test_each_folder_has_as_many_records_as_its_manifest_says(  # noqa: PLR0913, PLR0917 - a row of the manifest
    everything: dict[Path, list[Record]],
    records: Path,
    folder: str,
    suffix: str,
    count: int,
    substantial: int,
    complete: int,
) -> None:
    found = list(under(everything, records, folder, suffix))
    assert len(found) == count
    assert sum(record.is_substantial for record in found) == substantial
    assert sum(record.is_complete for record in found) == complete


def broken(
    everything: dict[Path, list[Record]], *, large: bool
) -> list[tuple[int, str]]:
    """Records of the large file, or of the others, that break a rule, and which."""
    return [
        (record.line, record.breaches[0].message)
        for path, found in everything.items()
        for record in found
        if record.breaches and (path.name == LARGE) is large
    ]


def test_all_records_keep_the_rules(everything: dict[Path, list[Record]]) -> None:
    assert broken(everything, large=False) == []


@long
def test_three_records_of_the_large_file_have_an_impossible_result(
    everything: dict[Path, list[Record]],
) -> None:
    found = broken(everything, large=True)
    assert [line for line, _ in found] == [21239, 22950, 111247]
    assert all("the file gives the declaring side" in told for _, told in found)


def test_substantial_records_can_be_played_but_three_boards_left_unfinished(
    everything: dict[Path, list[Record]], records: Path
) -> None:
    unfinished = [
        len(record.cards)
        for folder in (BBO, WRONIE, SKY)
        for record in under(everything, records, folder)
        if record.is_substantial and not record.is_playable
    ]
    assert sorted(unfinished) == [26, 26, 26, 26, 32]


def test_only_the_files_known_for_it_leave_anything_out(
    everything: dict[Path, list[Record]],
) -> None:
    assumed = Counter(
        (path.name, name)
        for path, found in everything.items()
        for record in found
        for name in record.assumed
        if name in {"leading passes", "columns of Play"}
    )
    known = {"example4.pbn", "sample.pbn", "shared_deals.pbn"}
    assert {name for name, _ in assumed} == (known | {LARGE} if LONG else known)


@pytest.mark.parametrize("folder", [WRONIE, SKY])
def test_lin_and_pbn_of_the_same_boards_agree(
    everything: dict[Path, list[Record]], records: Path, folder: str
) -> None:
    def outcome(record: Record) -> tuple[Any, ...]:
        return (
            record.dealer,
            record.vulnerable,
            record.hands,
            tuple((action.seat, action.call) for action in record.auction),
            record.cards,
            record.result if len(record.cards) < 52 else None,
        )

    lin = Counter(outcome(r) for r in under(everything, records, folder, ".lin"))
    pbn = Counter(outcome(r) for r in under(everything, records, folder, ".pbn"))
    assert sum((pbn - lin).values()) == 0
    assert sum((lin - pbn).values()) == sum(lin.values()) - sum(pbn.values())


def test_contracts_by_the_auctions_are_those_of_the_tags(
    everything: dict[Path, list[Record]], records: Path
) -> None:
    for folder in (BBO, WRONIE, SKY, FORREST):
        for record in under(everything, records, folder):
            if isinstance(record.contract, Contract) and record.auction_ended:
                tagged = str(record.contract)
                bare = Record(
                    record.file,
                    record.board,
                    record.line,
                    record.dealer,
                    auction=record.auction,
                    auction_ended=True,
                )
                assert str(expected_contract(bare)) == tagged


@pytest.mark.parametrize("folder", [BBO, THORVALD, WRONIE, SKY, FORREST])
def test_endplay_reads_the_same_calls_and_cards_where_it_can(
    everything: dict[Path, list[Record]], records: Path, folder: str
) -> None:
    compared = failed = 0
    for path, found in everything.items():
        if not path.is_relative_to(records / folder):
            continue
        boards = read_with_endplay(path)
        if boards is None:
            failed += 1
            continue
        assert len(boards) == len(found)
        for board, record in zip(boards, found, strict=True):
            if {"leading passes", "columns of Play"} & set(record.assumed):
                continue
            compared += 1
            where = f"{path}:{record.line}"
            assert endplay_calls(board) == [a.call.value for a in record.auction], where
            assert endplay_cards(board) == [c.card.value for c in record.cards], where
    assert compared > 0
    assert failed <= 3


def read_with_endplay(path: Path) -> list[Any] | None:
    """The boards of a file, None where endplay gives the file up."""
    parser = endplay_pbn if path.suffix == ".pbn" else endplay_lin
    try:
        with path.open(encoding="utf-8") as file:
            return list(parser.load(file))
    except (ValueError, AttributeError, RuntimeError, KeyError):
        return None


LETTERS = str.maketrans("♠♥♦♣", "SHDC")
PENALTIES = {"passed": "P", "doubled": "X", "redoubled": "XX"}


def endplay_calls(board: Any) -> list[str]:  # noqa: ANN401 - endplay has no types
    return [
        f"{bid.level}{bid.denom.abbr}".translate(LETTERS)
        if hasattr(bid, "level")
        else PENALTIES[bid.penalty.name]
        for bid in board.auction
    ]


def endplay_cards(board: Any) -> list[str]:  # noqa: ANN401 - endplay has no types
    suits = {suit.value for suit in SUITS}
    names = [f"{c.suit.abbr}{c.rank.abbr}".translate(LETTERS) for c in board.play]
    return [name for name in names if name[0] in suits]


@pytest.mark.parametrize("edition", Edition)
def test_the_gold_set_takes_injections_in_every_board(
    everything: dict[Path, list[Record]], records: Path, edition: Edition
) -> None:
    complete = [r for r in under(everything, records, BBO) if r.is_complete]
    kinds = {Kind.OUT_OF_TURN, Kind.REVOKE}
    for number, record in enumerate(complete):
        plan = plan_board(record, edition, kinds, board_random(1, number))
        assert plan.omitted == ()
        assert {item.kind for item in plan.injected} == kinds
        cards = [h for h in plan.happenings if isinstance(h.action, PlayCards)]
        assert len(cards) == 52


def test_dummys_cards_come_from_declarers_key(
    everything: dict[Path, list[Record]], records: Path
) -> None:
    for record in under(everything, records, BBO):
        declarer = declarer_of(record)
        if declarer is None or not record.is_playable:
            continue
        plan = plan_board(record, Edition.LAWS_2017, (), board_random(1, 0))
        assert declarer.partner not in {
            h.actor for h in plan.happenings if isinstance(h.action, PlayCards)
        }
