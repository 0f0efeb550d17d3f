"""The settings of a client: what they check and what they say."""

import ssl
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trustme
from rich.pretty import pretty_repr

from broker import BrokerSettings, CertificateError


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"host": ""}, "host: expected a host name"),
        ({"port": 0}, "port: expected 1 to 65535, got 0"),
        ({"port": 65536}, "port: expected 1 to 65535, got 65536"),
        ({"keepalive": 0}, "keepalive: expected 1 to 65535 seconds, got 0"),
        ({"password": "secret"}, "password: needs a username"),
        ({"tls": True, "key_file": "k"}, "key_file: needs a certificate_file"),
        ({"ca_file": "ca"}, "need tls = true"),
        ({"prot": 1883}, "prot"),
        ({"port": "1883"}, "Expected `int`"),
    ],
)
def test_a_mistake_names_the_key_and_what_was_expected(
    wrong: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=complaint):
        msgspec.convert(wrong, BrokerSettings)


def test_it_survives_json() -> None:
    settings = BrokerSettings(host="club", port=8883, username="d1", password="x")  # noqa: S106 - a sample
    encoded = msgspec.json.encode(settings)
    assert msgspec.json.decode(encoded, type=BrokerSettings) == settings


def test_it_never_shows_its_password_to_people() -> None:
    settings = BrokerSettings(username="d1", password="secret", tls=True)  # noqa: S106 - a sample
    assert str(settings) == "mqtts://d1@127.0.0.1:1883"
    assert "secret" not in repr(settings)
    assert "secret" not in pretty_repr(settings)


def test_certificates_are_read_when_the_client_is_made(tmp_path: Path) -> None:
    assert BrokerSettings().ssl_context() is None
    with pytest.raises(CertificateError, match=r"ca_file: .*absent: .*No such file"):
        BrokerSettings(tls=True, ca_file=str(tmp_path / "absent")).ssl_context()
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    ours = authority.issue_cert("d1")
    ours.private_key_and_cert_chain_pem.write_to_path(tmp_path / "d1.pem")
    context = BrokerSettings(
        tls=True,
        ca_file=str(tmp_path / "ca.pem"),
        certificate_file=str(tmp_path / "d1.pem"),
    ).ssl_context()
    assert context is not None
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
