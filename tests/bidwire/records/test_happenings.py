"""Records as happenings: calls, cards, the claim, and who presses the key."""

import pytest

from bidwire.records import (
    Record,
    actor_of,
    declarer_of,
    expected_contract,
    expected_tricks,
    read_text,
    to_happenings,
    with_actors,
)
from laws.actions import (
    Answer,
    ExposeCards,
    HandsReturned,
    MoveCard,
    PlayCards,
    Word,
)
from laws.board import Edition
from laws.cards import Card
from laws.script import format_action
from laws.seats import Seat

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"

ALL_CARDS = """S2 SA S7 S3
H2 HA H9 H6
D2 DA D9 D6
C2 CA C9 C6
H3 SK S8 S4
H4 SQ S9 S5
H5 SJ ST S6
D3 HK HT H7
D4 HQ HJ H8
D5 DK DT D7
C3 DQ DJ D8
C4 CK CT C7
C5 CQ CJ C8"""


def read(auction: str, play: str, tags: str = "", first: str = "W") -> Record:
    text = f'[Board "7"]\n[Dealer "S"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n{tags}'
    text += f'[Auction "S"]\n{auction}\n' + f'[Play "{first}"]\n{play}\n'
    (found,) = read_text("club.pbn", text)
    assert isinstance(found, Record)
    return found


def script(record: Record) -> list[str]:
    return [format_action(action) for action in to_happenings(record)]


def test_calls_then_cards_then_a_claim_that_both_opponents_agree_to() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n- HA\n*", '[Result "12"]\n')
    assert script(record) == [
        *("S 1NT", "W P", "N P", "E P"),
        *("W S2", "N SA", "E S7", "S S3", "N HA"),
        *("S claim 11", "W agree", "E agree"),
    ]


def test_no_further_trick_for_declarer_is_a_concession_of_the_rest() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n*", '[Result "1"]\n')
    assert script(record)[-3:] == ["S concede 12", "W agree", "E agree"]


def test_a_board_passed_out_is_its_four_passes() -> None:
    record = read("AP", "*")
    assert script(record) == ["S P", "W P", "N P", "E P"]
    assert declarer_of(record) is None


def test_declarer_presses_the_key_for_dummy() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n*", '[Result "12"]\n')
    declarer = declarer_of(record)
    actors = [
        happening.actor for happening in with_actors(to_happenings(record), declarer)
    ]
    assert actors == [*"SWNE", *"WSES", *"SWE"]


def test_declarer_and_dummy_who_changed_places() -> None:
    """East led in error and South, declarer by the auction, put his hand down (54A)."""
    tags = '[Contract "1NT"]\n[Declarer "^N"]\n[Result "13"]\n'
    record = read("1NT AP", "S7 S3 S2 SA\n*", tags, first="E")
    assert record.is_playable
    assert declarer_of(record) is Seat.NORTH
    assert script(record)[4:] == [
        *("E S7", "S spread", "S S3", "W S2", "N SA"),
        *("N claim 12", "E agree", "W agree"),
    ]


def test_an_unfinished_record_cannot_be_turned_into_happenings() -> None:
    with pytest.raises(ValueError, match="board 7 cannot be played to an end"):
        to_happenings(read("1NT AP", "S2 SA S7 S3\n*"))


def test_the_outcome_that_the_file_expects() -> None:
    tags = '[Contract "1NT"]\n[Declarer "S"]\n[Result "12"]\n'
    tagged = read("1NT AP", "S2 SA S7 S3\n*", tags)
    assert str(expected_contract(tagged)) == "1NT by S"
    assert expected_tricks(tagged) == 12
    bare = read("1NT X AP", "S2 SA S7 S3\n*")
    assert str(expected_contract(bare)) == "1NTX by S"
    assert expected_tricks(bare) is None
    unfinished = read("1NT +", "S2 SA S7 S3\n*")
    assert declarer_of(unfinished) is None
    assert expected_contract(unfinished) is None


def test_a_result_that_the_file_calls_wrong_is_not_expected_of_52_cards() -> None:
    record = read("1NT AP", ALL_CARDS, '[Result "^8"]\n')
    assert record.is_playable
    assert expected_tricks(record) is None
    assert expected_tricks(read("1NT AP", ALL_CARDS)) == 13


def test_the_board_may_go_to_the_referee_with_its_deal_hidden() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n*")
    assert record.board_for(Edition.LAWS_2017).hands == record.hands
    assert record.board_for(Edition.LAWS_2017, hide_deal=True).hands is None


def test_who_acts_where_it_is_not_plain() -> None:
    assert actor_of(MoveCard(Seat.NORTH, Card.SPADE_TWO), Seat.SOUTH) is Seat.NORTH
    exposed = ExposeCards(Seat.WEST, (Card.SPADE_TWO,))
    assert actor_of(exposed, Seat.SOUTH) is Seat.WEST
    assert actor_of(PlayCards(Seat.NORTH, ()), None) is Seat.NORTH
    assert actor_of(HandsReturned(), Seat.SOUTH) is None
    assert actor_of(Answer(Word.COMPARABLE, True, Seat.WEST), None) is None
