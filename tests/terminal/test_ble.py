"""A line over Bluetooth LE: real bleak, on virtual controllers; faults by number."""

import asyncio

import pytest

from tests.terminal.bluetooth import bench, numbered

MTUS = (23, 185, 247, 517)


@pytest.mark.parametrize("mtu", MTUS)
async def test_fault_10_the_stream_goes_in_pieces_of_the_negotiated_size(
    mtu: int,
) -> None:
    stream = b"".join(numbered(100))
    async with bench(mtu=mtu) as room, room.running() as line:
        await room.user.until(lambda: room.user.opened)
        line.write(stream)
        room.end.write(stream)
        await room.box.until_received(len(stream))
        await room.user.until(lambda: len(room.user.data) == len(stream))
        assert room.box.data == stream
        assert room.user.data == stream
