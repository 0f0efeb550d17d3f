"""The daemon between real ptys, or TCP, and real brokers."""

import asyncio
import logging
import signal
from pathlib import Path

import msgspec
import pytest

from broker.errors import RefusedError, TakenOverError
from laws.seats import SEATS, Seat
from protocol.link import State
from protocol.messages import Choice
from protocol.payloads import LinkState, TerminalEvent, TerminalLost
from terminal.daemon import Daemon, _quiet_about_lost_ports
from terminal.simulator.reports import (
    HoldCommand,
    PaceCommand,
    RefusedKeyReport,
    RestartCommand,
    ScreenReport,
    StartCommand,
    StrayedReport,
    TurnCommand,
    UnplugCommand,
    encode_command,
)
from terminal.simulator.settings import BoardScript, Fault, FaultKind
from terminal.simulator.terminal import (
    KeyLockedError,
    MemoryFullError,
    NothingShownError,
)
from tests.brokers import RunningBroker
from tests.terminal.chain import (
    NORTH,
    Chain,
    calls_taken,
    in_turn,
    round_of_calls,
    simulated,
)

pytestmark = pytest.mark.broker


async def test_four_terminals_play_by_their_displays(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    chain = Chain(tmp_path, live_broker, board=round_of_calls(40))
    async with chain.running():
        await chain.until_finished()
    assert calls_taken(chain) == in_turn(40)
    assert [event.k for event in chain.referee.taken] == list(range(40))
    assert len(chain.reports.of("latency")) >= 37  # the last display may be under way


async def test_the_screen_shows_what_the_referee_sent(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats)
    chain.referee.pages = (("East bid 1S", "Your call"), ("Page 2",))
    screen = chain.terminal(NORTH).screens[Seat.NORTH]
    async with chain.running():
        await chain.reports.until(lambda: screen.shown is not None)
        assert screen.pages == 2
        assert screen.lines()[:2] == (f"{'East bid 1S':20}", f"{'Your call':20}")
        await chain.referee.until(
            lambda: (
                screen.shown is not None
                and chain.referee.shown.get((NORTH, Seat.NORTH)) == screen.shown.rev
            )
        )


async def test_no_fault_on_the_wire_loses_or_doubles_anything(
    tmp_path: Path, nats: RunningBroker
) -> None:
    faults = (
        Fault(number=4, fault=FaultKind.RESET),
        Fault(number=9, fault=FaultKind.DUPLICATE),
        Fault(number=14, fault=FaultKind.NOISE),
        Fault(number=19, fault=FaultKind.DROP),
        Fault(number=24, fault=FaultKind.CORRUPT),
    )
    chain = Chain(tmp_path, nats, board=round_of_calls(29, faults=faults))
    async with chain.running():
        await chain.until_finished()
    assert calls_taken(chain) == in_turn(29)
    boots = {e.boot for e in chain.referee.taken if e.serial == "SN-N"}
    assert max(boots) - min(boots) == 1, "by the reset"


async def test_a_terminal_unplugged_meanwhile_keeps_its_events(
    tmp_path: Path, nats: RunningBroker
) -> None:
    fault = Fault(number=4, fault=FaultKind.UNPLUG, seconds=0.1)
    chain = Chain(tmp_path, nats, board=round_of_calls(9, faults=(fault,)))
    async with chain.running():
        await chain.until_finished()
    assert calls_taken(chain) == in_turn(9)
    assert any(
        isinstance(report, ScreenReport) and "unsent (1)" in report.lines[-1]
        for report in chain.reports.all
    ), "its user is told"


async def test_a_daemon_killed_and_started_again_loses_nothing(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats, board=round_of_calls(16))
    async with chain.running(daemon="process"):
        await chain.referee.until(lambda: len(chain.referee.taken) >= 5)
        first = chain.referee.taken[0].session
        await chain.end_daemon_process(signal.SIGKILL)
        await chain.start_daemon_process()
        await chain.until_finished()
        assert await chain.end_daemon_process(signal.SIGTERM) == 0
    assert calls_taken(chain) == in_turn(16)
    assert chain.referee.taken[-1].session != first


async def test_a_broker_killed_and_back_again_loses_nothing(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    chain = Chain(tmp_path, live_broker, board=round_of_calls(16))
    async with chain.running():
        await chain.referee.until(lambda: len(chain.referee.taken) >= 5)
        await live_broker.kill()
        await chain.until_finished()
        assert all(t.state is State.UP for t in chain.simulator.terminals.values())
    assert calls_taken(chain) == in_turn(16)


async def test_a_simulated_terminal_switched_off_keeps_its_events(
    tmp_path: Path, nats: RunningBroker
) -> None:
    before = Chain(tmp_path, nats)
    before.referee.answers = False
    async with before.running(daemon="none"):
        before.press(Seat.NORTH, kind="director")
        before.press(Seat.NORTH, kind="director")
    chain = Chain(tmp_path, nats)
    async with chain.running():
        await chain.referee.until(lambda: len(chain.referee.taken) == 2)
    numbers = [e.n for e in chain.referee.taken if isinstance(e, TerminalEvent)]
    assert numbers == [0, 1]


async def test_a_held_line_delays_its_events_and_the_answer_to_a_poll(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats)
    referee = chain.referee
    async with chain.running():
        await chain.until_shown(Seat.NORTH, Seat.EAST)
        chain.terminal(NORTH).wire.hold(60.0)
        chain.press(Seat.NORTH, "north, first")
        chain.press(Seat.EAST, "east, later")
        await referee.until(lambda: referee.taken)
        assert calls_taken(chain) == ["east, later"]
        referee.poll(NORTH, 7)
        chain.terminal(NORTH).wire.hold(0.0)
        await referee.until(lambda: referee.clears)
        assert calls_taken(chain) == ["east, later", "north, first"]
        assert (referee.clears[0].token, referee.clears[0].next) == (7, 1)


async def test_what_a_terminal_has_lost_is_told(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH)])
    taken = chain.referee.taken
    async with chain.running(daemon="none"):
        daemon = chain.start_daemon(chain.daemon_settings())
        await chain.until_shown(Seat.NORTH)
        chain.press(Seat.NORTH, "1C")
        await chain.referee.until(lambda: taken)
        await chain.reports.until(lambda: not chain.terminal(NORTH).unacknowledged)
        daemon.cancel()
        await asyncio.wait({daemon})
        chain.press(Seat.NORTH, "1D")
        chain.terminal(NORTH).lose_oldest()
        chain.press(Seat.NORTH, "1H")
        daemon = chain.start_daemon(chain.daemon_settings())
        await chain.referee.until(lambda: len(taken) == 3)
        daemon.cancel()
        await asyncio.wait({daemon})
    assert isinstance(taken[1], TerminalLost)
    assert (taken[1].first, taken[1].last) == (1, 1)
    assert calls_taken(chain) == ["1C", "1H"]


