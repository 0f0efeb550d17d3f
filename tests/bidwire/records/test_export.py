"""Judged boards written as PBN: what stands in the file, and that it comes back."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bidwire.cli import app
from bidwire.records import (
    Contract,
    Kind,
    Mark,
    MarkKind,
    PassedOut,
    Record,
    board_random,
    expected_contract,
    plan_board,
    read_records,
    read_text,
    to_happenings,
)
from bidwire.records.export import PBN_HEADER, write_pbn
from bidwire.records.rules import tricks_of, winner_of
from bidwire.rule import judge_script
from laws.board import Edition
from laws.engine import begin, decide
from laws.play import Trick
from laws.report import report
from laws.seats import Seat, rotation_from
from laws.state import State
from laws.steps import Step
from tests.bidwire.records.random_table import judged_by_chance
from tests.bidwire.records.test_inject import make_record
from tests.places import REPOSITORY

SEEDS = st.integers(0, 10**6)
EDITIONS = st.sampled_from(list(Edition))
CASEBOOK = REPOSITORY / "tests" / "laws" / "cases"

HANDS = "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"


def judged(*happenings: str, edition: str = "2017") -> State:
    """North deals, nobody is vulnerable; the deal is ``HANDS``."""
    head = f"edition {edition}\nboard 1\ndeal {HANDS}\n"
    return judge_script(head + "\n".join(happenings) + "\n")


def again(state: State) -> Record:
    """The board as it is read back."""
    (record,) = read_text("judged.pbn", PBN_HEADER + write_pbn(state))
    assert isinstance(record, Record)
    return record


def lines_from(text: str, tag: str) -> list[str]:
    """The lines of a section, up to the next tag."""
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"[{tag} "))
    rest = lines[start + 1 :]
    end = next((at for at, line in enumerate(rest) if line[:1] in {"[", ""}), len(rest))
    return rest[:end]


ONE_NOTRUMP = ("N P", "E P", "S 1NT", "W P", "N P", "E P")
"""West leads: SK from KQ93, D from QT652."""


class TestTags:
    def test_the_mandatory_tags_come_first_in_the_order_of_the_standard(self) -> None:
        text = write_pbn(
            judged(), tags={"Event": 'The "Cup"', "Table": "3", "west": "A"}
        )
        assert text.splitlines()[:17] == [
            '[Event "The \\"Cup\\""]',
            '[Site "?"]',
            '[Date "????.??.??"]',
            '[Board ""]',
            '[West "A"]',
            '[North "?"]',
            '[East "?"]',
            '[South "?"]',
            '[Dealer "N"]',
            '[Vulnerable "None"]',
            f'[Deal "{HANDS}"]',
            '[Scoring "?"]',
            '[Declarer "?"]',
            '[Contract "?"]',
            '[Result "?"]',
            '[Table "3"]',
            '[Auction "N"]',
        ]

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("Deal", "the tag Deal is written from the board"),
            ("result", "the tag result is written from the board"),
            ("Two words", "expected a name of a PBN tag as in Event, got 'Two words'"),
        ],
    )
    def test_a_tag_that_cannot_be_given_is_refused(
        self, name: str, expected: str
    ) -> None:
        with pytest.raises(ValueError, match=expected):
            write_pbn(judged(), tags={name: "x"})

    def test_a_board_passed_out_has_no_declarer_no_result_and_no_play(self) -> None:
        state = judged("N P", "E P", "S P", "W P")
        text = write_pbn(state)
        for tag in ('[Declarer ""]', '[Contract "Pass"]', '[Result ""]'):
            assert tag in text
        assert '[Score "NS 0"]' in text
        assert "[Play" not in text
        assert again(state).contract == PassedOut()

    def test_an_unknown_deal_is_left_empty(self) -> None:
        state = judge_script("edition 2017\nboard 1\nN 1C\n")
        assert '[Deal ""]' in write_pbn(state)
        assert again(state).hands is None

    def test_several_games_make_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "evening.pbn"
        games = [
            write_pbn(judged("N 1C"), tags={"Board": str(number)}) for number in (1, 2)
        ]
        file.write_text(PBN_HEADER + "".join(games), encoding="utf-8")
        found = list(read_records(file))
        assert [record.board for record in found] == ["1", "2"]


class TestAuction:
    def test_27a_an_insufficient_bid_accepted_is_marked(self) -> None:
        state = judged("N 1H", "E P", "S 2C", "W P", "N 1S", "E accept", "E P")
        told = lines_from(write_pbn(state), "Auction")
        assert told[:3] == ["1H    Pass 2C Pass", "^I 1S Pass", "+"]
        assert told[3].startswith("{North made an insufficient bid. Accepted")
        assert told[3].endswith("(Law 27A1, 2017)}")
        assert again(state).marks == (Mark(MarkKind.INSUFFICIENT_BID, 4, Seat.NORTH),)

    def test_27a_a_bid_made_twice_is_not_doubled_by_what_came_between(self) -> None:
        state = judged(
            *("N 1H", "E X", "S P", "W 1S", "N 1H", "E accept", "E P", "S P", "W P")
        )
        assert '[Contract "1H"]' in write_pbn(state)
        record = again(state)
        assert expected_contract(replace(record, contract=None)) == record.contract

    def test_29a_a_player_who_lost_his_turn_is_marked_in_his_column(self) -> None:
        state = judged("S 1C", "W P", "N 1H", edition="2007")
        text = write_pbn(state)
        assert lines_from(text, "Auction")[:2] == ["^S ^S 1C Pass", "1H"]
        assert "(Law 29A, 2007)" in text
        assert again(state).marks == (
            Mark(MarkKind.SKIPPED_PLAYER, 0, Seat.NORTH),
            Mark(MarkKind.SKIPPED_PLAYER, 0, Seat.EAST),
        )

    def test_20_alerted_calls_refer_to_notes(self) -> None:
        state = judged(
            'N 1NT! 15-17, "good"', "E P!", "S 2D! transfer", "W X! transfer"
        )
        text = write_pbn(state)
        assert lines_from(text, "Auction") == ["1NT =1= Pass =2= 2D =3= X =3=", "+"]
        assert '[Note "1:15-17, \\"good\\""]' in text
        assert '[Note "2:"]' in text
        told = [(call.alerted, call.explanation) for call in again(state).auction]
        assert told == [
            (True, '15-17, "good"'),
            (True, ""),
            (True, "transfer"),
            (True, "transfer"),
        ]

    def test_a_withdrawn_call_stands_in_a_comment_only(self) -> None:
        state = judged("E 1S", "S decline", "N 1H")
        told = lines_from(write_pbn(state), "Auction")
        assert told[:2] == ["1H", "+"]
        assert "{Withdrawn: E 1S}" in told
        assert [str(call.call) for call in again(state).auction] == ["1H"]

    def test_85_a_corrected_call_is_written_as_it_really_was(self) -> None:
        state = judged("N 1C! wrong key", "director correct 4 N 2C! strong", "E P")
        assert lines_from(write_pbn(state), "Auction")[0] == "2C =1= Pass"
        assert again(state).auction[0].explanation == "strong"

    def test_a_ruling_undone_is_told_as_undone(self) -> None:
        state = judged("E 1S", "S decline", "N 1H", "director overrule 1")
        undone = [r for r in state.rulings if r.status.value == "superseded"]
        assert write_pbn(state).count("{Undone: ") == len(undone)


class TestPlay:
    def test_cards_stand_by_seat_and_a_play_that_goes_on_ends_in_a_plus(self) -> None:
        state = judged(*ONE_NOTRUMP, "W SK", "N SA", "E ST", "S S5", "N H4", "E HQ")
        assert lines_from(write_pbn(state), "Play") == [
            "SK SA ST S5",
            "-  H4 HQ -",
            "+",
        ]

    def test_63_an_established_revoke_is_marked_and_the_result_too(self) -> None:
        state = judged(
            *ONE_NOTRUMP,
            *("W SK", "N S2", "E D4", "S S5", "W SQ", "N S4", "E SJ", "S S6"),
            *("S claim 8", "W agree", "E agree"),
        )
        text = write_pbn(state)
        told = lines_from(text, "Play")
        assert told[:3] == ["SK S2 ^R D4 S5", "SQ S4 SJ    S6", "*"]
        assert any(line.startswith("{East revoked. 1 trick to North") for line in told)
        assert "{Claim by South settled: 8 of the 11 tricks that remained}" in told
        assert '[Result "^9"]' in text
        record = again(state)
        assert record.marks == (Mark(MarkKind.REVOKE, 2, Seat.EAST),)
        assert (record.result, record.result_irregular) == (9, True)
        assert record.breaches == ()
        assert not record.is_playable

    def test_62_a_corrected_revoke_shows_the_card_that_took_its_place(self) -> None:
        state = judged(
            *ONE_NOTRUMP,
            *("W SK", "N S2", "E D4", "S attention E 1", "E replace ST", "S S5"),
        )
        told = lines_from(write_pbn(state), "Play")
        assert told[0] == "SK S2 ST S5"
        assert "{Withdrawn: E D4}" in told
        assert again(state).marks == ()

    def test_53a_a_lead_out_of_turn_accepted_is_marked(self) -> None:
        state = judged(
            *ONE_NOTRUMP, "E D4", "S accept", "S DA", "W D2", "N D3", "N S2", "W accept"
        )
        text = write_pbn(state)
        assert lines_from(text, "Play")[:2] == [
            "D2 D3    ^L D4 DA",
            "-  ^L S2 -     -",
        ]
        assert again(state).marks[0] == Mark(MarkKind.LEAD_OUT_OF_TURN, 0, Seat.EAST)

    def test_54a_declarer_and_dummy_changed_places(self) -> None:
        state = judged(*ONE_NOTRUMP, "E D4", "S spread", "S DA", "W D2", "N D3")
        text = write_pbn(state)
        assert '[Declarer "^N"]' in text
        assert lines_from(text, "Play")[0] == "^L D4 DA D2 D3"
        record = again(state)
        assert record.swapped
        assert isinstance(record.contract, Contract)
        assert record.contract.declarer is Seat.NORTH

    def test_67b_a_card_added_to_a_trick_is_marked_as_the_revoke_it_counts_as(
        self,
    ) -> None:
        state = judged(
            *ONE_NOTRUMP,
            *("W SK", "N SA", "E -", "S S5", "N HA", "E H6", "S H5", "W H2"),
            *("N HK", "S attention E 1", "E replace ST"),
        )
        assert lines_from(write_pbn(state), "Play")[0] == "SK SA ^R ST S5"
        assert again(state).marks == (Mark(MarkKind.REVOKE, 2, Seat.EAST),)

    def test_67_a_card_that_is_missing_leaves_its_column_empty(self) -> None:
        state = judged(*ONE_NOTRUMP, "W SK", "N SA", "E -", "S S5")
        assert lines_from(write_pbn(state), "Play")[0] == "SK SA - S5"
        assert len(again(state).cards) == 2

    def test_68_a_claim_ends_the_play_and_the_result_tells_its_tricks(self) -> None:
        state = judged(*ONE_NOTRUMP, "W SK", "S claim 7", "W agree", "E agree")
        text = write_pbn(state)
        assert lines_from(text, "Play")[:2] == ["SK - - -", "*"]
        assert '[Result "7"]' in text
        assert '[Score "NS 90"]' in text


class TestTimes:
    def test_each_call_and_card_has_its_seconds_in_its_column(self) -> None:
        state = judged("S 1NT", "W P", "N P", "E P", "W SK", "N SA", "E ST")
        times = {4: 12.4, 5: 0.6, 6: 3.0, 8: 101.0, 9: 2.5}
        text = write_pbn(state, times=times)
        assert lines_from(text, "AuctionTimeTable") == ["- - 12 1", "3 -"]
        assert lines_from(text, "PlayTimeTable") == ["101 3 - -"]
        (record,) = read_text("judged.pbn", PBN_HEADER + text)
        assert record == again(state)

    def test_without_times_there_are_no_time_tables(self) -> None:
        assert "TimeTable" not in write_pbn(judged(*ONE_NOTRUMP))


def cards_in_order(state: State) -> list[tuple[Seat, str]]:
    """The cards as they finally lie, by trick, up to a card that is missing."""
    play = state.play
    cards: list[tuple[Seat, str]] = []
    if play is None:
        return cards
    for trick in (*play.tricks, play.current):
        lie = {p.hand: p.card for p in trick.cards}
        lie |= {p.hand: p.card for p in trick.added if not wins(trick, p.hand, state)}
        for hand in rotation_from(trick.leader):
            if hand not in lie:
                return cards
            cards.append((hand, lie[hand].value))
    return cards


def wins(trick: Trick, hand: Seat, state: State) -> bool:
    assert state.play is not None
    whole = Trick(trick.leader, (*trick.cards, *trick.added))
    return whole.winner(state.play.trump) is hand


def marks_due(record: Record, state: State) -> set[Mark]:
    """The marks that auction and cards call for, and the revokes that were ruled on."""
    due = set()
    turn, highest = record.dealer, 0
    for at, (seat, call) in enumerate(
        (made.seat, made.call) for made in record.auction
    ):
        while turn is not seat:
            due.add(Mark(MarkKind.SKIPPED_PLAYER, at, turn))
            turn = turn.lho
        if call.is_bid and call.height <= highest:
            due.add(Mark(MarkKind.INSUFFICIENT_BID, at, seat))
        highest = call.height or highest
        turn = seat.lho
    if state.play is None or state.contract is None:
        return due
    leader = state.contract.declarer.lho
    for number, trick in enumerate(tricks_of(record.cards)):
        if trick[0].hand is not leader:
            due.add(Mark(MarkKind.LEAD_OUT_OF_TURN, 4 * number, trick[0].hand))
        leader = winner_of(trick, state.play.trump)
    led = {mark.at for mark in due if mark.kind is MarkKind.LEAD_OUT_OF_TURN}
    places = {(p.hand, p.card): at for at, p in enumerate(record.cards)}
    for revoke in state.play.incidents.revokes:
        at = places.get((revoke.hand, revoke.card), -1)
        stands = revoke.state in {"established", "correctable"}
        if stands and at // 4 == revoke.trick - 1 and at not in led:
            due.add(Mark(MarkKind.REVOKE, at, revoke.hand))
    return due


def assert_same_board(state: State) -> Record:
    record, board, found = again(state), state.board, report(state)
    assert (record.dealer, record.vulnerable) == (board.dealer, board.vulnerable)
    assert record.hands == board.hands
    assert [[c.seat.value, c.call.value] for c in record.auction] == found["auction"]
    assert [c.alerted for c in record.auction] == [
        made.alerted for made in state.auction.legal_calls
    ]
    assert record.auction_ended is state.auction.ended
    assert_same_contract(record, state)
    cards = [(p.hand, p.card.value) for p in record.cards]
    assert cards == cards_in_order(state)
    assert set(record.marks) == marks_due(record, state)
    assert record.breaches == ()
    assert record.assumed == ()
    result = found["result"]
    assert record.result == (result and result["declarer_tricks"])
    assert record.result_irregular is (
        result is not None and found["transfer"] is not None
    )
    return record


def assert_same_contract(record: Record, state: State) -> None:
    play = state.play
    if play is None:
        assert record.contract == (PassedOut() if state.auction.ended else None)
        return
    assert isinstance(record.contract, Contract)
    contract = play.contract
    assert record.contract.declarer is contract.declarer
    assert str(record.contract) == str(contract).replace(" ", " by ")
    assert state.contract is not None
    assert record.swapped is (state.contract.declarer is not contract.declarer)


class TestReadAgain:
    @given(SEEDS, EDITIONS, st.booleans())
    def test_any_board_comes_back_as_it_was(
        self, seed: int, edition: Edition, hide_deal: bool
    ) -> None:
        assert_same_board(judged_by_chance(seed, edition, hide_deal=hide_deal))

    def test_boards_by_chance_come_to_every_mark(self) -> None:
        found = {
            mark.kind
            for seed in range(50)
            for mark in again(judged_by_chance(seed, Edition.LAWS_2017)).marks
        }
        assert found == set(MarkKind)

    @given(SEEDS, EDITIONS)
    def test_a_board_with_injected_irregularities_is_ruled_alike_when_played_again(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_board(
            make_record(seed), edition, {Kind.REVOKE}, board_random(seed, 2)
        )
        state = begin(plan.record.board_for(edition))
        for number, happening in enumerate(plan.happenings, 1):
            state = decide(state, Step(number, happening.action)).state
        record = assert_same_board(state)
        second = begin(record.board_for(edition))
        for number, action in enumerate(to_happenings(record), 1):
            second = decide(second, Step(number, action)).state
        for key in ("rulings", "revokes", "tricks", "transfer", "result"):
            assert report(second)[key] == report(state)[key]
        assert write_pbn(second) == write_pbn(state)

    def test_every_board_of_the_casebook_comes_back_as_it_was(self) -> None:
        scripts = sorted(CASEBOOK.glob("*.table"))
        assert scripts
        for file in scripts:
            state = judge_script(file.read_text(encoding="utf-8"))
            if state.board.policies.revoke.value != "manual":
                assert_same_board(state)

    def test_no_two_games_of_a_file_run_together(self) -> None:
        games = [
            write_pbn(judged_by_chance(seed, Edition.LAWS_2007)) for seed in range(20)
        ]
        found = list(read_text("evening.pbn", PBN_HEADER + "".join(games)))
        assert len(found) == 20
        for one, other in pairwise(found):
            assert isinstance(one, Record)
            assert isinstance(other, Record)
            assert one.hands != other.hands


class TestCommand:
    def test_rule_prints_the_judged_script_as_a_file_of_one_game(self) -> None:
        script = "edition 2007\nboard 2\nS 1S\nW decline\nE 2C\nS X\n"
        found = CliRunner().invoke(app, ["rule", "--pbn", "-"], input=script)
        assert found.exit_code == 0
        assert found.output.startswith("% PBN 2.1\n[Event")
        assert "(Law 31A2(b), 2007)" in found.output.replace("\n", " ")
        (record,) = read_text("printed.pbn", found.output)
        assert isinstance(record, Record)
        assert (record.board, record.dealer) == ("2", Seat.EAST)
        assert [made.call.value for made in record.auction] == ["2C", "X"]

    def test_one_form_of_output_at_a_time(self) -> None:
        found = CliRunner().invoke(app, ["rule", "--pbn", "--json", "-"], input="")
        assert found.exit_code == 2
        assert "expected --json or --pbn, got both" in found.output
