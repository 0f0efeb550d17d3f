"""What carries a terminal's bytes: its port says which carrier, each is a transport."""

import asyncio
import logging
from collections.abc import Callable

from broker.inbox import Message
from protocol.payloads import DaemonStatus, PayloadError, TableState, decode_payload
from protocol.topics import TopicError, TopicKind, Topics
from terminal.ble import SYSTEM, TIMES, Backend, Leases, Radio, Times
from terminal.ports import PortError, open_port
from terminal.settings import (
    DaemonSettings,
    TerminalSettings,
    bluetooth_address,
    is_bluetooth,
    is_web,
)
from terminal.web.carrier import Intruder, WebCarrier

logger = logging.getLogger(__name__)


class Carriers:
    """Opens the ports of one daemon's terminals.

    Args:
        settings: the daemon's.
        session: its run.
        nonce: gives 16 fresh random bytes at each request.
        on_intruder: told when somebody is refused at a web terminal.
        backend: whose Bluetooth is used.
        times: the deadlines of everything about Bluetooth.
    """

    def __init__(  # noqa: PLR0913 - each by name
        self,
        settings: DaemonSettings,
        session: str,
        *,
        nonce: Callable[[], bytes],
        on_intruder: Intruder,
        backend: Backend = SYSTEM,
        times: Times = TIMES,
    ) -> None:
        wireless = _wireless(settings)
        self._own = (settings.daemon, session)
        self._has_claimed = asyncio.Event()
        self._topics = Topics(settings.event)
        self._web = WebCarrier(settings, nonce, on_intruder)
        self._leases = Leases(*self._own, (t.id for t in wireless))
        self._radios = {
            adapter: Radio(
                _addresses(wireless, adapter),
                adapter,
                backend=backend,
                times=times,
            )
            for adapter in {terminal.adapter for terminal in wireless}
        }

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """What the carriers listen to.

        The births of all daemons, where another could snatch a terminal away, and the
        public facts of the tables at which web terminals lie.
        """
        births = self._topics.filter(TopicKind.DAEMON_STATUS)
        return (*((births,) if self._radios else ()), *self._web.subscriptions)

    def take(self, message: Message) -> bool:
        """Take a message that is for a carrier; returns whether it was."""
        try:
            topic = self._topics.parse(message.topic)
            if topic.kind not in {TopicKind.DAEMON_STATUS, TopicKind.TABLE_STATE}:
                return False
            told = decode_payload(topic.kind, message.payload)
        except TopicError:
            return False
        except PayloadError as error:
            logger.warning("%s: ignored: %s", message.topic, error)
            return True
        (name,) = topic.names
        if isinstance(told, TableState):
            self._web.show(name, told)
        elif isinstance(told, DaemonStatus):
            self._leases.take(name, told, retained=message.retained)
            if (name, told.session) == self._own:
                self._has_claimed.set()
        return True

    def take_up(self, settings: DaemonSettings) -> None:
        """Look for the boxes of these settings from now on (``can_be_taken_up``)."""
        for adapter, radio in self._radios.items():
            radio.scanner.look_for(_addresses(_wireless(settings), adapter))
        self._web.take_up(settings)

    async def run(self) -> None:
        """Keep the radios and the web server going until cancelled.

        Raises:
            WebServerError: nothing can be served at the address.
        """
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._web.run(), name="web")
            for adapter, radio in self._radios.items():
                tasks.create_task(radio.run(), name=f"radio {adapter or ''}")

    async def open(
        self, settings: TerminalSettings, protocol: asyncio.Protocol
    ) -> asyncio.Transport:
        """Open a terminal's port and tie it to ``protocol``.

        Raises:
            PortError: it cannot be opened now.
        """
        if is_web(settings.port):
            return await self._web.open(settings, protocol)
        if not is_bluetooth(settings.port):
            return await open_port(settings, protocol)
        # Before the broker has told who else is there, another's connection could be
        # taken for one that was left behind.
        await self._has_claimed.wait()
        holder = self._leases.holder(settings.id)
        if holder is not None:
            raise PortError(f"{settings.port}: daemon {holder} serves this terminal")
        address = bluetooth_address(settings.port)
        radio = self._radios[settings.adapter]
        return await radio.open(address, protocol, paired=settings.is_paired)


def _wireless(settings: DaemonSettings) -> list[TerminalSettings]:
    return [t for t in settings.terminals if is_bluetooth(t.port)]


def _addresses(wireless: list[TerminalSettings], adapter: str | None) -> list[str]:
    return [bluetooth_address(t.port) for t in wireless if t.adapter == adapter]
