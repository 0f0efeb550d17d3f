"""A person at the box, who is asked to do what the checks need."""

import asyncio
import contextlib
import os
import termios

from hil_tests.hands import CannotCauseError
from laws.seats import Seat
from protocol.happenings import KINDS, EventKey, Kind
from protocol.messages import Display

PROMPT_SECONDS = 60.0
"""For one action, unless told."""

CONSOLE = "/dev/tty"

SEAT_NAMES = {seat: seat.name.capitalize() for seat in Seat}


class NoConsoleError(Exception):
    """There is no terminal on which a person could be asked."""


class Person:
    """Asks on the console, which pytest does not capture, and waits for Enter."""

    are_quick = False

    def __init__(self, timeout: float = PROMPT_SECONDS, console: str = CONSOLE) -> None:
        """Find the console.

        Args:
            timeout: seconds for one action.
            console: where the person is asked.

        Raises:
            NoConsoleError: there is none.
        """
        self._timeout = timeout
        try:
            self._file = os.open(console, os.O_RDWR | os.O_NOCTTY)
        except OSError as error:
            raise NoConsoleError(
                f"--operator: nobody can be asked without a console: {error}"
            ) from error

    async def press(self, key: EventKey) -> None:
        """Ask for a key."""
        await self._ask(f"at {SEAT_NAMES[key.seat]} {entered(key)}")

    async def choose(self, display: Display, number: int) -> None:
        """Ask for an answer."""
        label = display.choices[number - 1].label
        await self._ask(
            f"at {SEAT_NAMES[display.seat]} take the answer {label!r} (number {number})"
        )

    async def restart(self) -> None:
        """Ask for a restart."""
        await self._ask("take the power from the terminal and give it back")

    async def sees(self, seat: Seat, text: str) -> bool:
        """Ask for a look at a display."""
        return await self._look(seat, f"show {text!r}")

    async def sees_unsent(self, seat: Seat, count: int) -> bool:
        """Ask for a look at a display."""
        return await self._look(
            seat, f"tell, in any words, that what waits to be sent is {count}"
        )

    async def _look(self, seat: Seat, what: str) -> bool:
        answer = await self._ask(
            f"does {SEAT_NAMES[seat]}'s display {what}? y or n", "then Enter"
        )
        return answer.lower().startswith("y")

    async def _ask(self, what: str, end: str = "then Enter here") -> str:
        """Ask, and wait for a line; ``s`` skips the check."""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._file, termios.TCIFLUSH)
        os.write(self._file, f"\n>>> {what}, {end} (s skips): ".encode())
        try:
            async with asyncio.timeout(self._timeout):
                line = (await self._line()).strip()
        except TimeoutError:
            raise CannotCauseError(
                f"nobody did within {self._timeout:g} s: {what}"
            ) from None
        if line.lower() == "s":
            raise CannotCauseError(f"the operator skipped: {what}")
        return line

    async def _line(self) -> str:
        """A line of the console, without keeping the loop from the link."""
        loop = asyncio.get_running_loop()
        line: asyncio.Future[str] = loop.create_future()

        def read() -> None:
            loop.remove_reader(self._file)
            line.set_result(os.read(self._file, 1024).decode(errors="replace"))

        loop.add_reader(self._file, read)
        try:
            return await line
        finally:
            loop.remove_reader(self._file)


def entered(key: EventKey) -> str:
    """What a person enters so that an event says this."""
    data = [str(datum) for datum in key.data]
    card = f" from the hand of {SEAT_NAMES[key.hand]}" if key.hand else ""
    if key.kind == Kind.CALL:
        call = f"call {data[0]}"
        alert = ", alerted" if key.data[1:2] == (True,) else ""
        told = f", explained as {data[2]!r}" if len(data) > 2 else ""
        return f"{call}{alert}{told}"
    spec = KINDS[Kind(key.kind)]
    fields = ", ".join(
        f"{field.name} {datum!r}"
        for field, datum in zip(spec.fields, data, strict=False)
    )
    return f"enter {key.kind!r} ({spec.meaning}){': ' if fields else ''}{fields}{card}"
