"""The system's Bluetooth behind bleak, held to hard deadlines and one kind of error."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from bleak.backends.adapter import BaseBleakAdapter
from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import BaseBleakScanner

from terminal.ports import PortError

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Backend:
    """Whose Bluetooth is used; None is the system's own.

    Attributes:
        scanner: bleak backend that hears advertisements.
        client: bleak backend that connects.
        adapter: bleak backend that tells what is connected.
    """

    scanner: type[BaseBleakScanner] | None = None
    client: type[BaseBleakClient] | None = None
    adapter: type[BaseBleakAdapter] | None = None


SYSTEM = Backend()
"""BlueZ on Linux."""


class BluetoothError(PortError):
    """A request to the system's Bluetooth that failed."""

    def __init__(self, text: str, cause: BaseException | None = None) -> None:
        """Keep bleak's own exception beside the text."""
        super().__init__(text)
        self.cause = cause


class OverdueError(BluetoothError):
    """A request that was not done in time, and has been cancelled."""


async def within(
    seconds: float, what: str, request: Coroutine[Any, Any, _Result], *, grace: float
) -> _Result:
    """Await a request to the system's Bluetooth, but never longer than a deadline.

    The request runs as a task of its own, so that the deadline holds even when the
    backend does not heed its cancellation.

    Args:
        seconds: the deadline.
        what: the request in words, for the error.
        request: one coroutine of bleak.
        grace: how long a cancelled request may take to clean up.

    Raises:
        OverdueError: the deadline has passed.
        BluetoothError: the request failed.
    """
    task = asyncio.create_task(request, name=what)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=grace)
            task.add_done_callback(_drop_result)
    if not done:
        raise OverdueError(f"{what}: not done within {seconds:g} s")
    if task.cancelled():
        # Some backends end a pending request so when the connection is lost.
        raise BluetoothError(f"{what}: given up")
    error = task.exception()
    if error is not None:
        raise BluetoothError(f"{what}: {_text(error)}", error) from error
    return task.result()


def _text(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _drop_result(task: "asyncio.Task[_Result]") -> None:
    if not task.cancelled():
        task.exception()  # asked for, so that asyncio does not complain of it
