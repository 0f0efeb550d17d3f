"""``bidwire up``: what the daemons are told, and a real start and stop."""

import asyncio
import resource
import signal
import sqlite3
import stat
import tomllib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bidwire.event_file import EventFileError, convert
from bidwire.event_settings import daemon_settings, referee_settings
from broker import BrokerSettings, EmbeddedBroker
from laws.board import Edition
from laws.seats import Seat
from protocol.topics import Role
from referee.entries import Alarmed
from referee.journal_sqlite import SqliteJournal
from tests.bidwire.ups import EVENT, Up, called

DEAL = "N:A842.AKJ974.J3.A JT.QT6.974.J9843 765.85.AK8.KQ652 KQ93.32.QT652.T7"

PBN = """\
[Event "Test"]
[Board "{board}"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{deal}"]

"""


def event(**changes: object) -> dict[str, object]:
    return {**tomllib.loads(EVENT), **changes}


def test_the_referee_is_told_boards_rounds_pairs_and_languages(tmp_path: Path) -> None:
    settings = referee_settings(convert(event()), tmp_path, BrokerSettings())
    assert settings.edition is Edition.LAWS_2007
    assert settings.journal == str(tmp_path / "bidwire.journal")
    (table,) = settings.tables
    assert [(b.number, b.round, b.pairs.ns) for b in table.boards] == [
        (1, 1, "Pair 1"),
        (2, 1, "Pair 1"),
    ]
    assert table.terminals[0].seats == tuple(Seat)
    assert table.terminals[0].language == "es"


def test_the_daemon_is_told_ports_and_seats(tmp_path: Path) -> None:
    settings = daemon_settings(convert(event()), tmp_path, BrokerSettings())
    (terminal,) = settings.terminals
    assert (terminal.port, terminal.table) == ("/dev/serial/by-id/nowhere", "t1")


def test_deals_come_by_board_number(tmp_path: Path) -> None:
    text = "".join(PBN.format(board=number, deal=DEAL) for number in (2, 1))
    (tmp_path / "deals.pbn").write_text(text, encoding="utf-8")
    told = convert(event(deals="deals.pbn"))
    settings = referee_settings(told, tmp_path, BrokerSettings())
    assert [board.deal for board in settings.tables[0].boards] == [DEAL, DEAL]


def test_a_board_without_a_deal_is_named(tmp_path: Path) -> None:
    text = PBN.format(board=1, deal=DEAL)
    (tmp_path / "deals.pbn").write_text(text, encoding="utf-8")
    told = convert(event(deals="deals.pbn"))
    with pytest.raises(EventFileError, match=r"deals: .*expected a deal for board 2"):
        referee_settings(told, tmp_path, BrokerSettings())


def test_a_deals_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    told = convert(event(deals="deals.pbn"))
    with pytest.raises(EventFileError, match=r"deals: .*deals\.pbn: No such file"):
        referee_settings(told, tmp_path, BrokerSettings())


@pytest.mark.broker
def test_it_runs_with_all_files_that_it_may_open_until_it_is_told_to_stop(
    file: Path, few_files: int, up: Callable[[Path], Up]
) -> None:
    running = up(file)
    running.wait_for("no such device")  # the daemon is up and tries the port
    soft, hard = resource.prlimit(running.pid, resource.RLIMIT_NOFILE)
    assert few_files < soft == hard
    credentials = file.parent / "bidwire.journal.director.json"
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    code, rest = running.end(signal.SIGHUP)  # SIGTERM ends others below
    journal = file.parent / "bidwire.journal"
    assert (code, rest.splitlines()[-1]) == (
        0,
        f"club: stopped; the journal is {journal}",
    )
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600
    assert not credentials.exists()


def test_a_wrong_event_file_exits_with_2(file: Path, up: Callable[[Path], Up]) -> None:
    text = EVENT.replace('edition = "2007"', 'edition = "1997"')
    file.write_text(text, encoding="utf-8")
    code, said = up(file).end()
    assert code == 2
    assert said == f"{file}: event.edition: expected 2007 or 2017, got '1997'\n"


def a_folder(journal: Path) -> None:
    journal.mkdir()


def in_a_missing_folder(journal: Path) -> None:
    journal.parent.rmdir()


def a_text_file(journal: Path) -> None:
    journal.write_text("the scores of last week\n" * 50, encoding="utf-8")


def of_another_event(journal: Path) -> None:
    with SqliteJournal(journal, "friday"):
        pass


def damaged(journal: Path) -> None:
    with SqliteJournal(journal, "club") as written:
        epoch = written.take_epoch()
        written.append(epoch, 0, [("t1", Alarmed(text="x" * 500)) for _ in range(90)])
    data = bytearray(journal.read_bytes())
    data[8192:-4096] = b"\xff" * (len(data) - 12288)
    journal.write_bytes(data)


