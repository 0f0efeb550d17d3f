"""A Director elsewhere binds another box to a terminal while the event runs."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bidwire.direct import director_settings
from bidwire.event_file import read_event_file
from bidwire.event_settings import DAEMON
from broker import MqttClient
from protocol.payloads import (
    Assignments,
    AssignReply,
    AssignTerminal,
    decode_payload,
    encode_payload,
)
from protocol.topics import TopicKind, Topics
from tests.bidwire.ups import EVENT, Up

TOPICS = Topics("club")


async def bound(client: MqttClient, replies: int) -> Assignments:
    """Which boxes are bound, when so many commands have been answered."""
    while True:
        for message in await client.receive_batch():
            message.ack()
            said = decode_payload(TopicKind.DAEMON_ASSIGNMENTS, message.payload)
            assert isinstance(said, Assignments)
            if len(said.replies) == replies:
                return said


async def order(client: MqttClient, command: AssignTerminal) -> None:
    await client.publish(TOPICS.daemon_director(DAEMON), encode_payload(command))


@pytest.mark.broker
async def test_a_box_is_bound_from_elsewhere_and_the_event_file_has_it(
    up: Callable[[Path], Up], tmp_path: Path
) -> None:
    file = tmp_path / "event.toml"
    file.write_text(EVENT, encoding="utf-8")
    running = up(file)
    running.wait_for("Stop with Ctrl-C")
    settings = director_settings(read_event_file(file), tmp_path)
    subscriptions = [TOPICS.filter(TopicKind.DAEMON_ASSIGNMENTS)]
    async with MqttClient(
        settings, client_id="desk", subscriptions=subscriptions
    ) as client:
        assert (await bound(client, 0)).serials == {"console": ""}
        good = AssignTerminal("c1", "the director", "console", "BX-9")
        await order(client, good)
        said = await bound(client, 1)
        assert said.serials == {"console": "BX-9"}
        assert said.replies == (AssignReply("c1", "the director", done=True),)
        assert read_event_file(file).terminals[0].serial == "BX-9"
        running.wait_for("the director: BX-9 takes the place of console")

        await order(client, good)  # an older one that comes again changes nothing
        await order(client, AssignTerminal("c2", "the director", "t9", "BX-9"))
        refused = (await bound(client, 2)).replies[-1]
        assert not refused.done
        assert "terminals: expected console, got 't9'" in refused.reason
        payload = msgspec.json.encode({"schema": "bidwire.assign/1", "id": "c3"})
        await client.publish(TOPICS.daemon_director(DAEMON), payload)
        await order(client, AssignTerminal("c4", "the director", "console", "BX-10"))
        assert (await bound(client, 3)).serials == {"console": "BX-10"}

        late = AssignTerminal("c6", "the\ndirector", "console", "BX-12", "BX-9")
        await order(client, late)
        refused = (await bound(client, 4)).replies[-1]
        assert "console is bound to BX-10 by now: look again" in refused.reason
        assert "está asociado a BX-10" in refused.texts["es"]
        await order(client, msgspec.structs.replace(late, id="c7", instead="BX-10"))
        assert (await bound(client, 5)).serials == {"console": "BX-12"}
        running.wait_for("the director: BX-12 takes the place of console")

        file.write_text("[event", encoding="utf-8")
        await order(client, AssignTerminal("c5", "the director", "console", "BX-11"))
        said = await bound(client, 6)
        assert "no TOML" in said.replies[-1].reason
        assert said.serials == {"console": "BX-12"}
