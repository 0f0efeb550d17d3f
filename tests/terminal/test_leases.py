"""Which daemon keeps a terminal that two serve: the one that the broker had first."""

import logging

import pytest

from protocol.payloads import DaemonStatus
from terminal.ble import Leases


def born(session: str, *terminals: str) -> DaemonStatus:
    return DaemonStatus(session=session, online=True, terminals=terminals)


def dead(session: str) -> DaemonStatus:
    return DaemonStatus(session=session, online=False)


def leases() -> Leases:
    return Leases("d2", "run-2", ["t1-n", "t1-e"])


def test_a_terminal_that_nobody_else_serves_is_ours() -> None:
    ours = leases()
    ours.take("d1", born("run-1", "t9-n"), retained=True)
    assert ours.holder("t1-n") is None


def test_who_was_there_before_us_keeps_what_both_serve() -> None:
    ours = leases()
    ours.take("d1", born("run-1", "t1-n", "t9-n"), retained=True)
    ours.take("d2", born("run-2", "t1-n", "t1-e"), retained=False)
    assert ours.holder("t1-n") == "d1"
    assert ours.holder("t1-e") is None


def test_who_comes_after_us_does_not_take_ours() -> None:
    ours = leases()
    ours.take("d2", born("run-2", "t1-n", "t1-e"), retained=False)
    ours.take("d3", born("run-3", "t1-n"), retained=False)
    assert ours.holder("t1-n") is None


def test_of_two_that_start_together_the_broker_s_order_decides() -> None:
    ours, theirs = leases(), Leases("d1", "run-1", ["t1-n"])
    for daemon, status in (
        ("d1", born("run-1", "t1-n")),
        ("d2", born("run-2", "t1-n", "t1-e")),
    ):
        ours.take(daemon, status, retained=False)
        theirs.take(daemon, status, retained=False)
    assert ours.holder("t1-n") == "d1"
    assert theirs.holder("t1-n") is None


def test_a_retained_birth_that_arrives_late_was_first_all_the_same() -> None:
    ours = leases()
    ours.take("d2", born("run-2", "t1-n", "t1-e"), retained=False)
    ours.take("d1", born("run-1", "t1-n"), retained=True)
    assert ours.holder("t1-n") == "d1"


def test_the_same_birth_seen_again_after_a_reconnect_changes_nothing() -> None:
    ours = leases()
    ours.take("d2", born("run-2", "t1-n", "t1-e"), retained=False)
    ours.take("d3", born("run-3", "t1-n"), retained=False)
    ours.take("d3", born("run-3", "t1-n"), retained=True)
    assert ours.holder("t1-n") is None


def test_when_the_first_is_gone_the_terminal_is_ours() -> None:
    ours = leases()
    ours.take("d1", born("run-1", "t1-n"), retained=True)
    ours.take("d1", dead("run-0"), retained=False)
    assert ours.holder("t1-n") == "d1", "that was the death of an earlier run"
    ours.take("d1", dead("run-1"), retained=False)
    assert ours.holder("t1-n") is None


def test_an_earlier_run_of_ours_is_no_claim_of_this_one() -> None:
    ours = leases()
    ours.take("d2", born("run-0", "t1-n", "t1-e"), retained=True)
    ours.take("d1", born("run-1", "t1-n"), retained=False)
    assert ours.holder("t1-n") == "d1"


def test_both_are_told_in_words_once(caplog: pytest.LogCaptureFixture) -> None:
    ours = leases()
    for _ in range(2):
        ours.take("d1", born("run-1", "t1-n"), retained=True)
    (alarm,) = caplog.records
    assert alarm.levelno == logging.ERROR
    assert alarm.getMessage() == (
        "daemon d1 serves t1-n, too; it was first, so we back off. "
        "Give each terminal to one daemon only"
    )
