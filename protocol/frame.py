"""Frames: a body and its CRC-32, byte-stuffed by COBS, between zero bytes.

Clauses F of ``protocol/README.md``. Whatever arrives that is no frame is noise: it is
counted, skipped up to the next delimiter, and never an error for the caller.
"""

import zlib
from dataclasses import dataclass

from cobs import cobs  # type: ignore[import-untyped]  # it ships no types

from protocol.limits import BLOCK_MAX, BODY_MAX, CRC_BYTES, FRAME_MAX

DELIMITER = b"\0"


class FrameError(ValueError):
    """A body of ours that no frame can carry."""


def encode_frame(body: bytes) -> bytes:
    """The frame of a body, with its delimiters.

    A delimiter ends each frame (F5). One stands before it too, so that noise on the
    line costs nothing, unless the frame would then exceed ``FRAME_MAX`` (F6).

    Raises:
        FrameError: the body is empty or longer than ``BODY_MAX``.
    """
    if not 1 <= len(body) <= BODY_MAX:
        raise FrameError(f"a body has 1 to {BODY_MAX} bytes, this one has {len(body)}")
    stuffed: bytes = cobs.encode(body + crc_of(body))
    frame = stuffed + DELIMITER
    return DELIMITER + frame if len(frame) < FRAME_MAX else frame


def crc_of(body: bytes) -> bytes:
    """CRC-32 of a body as zlib computes it, little endian (F3)."""
    return zlib.crc32(body).to_bytes(CRC_BYTES, "little")


@dataclass(slots=True)
class FrameCounters:
    """What a decoder has seen since it began."""

    frames: int = 0
    """Good frames."""
    crc_errors: int = 0
    """Blocks whose CRC was wrong or that had no room for body and CRC."""
    cobs_errors: int = 0
    """Blocks that are no COBS."""
    oversize: int = 0
    """Blocks longer than ``BLOCK_MAX``."""
    noise_bytes: int = 0
    """Bytes of all blocks that were no frame."""


class FrameDecoder:
    """Cuts a stream of bytes into bodies; any bytes whatever are welcome."""

    def __init__(self) -> None:
        self.counters = FrameCounters()
        self._block = bytearray()
        self._skipping = False

    @property
    def buffered(self) -> int:
        """Bytes of an unfinished block that are kept: never above ``BLOCK_MAX``."""
        return len(self._block)

    def receive(self, data: bytes) -> list[bytes]:
        """Take what arrived and return the bodies of the frames it completes."""
        bodies = []
        *complete, rest = data.split(DELIMITER)
        for block in complete:
            self._extend(block)
            body = self._finish()
            if body is not None:
                bodies.append(body)
        self._extend(rest)
        return bodies

    def reset(self) -> None:
        """Forget an unfinished block: the carrier was opened anew."""
        self.counters.noise_bytes += len(self._block)
        self._block.clear()
        self._skipping = False

    def _extend(self, block: bytes) -> None:
        if not self._skipping and len(self._block) + len(block) > BLOCK_MAX:
            self.counters.oversize += 1
            self.counters.noise_bytes += len(self._block)
            self._block.clear()
            self._skipping = True
        if self._skipping:
            self.counters.noise_bytes += len(block)
        else:
            self._block += block

    def _finish(self) -> bytes | None:
        """The body of the block that a delimiter has just ended, if it is a frame."""
        block = bytes(self._block)
        self._block.clear()
        if self._skipping or not block:  # an empty block only separates (F5)
            self._skipping = False
            return None
        body = self._check(block)
        if body is None:
            self.counters.noise_bytes += len(block)
        else:
            self.counters.frames += 1
        return body

    def _check(self, block: bytes) -> bytes | None:
        try:
            content: bytes = cobs.decode(block)
        except cobs.DecodeError:
            self.counters.cobs_errors += 1
            return None
        body, crc = content[:-CRC_BYTES], content[-CRC_BYTES:]
        if not body or crc != crc_of(body):
            self.counters.crc_errors += 1
            return None
        return body
