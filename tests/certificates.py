"""A certificate of a server's own, for connections that are encrypted."""

import datetime as dt
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HERE = "127.0.0.1"


def self_signed(folder: Path) -> dict[str, str]:
    """A certificate for this machine, as the settings ``tls_cert`` and ``tls_key``."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hall")])
    now = dt.datetime.now(dt.UTC)
    day = dt.timedelta(days=1)
    address = x509.IPAddress(ipaddress.ip_address(HERE))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = {"tls_cert": folder / "cert.pem", "tls_key": folder / "key.pem"}
    encoding = serialization.Encoding.PEM
    files["tls_cert"].write_bytes(certificate.public_bytes(encoding))
    files["tls_key"].write_bytes(
        key.private_bytes(
            encoding,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return {name: str(file) for name, file in files.items()}


def trusting(files: dict[str, str]) -> ssl.SSLContext:
    """A client's settings that trust this certificate and no other."""
    return ssl.create_default_context(cafile=files["tls_cert"])
