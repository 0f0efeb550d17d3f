"""Irregularities put into clean records, against oracles that know nothing of laws."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidwire.records import (
    Contract,
    Kind,
    PassedOut,
    Plan,
    PlayedCard,
    Record,
    board_random,
    expected_contract,
    expected_tricks,
    plan_board,
    read_text,
    to_happenings,
    with_strikes,
)
from bidwire.records.checking import checked
from bidwire.records.playout import play_out
from laws.actions import (
    Accept,
    Action,
    Decline,
    Forbid,
    MakeCall,
    PlayCards,
    Require,
    Waive,
)
from laws.board import Edition, format_deal
from laws.cards import DECK, SUITS
from laws.script import format_action, parse_line
from laws.seats import SEATS
from tests.bidwire.records import transfer_oracle, turn_oracle

AUCTIONS = (
    "1C 1S X 2S\nPass Pass 3D AP",
    "Pass 1H 2D X\n2S Pass Pass 3D\nX AP",
    "1NT Pass 2C Pass\n2H Pass 4H AP",
    "1H Pass 1S Pass\n2H Pass 3H Pass\n4H AP",
    "Pass Pass 1D 1S\n2C 2S 3C 3S\nX Pass 4C AP",
    "2S X XX 3H\nPass 4H AP",
    "Pass Pass Pass 1NT\nAP",
    "1S Pass 1NT 2C\n2D 3C Pass Pass\n3S Pass 4S AP",
    "7NT X XX AP",
    "Pass AP",
)
BOTH = {Kind.OUT_OF_TURN, Kind.REVOKE}
CHOSEN = {"31A2(a)", "31A2(b)", "32B2", "32A2(b)", "30B1(b)(ii)"}
"""Paragraphs that wait for the offender's choice of a call."""
SEEDS = st.integers(0, 10**6)
EDITIONS = st.sampled_from(list(Edition))


def make_record(seed: int, stop: int = 52) -> Record:
    """A clean record: random deal, one of the auctions, legal cards by chance.

    ``stop`` is after how many cards a claim ends the play.
    """
    chance = random.Random(seed)  # noqa: S311 - the same cards for the same seed
    cards = list(DECK)
    chance.shuffle(cards)
    hands = tuple(frozenset(cards[at : at + 13]) for at in range(0, 52, 13))
    dealer = chance.choice(SEATS)
    text = f'[Board "{seed}"]\n[Dealer "{dealer}"]\n[Vulnerable "None"]\n'
    text += f'[Deal "{format_deal(hands)}"]\n'
    text += f'[Auction "{dealer}"]\n{chance.choice(AUCTIONS)}\n'
    (record,) = read_text("chance.pbn", text)
    assert isinstance(record, Record)
    contract = expected_contract(record)
    if not isinstance(contract, Contract):
        return record
    played = play_out(hands, contract, (), chance)
    whole = replace(record, cards=tuple(played.cards))
    tricks = expected_tricks(whole)
    return checked(replace(whole, cards=whole.cards[:stop], result=tricks))


def plan_for(seed: int, edition: Edition, kinds: set[Kind]) -> Plan:
    return plan_board(make_record(seed), edition, kinds, board_random(seed, 0))


def actions_of(plan: Plan) -> list[Action]:
    return [happening.action for happening in plan.happenings]


def lines_of(plan: Plan) -> list[str]:
    return [format_action(action) for action in actions_of(plan)]


def auction_lines(plan: Plan) -> list[str]:
    wanted = (MakeCall, Accept, Decline)
    return [format_action(a) for a in actions_of(plan) if isinstance(a, wanted)]


def card_pairs(plan: Plan) -> list[tuple[str, str]]:
    return [
        (action.hand.value, action.cards[0].value)
        for action in actions_of(plan)
        if isinstance(action, PlayCards)
    ]


def plain_effects(plan: Plan) -> list[dict[str, object]]:
    return sorted((dict(e) for e in plan.injected[0].effects), key=str)


def called_out_of_turn(plan: Plan) -> bool:
    return any(item.kind is Kind.OUT_OF_TURN for item in plan.injected)


