"""The Director's client at a real broker."""

import asyncio
from functools import partial

import msgspec
import pytest

from broker import ConnectionState
from desk.director import DirectorClient, Order
from desk.room import ALL_KINDS, Room
from protocol.payloads import (
    CommandReply,
    DirectorCommand,
    LinkState,
    Payload,
    Service,
)
from protocol.topics import Role
from tests.brokers import EVENT, RunningBroker
from tests.desk.rooms import Hall, desk, state, terminal

pytestmark = pytest.mark.broker


async def test_it_learns_the_whole_room_from_what_the_broker_keeps(
    live_broker: RunningBroker,
) -> None:
    async with Hall(live_broker) as hall:
        await hall.birth()
        await hall.status("a1-n", terminal("a1", battery=12))
        await hall.tell("a1", state(board=9), desk("a1"))
        director = DirectorClient(
            live_broker.settings(Role.DIRECTOR), EVENT, kinds=ALL_KINDS
        )
        async with director:
            room = director.room
            await director.wait_for(
                lambda: bool(room.daemons and room.terminals and room.tables())
            )
            await director.wait_for(lambda: "a1" in room.states)
            assert room.states["a1"].board == 9
            assert room.link("a1-n") == (LinkState.ONLINE, "")
            assert room.battery("a1-n") == 12


async def test_what_it_missed_when_it_subscribed_comes_with_the_second_look(
    live_broker: RunningBroker,
) -> None:
    heard: list[Payload] = []
    async with Hall(live_broker) as hall:
        await hall.tell("a1", state(), desk("a1"))
        director = DirectorClient(
            live_broker.settings(Role.DIRECTOR),
            EVENT,
            on_change=heard.append,
            look_again=(0.5,),
        )
        async with director:
            room = director.room
            await director.wait_for(lambda: len(heard) == 2)
            room.forget()  # as if the broker had lost it
            await director.wait_for(lambda: len(heard) == 4)
            assert room.tables() == ["a1"]


async def test_what_is_published_while_it_subscribes_is_not_missed(
    nats: RunningBroker,
) -> None:
    """NATS by itself loses something of it most of the time."""
    tables = [f"a{n}" for n in range(20)]
    numbers = dict.fromkeys(tables, 0)

    async def play() -> None:
        for table in tables:
            numbers[table] += 1
            await hall.tell(table, desk(table, number=numbers[table]))

    def note(state: ConnectionState, subscribing: asyncio.Event) -> None:
        if state is ConnectionState.SUBSCRIBING:
            subscribing.set()

    async with Hall(nats) as hall:
        await play()
        for turn in range(8):
            subscribing = asyncio.Event()
            director = DirectorClient(
                nats.settings(Role.DIRECTOR),
                EVENT,
                on_state=partial(note, subscribing=subscribing),
                look_again=(0.3,),
            )
            async with director:
                if turn:  # at the first NATS reads them all, and may keep old ones
                    await subscribing.wait()
                    await play()
                await director.wait_for(partial(stands, director.room, numbers))


def stands(room: Room, numbers: dict[str, int]) -> bool:
    """Whether the desk of each table has this number."""
    return {table: desk.number for table, desk in room.desks.items()} == numbers


async def test_two_directors_at_once_each_get_their_own_reply(
    nats: RunningBroker,
) -> None:
    """The second decided by an older desk: he is told so, and nothing is repeated."""
    async with (
        Hall(nats) as hall,
        DirectorClient(nats.settings(Role.DIRECTOR), EVENT) as director,
    ):
        await hall.tell("a1", desk("a1", number=7))
        await director.wait_for(lambda: "a1" in director.room.desks)
        order = Order(service=Service.CLOSE)
        given = [
            asyncio.create_task(director.command("a1", order, by=who, expects=7))
            for who in ("Ana", "Bo")
        ]
        heard: dict[str, DirectorCommand] = {}
        while len(heard) < 2:
            for payload in await hall.commands():
                command = msgspec.json.decode(payload, type=DirectorCommand)
                heard[command.by] = command
        assert {command.expects for command in heard.values()} == {7}
        assert heard["Ana"].id != heard["Bo"].id
        replies = (
            CommandReply(id=heard["Ana"].id, by="Ana", done=True, number=8),
            CommandReply(
                id=heard["Bo"].id, by="Bo", done=False, outdated=True, reason="moved"
            ),
        )
        await hall.tell("a1", desk("a1", number=8, replies=replies))
        ana, bo = await asyncio.gather(*given)
        assert (ana.done, bo.done, bo.outdated) == (True, False, True)
