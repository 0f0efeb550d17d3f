"""``bidwire provision``: a club's Mosquitto, with TLS, passwords and access list."""

import asyncio
import contextlib
import re
import shutil
import signal
import ssl
import stat
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from bidwire.cli import app
from bidwire.event_file import EventFile, convert
from bidwire.event_settings import broker_settings
from bidwire.provision import shake_hands
from broker import BrokerSettings, MqttClient, RefusedError
from protocol.topics import Topics
from tests.bidwire.ups import EVENT, Up
from tests.brokers import MOSQUITTO, NO_MOSQUITTO, MosquittoProcess, free_port
from tests.places import REPOSITORY

OPENSSL = shutil.which("openssl")
WIRING = REPOSITORY / "docs" / "deploy.md"
TOPICS = Topics("club")
DESK = TOPICS.table_desk("t1")
STATE = TOPICS.table_state("t1")
USERS = ("referee", "daemon-hall", "director", "spectator")

TLS = ("--cert", "cert.pem", "--key", "key.pem", "--ca", "ca.pem")


def provision(file: Path, *options: str) -> Result:
    """What the command does, called beside the event file within this process."""
    with contextlib.chdir(file.parent):
        return CliRunner().invoke(
            app,
            ["provision", file.name, "broker", *options],
            catch_exceptions=False,
        )