class TestCallsOutOfTurn:
    @given(SEEDS, EDITIONS)
    def test_law_paragraph_and_effects_are_those_of_the_table(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, {Kind.OUT_OF_TURN})
        if not called_out_of_turn(plan):
            assert plan.omitted
            return
        (injected,) = plan.injected
        judged = turn_oracle.judge(
            auction_lines(plan), injected.at, plan.record.dealer.value, edition.value
        )
        assert injected.law == judged.law
        assert plain_effects(plan) == sorted(judged.effects, key=str)

    @given(SEEDS, EDITIONS)
    def test_the_rest_of_the_auction_is_legal_and_obeys_what_is_compelled(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, {Kind.OUT_OF_TURN})
        if not called_out_of_turn(plan):
            return
        (injected,) = plan.injected
        lines = auction_lines(plan)
        judged = turn_oracle.judge(
            lines, injected.at, plan.record.dealer.value, edition.value
        )
        accepted = judged.law == "29A"
        assert_legal(judged.auction, plan.record.dealer.value, skips=accepted)
        for effect in injected.effects:
            bound = calls_bound(effect, plan)
            if effect["kind"] == "must_repeat":
                assert bound[0] == effect["call"]
            elif effect["kind"] == "may_not":
                assert bound[0] not in effect["calls"]
            elif effect.get("scope") == "rest_of_auction":
                assert set(bound) <= {"P"}
            elif effect.get("scope") == "next_turn":
                assert bound[:1] in ([], ["P"])

    @given(SEEDS, EDITIONS)
    def test_the_contract_and_the_play_follow_from_the_legal_auction(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, {Kind.OUT_OF_TURN})
        if not called_out_of_turn(plan):
            return
        contract = plan.contract
        assert isinstance(contract, Contract)
        assert contract.declarer is not None
        outcome = transfer_oracle.judge(
            deal_text(plan),
            (contract.denomination.suit or "")[:1],
            contract.declarer.value,
            card_pairs(plan),
            edition.value,
        )
        assert outcome.revokes == []
        assert outcome.tricks == {s.value: n for s, n in plan.tricks.items()}
        opening = next(h for h in plan.happenings if isinstance(h.action, PlayCards))
        assert opening.actor is contract.declarer.lho

    @pytest.mark.parametrize("edition", Edition)
    def test_enough_boards_meet_every_paragraph(self, edition: Edition) -> None:
        laws = Counter(
            item.law
            for seed in range(350)
            for item in plan_for(seed, edition, {Kind.OUT_OF_TURN}).injected
        )
        common = {"28B", "29A", "30A", "31A1", "31A2(a)", "31A2(b)"}
        if edition is Edition.LAWS_2007:
            assert set(laws) == common | {
                "30B1",
                "30B2(a)",
                "31B",
                "32A",
                "32B1",
                "32B2",
            }
        else:
            more = {"30B1(b)(i)", "30B1(b)(ii)", "32A1", "32A2(a)", "32A2(b)"}
            assert set(laws) == common | more

    def test_declarer_uses_his_lead_restriction_in_every_way(self) -> None:
        used = Counter(
            type(action)
            for seed in range(150)
            for action in actions_of(
                plan_for(seed, Edition.LAWS_2007, {Kind.OUT_OF_TURN})
            )
            if isinstance(action, Waive | Forbid | Require)
        )
        assert set(used) == {Waive, Forbid, Require}

    @given(SEEDS, EDITIONS)
    def test_a_restricted_lead_is_obeyed_by_who_can(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, {Kind.OUT_OF_TURN})
        actions = actions_of(plan)
        played: set[str] = set()
        for action, following in pairwise(actions):
            if isinstance(action, PlayCards):
                played |= {card.value for card in action.cards}
            if isinstance(action, Forbid | Require):
                assert isinstance(following, PlayCards)
                hand = transfer_oracle.deal_of(deal_text(plan))[following.hand.value]
                suits = {card[0] for card in hand - played}
                led = following.cards[0].suit.value
                if isinstance(action, Forbid):
                    assert led != action.suits[0].value or suits == {led}
                else:
                    assert led == action.what.value or action.what.value not in suits


class TestRevokes:
    @given(SEEDS, EDITIONS)
    def test_revokes_and_transfer_are_those_of_the_oracle(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, {Kind.REVOKE})
        contract = plan.contract
        if not isinstance(contract, Contract):
            assert plan.omitted == ("no revoke: no attempt came to one",)
            return
        assert_transfers(plan, contract)

    @given(SEEDS, EDITIONS)
    def test_both_kinds_in_one_board(self, seed: int, edition: Edition) -> None:
        plan = plan_for(seed, edition, BOTH)
        if isinstance(plan.contract, Contract) and plan.injected:
            assert_transfers(plan, plan.contract)

    @given(SEEDS)
    def test_all_52_cards_are_played_and_each_revoke_is_where_it_is_said(
        self, seed: int
    ) -> None:
        plan = plan_for(seed, Edition.LAWS_2017, {Kind.REVOKE})
        if not plan.injected:
            return
        assert len(set(card_pairs(plan))) == 52
        for item in plan.injected:
            action = plan.happenings[item.at].action
            assert item.card is not None
            assert action == PlayCards(item.seat, (item.card,))

    def test_every_paragraph_of_law_64_that_can_arise_does(self) -> None:
        rules = Counter(
            item.law
            for seed in range(150)
            for item in plan_for(seed, Edition.LAWS_2007, {Kind.REVOKE}).injected
        )
        assert set(rules) == {"64A1", "64A2", "64B1", "64B2", "64B3", "64B7"}


