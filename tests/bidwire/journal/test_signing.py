"""Signed heads: made, checked against the journal, and made by ``bidwire up``."""

import asyncio
import json
import shutil
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.event_file import EventFileError, read_event_file
from bidwire.journal import rounds
from bidwire.journal.rounds import RoundSigner, signing_key
from bidwire.journal.signing import read_heads
from referee.journal_nats import subject_of
from referee.journal_sqlite import SqliteJournal
from referee.journal_stream import open_stream
from tests.bidwire.journal.test_journal_command import tamper
from tests.bidwire.results.evening import (
    EVENT,
    INSUFFICIENT,
    PASSED_OUT,
    claimed,
    table,
    write_journal,
)
from tests.bidwire.ups import EVENT as CLUB
from tests.bidwire.ups import Up, called
from tests.referee.cluster import client_of, running, stream_settings

PLAYED = {
    name: table(number, *INSUFFICIENT, *claimed(9), *PASSED_OUT)
    for name, number in (("t1", 1), ("t2", 2))
}
"""Both tables are through with round 1."""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["journal", *map(str, arguments)])


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Table 1 has played both boards of round 1, table 2 one of them."""
    folder = tmp_path_factory.mktemp("evening")
    text = EVENT.replace('names = "friday.names.toml"', "")
    file = folder / "friday.toml"
    file.write_text(
        text.replace("retention_days = 30", 'signing_key = "friday.key"'),
        encoding="utf-8",
    )
    tables = {
        "t1": table(1, *INSUFFICIENT, *claimed(9), *PASSED_OUT),
        "t2": table(2, *INSUFFICIENT, *claimed(9)),
    }
    write_journal(folder / "bidwire.journal", tables)
    assert run("key", file).exit_code == 0
    return folder


@pytest.fixture
def event(tmp_path: Path, evening: Path) -> Path:
    """The event file of the evening, of which each test has a copy of its own."""
    shutil.copytree(evening, tmp_path, dirs_exist_ok=True)
    return tmp_path / "friday.toml"


@pytest.fixture
def journal(event: Path) -> Path:
    return event.with_name("bidwire.journal")


def verify(event: Path, **changed: str | Path) -> Result:
    files = {
        "signed": event.with_name("bidwire.journal.heads"),
        "public": event.with_name("friday.key.pub"),
        **changed,
    }
    options = [word for n, f in files.items() for word in (f"--{n}", f)]
    return run("verify", event, *options)


def follower_of(event: Path, said: list[str]) -> RoundSigner:
    """Who signs by itself, as `bidwire up` has it."""
    settings = read_event_file(event)
    key = signing_key(settings, event.parent)
    assert key is not None
    return RoundSigner(settings, event.parent, key, said.append)


def move(file: Path, to: Path) -> Path:
    return file.rename(to)


def keep_in_cluster(event: Path, url: str) -> None:
    """Let the journal of the event be kept by this server."""
    text = event.read_text(encoding="utf-8").replace(
        "[broker]\nembedded = true\n",
        f'[broker]\nhost = "127.0.0.1"\n[journal]\nservers = ["{url}"]\nreplicas = 1\n',
    )
    event.write_text(text, encoding="utf-8")


def test_the_key_is_for_its_owners_eyes_only(event: Path) -> None:
    key = event.with_name("friday.key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = run("key", event)
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    key.chmod(0o644)
    done = run("sign", event)
    assert done.exit_code == 2
    assert "only its owner may read (chmod 600)" in done.stderr


def test_a_signed_head_stands_in_the_journal_that_has_gone_on(
    event: Path, journal: Path
) -> None:
    done = run("sign", event, "--round", "1")
    assert done.exit_code == 0
    with SqliteJournal(journal, "friday") as book:
        entry = table(2).entries[0]
        book.append(book.take_epoch(), book.head().number, [("t2", entry)])
    told = verify(event)
    assert told.exit_code == 0
    (head,) = read_heads(journal.with_name("bidwire.journal.heads"))
    assert f"signed {head.number} (round 1, {head.time}): still the same" in told.output
    # The key in hexadecimal digits does as well.
    assert verify(event, public=head.public_key).exit_code == 0


def test_the_journal_alone_is_signed_with_a_key_that_is_named(
    event: Path, journal: Path, tmp_path: Path
) -> None:
    heads = tmp_path / "heads"
    key = event.with_name("friday.key")
    assert run("sign", journal, "--key", key, "-o", heads).exit_code == 0
    assert run("sign", journal, "--key", key, "-o", heads).exit_code == 0
    told = verify(event, signed=heads)
    assert told.output.count("still the same") == 2


def test_a_round_that_the_event_does_not_have_is_not_signed(event: Path) -> None:
    done = run("sign", event, "--round", "99")
    assert done.exit_code == 2
    assert f"{event}: --round: expected 1, got 99" in done.stderr
    text = event.read_text(encoding="utf-8").replace("[[tables.rounds]]\n", "")
    event.write_text(text, encoding="utf-8")
    done = run("sign", event, "--round", "1")
    assert done.exit_code == 2
    assert "--round: expected none, since the event has no rounds, got 1" in done.stderr
    assert not event.with_name("bidwire.journal.heads").exists()


def test_a_changed_entry_is_named_by_its_number(event: Path, journal: Path) -> None:
    run("sign", event)
    tamper(journal, "UPDATE entries SET entry = replace(entry, '1H', '1D')")
    told = verify(event)
    assert told.exit_code == 1
    assert "does not fit" in told.stderr


def test_a_journal_that_was_written_anew_is_not_the_signed_one(
    event: Path, journal: Path
) -> None:
    run("sign", event)
    journal.unlink()
    write_journal(journal, {"t1": table(1, *INSUFFICIENT, *claimed(8), *PASSED_OUT)})
    told = verify(event)
    assert told.exit_code == 1
    assert "does not fit" in told.stderr


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("round", 7, "the signature is wrong"),
        ("time", "2020-01-01T00:00:00+00:00", "the signature is wrong"),
        ("signature", "zz", "the signature is wrong"),
        ("event", "monday", "of event monday, not of friday"),
        ("public_key", "00" * 32, "signed by another key"),
    ],
)
def test_a_changed_head_is_told(
    event: Path, field: str, value: object, told: str
) -> None:
    run("sign", event)
    heads = event.with_name("bidwire.journal.heads")
    plain = json.loads(heads.read_text(encoding="utf-8"))
    heads.write_text(json.dumps({**plain, field: value}) + "\n", encoding="utf-8")
    done = verify(event)
    assert done.exit_code == 1
    assert told in done.stderr


def test_what_is_no_head_or_no_key_is_told(event: Path, tmp_path: Path) -> None:
    run("sign", event)
    scores = tmp_path / "scores.txt"
    scores.write_text("NS 420\n", encoding="utf-8")
    done = verify(event, signed=scores)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert f"{scores}, line 1: expected a signed head" in done.stderr
    done = verify(event, public=scores)
    assert done.exit_code == 2
    assert "expected the public key of an Ed25519 key" in done.stderr
    assert verify(event, public=tmp_path / "none").exit_code == 2
    done = run("sign", event, "--key", event)
    assert done.exit_code == 2
    assert run("verify", event, "--signed", scores).exit_code == 2
    assert run("sign", event.with_name("bidwire.journal")).exit_code == 2


async def test_a_round_is_signed_when_every_table_is_through_with_it(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    follower = follower_of(event, said)
    await follower.look()
    assert said == []
    rest = table(2, *INSUFFICIENT, *claimed(9), *PASSED_OUT).entries
    begun = table(2, *INSUFFICIENT, *claimed(9)).entries
    with SqliteJournal(journal, "friday") as book:
        more = [("t2", entry) for entry in rest[len(begun) :]]
        book.append(book.take_epoch(), book.head().number, more)
        last = book.head().number
    await follower.look()
    (told,) = said
    assert told.startswith(f"friday: round 1 has ended: head {last} of the journal")
    assert verify(event).exit_code == 0
    await follower.look()
    await follower_of(event, said).look()  # it was signed before
    assert len(said) == 1


async def test_a_journal_that_was_changed_is_not_signed(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    tamper(journal, "UPDATE entries SET table_id = 't1' WHERE number > 20")
    follower = follower_of(event, said)
    await follower.look()
    await follower.look()
    (told,) = said
    assert "it is not signed any more" in told
    assert not event.with_name("bidwire.journal.heads").exists()


async def test_what_keeps_a_round_from_being_signed_is_told_once(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    away = move(journal, journal.with_name("away"))
    follower = follower_of(event, said)
    await follower.look()
    await follower.look()
    (told,) = said
    assert told.startswith("friday: the journal is not signed yet: ")
    move(away, journal)
    await follower.look()
    assert len(said) == 1


def test_heads_that_are_none_are_told_at_the_start(event: Path) -> None:
    event.with_name("bidwire.journal.heads").write_text("x\n", encoding="utf-8")
    with pytest.raises(EventFileError, match=r"event\.signing_key: .*line 1: expected"):
        follower_of(event, [])


@pytest.mark.broker
async def test_the_journal_of_a_cluster_is_signed_the_same_way(
    event: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    played = [
        (name, entry) for name, bench in PLAYED.items() for entry in bench.entries
    ]
    async with running(tmp_path, 1) as nodes:
        keep_in_cluster(event, nodes[0].url)
        follower = follower_of(event, said)
        await follower.look()
        await follower.look()
        assert len(said) == 1
        assert "expected the journal of event 'friday', got none" in said.pop()
        async with open_stream(stream_settings(nodes), "friday") as journal:
            epoch = await journal.take_over(lambda _: None)
            number = await journal.append(epoch, 0, played[:-1])
            await follower.look()
            assert said == []
            number = await journal.append(epoch, number, played[-1:])
            await follower.look()
        (told,) = said
        assert told.startswith(f"friday: round 1 has ended: head {number} of the")
        checked = await asyncio.to_thread(verify, event)
        assert checked.exit_code == 0, checked.output
        assert f"signed {number} (round 1, " in checked.output


@pytest.mark.broker
async def test_what_stands_behind_a_foreign_message_in_a_cluster_is_not_signed(
    event: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    async with running(tmp_path, 1) as nodes:
        keep_in_cluster(event, nodes[0].url)
        follower = follower_of(event, said)
        async with open_stream(stream_settings(nodes), "friday"):
            async with client_of(nodes) as client:
                await client.jetstream().publish(subject_of("friday"), b"no journal")
            await follower.look()
            await follower.look()
    (told,) = said
    assert "message 1: expected" in told
    assert told.endswith("it is not signed any more")


async def test_the_last_look_is_when_the_event_is_over(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    move(journal, journal.with_name("away"))
    async with follower_of(event, said).at_work():
        write_journal(journal, PLAYED)
    (told,) = said
    assert told.startswith("friday: round 1 has ended")


async def test_another_journal_in_its_place_is_not_signed(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    follower = follower_of(event, said)
    await follower.look()
    away = move(journal, journal.with_name("away"))
    write_journal(journal, dict(reversed(PLAYED.items())))
    async with follower.at_work():
        pass
    told, last = said
    assert "another file lies in its place" in told
    assert "`bidwire journal sign` does it later" in last
    move(away, journal)
    await follower.look()
    assert len(said) == 2


async def test_what_ended_and_could_not_be_signed_is_told_at_the_end_too(
    event: Path, journal: Path
) -> None:
    said: list[str] = []
    move(journal, journal.with_name("away"))
    write_journal(journal, PLAYED)
    follower = follower_of(event, said)
    event.with_name("bidwire.journal.heads").mkdir()
    await follower.look()
    async with follower.at_work():
        pass
    assert len(said) == 2
    assert "the journal is not signed yet" in said[0]
    assert "the journal is not signed: what has ended" in said[1]


@pytest.mark.broker
async def test_a_cluster_that_does_not_answer_keeps_nobody_from_stopping(
    event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "LAST_LOOK", 0.1)
    said: list[str] = []
    async with running(tmp_path, 1) as nodes:
        keep_in_cluster(event, nodes[0].url)
        nodes[0].pause()
        async with follower_of(event, said).at_work():
            pass
        nodes[0].resume()
    (told,) = said
    assert told.startswith("friday: the journal does not answer: what has ended since")


@pytest.mark.broker
def test_up_signs_the_round_that_the_director_ends(
    tmp_path: Path, up: Callable[[Path], Up]
) -> None:
    file = tmp_path / "club.toml"
    text = CLUB.replace('id = "club"', 'id = "club"\nsigning_key = "club.key"')
    file.write_text(text, encoding="utf-8")
    assert called("journal", "key", str(file))[0] == 0
    running = up(file)
    running.wait_for("no such device")
    for _ in range(2):
        code, said = called("direct", str(file), "t1", "close")
        assert code == 0, said
    running.wait_for("round 1 has ended")
    code, said = called(
        *("journal", "verify", str(file)),
        *("--signed", str(tmp_path / "bidwire.journal.heads")),
        *("--public", str(tmp_path / "club.key.pub")),
    )
    assert code == 0, said
    assert "(round 1, " in said
    assert running.end(signal.SIGTERM)[0] == 0


@pytest.mark.broker
def test_up_without_its_key_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    text = CLUB.replace('id = "club"', 'id = "club"\nsigning_key = "club.key"')
    file.write_text(text, encoding="utf-8")
    code, said = called("up", str(file))
    assert code == 2
    assert "event.signing_key: " in said
    assert "No such file" in said
