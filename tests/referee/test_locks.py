"""Keys that a display locks: none by default."""

import pytest

from laws.board import IrregularCallPolicy, RevokePolicy
from laws.calls import Call
from laws.cards import DECK
from laws.seats import SEATS
from referee.settings import PolicySettings, TerminalSettings
from tests.referee.bench import Bench, settings
from tests.referee.situations import (
    LAWS_2007,
    ONE_SPADE,
    E,
    N,
    S,
    W,
)


def test_no_key_is_locked_by_default() -> None:
    bench = Bench(settings())
    for line in (*ONE_SPADE, "E CA", "S C8"):
        assert all(bench.display(seat).locks == () for seat in SEATS)
        bench.does(line)


def test_out_of_turn_prevented_locks_the_keys_of_those_not_to_act() -> None:
    policies = PolicySettings(out_of_turn=IrregularCallPolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    assert bench.display(N).locks == ()
    assert bench.display(S).locks == ("call",)
    bench.does(*ONE_SPADE, "E CA")
    assert bench.display(N).locks == ()  # declarer plays dummy's card
    assert bench.display(S).locks == ("card", "cards", "face-down", "named")


def test_out_of_turn_prevented_leaves_the_keys_of_a_seat_that_is_asked_something() -> (
    None
):
    policies = PolicySettings(out_of_turn=IrregularCallPolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    bench.does(*ONE_SPADE, "E CA", "N names any")
    assert bench.display(W).locks == ()  # a defender may say which card (46B5)


def test_inadmissible_prevented_locks_the_calls_that_are() -> None:
    policies = PolicySettings(inadmissible=IrregularCallPolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    bench.does("N 1S")
    assert bench.display(E).locks == ("XX", "1C", "1D", "1H", "1S")
    assert bench.display(S).locks == ()


def test_revoke_prevented_locks_cards_on_the_players_own_terminal_alone() -> None:
    policies = PolicySettings(revoke=RevokePolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    bench.does(*ONE_SPADE, "E CA")
    assert set(DECK) - set(bench.display(N).locks) == {"C8", "C9", "CT"}
    bench.does("S C8")
    assert set(DECK) - set(bench.display(W).locks) == {"C5", "C6", "C7"}
    everyone = TerminalSettings(daemon="d1", id="t1", seats=SEATS)
    shared = Bench(settings(policies=policies, terminals=[everyone]))
    shared.does(*ONE_SPADE, "E CA", "S C8")
    assert shared.display(W).locks == ()


@pytest.mark.parametrize("lock_compelled", [True, False])
def test_announced_ruling_locks_what_it_leaves_no_use_for(
    lock_compelled: bool,
) -> None:
    bench = Bench(settings(edition=LAWS_2007, lock_compelled=lock_compelled))
    bench.does("S 1H", "W decline")
    allowed = set(Call) - set(bench.display(N).locks)
    assert allowed == ({Call.PASS} if lock_compelled else set(Call))