class TestPlans:
    @given(SEEDS, EDITIONS)
    def test_the_same_seed_gives_the_same_plan(
        self, seed: int, edition: Edition
    ) -> None:
        kinds = BOTH | {Kind.DUPLICATE, Kind.RESET}
        assert plan_for(seed, edition, kinds) == plan_for(seed, edition, kinds)

    def test_boards_of_one_seed_differ(self) -> None:
        drawn = {board_random(1, number).random() for number in range(50)}
        assert len(drawn) == 50

    @given(SEEDS)
    def test_nothing_asked_for_is_the_record_as_it_is(self, seed: int) -> None:
        plan = plan_for(seed, Edition.LAWS_2017, set())
        assert tuple(actions_of(plan)) == to_happenings(plan.record)
        assert (plan.injected, plan.faults, plan.omitted) == ((), (), ())

    def test_the_tricks_of_a_claimed_board_are_the_files(self) -> None:
        record = make_record(5, stop=30)
        plan = plan_board(record, Edition.LAWS_2017, set(), board_random(1, 1))
        assert isinstance(plan.contract, Contract)
        assert plan.contract.declarer is not None
        assert plan.tricks[plan.contract.declarer.side] == record.result
        assert sum(plan.tricks.values()) == 13

    def test_a_claimed_board_can_carry_a_call_out_of_turn(self) -> None:
        claims = 0
        for seed in range(60):
            record = make_record(seed, stop=30)
            plan = plan_board(
                record, Edition.LAWS_2007, {Kind.OUT_OF_TURN}, board_random(seed, 0)
            )
            claims += " agree" in " ".join(lines_of(plan))
            assert sum(plan.tricks.values()) in {0, 13}
        assert 0 < claims < 60

    @given(SEEDS, EDITIONS)
    def test_every_happening_is_a_line_of_a_table_script(
        self, seed: int, edition: Edition
    ) -> None:
        plan = plan_for(seed, edition, BOTH)
        assert [parse_line(line) for line in lines_of(plan)] == actions_of(plan)
        assert all(happening.actor is not None for happening in plan.happenings)

    def test_without_the_deal_nothing_is_injected_and_it_says_so(self) -> None:
        record = replace(make_record(1), hands=None)
        plan = plan_board(record, Edition.LAWS_2017, BOTH, board_random(1, 1))
        assert plan.omitted == ("nothing injected: the deal is not known",)
        assert plan.injected == ()

    def test_a_record_with_marks_of_its_own_is_left_alone(self) -> None:
        text = '[Board "1"]\n[Auction "N"]\n1D ^I 1C AP\n[Play "N"]\n- - - -\n'
        record = replace(marked(text), hands=make_record(1).hands)
        plan = plan_board(record, Edition.LAWS_2017, BOTH, board_random(1, 1))
        (reason,) = plan.omitted
        assert reason == "nothing injected: the record has irregularities of its own"

    def test_hands_of_one_suit_each_leave_no_room_for_a_revoke(self) -> None:
        suits = [frozenset(card for card in DECK if card.suit is s) for s in SUITS]
        record = replace(make_record(3), hands=tuple(suits), cards=())
        plan = plan_board(
            replace(record, cards=legal_cards(record)),
            Edition.LAWS_2017,
            {Kind.REVOKE},
            board_random(1, 1),
        )
        assert plan.omitted == ("no revoke: no attempt came to one",)
        assert tuple(actions_of(plan)) == to_happenings(plan.record)

    def test_where_nobody_bids_nothing_is_injected_and_it_says_so(self) -> None:
        passed_out = next(
            record
            for record in map(make_record, range(100))
            if expected_contract(record) == PassedOut()
        )
        plan = plan_board(passed_out, Edition.LAWS_2017, BOTH, Cautious(1))
        assert plan.omitted == (
            "no call out of turn: no attempt came to a contract",
            "no revoke: no attempt came to one",
        )
        assert tuple(actions_of(plan)) == to_happenings(passed_out)

    def test_an_injected_irregularity_reads_as_an_object_of_the_report(self) -> None:
        plans = [plan_for(seed, Edition.LAWS_2007, BOTH) for seed in range(20)]
        plain = [item.plain() for plan in plans for item in plan.injected]
        for item in plain:
            assert item["kind"] in {"out-of-turn", "revoke"}
            keys = {"kind", "at", "seat", "irregularity", "law"}
            revoke = item["kind"] == "revoke"
            more = {"card", "trick", "moved"} if revoke else {"call", "effects"}
            assert set(item) == keys | more
        assert {item["kind"] for item in plain} == {"out-of-turn", "revoke"}


