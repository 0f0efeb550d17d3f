"""The service over real brokers: a board is played, killed, resumed, taken over."""

import asyncio
import json
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import msgspec
import pytest
import pytest_asyncio

from broker import MqttClient
from broker.exits import ExitCode
from laws.actions import Action
from laws.engine import begin, decide
from laws.report import report
from laws.script import parse_line
from laws.seats import SEATS, Seat
from laws.state import State
from laws.steps import Step
from protocol.payloads import Service
from protocol.topics import Role, TopicKind
from referee.entries import Alarmed
from referee.journal_sqlite import SqliteJournal
from referee.journal_store import open_journal
from referee.room import SENT_MAX
from referee.service import Referee
from referee.settings import BoardSettings, Questions, RefereeSettings
from tests.brokers import RunningBroker
from tests.long import any_broker, long
from tests.places import REPOSITORY
from tests.referee.bench import DEAL, settings
from tests.referee.hall import TOPICS, Hall, RefereeProcess, open_hall

pytestmark = pytest.mark.broker

BOARD = BoardSettings(number=1, deal=DEAL)

OUT_OF_TURN = ("N 1S", "S 2C", "W decline", "E P", "S 2C", "W P", "N P", "E P")
"""South bids at East's turn, West declines, and South repeats it: he plays 2C."""


def regular_board() -> list[Action]:
    """One spade by North; every trick as it comes, lowest card first."""
    return _played_out(("N 1S", "E P", "S P", "W P"))


def board_with_a_ruling() -> list[Action]:
    """The board of ``OUT_OF_TURN``, played out."""
    return _played_out(OUT_OF_TURN)


def _played_out(auction: tuple[str, ...]) -> list[Action]:
    state = begin(BOARD.board(settings().edition, settings().policies.policies()))
    actions: list[Action] = []
    for line in auction:
        actions.append(parse_line(line))
        state = decide(state, Step(len(actions), actions[-1])).state
    while state.play is not None and not state.play.ended:
        seen = report(state)
        actions.append(parse_line(f"{seen['turn']} {seen['legal'][0]}"))
        state = decide(state, Step(len(actions), actions[-1])).state
    return actions


def judged_alone(event: RefereeSettings, actions: list[Action]) -> State:
    """What the engine makes of the same happenings by itself."""
    state = begin(BOARD.board(event.edition, event.policies.policies()))
    for number, action in enumerate(actions, 1):
        state = decide(state, Step(number, action)).state
    return state


@pytest.fixture
def event(live_broker: RunningBroker, tmp_path: Path) -> RefereeSettings:
    return settings(
        boards=[BOARD],
        broker=live_broker.settings(Role.REFEREE),
        journal=str(tmp_path / "journal.sqlite"),
        questions=Questions.ASSUME,
    )


@pytest_asyncio.fixture
async def hall(live_broker: RunningBroker) -> AsyncIterator[Hall]:
    async with open_hall(live_broker) as opened:
        yield opened


@pytest_asyncio.fixture
async def referee(
    event: RefereeSettings, tmp_path: Path
) -> AsyncIterator[RefereeProcess]:
    process = RefereeProcess(event, tmp_path)
    await process.start()
    yield process
    # It may be stopped before it has come to listen for the signal.
    assert await process.stop() in {0, -signal.SIGTERM}


async def test_board_is_played_to_its_result(
    hall: Hall, referee: RefereeProcess, event: RefereeSettings
) -> None:
    actions = regular_board()
    await hall.play(*actions)
    await hall.until(lambda: 1 in hall.results)
    alone = report(judged_alone(event, actions))
    result = hall.results[1]
    assert result.judged == alone
    assert result.score_ns == alone["result"]["score_NS"]
    assert hall.rulings == {}
    taken = [e for e in referee.entries() if e["entry"] == "event-taken"]
    assert len(taken) == len(actions)


async def test_state_is_cleared_when_all_boards_have_been_played(
    live_broker: RunningBroker, hall: Hall, referee: RefereeProcess
) -> None:
    await hall.play(*map(parse_line, ("N P", "E P", "S P", "W P")))
    director = live_broker.settings(Role.DIRECTOR)
    topic = TOPICS.table_state("t1")
    async with MqttClient(
        director, client_id="watch", subscriptions=[topic]
    ) as watching:
        (retained,) = await watching.receive_batch()
        assert retained.payload
        assert await referee.stop() == 0
        last = b"unseen"
        while last:
            last = (await watching.receive_batch())[-1].payload
    await referee.start()


