"""Commands that a signal stops: they clean up, and exit as a shell expects."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a command; one that is ignored, as under ``nohup``, stays so."""


def on_signals(
    loop: asyncio.AbstractEventLoop, stop: Callable[[signal.Signals], None]
) -> None:
    """Have a function called with the signal that is to end the command."""
    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop, number)


def run_stoppable(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine; at a signal it is cancelled, so that it stops all it started.

    Raises:
        SystemExit: a signal stopped it; the code is 128 and the signal's number.
    """
    stopped: list[signal.Signals] = []

    async def run() -> Result:
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(work)

        def stop(number: signal.Signals) -> None:
            if not stopped:  # a second one must not break off the cleaning up
                stopped.append(number)
                task.cancel()

        on_signals(loop, stop)
        return await task

    try:
        return asyncio.run(run())
    except asyncio.CancelledError:
        if not stopped:
            raise
        raise SystemExit(128 + stopped[0]) from None