class TestFaults:
    @given(SEEDS)
    def test_a_duplicate_is_of_the_happening_and_a_reset_of_any_seat(
        self, seed: int
    ) -> None:
        plan = plan_for(seed, Edition.LAWS_2017, {Kind.RESET, Kind.DUPLICATE})
        duplicate, reset = plan.faults
        assert (duplicate.kind, reset.kind) == (Kind.DUPLICATE, Kind.RESET)
        for fault in plan.faults:
            assert 1 <= fault.at < len(plan.happenings)
            assert fault.board == plan.record.board
        assert duplicate.seat is plan.happenings[duplicate.at].actor
        assert reset.seat in SEATS
        assert reset.plain() == {
            "kind": "reset",
            "at": reset.at,
            "seat": reset.seat.value if reset.seat else None,
        }

    def test_each_process_is_killed_so_many_times_in_a_replay(self) -> None:
        plans = [plan_for(seed, Edition.LAWS_2017, set()) for seed in range(10)]
        kinds = {Kind.KILL_BROKER, Kind.KILL_DAEMON}
        killed = with_strikes(plans, kinds, board_random(1, -1), times=3)
        drawn = Counter(fault.kind for plan in killed for fault in plan.faults)
        assert drawn == {Kind.KILL_BROKER: 3, Kind.KILL_DAEMON: 3}
        assert all(fault.seat is None for plan in killed for fault in plan.faults)
        assert killed == with_strikes(plans, kinds, board_random(1, -1), times=3)
        assert with_strikes([], kinds, board_random(1, -1)) == []


class Cautious(random.Random):
    """Chance that always takes the first choice, which is to pass."""

    def choice(self, seq: Any) -> Any:  # noqa: ANN401 - of any kind, as its base
        return seq[0]


def legal_cards(record: Record) -> tuple[PlayedCard, ...]:
    contract = expected_contract(record)
    assert isinstance(contract, Contract)
    assert record.hands is not None
    return tuple(play_out(record.hands, contract, (), board_random(1, 1)).cards)


def marked(text: str) -> Record:
    (record,) = read_text("marked.pbn", text.replace("- - - -", "S2 - - -"))
    assert isinstance(record, Record)
    return replace(record, result=7, breaches=())


def deal_text(plan: Plan) -> str:
    assert plan.record.hands is not None
    return format_deal(plan.record.hands)


def assert_transfers(plan: Plan, contract: Contract) -> None:
    assert contract.declarer is not None
    outcome = transfer_oracle.judge(
        deal_text(plan),
        (contract.denomination.suit or "")[:1],
        contract.declarer.value,
        card_pairs(plan),
        plan.edition.value,
    )
    planned = [item for item in plan.injected if item.kind is Kind.REVOKE]
    assert [(r.seat, r.trick, r.rule, r.moved) for r in outcome.revokes] == [
        (item.seat.value, item.trick, item.law, item.moved) for item in planned
    ]
    assert outcome.tricks == {side.value: n for side, n in plan.tricks.items()}
    transfer = plan.transfer and (plan.transfer.to.value, plan.transfer.tricks)
    assert outcome.transfer == transfer
    assert planned or plan.omitted


def assert_legal(auction: list[tuple[str, str]], dealer: str, *, skips: bool) -> None:
    """Turn, sufficiency, doubles and end of an auction of strings."""
    turn, bid, bidder, risk, passes = dealer, 0, "", "", 0
    skipped = 0
    for at, (seat, call) in enumerate(auction):
        if seat != turn:
            skipped += 1
        assert passes < (3 if bid else 4)
        passes = passes + 1 if call == "P" else 0
        ours = bidder in {seat, turn_oracle.after(seat, 2)}
        if turn_oracle.is_bid(call):
            height = 5 * int(call[0]) + "CDHSN".index(call[1])
            assert height > bid, at
            bid, bidder, risk = height, seat, ""
        elif call == "X":
            assert bidder
            assert not ours
            assert not risk
            risk = "X"
        elif call == "XX":
            assert ours
            assert risk == "X"
            risk = "XX"
        turn = turn_oracle.after(seat)
    assert passes == 3
    assert skipped == skips


def calls_bound(effect: Mapping[str, Any], plan: Plan) -> list[str]:
    """The calls of a seat from where an effect binds it.

    That is the call out of turn, or, for a partner who is barred by what the offender
    chooses in its place, that choice.
    """
    (injected,) = plan.injected
    made = [line.split() for line in auction_lines(plan)[injected.at + 1 :]]
    made = [words for words in made if words[1] not in {"accept", "decline"}]
    if effect["seat"] == injected.seat.partner and injected.law in CHOSEN:
        replaced = next(at for at, word in enumerate(made) if word[0] == injected.seat)
        made = made[replaced:]
    return [call for seat, call in made if seat == effect["seat"]]
