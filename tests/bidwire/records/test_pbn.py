"""PBN 2.1: tags, comments, inheritance, Auction and Play sections, and faults."""

import pytest

from bidwire.records import (
    Contract,
    Mark,
    MarkKind,
    PassedOut,
    Record,
    RecordError,
    read_text,
)
from laws.calls import Call
from laws.cards import Denomination
from laws.seats import SEATS, SIDES, Seat

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
TAGS = f"""[Board "7"]
[Dealer "S"]
[Vulnerable "Both"]
[Deal "{DEAL}"]
"""


def records(text: str) -> list[Record | RecordError]:
    found = list(read_text("club.pbn", text))
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


def game(auction: str = "", play: str = "", tags: str = "") -> str:
    text = TAGS + tags
    if auction:
        text += f'[Auction "S"]\n{auction}\n'
    if play:
        text += f'[Play "W"]\n{play}\n'
    return text


class TestTags:
    def test_a_record_knows_file_board_line_dealer_and_vulnerability(self) -> None:
        record = one("% PBN 2.1\n\n" + game())
        assert (record.file, record.board, record.line) == ("club.pbn", "7", 3)
        assert record.dealer is Seat.SOUTH
        assert record.vulnerable == frozenset(SIDES)

    def test_hands_are_kept_in_the_order_n_e_s_w_wherever_the_deal_starts(self) -> None:
        north, east, south, west = DEAL[2:].split()
        turned = TAGS.replace(DEAL, f"W:{west} {north} {east} {south}")
        assert one(turned).hands == one(TAGS).hands

    @pytest.mark.parametrize(
        ("value", "sides"),
        [
            ("None", []),
            ("Love", []),
            ("-", []),
            ("NS", ["NS"]),
            ("ew", ["EW"]),
            ("All", ["NS", "EW"]),
            ("Both", ["NS", "EW"]),
        ],
    )
    def test_every_word_for_vulnerability(self, value: str, sides: list[str]) -> None:
        record = one(TAGS.replace("Both", value))
        assert sorted(record.vulnerable) == sorted(sides)

    def test_a_missing_vulnerability_follows_the_board_number_and_is_noted(
        self,
    ) -> None:
        record = one(f'[Board "2"]\n[Deal "{DEAL}"]\n')
        assert record.dealer is Seat.EAST
        assert [side.value for side in record.vulnerable] == ["NS"]
        assert record.assumed == ("Dealer", "Vulnerable")

    def test_without_dealer_and_number_the_record_cannot_be_read(self) -> None:
        found = error(f'\n[Deal "{DEAL}"]\n')
        assert (found.line, found.message) == (
            2,
            "expected a Dealer tag or a Board number",
        )

    def test_a_hand_left_out_is_what_the_others_lack(self) -> None:
        north, _, south, west = DEAL[2:].split()
        assert one(TAGS.replace(DEAL, f"N:{north} - {south} {west}")).hands == (
            one(TAGS).hands
        )

    def test_two_hands_left_out_leave_the_deal_unknown(self) -> None:
        north, _, south, _ = DEAL[2:].split()
        assert one(TAGS.replace(DEAL, f"N:{north} - {south} -")).hands is None

    @pytest.mark.parametrize(
        ("wrong", "right", "message"),
        [
            ('"S"', '"Z"', "Dealer: expected a seat (N E S W), got 'Z'"),
            ("Both", "some", "Vulnerable: expected None, NS, EW or All, got 'some'"),
            ("AKQJ.", "AKQX.", "Deal: hand of N: 'X' is no rank in 'AKQX.AKQ.AKQ.AKQ'"),
            ("T987.", "T98A.", "Deal: hand of E: SA is already in the hand of N"),
        ],
    )
    def test_a_wrong_tag_names_its_line_and_what_was_expected(
        self, wrong: str, right: str, message: str
    ) -> None:
        text = TAGS.replace(wrong, right, 1)
        found = error(text)
        assert found.message == message
        assert right.strip('"') in text.splitlines()[found.line - 1]
        assert found.board == "7"

    def test_several_tags_on_a_line_and_a_tag_over_two_lines(self) -> None:
        text = f'[Board "7"] [Dealer "S"][Vulnerable\n"NS" ]\n[Deal "{DEAL}"]'
        record = one(text)
        assert (record.board, record.dealer) == ("7", Seat.SOUTH)

    def test_a_repeated_tag_is_ignored(self) -> None:
        assert one(TAGS + '[Board "8"]\n').board == "7"

    def test_quotation_marks_and_backslashes_inside_a_value(self) -> None:
        odd = '[Event "The "Big" one"]\n[Site "C:\\"]\n[Stage "a \\"b\\" c"]\n'
        assert one(odd + TAGS).board == "7"

    def test_a_broken_tag_is_reported_and_the_next_game_is_read(self) -> None:
        first, second = records(TAGS + '[Result 9"]\n\n' + TAGS)
        assert isinstance(first, RecordError)
        assert (first.line, first.board) == (5, "7")
        assert first.message == 'expected a tag as in [Board "1"], got \'[Result 9"]\''
        assert isinstance(second, Record)

    def test_text_before_any_tag_is_reported(self) -> None:
        first, second = records("Dear all,\n\n" + TAGS)
        assert isinstance(first, RecordError)
        assert (first.line, first.message) == (1, "expected a tag, got 'Dear'")
        assert isinstance(second, Record)


