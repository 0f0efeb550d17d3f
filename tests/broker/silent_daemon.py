"""A program that reports itself as daemon d1 and does nothing until it is killed.

Argument: the port. Standard input: user name and password.
"""

import asyncio
import sys

from broker import BrokerSettings, MqttClient, Presence
from protocol.payloads import DaemonStatus
from tests.broker.clients import STATUS


async def main() -> None:
    username, password = sys.stdin.readline().split()
    settings = BrokerSettings(
        port=int(sys.argv[1]), username=username, password=password
    )
    presence = Presence(STATUS, DaemonStatus(session="doomed", online=True))
    async with MqttClient(settings, client_id="d1", presence=presence) as client:
        await client.receive_batch()


asyncio.run(main())