async def test_four_seats_on_one_paired_terminal_over_tcp(
    tmp_path: Path, nats: RunningBroker
) -> None:
    console = simulated(
        Seat.NORTH, id="console", seats=tuple(SEATS), tcp=0, key="5a" * 16
    )
    chain = Chain(tmp_path, nats, [console], board=round_of_calls(12))
    async with chain.running():
        await chain.until_finished()
    assert calls_taken(chain) == in_turn(12)
    assert {event.serial for event in chain.referee.taken} == {"SN-N"}


async def test_a_terminal_with_another_key_is_refused(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH, key="5a" * 16)])
    async with chain.running(daemon="none"):
        chain.simulated = [simulated(Seat.NORTH, key="77" * 16)]
        daemon = chain.start_daemon(chain.daemon_settings())
        statuses = chain.referee.statuses
        await chain.referee.until(
            lambda: NORTH in statuses and statuses[NORTH].link is LinkState.REFUSED
        )
        assert "key" in statuses[NORTH].reason
        daemon.cancel()
        await asyncio.wait({daemon})


async def test_the_wrong_terminal_on_a_port_is_refused_and_told(
    tmp_path: Path, nats: RunningBroker, caplog: pytest.LogCaptureFixture
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH)])
    async with chain.running(daemon="none"):
        daemon = chain.start_daemon(chain.daemon_settings(serial="SN-7"))
        statuses = chain.referee.statuses
        with caplog.at_level(logging.ERROR):
            await chain.referee.until(
                lambda: NORTH in statuses and statuses[NORTH].link is LinkState.REFUSED
            )
        assert statuses[NORTH].reason == "expected serial number SN-7, got SN-N"
        assert chain.terminal(NORTH).state is State.REFUSED
        daemon.cancel()
        await asyncio.wait({daemon})