def changed_afterwards(journal: Path) -> None:
    with SqliteJournal(journal, "club") as written:
        written.append(written.take_epoch(), 0, [("t1", Alarmed(text="low"))] * 3)
    with sqlite3.connect(journal) as db:
        db.execute("DROP TRIGGER entries_are_as_written")
        db.execute(
            "UPDATE entries SET entry = CAST(replace(entry, 'low', 'dim') AS BLOB) "
            "WHERE number = 2"
        )
    db.close()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (a_folder, "expected a file, in a folder that can be written, got: Is a dir"),
        (
            in_a_missing_folder,
            "expected a file, in a folder that can be written, got: No",
        ),
        (a_text_file, "expected a journal, got something else, or a damaged one: file"),
        (
            of_another_event,
            "expected the journal of event 'club', got that of 'friday'",
        ),
        (damaged, "database disk image is malformed"),
        (changed_afterwards, "entry 2 does not fit: its hash is not that of what it"),
    ],
)
def test_a_journal_that_cannot_be_one_ends_it_before_anything_is_started(
    file: Path,
    make: Callable[[Path], None],
    expected: str,
) -> None:
    file.write_text(
        EVENT.replace("[broker]", 'journal = "kept/the.journal"\n[broker]'),
        encoding="utf-8",
    )
    journal = file.parent / "kept" / "the.journal"
    journal.parent.mkdir()
    make(journal)
    code, said = called("up", str(file))
    assert code == 2
    assert said.startswith(f"{file}: event.journal: {journal}: {expected}")
    assert len(said.splitlines()) == 1
    assert not (file.parent / "bidwire.broker").exists()


def test_a_store_that_is_no_folder_is_named(file: Path) -> None:
    store = file.parent / "bidwire.broker"
    store.touch()
    code, said = called("up", str(file))
    assert code == 2
    assert said.startswith(f"{file}: broker.store: {store}: expected a folder that can")


def test_a_missing_file_of_authorities_is_named(file: Path) -> None:
    broker = 'host = "127.0.0.1"\ntls = true\nca_file = "ca.pem"'
    file.write_text(EVENT.replace("embedded = true", broker), encoding="utf-8")
    code, said = called("up", str(file))
    assert code == 2
    assert said.startswith(
        f"{file}: broker.ca_file: {file.parent / 'ca.pem'}: expected"
    )


@pytest_asyncio.fixture
async def elsewhere(file: Path) -> AsyncIterator[EmbeddedBroker]:
    """A broker that is not ours to start; the event file names it."""
    store = file.parent / "store"
    async with EmbeddedBroker(store, event="club", daemons=("hall",)) as broker:
        name_broker(file, broker)
        yield broker


def name_broker(file: Path, broker: EmbeddedBroker) -> None:
    """Write an event file for a broker, and files of its passwords."""
    lines = ['host = "127.0.0.1"', f"port = {broker.settings(Role.REFEREE).port}"]
    for key, settings in (
        ("referee", broker.settings(Role.REFEREE)),
        ("daemon", broker.settings(Role.DAEMON, "hall")),
        ("director", broker.settings(Role.DIRECTOR)),
    ):
        set_password(file, key, settings.password or "")
        lines.append(f'{key}_user = "{settings.username}"')
        lines.append(f'{key}_password_file = "{key}.password"')
    text = EVENT.replace("embedded = true", "\n".join(lines))
    file.write_text(text, encoding="utf-8")


def set_password(file: Path, key: str, password: str) -> None:
    (file.parent / f"{key}.password").write_text(password, encoding="utf-8")


@pytest.mark.broker
async def test_a_second_one_takes_over_and_the_first_ends(
    file: Path, elsewhere: EmbeddedBroker, up: Callable[[Path], Up]
) -> None:
    first = up(file)
    await asyncio.to_thread(first.wait_for, "no such device")
    second = up(file)
    code, said = await asyncio.to_thread(first.end)
    assert code == 3
    assert said.splitlines()[-1].startswith(f"{file}: another `bidwire up` has taken")
    assert elsewhere.pid
    await asyncio.to_thread(second.wait_for, "no such device")
    code, said = await asyncio.to_thread(second.end, signal.SIGTERM)
    assert (code, "club: stopped" in said) == (0, True)


@pytest.mark.broker
async def test_a_wrong_password_ends_it(
    file: Path, elsewhere: EmbeddedBroker, up: Callable[[Path], Up]
) -> None:
    set_password(file, "daemon", "sesame")
    code, said = await asyncio.to_thread(up(file).end)
    assert code == 2
    assert said.splitlines()[-1] == (
        f"{file}: daemon cannot go on: broker:"
        f" {elsewhere.settings(Role.DAEMON, 'hall')} refuses us: Not authorized"
    )