class TestLayout:
    def test_crlf_byte_order_mark_and_doubled_carriage_returns(self) -> None:
        text = game("1C AP")
        for end in ("\r\n", "\r\r\n", "\r"):
            assert calls(one(text.replace("\n", end))) == "S:1C W:P N:P E:P"

    def test_comments_may_stand_anywhere_and_hold_blank_lines(self) -> None:
        text = (
            "{ a club's\n\nevening }\n"
            + TAGS
            + '[Auction "S"] ; by hand\n1C {good\n\ncall} Pass ; end\n'
            + "% skipped\nPass Pass\n"
        )
        record = one(text)
        assert calls(record) == "S:1C W:P N:P E:P"
        assert record.line == 4

    def test_a_comment_never_closed_is_reported_and_reading_goes_on(self) -> None:
        first, second = records("{ oops\n" + TAGS + "\n" + TAGS)
        assert isinstance(first, RecordError)
        assert (first.line, first.board) == (1, "7")
        assert first.message == (
            "expected the end, a brace, of the comment that begins here"
        )
        assert isinstance(second, Record)

    def test_tables_of_other_sections_are_passed_over(self) -> None:
        table = '[OptimumResultTable "Declarer;Denomination\\2R"]\nN NT 7\nS  S 8\n'
        assert one(TAGS + table + '[Auction "S"]\n1C AP\n').auction_ended

    def test_an_end_of_file_mark_of_dos_is_no_text(self) -> None:
        assert one(TAGS + "\x1a").board == "7"


class TestInheritance:
    def test_hash_takes_the_value_of_the_game_before(self) -> None:
        text = TAGS + '\n[Board "8"]\n[Dealer "#"]\n[Vulnerable "#"]\n[Deal "#"]\n'
        first, second = records(text)
        assert isinstance(first, Record)
        assert isinstance(second, Record)
        assert second.board == "8"
        assert (second.dealer, second.hands) == (first.dealer, first.hands)
        assert second.assumed == ()

    def test_double_hash_is_kept_until_it_is_set_again(self) -> None:
        text = (
            TAGS.replace('"S"', '"##W"')
            + f'\n[Board "2"]\n[Deal "{DEAL}"]\n'
            + f'\n[Board "3"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n'
        )
        dealers = [r.dealer for r in records(text) if isinstance(r, Record)]
        assert dealers == [Seat.WEST, Seat.WEST, Seat.NORTH]

    def test_another_table_of_the_same_board_need_not_repeat_its_tags(self) -> None:
        text = game("1C AP") + '\n[Auction "S"]\n1D AP\n'
        _, second = records(text)
        assert isinstance(second, Record)
        assert (second.board, second.line) == ("7", 8)
        assert calls(second) == "S:1D W:P N:P E:P"
        assert second.assumed == ("Board", "Dealer", "Vulnerable", "Deal")

    def test_a_game_with_a_board_of_its_own_takes_no_deal_from_the_one_before(
        self,
    ) -> None:
        _, second = records(TAGS + '\n[Board "8"]\n')
        assert isinstance(second, Record)
        assert second.hands is None


