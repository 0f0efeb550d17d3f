"""Records that break the rules of the game are marked, by file, board and line."""

import pytest

from bidwire.records import Record, read_text

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


def read(auction: str, play: str = "", *, tags: str = "", deal: str = DEAL) -> Record:
    text = f'\n[Board "7"]\n[Dealer "S"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n{tags}'
    text += f'[Auction "S"]\n{auction}\n' + (f'[Play "W"]\n{play}\n' if play else "")
    (found,) = read_text("club.pbn", text)
    assert isinstance(found, Record)
    return found


def breach(record: Record) -> str:
    assert not record.is_playable
    assert record.error is not None
    where = f"{record.error.file}:{record.error.line}, board {record.error.board}: "
    assert where == "club.pbn:2, board 7: "
    return record.error.message


def test_a_clean_record_has_no_breach() -> None:
    record = read("1NT AP", ALL_CARDS)
    assert record.breaches == ()
    assert record.error is None
    assert record.is_complete
    assert record.is_playable


@pytest.mark.parametrize(
    ("auction", "message"),
    [
        ("1D 1C AP", "call 2, 1C by W: not a legal call after 1D by S"),
        ("X Pass", "call 1, X by S: not a legal call"),
        ("1C Pass X Pass", "call 3, X by N: not a legal call after 1C by S"),
        ("1C X X Pass", "call 3, X by N: not a legal call after 1C by S"),
        ("1C XX Pass Pass", "call 2, XX by W: not a legal call after 1C by S"),
        ("1C AP 1D", "call 5, 1D by S: the auction is over"),
        ("AP Pass", "call 5, P by S: the auction is over"),
        ("- 1C AP", "call 1, 1C by W: it is S's turn"),
    ],
)
def test_an_illegal_auction(auction: str, message: str) -> None:
    assert breach(read(auction)) == message


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ("S2 SA S7 H8", "trick 1, H8 from S: a revoke, the hand holds S"),
        ("S2 SA S7 S3\n- SA", "trick 2, SA from N: it has been played before"),
        ("S2 SA H2 S3", "trick 1, H2 from E: the hand does not hold it"),
    ],
)
def test_an_illegal_play(play: str, message: str) -> None:
    assert breach(read("1NT AP", play)) == message


def test_the_opening_leader_is_on_declarers_left() -> None:
    text = read("1NT AP", "S2 SA S7 S3").auction
    assert text[0].seat == "S"
    record = read("Pass 1NT AP", "S2 SA S7 S3")
    assert breach(record) == "trick 1, S2 from W: it is N's turn"


def test_without_the_deal_a_revoke_shows_when_the_suit_does() -> None:
    record = read("1NT AP", "S2 SA S7 H8\nH2 HA H9 S3", deal="")
    assert breach(record) == (
        "trick 2, S3 from S: a revoke, the hand followed no S at trick 1"
    )


def test_a_claim_must_be_possible() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n*", tags='[Result "0"]\n')
    assert breach(record) == (
        "the file gives the declaring side 0 tricks, but it has won 1 and 12 are left"
    )
    assert read("1NT AP", "S2 SA S7 S3\n*", tags='[Result "13"]\n').is_playable


def test_cards_after_a_board_was_passed_out() -> None:
    record = read("AP", "S2 SA S7 S3")
    assert breach(record) == "cards were played though the board was passed out"
    assert read("AP", "- - - -").is_playable


@pytest.mark.parametrize(
    "tags",
    [
        '[Contract "2NT"]\n[Declarer "S"]\n[Result "13"]\n',
        '[Contract "1NTX"]\n[Declarer "S"]\n[Result "13"]\n',
        '[Contract "1NT"]\n[Declarer "S"]\n[Result "9"]\n',
    ],
)
def test_tags_that_contradict_the_cards_are_no_breach(tags: str) -> None:
    assert read("1NT AP", ALL_CARDS, tags=tags).is_playable


def test_a_record_without_its_end_is_clean_but_not_playable() -> None:
    record = read("1NT AP", "S2 SA S7 S3\n*")
    assert record.breaches == ()
    assert not record.is_playable
    assert not read("1NT Pass").is_playable
