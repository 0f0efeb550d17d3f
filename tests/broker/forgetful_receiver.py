"""A program that receives the events of all terminals and acknowledges none.

Argument: the port. Standard input: user name and password. It prints `connected`,
then each payload on a line, until it is killed.
"""

import asyncio
import sys

from broker import BrokerSettings, MqttClient
from tests.broker.clients import EVENTS


async def main() -> None:
    username, password = sys.stdin.readline().split()
    settings = BrokerSettings(
        port=int(sys.argv[1]), username=username, password=password
    )
    async with MqttClient(
        settings, client_id="referee", subscriptions=(EVENTS,), clean_session=False
    ) as client:
        await client.wait_connected()
        say("connected")
        while True:
            for message in await client.receive_batch():
                say(message.payload.decode())


def say(line: str) -> None:
    """Write a line for the test that started this program."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


asyncio.run(main())