class TestAuction:
    @pytest.mark.parametrize("suffix", ["", " *", " $2", "\n*", " +"])
    def test_names_of_calls_in_either_case(self, suffix: str) -> None:
        record = one(game("pass 1n X xx\n2NT d p P p" + suffix))
        assert calls(record) == "S:P W:1NT N:X E:XX S:2NT W:X N:P E:P S:P"
        assert record.auction_ended

    def test_hyphens_stand_for_the_players_before_the_dealer(self) -> None:
        text = TAGS + '[Auction "N"]\n- - 1C Pass\nAP\n'
        assert calls(one(text)) == "S:1C W:P N:P E:P"

    def test_ap_passes_the_board_out_too(self) -> None:
        record = one(game("Pass AP", tags='[Contract "Pass"]\n[Result ""]\n'))
        assert calls(record) == "S:P W:P N:P E:P"
        assert record.contract == PassedOut()

    def test_notes_explain_and_alert_and_belong_to_their_own_game(self) -> None:
        text = (
            game('1C =1= 2D*!? =2= AP\n[Note "1:strong"]\n[Note "2: weak: 5-8"]')
            + "\n"
            + game("1C =1= AP")
        )
        first, second = records(text)
        assert isinstance(first, Record)
        assert isinstance(second, Record)
        assert [(a.alerted, a.explanation) for a in first.auction[:3]] == [
            (True, "strong"),
            (True, "weak: 5-8"),
            (False, ""),
        ]
        assert second.auction[0].explanation == ""

    def test_a_star_that_sticks_to_a_call_is_an_alert(self) -> None:
        record = one(game("1S P 4H* P\n4S P P P"))
        assert [a.call for a in record.auction if a.alerted] == [Call.FOUR_HEARTS]

    def test_tokens_delimit_themselves(self) -> None:
        record = one(game("1C!=1=$5Pass Pass Pass"))
        assert calls(record) == "S:1C W:P N:P E:P"

    def test_the_auction_may_be_unfinished(self) -> None:
        record = one(game("1C Pass +"))
        assert not record.auction_ended
        assert not record.is_playable
        assert record.breaches == ()

    @pytest.mark.parametrize(
        ("auction", "expected"),
        [
            ("^S 1D AP", "W:1D N:P E:P S:P"),
            ("1D ^S 2D AP", "S:1D N:2D E:P S:P W:P"),
            ("1D ^I 1C AP", "S:1D W:1C N:P E:P S:P"),
        ],
    )
    def test_declared_irregularities_are_data_and_no_breach(
        self, auction: str, expected: str
    ) -> None:
        record = one(game(auction))
        assert calls(record) == expected
        assert len(record.marks) == 1
        assert record.breaches == ()

    def test_a_mark_says_whom_and_where(self) -> None:
        record = one(game("1D ^S ^I 1C AP"))
        assert record.marks == (
            Mark(MarkKind.SKIPPED_PLAYER, 1, Seat.WEST),
            Mark(MarkKind.INSUFFICIENT_BID, 1, Seat.NORTH),
        )

    def test_a_note_before_any_call_is_reported(self) -> None:
        found = error('[Note "1:stray"]\n' + game("=1= 1C AP"))
        assert found.message == "Auction: expected a call before its note"

    @pytest.mark.parametrize("word", ["8C", "1Z", "-", "=", "Pas", "♠"])
    def test_a_word_that_is_no_call_is_reported_with_its_line(self, word: str) -> None:
        found = error(game(f"1C Pass\n{word} Pass"))
        assert found.line == 7
        assert "expected a call" in found.message

    def test_passes_that_a_file_left_out_are_put_back(self) -> None:
        """South dealt and passed, and so did West; the file begins with North's bid."""
        record = one(game("1NT AP", tags='[Contract "1N"]\n[Declarer "N"]\n'))
        assert calls(record) == "S:P W:P N:1NT E:P S:P W:P"
        assert record.assumed == ("leading passes",)

    def test_a_contract_that_does_not_fit_puts_no_passes_in_front(self) -> None:
        tags = '[Contract "2S"]\n[Declarer "N"]\n'
        assert calls(one(game("1NT AP", tags=tags))) == "S:1NT W:P N:P E:P"
        assert calls(one(game("AP", tags=tags))) == "S:P W:P N:P E:P"


