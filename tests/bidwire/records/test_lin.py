"""LIN: fields, several boards in a file, deals, calls, cards, claims and faults."""

import pytest

from bidwire.records import Contract, Record, RecordError, read_text
from laws.cards import Denomination
from laws.seats import SIDES, Seat

SOUTH = "S6543H876D876C876"
WEST = "S2H5432D5432C5432"
NORTH = "SAKQJHAKQDAKQCAKQ"
EAST = "ST987HJT9DJT9CJT9"
DEAL = f"md|1{SOUTH},{WEST},{NORTH},|"
HEAD = f"pn|p1,p2,p3,p4|st||{DEAL}rh||ah|Board 7|sv|b|"
NOTRUMP = "mb|1N|mb|p|mb|p|mb|p|pg||"


def records(text: str) -> list[Record | RecordError]:
    found = list(read_text("room.lin", text))
    return [item for item in found if isinstance(item, Record | RecordError)]


def one(text: str) -> Record:
    (found,) = records(text)
    assert isinstance(found, Record), found
    return found


def error(text: str) -> RecordError:
    (found,) = records(text)
    assert isinstance(found, RecordError), found
    return found


def calls(record: Record) -> str:
    return " ".join(f"{a.seat}:{a.call}" for a in record.auction)


def cards(record: Record) -> str:
    return " ".join(f"{hand}:{card}" for hand, card in record.cards)


def test_a_record_knows_file_board_line_dealer_and_vulnerability() -> None:
    record = one("\n" + HEAD + NOTRUMP)
    assert (record.file, record.board, record.line) == ("room.lin", "7", 2)
    assert record.dealer is Seat.SOUTH
    assert record.vulnerable == frozenset(SIDES)


@pytest.mark.parametrize(
    ("digit", "seat"), [("1", "S"), ("2", "W"), ("3", "N"), ("4", "E")]
)
def test_dealers_are_numbered_from_south(digit: str, seat: str) -> None:
    assert one(HEAD.replace("md|1", f"md|{digit}")).dealer == seat


@pytest.mark.parametrize(
    ("letter", "sides"), [("o", []), ("n", ["NS"]), ("E", ["EW"]), ("b", ["NS", "EW"])]
)
def test_vulnerability(letter: str, sides: list[str]) -> None:
    record = one(HEAD.replace("sv|b", f"sv|{letter}"))
    assert sorted(record.vulnerable) == sorted(sides)


def test_a_missing_vulnerability_follows_the_board_number_and_is_noted() -> None:
    record = one(HEAD.replace("sv|b|", "").replace("Board 7", "Board 2"))
    assert [side.value for side in record.vulnerable] == ["NS"]
    assert record.assumed == ("Vulnerable",)


def test_the_fourth_hand_may_be_left_out_or_given() -> None:
    given = DEAL.replace(f"{NORTH},|", f"{NORTH},{EAST}|")
    assert one(HEAD).hands == one(HEAD.replace(DEAL, given)).hands
    hands = one(HEAD).hands
    assert hands is not None
    assert sorted(hands[1])[:3] == ["C9", "CJ", "CT"]


def test_hands_in_lower_case_in_any_order_of_ranks_and_with_a_written_ten() -> None:
    text = HEAD.replace(EAST, "").replace(SOUTH, "s3456h678d678c678")
    assert one(text).hands == one(HEAD).hands
    other = HEAD.replace(SOUTH + ",", f"{EAST.replace('T', '10')},").replace(
        NORTH, SOUTH
    )
    assert one(other).hands is not None


def test_an_empty_deal_leaves_the_hands_unknown() -> None:
    assert one(HEAD.replace(DEAL, "md|1|")).hands is None


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("md|5|", "md: expected the dealer as 1 S, 2 W, 3 N or 4 E, got '5'"),
        (
            f"md|1{SOUTH},{WEST},{NORTH[:-1]},|",
            "md: hand of N: expected 13 cards, got 12",
        ),
        (f"md|1{SOUTH},{SOUTH},{NORTH},|", "md: S6 is held by both S and W"),
        (
            f"md|1{SOUTH},S2X,{NORTH},|",
            "md: hand of W: expected as in SAK2H3DT9C4, got 'S2X'",
        ),
    ],
)
def test_a_wrong_deal_names_line_and_what_was_expected(deal: str, message: str) -> None:
    found = error("\n\n" + HEAD.replace(DEAL, deal))
    assert (found.line, found.message) == (3, message)


def test_calls_alerts_and_explanations() -> None:
    record = one(HEAD + "mb|1c!|an|16+ any|mb|D|mb|R|an|strong|mb|P|mb|2nt|")
    assert calls(record) == "S:1C W:X N:XX E:P S:2NT"
    assert [(a.alerted, a.explanation) for a in record.auction[:3]] == [
        (True, "16+ any"),
        (False, ""),
        (False, "strong"),
    ]