async def test_two_daemons_on_one_port_one_serves_and_one_says_why_not(
    tmp_path: Path, nats: RunningBroker, caplog: pytest.LogCaptureFixture
) -> None:
    chain = Chain(tmp_path, nats, [simulated(Seat.NORTH)])
    async with chain.running():
        await chain.until_shown(Seat.NORTH)
        rival = chain.start_daemon(chain.daemon_settings("d2"))
        chain.press(Seat.NORTH, "1C")
        await chain.referee.until(lambda: chain.referee.taken)
        other = chain.referee.elsewhere
        await chain.referee.until(lambda: ("d2", NORTH) in other)
        await chain.referee.until(lambda: "in use" in other["d2", NORTH].reason)
        rival.cancel()
        await asyncio.wait({rival})
    assert "in use by another process" in caplog.text


async def test_a_daemon_that_stops_says_so_of_itself_and_its_terminals(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    chain = Chain(tmp_path, live_broker)
    async with chain.running(daemon="process"):
        await chain.until_online()
        assert await chain.end_daemon_process(signal.SIGTERM) == 0
        statuses = chain.referee.statuses
        await chain.referee.until(
            lambda: {s.link for s in statuses.values()} == {LinkState.OFFLINE}
        )
        assert all("daemon has stopped" in s.reason for s in statuses.values())


async def test_a_broker_that_is_behind_delays_and_loses_nothing(
    tmp_path: Path, nats: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.client.OUTBOX_LIMIT", 1)
    chain = Chain(tmp_path, nats, board=round_of_calls(4))
    async with chain.running():
        await chain.until_finished()
    assert calls_taken(chain) == in_turn(4)


async def test_a_port_lost_while_writing_is_no_news_for_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    error = OSError(5, "Input/output error")
    with caplog.at_level(logging.INFO):
        _quiet_about_lost_ports(
            loop,
            {"message": "Fatal write error on serial transport", "exception": error},
        )
        assert caplog.text == ""
        _quiet_about_lost_ports(loop, {"message": "a fault of ours"})
        assert "a fault of ours" in caplog.text


async def test_a_broker_that_refuses_the_daemon_ends_it(
    tmp_path: Path, live_broker: RunningBroker
) -> None:
    settings = Chain(tmp_path, live_broker).daemon_settings()
    wrong = msgspec.structs.replace(settings.broker, password="guessed")  # noqa: S106 - wrong
    with pytest.raises(RefusedError):
        await Daemon(msgspec.structs.replace(settings, broker=wrong)).run()


async def test_of_two_daemons_of_one_name_the_older_one_ends(
    tmp_path: Path, nats: RunningBroker
) -> None:
    chain = Chain(tmp_path, nats)
    async with chain.running(daemon="none"):
        older = chain.start_daemon(chain.daemon_settings())
        await chain.until_shown(Seat.NORTH)
        newer = chain.start_daemon(chain.daemon_settings())
        with pytest.raises(TakenOverError):
            await older
        chain.press(Seat.NORTH, "1C")
        await chain.referee.until(lambda: calls_taken(chain) == ["1C"])
        newer.cancel()
        await asyncio.wait({newer})


class TestPlayers:
    async def test_they_wait_for_the_start_and_keep_their_pace(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, board=round_of_calls(4), wait_for_start=True)
        async with chain.running():
            await chain.reports.until(
                lambda: chain.terminal(NORTH).screens[Seat.NORTH].shown is not None
            )
            assert chain.reports.of("key") == []
            chain.simulator.command(encode_command(PaceCommand(0.01)))
            chain.simulator.command(encode_command(StartCommand()))
            await chain.until_finished()
        assert calls_taken(chain) == in_turn(4)

    async def test_another_board_than_the_scripts_is_told(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, board=round_of_calls(4, board=2))
        async with chain.running():
            await chain.reports.until(lambda: chain.reports.of("strayed"))
        strayed = chain.reports.of("strayed")[0]
        assert isinstance(strayed, StrayedReport)
        assert (strayed.table, strayed.expected, strayed.board) == ("t1", 2, 1)
        assert chain.reports.of("key") == []

    async def test_the_board_is_placed_when_the_display_asks(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        nothing_else = BoardScript(board=1, happenings=(), count=4)
        chain = Chain(tmp_path, nats, board=nothing_else)
        chain.referee.choices = (Choice("board", (1,), "Board 1"),)
        async with chain.running():
            await chain.referee.until(
                lambda: any(
                    isinstance(event, TerminalEvent)
                    and (event.kind, event.data) == ("board", (1,))
                    for event in chain.referee.taken
                )
            )

    async def test_a_full_memory_makes_them_wait(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        console = simulated(Seat.NORTH, id="console", seats=tuple(SEATS), capacity=1)
        chain = Chain(tmp_path, nats, [console], board=round_of_calls(8))
        async with chain.running():
            await chain.until_finished()
        assert calls_taken(chain) == in_turn(8)
        assert any(
            isinstance(report, RefusedKeyReport) and report.reason == "memory full"
            for report in chain.reports.all
        )


class TestCommands:
    async def test_hold_unplug_restart_and_turn(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, [simulated(Seat.NORTH)])
        chain.referee.pages = (("one",), ("two",))
        screen = chain.terminal(NORTH).screens[Seat.NORTH]
        async with chain.running():
            await chain.reports.until(lambda: screen.pages == 2)
            chain.simulator.command(encode_command(TurnCommand(NORTH, Seat.NORTH)))
            assert screen.lines()[0].strip() == "two"
            chain.simulator.command(encode_command(HoldCommand(NORTH, 0.1)))
            chain.press(Seat.NORTH, "held")
            await chain.referee.until(lambda: calls_taken(chain) == ["held"])
            chain.simulator.command(encode_command(UnplugCommand(NORTH, 0.1)))
            chain.press(Seat.NORTH, "unplugged")
            await chain.referee.until(
                lambda: calls_taken(chain) == ["held", "unplugged"]
            )
            chain.simulator.command(encode_command(RestartCommand(NORTH)))
            assert screen.shown is None
            with pytest.raises(NothingShownError):
                chain.press(Seat.NORTH, "restarted")
            await chain.until_shown(Seat.NORTH)
            chain.press(Seat.NORTH, "restarted")
            await chain.referee.until(lambda: len(calls_taken(chain)) == 3)
        assert chain.referee.taken[-1].boot == chain.referee.taken[0].boot + 1

    async def test_a_page_turns_by_itself(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, [simulated(Seat.NORTH, page_seconds=0.01)])
        chain.referee.pages = (("one",), ("two",))
        screen = chain.terminal(NORTH).screens[Seat.NORTH]
        async with chain.running():
            for page in ("two", "one"):
                await chain.reports.until(
                    lambda page=page: screen.lines()[0].strip() == page  # type: ignore[misc]
                )


class TestKeys:
    async def test_a_locked_key_does_nothing_and_the_script_goes_on(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, board=round_of_calls(6))
        chain.referee.locks = ("2",)
        async with chain.running():
            await chain.until_finished()
        (refused,) = chain.reports.of("refused-key")
        assert isinstance(refused, RefusedKeyReport)
        assert (refused.seat, refused.number, refused.reason) == (
            Seat.SOUTH,
            2,
            "locked",
        )
        assert calls_taken(chain) == ["0", "1", "3", "4", "5"]

    async def test_the_alert_key_can_be_locked(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats)
        chain.referee.locks = ("alert",)
        async with chain.running():
            await chain.reports.until(
                lambda: chain.terminal(NORTH).screens[Seat.NORTH].shown is not None
            )
            chain.press(Seat.NORTH, "1C")
            with pytest.raises(KeyLockedError):
                chain.press(Seat.NORTH, "1D", True)  # type: ignore[arg-type]

    async def test_keys_do_nothing_only_when_the_memory_is_full(
        self, tmp_path: Path, nats: RunningBroker
    ) -> None:
        chain = Chain(tmp_path, nats, [simulated(Seat.NORTH, capacity=3)])
        async with chain.running(daemon="none"):
            for _ in range(3):
                chain.press(Seat.NORTH, kind="director")
            with pytest.raises(MemoryFullError):
                chain.press(Seat.NORTH, kind="director")
            assert chain.terminal(NORTH).notice == "memory full"
            daemon = chain.start_daemon(chain.daemon_settings())
            await chain.referee.until(lambda: len(chain.referee.taken) == 3)
            await chain.reports.until(lambda: not chain.terminal(NORTH).unacknowledged)
            chain.press(Seat.NORTH, kind="director")
            await chain.referee.until(lambda: len(chain.referee.taken) == 4)
            daemon.cancel()
            await asyncio.wait({daemon})
        assert not any(isinstance(e, TerminalLost) for e in chain.referee.taken)