class TestContractAndResult:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("4S", Contract(4, Denomination.SPADES, "", Seat.SOUTH)),
            ("3n", Contract(3, Denomination.NOTRUMP, "", Seat.SOUTH)),
            ("6NTX", Contract(6, Denomination.NOTRUMP, "X", Seat.SOUTH)),
            ("2hR", Contract(2, Denomination.HEARTS, "XX", Seat.SOUTH)),
            ("7C XX", Contract(7, Denomination.CLUBS, "XX", Seat.SOUTH)),
        ],
    )
    def test_contracts(self, value: str, expected: Contract) -> None:
        tags = f'[Contract "{value}"]\n[Declarer "S"]\n'
        assert one(TAGS + tags).contract == expected

    @pytest.mark.parametrize(
        ("value", "tricks", "irregular"),
        [
            ("9", 9, False),
            ("^8", 8, True),
            ("NS 7", 7, False),
            ("EW 9", 4, False),
            ("EW 5 NS 8", 8, False),
            ("?", None, False),
            ("", None, False),
        ],
    )
    def test_results_are_declarers_tricks(
        self, value: str, tricks: int | None, irregular: bool
    ) -> None:
        tags = f'[Contract "1C"]\n[Declarer "S"]\n[Result "{value}"]\n'
        record = one(TAGS + tags)
        assert (record.result, record.result_irregular) == (tricks, irregular)

    @pytest.mark.parametrize("value", ["14", "nine", "9 tricks"])
    def test_an_impossible_result_is_reported(self, value: str) -> None:
        found = error(TAGS + f'[Result "{value}"]\n')
        assert found.line == 5
        assert "expected tricks from 0 to 13" in found.message

    def test_a_result_by_side_needs_a_declarer(self) -> None:
        record = one(TAGS + '[Contract "1C"]\n[Result "NS 7"]\n')
        assert record.contract == Contract(1, Denomination.CLUBS)
        assert record.result is None

    def test_declarer_and_dummy_may_have_changed_places(self) -> None:
        record = one(
            game("1C AP", tags='[Contract "1C"]\n[Declarer "^N"]\n[Result "7"]\n')
        )
        assert record.swapped
        assert isinstance(record.contract, Contract)
        assert record.contract.declarer is Seat.NORTH

    def test_an_unreadable_contract_is_reported(self) -> None:
        found = error(TAGS + '[Contract "8S"]\n')
        assert found.message == "Contract: expected as in 4S, 3NTX or Pass, got '8S'"


class TestPlay:
    """South plays 1NT; West, who leads, has the first column."""

    AUCTION = "1NT AP"

    def test_columns_are_seats_and_the_winner_leads_the_next_row(self) -> None:
        record = one(game(self.AUCTION, "S2 SA S7 S3\nH2 HA H9 H6\nD2 DA D9 D6"))
        assert cards(record).startswith("W:S2 N:SA E:S7 S:S3 N:HA E:H9 S:H6 W:H2 N:DA")
        assert record.breaches == ()

    def test_a_trick_cut_short_keeps_the_cards_in_playing_order(self) -> None:
        record = one(game(self.AUCTION, "S2 SA S7 S3\n- HA H9 -\n*"))
        assert cards(record) == "W:S2 N:SA E:S7 S:S3 N:HA E:H9"

    def test_a_card_after_an_unknown_one_is_not_used(self) -> None:
        record = one(game(self.AUCTION, "S2 SA S7 S3\nH2 HA - H6\nD2 DA D9 D6"))
        assert cards(record) == "W:S2 N:SA E:S7 S:S3 N:HA"

    def test_annotations_lower_case_and_the_ten_in_two_characters(self) -> None:
        record = one(game(self.AUCTION, "s2! sa$7 s10=1= S3\n+ -"))
        assert cards(record) == "W:S2 N:SA E:ST S:S3"

    def test_a_declared_revoke_is_data_and_no_breach(self) -> None:
        record = one(game(self.AUCTION, "S2 SA ^R H9 S3"))
        assert record.marks == (Mark(MarkKind.REVOKE, 2, Seat.EAST),)
        assert record.breaches == ()

    def test_a_declared_lead_out_of_turn_begins_its_row(self) -> None:
        record = one(game(self.AUCTION, "S2 SA S7 S3\nH2 HA H9 ^L H6"))
        assert cards(record).endswith("S:H6 W:H2 N:HA E:H9")
        assert record.marks == (Mark(MarkKind.LEAD_OUT_OF_TURN, 4, Seat.SOUTH),)
        assert record.breaches == ()

    def test_a_row_in_the_wrong_columns_goes_to_the_hands_that_were_dealt_it(
        self,
    ) -> None:
        record = one(game(self.AUCTION, "S2 SA S7 S3\nHA H9 H6 H2"))
        assert cards(record).endswith("N:HA E:H9 S:H6 W:H2")
        assert record.assumed == ("columns of Play",)

    @pytest.mark.parametrize("word", ["S1", "ZA", "Pass"])
    def test_a_word_that_is_no_card_is_reported_with_its_line(self, word: str) -> None:
        found = error(game(self.AUCTION, f"S2 SA\n{word} S3"))
        assert found.line == 9
        assert found.message == (
            f"Play: expected a card (suit, rank) or '-', got {word!r}"
        )

    def test_without_an_auction_the_tags_tell_trumps(self) -> None:
        tags = '[Contract "1C"]\n[Declarer "S"]\n'
        record = one(game("", "S2 SA S7 S3\nC5 CA C9 C6", tags))
        assert len(record.cards) == 8
        assert not record.is_playable


def test_hands_of_the_sample_deal_are_complete() -> None:
    hands = one(TAGS).hands
    assert hands is not None
    assert [len(hand) for hand in hands] == [13] * len(SEATS)