def take_section(file: Path, section: str) -> EventFile:
    """Put what was printed into the event file, as a person would."""
    text = EVENT.replace("[broker]\nembedded = true\n", section)
    file.write_text(text, encoding="utf-8")
    return convert(tomllib.loads(text))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificates that the page on wiring a club tells to make.

    And with the broker's key, locked with a passphrase.
    """
    if OPENSSL is None:
        pytest.skip("openssl is not installed: apt-get install openssl")
    page = WIRING.read_text(encoding="utf-8")
    (lines,) = re.findall(r"```sh\n(openssl req .*?)```", page, re.DOTALL)
    lock = "openssl pkey -in key.pem -aes128 -passout pass:sesame -out locked.pem"
    folder = tmp_path_factory.mktemp("certificates")
    subprocess.run(
        ["/bin/bash", "-e", "-c", f"{lines}\n{lock}"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def authority(file: Path, certificates: Path) -> Path:
    """The folder of the event file, with the certificates in it."""
    shutil.copytree(certificates, file.parent, dirs_exist_ok=True)
    return file.parent


def test_the_files_are_for_their_owner_only(file: Path) -> None:
    result = provision(file, "--no-tls")
    assert (result.exit_code, result.stderr) == (0, "")
    folder = file.parent / "broker"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name for path in folder.iterdir()} == {
        "mosquitto.conf",
        "access",
        "passwords",
        *(f"{user}.password" for user in USERS),
    }
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_what_it_prints_is_the_section_for_the_event_file(
    file: Path, authority: Path
) -> None:
    result = provision(file, *TLS, "--port", "18883")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "[broker]\n"
        'host = "127.0.0.1"\n'
        "port = 18883\n"
        "tls = true\n"
        'ca_file = "ca.pem"\n'
        'referee_user = "referee"\n'
        'referee_password_file = "broker/referee.password"\n'
        'daemon_user = "daemon-hall"\n'
        'daemon_password_file = "broker/daemon-hall.password"\n'
        'director_user = "director"\n'
        'director_password_file = "broker/director.password"\n'
    )
    event = take_section(file, result.stdout)
    password = (authority / "broker" / "director.password").read_text(encoding="utf-8")
    settings = broker_settings(event.broker, "director", authority)
    assert settings.password == password.strip()


def test_a_folder_elsewhere_is_named_in_full(file: Path, tmp_path: Path) -> None:
    below = tmp_path / "events"
    below.mkdir()
    event = file.rename(below / "event.toml")
    result = subprocess.run(
        [
            *(sys.executable, "-m", "bidwire", "provision"),
            *(str(event), str(tmp_path / 'the "broker"'), "--no-tls"),
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    told = take_section(event, result.stdout)
    expected = tmp_path / 'the "broker"' / "referee.password"
    assert told.broker.referee_password_file == str(expected)


def test_without_tls_it_listens_on_this_machine_only(file: Path) -> None:
    assert provision(file, "--no-tls").exit_code == 0
    written = (file.parent / "broker" / "mosquitto.conf").read_text(encoding="utf-8")
    assert "listener 1883 127.0.0.1\n" in written


def test_files_that_are_there_stay_unless_forced(file: Path) -> None:
    provision(file, "--no-tls")
    folder = file.parent / "broker"
    kept = folder / "director.password"
    password = kept.read_text(encoding="utf-8")
    (folder / "passwords").unlink()
    result = provision(file, "--no-tls")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"{folder}: mosquitto.conf, access, referee.")
    assert "--force writes over them" in result.stderr
    assert kept.read_text(encoding="utf-8") == password
    assert not (folder / "passwords").exists()
    assert provision(file, "--no-tls", "--force").exit_code == 0
    assert kept.read_text(encoding="utf-8") != password


def test_an_open_folder_is_no_place_for_passwords(file: Path) -> None:
    folder = file.parent / "broker"
    folder.mkdir()
    folder.chmod(0o755)
    result = provision(file, "--no-tls")
    assert result.exit_code == 2
    assert result.stderr == (
        f"{folder}: expected a folder that only its owner may enter (chmod 700), got"
        " mode 755\n"
    )
    assert list(folder.iterdir()) == []


def test_a_file_is_no_folder(file: Path) -> None:
    folder = file.parent / "broker"
    folder.touch()
    result = provision(file, "--no-tls")
    assert (result.exit_code, result.stderr) == (
        2,
        f"{folder}: expected a folder that can be written, got: File exists\n",
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "expected --cert FILE and --key FILE, or --no-tls for this machine only"),
        (("--cert", "cert.pem"), "expected --cert FILE and --key FILE, or --no-tls"),
        (("--no-tls", "--key", "key.pem"), "expected --key or --no-tls, got both"),
        (("--no-tls", "--host", "club.local"), "--host: expected this machine (127."),
        (("--no-tls", "--host", ""), "--host: expected a host name or an address"),
        (TLS[:4], "--cert {0}/cert.pem, --key {0}/key.pem: expected PEM files of a"),
    ],
)
def test_wrong_options_are_named(
    file: Path, options: tuple[str, ...], expected: str
) -> None:
    result = provision(file, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(expected.format(file.parent))
    assert not (file.parent / "broker").exists()


def test_a_wrong_event_file_is_named(file: Path) -> None:
    file.write_text(EVENT.replace('"2007"', '"1997"'), encoding="utf-8")
    result = provision(file, "--no-tls")
    assert (result.exit_code, result.stderr) == (
        2,
        "event.toml: event.edition: expected 2007 or 2017, got '1997'\n",
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            (*TLS, "--host", "other.local"),
            "--cert {0}/cert.pem: expected a certificate for --host other.local that",
        ),
        (
            TLS[:4],
            "--cert {0}/cert.pem: expected a certificate for --host 127.0.0.1 that one",
        ),
        (
            (*TLS[:2], "--key", "ca-key.pem"),
            "--cert {0}/cert.pem, --key {0}/ca-key.pem: expected PEM files of a certif",
        ),
        (
            (*TLS[:4], "--ca", "names"),
            "--ca names: expected a PEM file of certificates, got: ",
        ),
        (
            (*TLS[:2], "--key", "locked.pem"),
            "--key {0}/locked.pem: expected a key without a passphrase",
        ),
    ],
)
def test_certificates_are_tried_out_before_anything_is_written(
    file: Path, authority: Path, options: tuple[str, ...], expected: str
) -> None:
    result = provision(file, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(expected.format(authority))
    assert not (authority / "broker").exists()


def test_the_certificates_of_the_page_satisfy_strict_clients(
    certificates: Path,
) -> None:
    context = ssl.create_default_context(cafile=certificates / "ca.pem")
    context.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python 3.13 does by itself
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    for host in ("bidwire.local", "localhost", "127.0.0.1"):
        shake_hands(server, context, host)


@pytest.mark.broker
class TestClub:
    """Mosquitto runs on what was written, with TLS."""

    @pytest.fixture
    async def mosquitto(
        self, file: Path, authority: Path
    ) -> AsyncIterator[MosquittoProcess]:
        if MOSQUITTO is None:
            pytest.skip(NO_MOSQUITTO)
        port = free_port()
        result = provision(file, *TLS, "--port", str(port))
        assert (result.exit_code, result.stderr) == (0, "")
        take_section(file, result.stdout)
        mosquitto = MosquittoProcess(authority / "broker" / "mosquitto.conf", port)
        await mosquitto.start()
        yield mosquitto
        await mosquitto.stop()

    async def test_an_event_runs_on_it(
        self, file: Path, mosquitto: MosquittoProcess, up: Callable[[Path], Up]
    ) -> None:
        running = up(file)
        async with client(file, "director", DESK) as director:
            await told(director, DESK)  # the referee is there
            await asyncio.to_thread(running.wait_for, "no such device")
        code, said = await asyncio.to_thread(running.end, signal.SIGTERM)
        assert (code, said.splitlines()[-1].split(";")[0]) == (0, "club: stopped")
        await mosquitto.stop(signal.SIGKILL)
        await mosquitto.start()
        async with client(file, "director", DESK) as director:
            await told(director, DESK)  # it was kept

    async def test_a_daemon_may_not_publish_what_the_matrix_forbids(
        self, file: Path, mosquitto: MosquittoProcess
    ) -> None:
        del mosquitto
        async with (
            client(file, "director", STATE) as director,
            client(file, "daemon") as daemon,
            client(file, "referee") as referee,
        ):
            await director.wait_connected()
            await daemon.publish(STATE, b"forged")
            await referee.publish(STATE, b"genuine")
            assert await told(director, STATE) == b"genuine"

    async def test_an_anonymous_client_is_refused(
        self, file: Path, mosquitto: MosquittoProcess
    ) -> None:
        del mosquitto
        known = settings(file, "referee")
        anyone = msgspec.structs.replace(known, username=None, password=None)
        async with MqttClient(anyone, client_id="anyone") as stranger:
            with pytest.raises(RefusedError, match="Not authorized"):
                await stranger.wait_connected()

    async def test_a_spectator_sees_what_is_public_and_nothing_else(
        self, file: Path, mosquitto: MosquittoProcess
    ) -> None:
        del mosquitto
        known = settings(file, "referee")
        password = file.parent / "broker" / "spectator.password"
        told_to_public = msgspec.structs.replace(
            known,
            username="spectator",
            password=password.read_text(encoding="utf-8").strip(),
        )
        public = TOPICS.public("t1")
        async with (
            MqttClient(
                told_to_public, client_id="s", subscriptions=(STATE, public)
            ) as spectator,
            client(file, "referee") as referee,
        ):
            await spectator.wait_connected()
            await referee.publish(STATE, b"not yet")
            await referee.publish(public, b"over")
            assert await told(spectator, public) == b"over"


def settings(file: Path, role: str) -> BrokerSettings:
    event = convert(tomllib.loads(file.read_text(encoding="utf-8")))
    return broker_settings(event.broker, role, file.parent)


def client(file: Path, role: str, *subscriptions: str) -> MqttClient:
    return MqttClient(
        settings(file, role), client_id=f"test-{role}", subscriptions=subscriptions
    )


async def told(reader: MqttClient, topic: str) -> bytes:
    """The payload of the first message, which is on this topic."""
    while True:
        for message in await reader.receive_batch():
            message.ack()
            assert message.topic == topic
            return message.payload
