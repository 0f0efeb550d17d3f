"""Faults in frames (F), and in what puts parts together (P)."""

from typing import Any, ClassVar

from cobs import cobs  # type: ignore[import-untyped]  # it ships no types

from hil_tests.faulty.rules import Breaking, FaultyLink
from protocol.decoding import Rejected, decode
from protocol.frame import FrameDecoder, crc_of, encode_frame
from protocol.limits import BLOCK_MAX, CRC_BYTES
from protocol.messages import Event, Message, Part, encode
from protocol.parts import Reassembler


class _WithDecoder(FaultyLink):
    decoder_type: ClassVar[type[FrameDecoder]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*args, **kwargs)
        self.decoder = self.decoder_type()


class _Unchecked(FrameDecoder):
    def _check(self, block: bytes) -> bytes | None:
        return unstuffed(block)[:-CRC_BYTES] or None


def unstuffed(block: bytes) -> bytes:
    """COBS as a careless hand reads it: a length that is too great goes unseen."""
    out, at = bytearray(), 0
    while at < len(block):
        code = block[at]
        out += block[at + 1 : at + code]
        at += max(code, 1)
        if code < 255 and at < len(block):
            out.append(0)
    return bytes(out)


class CrcNotChecked(_WithDecoder):
    """A wrong CRC is no matter (F7)."""

    decoder_type: ClassVar[type[FrameDecoder]] = _Unchecked


class _Careless(FrameDecoder):
    def _check(self, block: bytes) -> bytes | None:
        content = unstuffed(block)
        body, crc = content[:-CRC_BYTES], content[-CRC_BYTES:]
        return body if body and crc == crc_of(body) else None


class CobsNotChecked(_WithDecoder):
    """A block whose last length points beyond its end is read (F7)."""

    decoder_type: ClassVar[type[FrameDecoder]] = _Careless


class _Sized(FrameDecoder):
    """Keeps a block up to ``size`` bytes."""

    size = BLOCK_MAX

    def _extend(self, block: bytes) -> None:
        if len(self._block) + len(block) > self.size:
            self._too_long(block)
        else:
            self._block += block

    def _too_long(self, block: bytes) -> None:
        self._block.clear()
        self._skipping = True
        del block


class _Large(_Sized):
    size = 100_000


class _Small(_Sized):
    size = 200


class _Forgetful(_Sized):
    def _too_long(self, block: bytes) -> None:
        kept = bytes(self._block) + block
        self._block.clear()
        self._block += kept[len(kept) - len(kept) % (BLOCK_MAX + 1) :]


class LongBlockKept(_WithDecoder):
    """A block of any length is read (F7)."""

    decoder_type: ClassVar[type[FrameDecoder]] = _Large


class SmallBuffer(_WithDecoder):
    """A block has 200 bytes at most (F2)."""

    decoder_type: ClassVar[type[FrameDecoder]] = _Small


class LongBlockCut(_WithDecoder):
    """After 244 bytes of a block another one begins (F7)."""

    decoder_type: ClassVar[type[FrameDecoder]] = _Forgetful


class NoiseTakesLinkDown(FaultyLink):
    """Noise is an error for the link (F7)."""

    def receive_data(self, data: bytes, now: float) -> None:
        noise = self.decoder.counters.noise_bytes
        super().receive_data(data, now)
        if self.decoder.counters.noise_bytes > noise:
            self.go_down(now)


class EmptyBlockTakesLinkDown(FaultyLink):
    """Nothing between delimiters is an error for the link (F5)."""

    def receive_data(self, data: bytes, now: float) -> None:
        super().receive_data(data, now)
        if bytes(4) in data:
            self.go_down(now)


class OneFrameForEachRead(FaultyLink):
    """Of several frames that come together the first is read (F5)."""

    def receive_data(self, data: bytes, now: float) -> None:
        first, delimiter, _ = data.lstrip(b"\0").partition(b"\0")
        super().receive_data(b"\0" + first + delimiter, now)


