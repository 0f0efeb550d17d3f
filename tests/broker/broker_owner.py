"""A program that runs an embedded broker until it is killed.

Argument: the store. It prints the process id of nats-server.
"""

import asyncio
import sys
from pathlib import Path

from broker import EmbeddedBroker


async def main() -> None:
    async with EmbeddedBroker(Path(sys.argv[1]), event="test") as embedded:
        sys.stdout.write(f"{embedded.pid}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


asyncio.run(main())
