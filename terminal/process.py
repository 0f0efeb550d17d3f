"""What the daemon and the simulator have in common as processes."""

import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine

logger = logging.getLogger(__name__)


def set_up_logging(level: str) -> None:
    """Log to stderr from this level on."""
    logging.basicConfig(
        level=level,
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


async def run_until_signalled(work: Coroutine[object, object, None]) -> None:
    """Run until SIGTERM or SIGINT, then cancel the work and wait for its end."""
    task = asyncio.create_task(work, name="main")
    loop = asyncio.get_running_loop()
    stopping = False

    def stop(name: str) -> None:
        nonlocal stopping
        stopping = True
        logger.info("stopping: %s", name)
        task.cancel()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number.name)
    try:
        await task
    except asyncio.CancelledError:
        if not stopping:
            raise
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