def test_old_files_run_calls_and_cards_together() -> None:
    record = one(HEAD + "mb|1Np!pp|pc|S2SAS7S3|")
    assert calls(record) == "S:1NT W:P N:P E:P"
    assert cards(record) == "W:S2 N:SA E:S7 S:S3"


def test_cards_get_their_hands_from_the_turn_and_trumps_count() -> None:
    record = one(HEAD + "mb|1S|mb|p|mb|p|mb|p|pc|h2|pc|hA|pc|h9|pc|s3|pc|d6|")
    assert cards(record) == "W:H2 N:HA E:H9 S:S3 S:D6"


def test_a_claim_gives_declarers_total() -> None:
    record = one(HEAD + NOTRUMP + "pc|S2|pc|SA|pc|S7|pc|S3|pg||mc|12|")
    assert record.result == 12
    assert record.is_playable


def test_line_breaks_may_stand_anywhere() -> None:
    text = HEAD + NOTRUMP + "pc|S2|pg||"
    broken = text.replace("|mb|", "|\r\nm\nb|\n").replace("Q,|", "Q\n,|")
    assert calls(one(broken)) == calls(one(text))
    assert one(broken).hands == one(text).hands


def test_values_left_empty_say_nothing() -> None:
    record = one(HEAD.replace("sv|b|", "sv||an|before any call|") + NOTRUMP + "mc||")
    assert record.assumed == ("Vulnerable",)
    assert record.result is None


def test_cards_of_a_board_passed_out_are_a_breach() -> None:
    record = one(HEAD + "mb|pppp|pc|S3S2SAS7|pc|H3|")
    assert record.error is not None
    assert record.error.message == "cards were played though the board was passed out"


def test_comments_and_unknown_keys_are_passed_over() -> None:
    text = HEAD + "nt|1C was bold!|zz|what|mb|1N|nt||mb|p|mb|p|mb|p|"
    assert calls(one(text)) == "S:1NT W:P N:P E:P"


def test_each_deal_of_a_file_is_a_record_of_its_own() -> None:
    text = HEAD + NOTRUMP + "\n" + HEAD.replace("Board 7", "Board 8") + NOTRUMP
    assert [(r.board, r.line) for r in records(text)] == [("7", 1), ("8", 2)]


def test_a_vugraph_file_labels_rooms_and_tells_contract_and_result() -> None:
    text = (
        "vg|Cup,Segment 1,I,7,8,A,0,B,0|\n"
        "rs|1NS+1,2HEx-2,PASS,,|\n"
        "pn|a,b,c,d,e,f,g,h|pg||\n"
        f"qx|o7|st||{DEAL}sv|o|{NOTRUMP}\n"
        f"qx|c7|{DEAL}sv|o|mb|p|\n"
        f"qx|o8,x|{DEAL}\n"
        f"qx|c8|{DEAL}\n"
        f"qx|final|{DEAL}\n"
    )
    found = [r for r in records(text) if isinstance(r, Record)]
    assert [(r.board, r.line) for r in found] == [
        ("o7", 4),
        ("c7", 5),
        ("o8", 6),
        ("c8", 7),
        ("final", 8),
    ]
    assert found[0].contract == Contract(1, Denomination.NOTRUMP, "", Seat.SOUTH)
    assert found[0].result == 8
    assert found[1].contract == Contract(2, Denomination.HEARTS, "X", Seat.EAST)
    assert found[1].result == 6
    assert str(found[2].contract) == "passed out"
    assert found[3].contract is None
    assert found[4].contract is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("mb|8C|", "mb: expected a call (p d r 1C to 7N), got '8C'"),
        ("mb|1N|pc|S1|", "pc: expected a card (suit, rank), got 'S1'"),
        ("mc|14|", "mc: expected declarer's tricks, 0 to 13, got '14'"),
        ("sv|q|", "sv: expected o, n, e or b, got 'q'"),
        ("mb|1N|pc|S", "expected key|value|, got 'pc|S'"),
        ("mb|1N|end", "expected key|value|, got 'end'"),
    ],
)
def test_a_wrong_field_names_its_line_and_reading_goes_on(
    fields: str, message: str
) -> None:
    bad = HEAD + "\n" + fields
    (found,) = records(bad)
    assert isinstance(found, RecordError)
    assert (found.line, found.board, found.message) == (2, "7", message)
    first, second = records(bad + "\n" + HEAD + NOTRUMP)
    assert isinstance(first, RecordError)
    assert first.line == 2
    assert isinstance(second, Record)
    assert (second.line, second.is_playable) == (3, False)
    assert calls(second) == "S:1NT W:P N:P E:P"


def test_calls_without_a_deal_are_reported() -> None:
    assert error("pn|a,b,c,d|mb|1C|").message == "expected the deal (md)"
