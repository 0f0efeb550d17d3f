"""Clauses F: what is a frame is read, what is none is dropped, and nothing is lost."""

import asyncio

from cobs import cobs  # type: ignore[import-untyped]  # it ships no types

from hil_tests.bench import Bench
from hil_tests.bodies import ping, ping_of_size
from hil_tests.checks import check
from hil_tests.hands import CannotCauseError
from protocol.frame import crc_of, encode_frame
from protocol.limits import BLOCK_MAX, BODY_MAX
from protocol.messages import Hello, Pong

BOOT_TEXT = b"\r\nrst:0x1 (POWERON_RESET)\r\nI (27) boot: ready\r\n"
MODEM_PROBE = b"AT\r\nAT+CGMI\r\n"
PIECE_WAIT = 0.005
"""Seconds between the pieces of a frame that is cut.

The pause is what F8 is about: bytes written without one may come to the terminal in one
read. Nothing can be awaited in its place, since a terminal answers no half of a frame.
"""


async def expect_answer(bench: Bench, token: int, expected: str) -> None:
    """PONG must come to what was sent."""
    await bench.expect(Pong, f"PONG to {expected}", lambda pong: pong.token == token)


async def expect_ignored(bench: Bench, token: int, since: int, expected: str) -> None:
    """No PONG may come to what was sent, and the link must stay up."""
    await bench.expect_nothing(
        Pong, f"no PONG to {expected}", since, lambda pong: pong.token == token
    )
    bench.expect_none_since(Hello, f"the link to stay up after {expected}", since)


async def expect_no_harm(bench: Bench, since: int, expected: str) -> None:
    """The link must stay up through what was sent."""
    await bench.expect_nothing(Hello, f"the link to stay up after {expected}", since)


@check("F3")
async def test_hello_comes_in_a_good_frame(bench: Bench) -> None:
    """ASK is answered by HELLO in a good frame: COBS, CRC-32 little endian."""
    await bench.ask()


@check("F5")
async def test_nothing_between_delimiters_means_nothing(bench: Bench) -> None:
    """Delimiters with nothing between them are no error; the next frame is read."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    bench.wire.send_bytes(bytes(300) + encode_frame(ping(token)))
    await expect_answer(bench, token, "the PING after empty blocks")
    await expect_no_harm(bench, since, "empty blocks")


@check("F5")
async def test_frames_in_one_write_are_all_read(bench: Bench) -> None:
    """Frames that follow one another, with one delimiter between, are all read."""
    await bench.up()
    tokens = [bench.token() for _ in range(3)]
    frames = [encode_frame(ping(token)).strip(b"\0") + b"\0" for token in tokens]
    bench.wire.send_bytes(b"\0" + b"".join(frames))
    for token in tokens:
        await expect_answer(bench, token, "each of three PING in one write")


@check("F8")
async def test_a_frame_may_come_in_pieces(bench: Bench) -> None:
    """How the carrier cuts the stream means nothing: a frame byte by byte is read."""
    await bench.up()
    token = bench.token()
    frame = encode_frame(ping(token))
    for at in range(len(frame)):
        bench.wire.send_bytes(frame[at : at + 1])
        await asyncio.sleep(PIECE_WAIT)
    await expect_answer(bench, token, "the PING that came byte by byte")


@check("F2")
async def test_the_longest_body_is_read(bench: Bench) -> None:
    """A body of 238 bytes is read."""
    await bench.up()
    token = bench.token()
    bench.wire.send_body(ping_of_size(token, BODY_MAX))
    await expect_answer(bench, token, "a PING of 238 bytes")


@check("F7")
async def test_a_block_that_is_too_long_is_dropped(bench: Bench) -> None:
    """A block of 244 bytes is dropped, even when its CRC is right."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    body = ping_of_size(token, BODY_MAX + 1)
    bench.wire.send_bytes(b"\0" + cobs.encode(body + crc_of(body)) + b"\0")
    await expect_ignored(bench, token, since, "a block of 244 bytes")


@check("F7")
async def test_a_long_block_is_skipped_to_its_end(bench: Bench) -> None:
    """What follows in a block that is too long is skipped up to the delimiter."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    hidden = encode_frame(ping(token)).strip(b"\0")
    for length in (BLOCK_MAX + 1, BLOCK_MAX + 1 - len(hidden), 5000):
        bench.wire.send_bytes(b"\0" + b"U" * length + hidden + b"\0")
    await expect_ignored(bench, token, since, "a frame at the end of a block too long")


@check("F7")
async def test_a_wrong_crc_is_noise(bench: Bench) -> None:
    """A block with a wrong CRC is dropped and changes nothing."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    body = ping(token)
    for place in range(4):
        crc = bytearray(crc_of(body))
        crc[place] ^= 1
        bench.wire.send_bytes(b"\0" + cobs.encode(body + crc) + b"\0")
    await expect_ignored(bench, token, since, "a PING with a wrong CRC")


@check("F7")
async def test_what_is_no_cobs_is_noise(bench: Bench) -> None:
    """A block whose last length points beyond its end is dropped."""
    await bench.up()
    token, since = bench.token(), bench.mark()
    block = bytearray(cobs.encode(ping(token) + crc_of(ping(token))))
    at = 0
    while at + block[at] < len(block):
        at += block[at]
    block[at] += 3
    bench.wire.send_bytes(b"\0" + block + b"\0")
    await expect_ignored(bench, token, since, "a PING in a block that is no COBS")


@check("F7")
async def test_a_block_too_short_is_noise(bench: Bench) -> None:
    """A block of fewer than 5 bytes when decoded is dropped and changes nothing."""
    await bench.up()
    since = bench.mark()
    for content in (b"", b"\1", b"ab", bytes(3), crc_of(b"")):
        bench.wire.send_bytes(b"\0" + cobs.encode(content) + b"\0")
    await expect_no_harm(bench, since, "blocks too short for a frame")


@check("F7", cases=["boot-text", "modem-probe"])
async def test_noise_costs_nothing(bench: Bench, case: str) -> None:
    """Boot text or AT commands are no error; the frame after the delimiter is read."""
    noise = BOOT_TEXT if case == "boot-text" else MODEM_PROBE
    await bench.up()
    token, since = bench.token(), bench.mark()
    bench.wire.send_bytes(noise * 3)
    bench.wire.send_bytes(encode_frame(ping(token)) + noise)
    await expect_answer(bench, token, "the PING after noise")
    await expect_no_harm(bench, since, "noise")


@check("F7")
async def test_half_a_frame_costs_itself_alone(bench: Bench) -> None:
    """Half a frame is dropped; the whole one after it is read."""
    await bench.up()
    half, token, since = bench.token(), bench.token(), bench.mark()
    cut = encode_frame(ping(half))[:-4]
    bench.wire.send_bytes(cut + encode_frame(ping(token)))
    await expect_answer(bench, token, "the PING after half a frame")
    await expect_ignored(bench, half, since, "half a frame")


@check("F9")
async def test_a_new_connection_takes_the_place_of_the_old(bench: Bench) -> None:
    """A second TCP connection is served at once, and the first one is closed."""
    if not bench.carrier.is_tcp:
        raise CannotCauseError("only a TCP carrier has connections")
    await bench.up()
    first = await bench.connect_again()
    try:
        await bench.expect(Hello, "HELLO on the new connection (O3)")
        await bench.up()
        gone = await first.until(lambda: not first.is_open, bench.now() + 1.5)
        bench.require(gone, "the old connection to be closed", "it is still open")
    finally:
        await first.close()
