"""Signed heads: who holds the public key can tell later that a journal is unchanged.

A head stands for all entries up to it (``referee.journal_chain``). Heads of an event
are kept one a line, as JSON (``docs/results.md``). What is signed, with Ed25519, is
``bidwire signed head``, a zero byte and the JSON object of the line without its
``signature``: keys sorted, no spaces, UTF-8.
"""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from bidwire.files import PRIVATE, replace_file
from referee.journal_chain import Head, read_head

SCHEMA = "bidwire.signed-head/1"

READABLE = 0o644
"""Mode of public keys and of signed heads: they are for everyone."""

_PREFIX = b"bidwire signed head\0"
_RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
_PEM = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo


class SigningError(ValueError):
    """A key or a file of signed heads cannot be used: says what was expected."""


class BrokenSignatureError(Exception):
    """A signed head is not what was signed, or by another key, or of another event."""


class SignedHead(msgspec.Struct, frozen=True, tag_field="schema", tag=SCHEMA):
    """A journal's head with its signature."""

    event: str
    round: int
    """The round that had ended; 0 when none is named."""
    number: int
    """Of the last entry."""
    hash: str
    """SHA-256 of the chain up to it, in hexadecimal digits."""
    time: str
    """When it was signed, by the clock of the signer, ISO 8601 in UTC."""
    public_key: str
    """Of the signer, 64 hexadecimal digits."""
    signature: str = ""
    """128 hexadecimal digits."""

    @property
    def head(self) -> Head:
        """What the journal must have had; ValueError when it is none."""
        return read_head(f"{self.number}:{self.hash}")

    def signed(self) -> bytes:
        """What is signed."""
        plain = msgspec.to_builtins(self)
        del plain["signature"]
        return _PREFIX + msgspec.json.encode(plain, order="sorted")


def make_key(file: Path, *, like: Path) -> Path:
    """Make a key pair: the key for its owner's eyes only, the public one beside it.

    Args:
        file: of the key.
        like: a file of the owner that both are to have.

    Returns:
        The file of the public key.

    Raises:
        OSError: a file cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = file.with_name(f"{file.name}.pub")
    replace_file(file, secret, like=like, mode=PRIVATE)
    content = key.public_key().public_bytes(*_PEM)
    replace_file(public, content, like=like, mode=READABLE)
    return public


def read_key(file: Path) -> Ed25519PrivateKey:
    """Read a key.

    Raises:
        SigningError: it cannot be read, is none, or others may read it.
    """
    try:
        content, mode = file.read_bytes(), file.stat().st_mode
    except OSError as error:
        raise SigningError(f"{file}: {error.strerror}") from None
    if mode & 0o077:
        raise SigningError(
            f"{file}: expected a key that only its owner may read (chmod 600)"
        )
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError(
            f"{file}: expected an Ed25519 key, as `bidwire journal key` makes it"
        )
    return key


def read_public(text: str) -> Ed25519PublicKey:
    """Read a public key: a PEM file, or 64 hexadecimal digits.

    Raises:
        SigningError: it is none.
    """
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
    except ValueError:
        pass
    try:
        key = serialization.load_pem_public_key(Path(text).read_bytes())
    except OSError as error:
        raise SigningError(
            f"{text}: expected a file or 64 hex digits: {error.strerror}"
        ) from None
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise SigningError(f"{text}: expected the public key of an Ed25519 key")
    return key


def hex_of(key: Ed25519PublicKey) -> str:
    """A public key in hexadecimal digits."""
    return key.public_bytes(*_RAW).hex()


def sign(
    event: str, round_number: int, head: Head, key: Ed25519PrivateKey
) -> SignedHead:
    """Sign a head, now."""
    unsigned = SignedHead(
        event=event,
        round=round_number,
        number=head.number,
        hash=head.hash.hex(),
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        public_key=hex_of(key.public_key()),
    )
    signature = key.sign(unsigned.signed()).hex()
    return msgspec.structs.replace(unsigned, signature=signature)


def append_head(file: Path, head: SignedHead) -> None:
    """Write a head behind those that are there, whole or not at all; raises OSError."""
    before = file.read_bytes() if file.exists() else b""
    content = before + msgspec.json.encode(head) + b"\n"
    replace_file(file, content, like=file if before else file.parent, mode=READABLE)


def read_heads(file: Path) -> list[SignedHead]:
    """Read signed heads, none of them checked yet.

    Raises:
        SigningError: the file cannot be read, or a line is no signed head.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise SigningError(f"{file}: {error.strerror}") from None
    heads = []
    for number, line in enumerate(lines, 1):
        try:
            head = msgspec.json.decode(line, type=SignedHead)
            _ = head.head
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            raise SigningError(
                f"{file}, line {number}: expected a signed head: {error}"
            ) from None
        heads.append(head)
    if not heads:
        raise SigningError(f"{file}: expected signed heads, got none")
    return heads


def check_signature(head: SignedHead, event: str, public: Ed25519PublicKey) -> None:
    """Whether a head of an event was signed by a key.

    Raises:
        BrokenSignatureError: it was not.
    """
    told = f"signed head {head.number}"
    if head.event != event:
        raise BrokenSignatureError(f"{told}: of event {head.event}, not of {event}")
    if head.public_key != hex_of(public):
        raise BrokenSignatureError(f"{told}: signed by another key, {head.public_key}")
    try:
        public.verify(bytes.fromhex(head.signature), head.signed())
    except (InvalidSignature, ValueError):
        raise BrokenSignatureError(f"{told}: the signature is wrong") from None