class OneReadForEachFrame(FaultyLink):
    """A frame that comes in pieces is lost (F8)."""

    def receive_data(self, data: bytes, now: float) -> None:
        self.decoder.reset()
        super().receive_data(data, now)


class CrcTheWrongWayRound(FaultyLink):
    """The CRC is sent most significant byte first (F3)."""

    def data_to_send(self) -> bytes:
        frames = super().data_to_send().split(b"\0")
        return b"\0".join(_turned(frame) if frame else frame for frame in frames)


def _turned(block: bytes) -> bytes:
    content = unstuffed(block)
    turned: bytes = cobs.encode(content[:-CRC_BYTES] + content[: -CRC_BYTES - 1 : -1])
    return turned


# -- parts --------------------------------------------------------------------------


class _WithParts(FaultyLink):
    parts_type: ClassVar[type[Reassembler]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*args, **kwargs)
        self.parts = self.parts_type()


class _Deaf(Reassembler):
    def receive(self, part: Part) -> bytes | None:
        del part
        return None


class _Slots(Reassembler):
    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[int, bytes] = {}

    def receive(self, part: Part) -> bytes | None:
        self._slots[part.index] = part.content
        if set(self._slots) < set(range(1, part.count + 1)):
            return None
        whole = b"".join(content for _, content in sorted(self._slots.items()))
        self._slots.clear()
        return whole


class _Impatient(Reassembler):
    def receive(self, part: Part) -> bytes | None:
        if part == self._last:
            self.reset()
        return super().receive(part)


class _Sticky(Reassembler):
    def reset(self) -> None:
        pass


class PartsNotRead(_WithParts):
    """A message in parts is never seen (P1)."""

    parts_type: ClassVar[type[Reassembler]] = _Deaf


class PartsInAnyOrder(_WithParts):
    """Parts are put where their index says, whatever came between (P3)."""

    parts_type: ClassVar[type[Reassembler]] = _Slots


class PartTwiceDropsMessage(_WithParts):
    """A part that comes twice drops the message (P3)."""

    parts_type: ClassVar[type[Reassembler]] = _Impatient


class PartsOutliveOpening(_WithParts):
    """Parts of before an opening are kept (P3)."""

    parts_type: ClassVar[type[Reassembler]] = _Sticky


class MessageDropsParts(FaultyLink):
    """Another message between parts drops them (P2)."""

    def _receive_body(self, body: bytes, now: float) -> None:
        if not isinstance(decode(body), Part):
            self.parts.reset()
        super()._receive_body(body, now)


class PartOfPartRead(FaultyLink):
    """What parts contain is read as a part again (P3)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as they come
        super().__init__(*args, **kwargs)
        self._inner = Reassembler()

    def _receive_body(self, body: bytes, now: float) -> None:
        message, collect = decode(body), self.parts.receive
        while isinstance(message, Part):
            whole = collect(message)
            if whole is None:
                return
            body, message, collect = whole, decode(whole), self._inner.receive
        super()._receive_body(body, now)


class BadPartDropsMessage(FaultyLink):
    """A PART that is rejected drops what was collected (P3)."""

    def _reject(self, rejected: Rejected, now: float) -> None:
        self.parts.reset()
        super()._reject(rejected, now)


class LongEventCut(FaultyLink):
    """Of an event in parts the first alone is sent (P1)."""

    def _send(self, message: Message) -> bool:
        bodies = encode(message)
        if isinstance(message, Event) and len(bodies) > 1:
            self._outbox += encode_frame(bodies[0])
            return True
        return super()._send(message)


FRAME_FAULTS: tuple[Breaking, ...] = (
    CrcNotChecked,
    CobsNotChecked,
    LongBlockKept,
    SmallBuffer,
    LongBlockCut,
    NoiseTakesLinkDown,
    EmptyBlockTakesLinkDown,
    OneFrameForEachRead,
    OneReadForEachFrame,
    CrcTheWrongWayRound,
    PartsNotRead,
    PartsInAnyOrder,
    PartTwiceDropsMessage,
    PartsOutliveOpening,
    MessageDropsParts,
    PartOfPartRead,
    BadPartDropsMessage,
    LongEventCut,
)