@any_broker
@pytest.mark.usefixtures("referee")
async def test_ruling_is_published_with_its_citation(hall: Hall) -> None:
    await hall.play(*map(parse_line, OUT_OF_TURN))
    await hall.until(lambda: len(hall.rulings) == 2)
    texts = [hall.rulings[number].text for number in (1, 2)]
    assert texts[0].startswith("South called out of turn")
    assert all("2017)" in text for text in texts)


async def test_every_table_is_published_though_the_broker_is_behind(
    live_broker: RunningBroker,
    event: RefereeSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("broker.client.OUTBOX_LIMIT", SENT_MAX + 20)
    (table,) = event.tables
    tables = tuple(
        msgspec.structs.replace(
            table,
            id=f"t{number}",
            terminals=tuple(
                msgspec.structs.replace(t, id=f"{t.id}-{number}")
                for t in table.terminals
            ),
        )
        for number in range(60)
    )
    many = msgspec.structs.replace(event, tables=tables)
    topics = {TOPICS.table_state(table.id) for table in tables}
    async with (
        open_journal(many) as journal,
        MqttClient(
            live_broker.settings(Role.DIRECTOR),
            client_id="watch",
            subscriptions=[TOPICS.filter(TopicKind.TABLE_STATE)],
        ) as watching,
    ):
        await watching.wait_connected()
        ruling = asyncio.create_task(Referee(many, journal).run())
        seen: set[str] = set()
        while seen != topics:
            for message in await watching.receive_batch():
                seen.add(message.topic)
                message.ack()
        ruling.cancel()
        await asyncio.wait({ruling})


@any_broker
async def test_acknowledged_events_are_in_the_journal(
    hall: Hall, referee: RefereeProcess
) -> None:
    for number, line in enumerate(("N 1S", "E P", "S P")):
        action = parse_line(line)
        seat = hall.actor(action)
        await hall.until(lambda n=number, s=seat: hall.shows(s, n))  # type: ignore[misc]
        await hall.press(action, seat)
        await hall.until(lambda s=seat: not hall.terminals[s].log)  # type: ignore[misc]
        taken = [e for e in referee.entries() if e["entry"] == "event-taken"]
        assert len(taken) == number + 1


@any_broker
async def test_nothing_is_judged_again_after_a_stop(
    hall: Hall, referee: RefereeProcess
) -> None:
    await hall.play(*map(parse_line, OUT_OF_TURN[:4]))
    assert await referee.stop() == 0
    before = referee.entries()
    await referee.start()
    await hall.play(*map(parse_line, OUT_OF_TURN[4:]), start=4)
    entries = referee.entries()
    assert entries[: len(before)] == before
    judged = [e for e in entries if e["entry"] == "event-judged"]
    assert len(judged) == len(OUT_OF_TURN)


@pytest.mark.parametrize(
    ("live_broker", "seed"),
    [
        ("nats", 0),
        ("mosquitto", 1),
        pytest.param("nats", 1, marks=long),
        pytest.param("mosquitto", 0, marks=long),
    ],
    indirect=["live_broker"],
)
async def test_killed_at_any_moment_it_loses_nothing_and_rules_nothing_twice(
    hall: Hall, referee: RefereeProcess, event: RefereeSettings, seed: int
) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    actions = board_with_a_ruling()
    playing = asyncio.create_task(hall.play(*actions))
    for _ in range(6):
        seen = hall.received + chance.randint(1, 25)
        await hall.until(lambda n=seen: hall.received >= n)  # type: ignore[misc]
        # Anywhere in the batch that is under way: that is the point here.
        await asyncio.wait({playing}, timeout=chance.uniform(0, 0.008))
        await referee.stop(signal.SIGKILL)
        await referee.start()
    await playing
    await hall.until(lambda: hall.desk is not None and hall.desk.judged is not None)
    alone = report(judged_alone(event, actions))
    await hall.until(lambda: hall.desk is not None and hall.desk.judged == alone)
    told = [e for e in referee.entries() if e["entry"] == "ruling-told"]
    assert [e["number"] for e in told] == list(range(1, len(told) + 1))
    assert len(told) == len(alone["rulings"])


@pytest.mark.usefixtures("referee")
async def test_broker_killed_in_mid_play(
    live_broker: RunningBroker, hall: Hall
) -> None:
    await hall.play(*map(parse_line, OUT_OF_TURN[:3]))
    await live_broker.kill()
    await hall.play(*map(parse_line, OUT_OF_TURN[3:]), start=3)
    await hall.until(lambda: len(hall.rulings) == 2)


@any_broker
@pytest.mark.usefixtures("referee")
async def test_command_is_done_once_and_answered(hall: Hall) -> None:
    await hall.play(parse_line("N 1S"))
    await hall.until(lambda: hall.auction() == [["N", "1S"]])
    for _ in range(3):
        await hall.command(id="c1", happening="E P")
    await hall.command(id="c2", happening="S P", expects=1)
    await hall.until(lambda: hall.desk is not None and len(hall.desk.replies) == 2)
    assert hall.desk is not None
    first, second = hall.desk.replies
    assert (first.done, second.done) == (True, False)
    assert "the table has moved on" in second.reason
    assert hall.auction() == [["N", "1S"], ["E", "P"]]


async def test_command_that_a_broker_kept_is_not_done(
    live_broker: RunningBroker, event: RefereeSettings, tmp_path: Path
) -> None:
    async with open_hall(live_broker) as hall:
        await hall.command(id="old", happening="N 7NT", retain=True)
        referee = RefereeProcess(event, tmp_path)
        await referee.start()
        await referee.says("retained message on")
        await hall.play(parse_line("N 1S"))
        await hall.command(id="new", happening="E P")
        await hall.until(lambda: hall.desk is not None and hall.desk.replies)
        assert hall.desk is not None
        assert [reply.id for reply in hall.desk.replies] == ["new"]
        assert hall.auction() == [["N", "1S"], ["E", "P"]]
        assert await referee.stop() == 0


@any_broker
@pytest.mark.usefixtures("referee")
async def test_sender_of_what_is_no_command_is_told_why(hall: Hall) -> None:
    await hall.play(parse_line("N 1S"))
    unread = {"schema": "bidwire.command/1", "id": "c1", "by": "TD", "expects": -1}
    for payload in (unread, unread, {"id": 7}, {"by": "TD"}):
        await hall.say_as_director(json.dumps(payload).encode())
    await hall.command(id="c2", happening="E P")
    await hall.until(lambda: hall.desk is not None and len(hall.desk.replies) == 2)
    assert hall.desk is not None
    first, second = hall.desk.replies
    assert (first.id, first.by, first.done) == ("c1", "TD", False)
    assert "expects" in first.reason
    assert (second.id, second.done) == ("c2", True)


async def test_rulings_and_results_of_an_earlier_event_by_the_same_name_are_cleared(
    live_broker: RunningBroker, event: RefereeSettings, tmp_path: Path
) -> None:
    earlier = RefereeProcess(event, tmp_path)
    await earlier.start()
    async with open_hall(live_broker) as hall:
        passed_out = ("N P", "S P", "W decline", "E P", "S P", "W P")
        await hall.play(*map(parse_line, passed_out))
        await hall.until(lambda: hall.results and hall.rulings)
        assert await earlier.stop() == 0
    folder = tmp_path / "today"
    folder.mkdir()
    today = RefereeProcess(
        msgspec.structs.replace(event, journal=str(folder / "journal.sqlite")), folder
    )
    await today.start()
    async with open_hall(live_broker) as hall:
        await hall.play(*map(parse_line, ("N 1S", "S 2C", "W decline")))
        await hall.until(lambda: len(hall.cleared) == 2 and 1 in hall.rulings)
        assert await today.stop() == 0
        # What it knows itself is not cleared when it comes back.
        await today.start()
        await hall.play(parse_line("E X"), start=3)
        assert await today.stop() == 0
    director = live_broker.settings(Role.DIRECTOR)
    seen = [TOPICS.filter(k) for k in (TopicKind.TABLE_RULING, TopicKind.TABLE_RESULT)]
    async with MqttClient(director, client_id="later", subscriptions=seen) as later:
        (kept,) = await later.receive_batch()
        assert kept.topic == TOPICS.table_ruling("t1", 1)
        kept.ack()


@any_broker
@pytest.mark.usefixtures("referee")
async def test_held_event_is_released_by_the_director(hall: Hall) -> None:
    await hall.play(parse_line("N 1S"))
    west = hall.terminals[Seat.WEST]
    west.next += 1  # it has an event that never arrives
    await hall.press(parse_line("S 2C"), Seat.SOUTH)
    await hall.until(lambda: not hall.terminals[Seat.SOUTH].log)
    await hall.until(lambda: hall.shows(Seat.WEST, 1))
    seen = 99  # the call that is held, however late his desk is drawn
    await hall.command(id="c1", service=Service.RELEASE, terminal="t1-s", expects=seen)
    await hall.until(lambda: hall.shows(Seat.WEST, 2))
    display = west.display
    assert display is not None
    assert [choice.kind for choice in display.choices] == ["accept", "decline"]


@any_broker
async def test_second_referee_takes_over_and_the_first_stops(
    hall: Hall, referee: RefereeProcess, event: RefereeSettings, tmp_path: Path
) -> None:
    await hall.play(parse_line("N 1S"))
    folder = tmp_path / "second"
    folder.mkdir()
    second = RefereeProcess(event, folder)
    await second.start()
    await hall.until(
        lambda: all(
            t.display is not None and t.display.epoch == 2
            for t in hall.terminals.values()
        )
    )
    await hall.press(parse_line("E P"), Seat.EAST)
    code, log = await referee.ended()
    assert code == ExitCode.TAKEN_OVER
    assert "another referee has taken the journal over" in log
    await hall.until(lambda: all(hall.shows(seat, 2) for seat in SEATS))
    assert await second.stop() == 0
    await referee.start()


@any_broker
async def test_journal_that_was_changed_afterwards_is_not_ruled_on(
    event: RefereeSettings, tmp_path: Path
) -> None:
    referee = RefereeProcess(event, tmp_path)
    with SqliteJournal(referee.journal, event.event) as journal:
        journal.append(journal.take_epoch(), 0, [("t1", Alarmed(text="low"))] * 2)
    with sqlite3.connect(referee.journal) as db:
        db.execute("DROP TRIGGER entries_stay")
        db.execute("DELETE FROM entries WHERE number = 1")
    db.close()
    await referee.start()
    code, log = await referee.ended()
    assert code == ExitCode.UNUSABLE
    assert f"journal: {referee.journal}: entry 1 does not fit: it is missing" in log


@any_broker
@pytest.mark.usefixtures("referee")
async def test_message_that_is_none_is_ignored(hall: Hall) -> None:
    daemon = hall._daemon
    topic = TOPICS.terminal_events("d1", "t1-n")
    for payload in (b"", b"{}", b"\xff", b'{"schema": "bidwire.event/1"}'):
        await daemon.publish(topic, payload)
    await daemon.publish(TOPICS.terminal_events("d1", "t9-n"), b"{}")
    await hall.play(parse_line("N 1S"))


@any_broker
async def test_full_disk_acknowledges_nothing_until_it_can_be_written(
    hall: Hall, referee: RefereeProcess
) -> None:
    north = hall.terminals[Seat.NORTH]
    await hall.play(parse_line("N 1S"))
    before = referee.entries()
    referee.limit_files(referee.journal.with_name("journal.sqlite-wal").stat().st_size)
    await hall.press(parse_line("N 2D"), Seat.NORTH)
    await referee.says("the journal cannot be written, so nothing is ruled")
    assert north.log
    assert referee.entries() == before
    referee.limit_files(None)
    await hall.until(lambda: not north.log)


async def test_settings_that_are_wrong_are_told_and_the_exit_code_is_2(
    tmp_path: Path,
) -> None:
    event = settings(boards=[BoardSettings(number=1, deal="N:AKQ")])
    path = tmp_path / "referee.json"
    path.write_bytes(msgspec.json.encode(event))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "referee", str(path)),
        cwd=REPOSITORY,
        stderr=asyncio.subprocess.PIPE,
    )
    _, log = await process.communicate()
    assert process.returncode == 2
    assert b"tables[0].boards[0].deal: a deal has 4 hands, got 1" in log
