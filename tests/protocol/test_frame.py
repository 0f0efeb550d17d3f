"""Clauses F: frames survive any cutting, and noise costs nothing but itself."""

import itertools
import zlib

import pytest
from cobs import cobs  # type: ignore[import-untyped]  # it ships no types
from hypothesis import given
from hypothesis import strategies as st

from protocol.frame import FrameDecoder, FrameError, encode_frame
from protocol.limits import BLOCK_MAX, BODY_MAX, FRAME_MAX

BODIES = st.binary(min_size=1, max_size=BODY_MAX)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(p % (len(data) + 1) for p in places), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(edges)]


@given(st.lists(BODIES, max_size=5), st.lists(st.integers(0, 2000), max_size=8))
def test_bodies_come_out_whatever_the_chunks(
    bodies: list[bytes], places: list[int]
) -> None:
    decoder = FrameDecoder()
    stream = b"".join(encode_frame(body) for body in bodies)
    received = [b for chunk in cut(stream, places) for b in decoder.receive(chunk)]
    assert received == bodies
    assert decoder.counters.frames == len(bodies)
    assert decoder.counters.noise_bytes == 0


@given(BODIES)
def test_bodies_come_out_byte_by_byte_with_bytes_after(body: bytes) -> None:
    decoder = FrameDecoder()
    received = []
    for i, byte in enumerate(encode_frame(body) + b"trailing"):
        received += decoder.receive(bytes([byte]))
        assert decoder.buffered <= BLOCK_MAX, i
    assert received == [body]
    assert decoder.buffered == len(b"trailing")


@given(st.lists(st.binary(max_size=600), max_size=8))
def test_any_bytes_never_raise_and_never_exceed_the_cap(chunks: list[bytes]) -> None:
    decoder = FrameDecoder()
    for chunk in chunks:
        decoder.receive(chunk)
        assert decoder.buffered <= BLOCK_MAX


@given(st.binary(max_size=600), BODIES.filter(lambda body: len(body) < BODY_MAX))
def test_noise_before_a_frame_costs_nothing(noise: bytes, body: bytes) -> None:
    assert FrameDecoder().receive(noise + encode_frame(body))[-1:] == [body]


def test_noise_between_frames_is_counted_and_skipped() -> None:
    decoder = FrameDecoder()
    boot_log = b"ets Jun  8 2016 00:22:57\r\nrst:0x1\r\n"
    received = decoder.receive(encode_frame(b"one") + boot_log + encode_frame(b"two"))
    assert received == [b"one", b"two"]
    assert decoder.counters.noise_bytes == len(boot_log)


def test_a_full_frame_fits_one_notification() -> None:
    for size in (BODY_MAX - 1, BODY_MAX):
        assert len(encode_frame(bytes([7]) * size)) == FRAME_MAX
        assert len(encode_frame(bytes(size))) == FRAME_MAX
    assert encode_frame(b"\1" * (BODY_MAX - 1))[0] == 0
    assert encode_frame(b"\1" * BODY_MAX)[0] != 0


@pytest.mark.parametrize("size", [0, BODY_MAX + 1])
def test_a_body_that_no_frame_carries_is_our_mistake(size: int) -> None:
    with pytest.raises(FrameError, match=f"1 to {BODY_MAX} bytes, this one has {size}"):
        encode_frame(bytes(size))


def test_a_wrong_crc_is_counted() -> None:
    decoder = FrameDecoder()
    frame = bytearray(encode_frame(b"body"))
    frame[3] ^= 1
    assert decoder.receive(bytes(frame)) == []
    assert decoder.counters.crc_errors == 1
    assert decoder.counters.noise_bytes == len(frame) - 2


@pytest.mark.parametrize("content", [b"", b"\1", zlib.crc32(b"").to_bytes(4, "little")])
def test_a_block_without_room_for_a_body_is_a_crc_error(content: bytes) -> None:
    decoder = FrameDecoder()
    assert decoder.receive(cobs.encode(content) + b"\0") == []
    assert decoder.counters.crc_errors == 1


def test_a_block_that_is_no_cobs_is_counted() -> None:
    decoder = FrameDecoder()
    assert decoder.receive(b"\x05ab\0") == []
    assert decoder.counters.cobs_errors == 1
    assert decoder.counters.noise_bytes == 3


def test_delimiters_alone_count_as_nothing() -> None:
    decoder = FrameDecoder()
    assert decoder.receive(b"\0\0\0") == []
    assert decoder.counters == FrameDecoder().counters


@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_an_oversize_block_is_one_error_and_the_next_frame_is_read(step: int) -> None:
    decoder = FrameDecoder()
    stream = b"\x41" * (BLOCK_MAX + 1) + encode_frame(b"after")
    received = []
    for i in range(0, len(stream), step):
        received += decoder.receive(stream[i : i + step])
    assert received == [b"after"]
    assert decoder.counters.oversize == 1
    assert decoder.counters.noise_bytes == BLOCK_MAX + 1


def test_the_longest_block_is_no_oversize() -> None:
    decoder = FrameDecoder()
    assert decoder.receive(encode_frame(b"\1" * BODY_MAX)) == [b"\1" * BODY_MAX]
    assert decoder.counters.oversize == 0


def test_what_was_begun_before_a_reset_is_noise() -> None:
    decoder = FrameDecoder()
    decoder.receive(b"half a fra")
    decoder.reset()
    assert decoder.buffered == 0
    assert decoder.counters.noise_bytes == 10
    assert decoder.receive(encode_frame(b"whole")) == [b"whole"]


def test_a_reset_ends_the_skipping_of_an_oversize_block() -> None:
    decoder = FrameDecoder()
    decoder.receive(b"\1" * (BLOCK_MAX + 1))
    decoder.reset()
    assert decoder.receive(encode_frame(b"\1" * BODY_MAX)) == [b"\1" * BODY_MAX]
