"""The relay between the links of a daemon's terminals and MQTT: pure, no I/O, no clock.

It never acknowledges an event by itself: the ACK is the referee's. While the broker is
away the links stay up, the displays stay as they are, and the terminals keep their
events; when it is back, everything not yet acknowledged is offered again in the order
in which it came. What waits is bounded by what the terminals may have under way, so
there is no queue that could overflow.
"""

import itertools
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from protocol.messages import Ack, Display
from protocol.payloads import (
    Acknowledge,
    DaemonStatus,
    DisplayPrompt,
    Payload,
    PayloadError,
    Poll,
    decode_payload,
    encode_payload,
)
from protocol.topics import RETAINED, TopicError, TopicKind, Topics
from terminal.outlet import Offer
from terminal.relayed import RelayedTerminal
from terminal.settings import DaemonSettings
from terminal.web.joining import join_address

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Publication:
    """A message for the broker, at QoS 1."""

    topic: str
    payload: bytes
    retain: bool


_Touched = list[tuple[str, RelayedTerminal]]


class Relay:
    """All terminals of one daemon.

    A shell drives it so: it tells of lines, of bytes, of messages, of the broker and of
    time; after every call it asks for ``publications``, and for ``data_to_send``,
    ``lets_go`` and ``deadline`` of the terminal concerned. Times are seconds of a clock
    that never goes back.
    """

    def __init__(
        self,
        settings: DaemonSettings,
        session: str,
        nonce: Callable[[], bytes],
        *,
        wall: Callable[[], float],
        took: Callable[[float], None],
    ) -> None:
        """Prepare; no port is open and the broker is away.

        Args:
            settings: the terminals, and who this daemon is.
            session: id of this run of the daemon, never used before.
            nonce: gives 16 fresh random bytes at each request.
            wall: the wall clock, for people who read the statuses.
            took: told the seconds from an entry's arrival to the referee's ACK.
        """
        self._session = session
        self._wall = wall
        self._started = wall()
        self._daemon = settings.daemon
        self._topics = Topics(settings.event)
        order = itertools.count()
        self._places = _places(settings)
        self._terminals = {
            terminal.id: RelayedTerminal(
                terminal,
                session,
                nonce=nonce,
                order=lambda: next(order),
                took=took,
                places=self._places,
                join=join_address(settings, terminal),
            )
            for terminal in settings.terminals
        }
        self._next_k = dict.fromkeys((t.table for t in settings.terminals), 0)
        self._epoch = dict.fromkeys(self._next_k, 0)
        self._broker_is_there = False
        self._touched = set(self._terminals)

    @property
    def terminals(self) -> tuple[str, ...]:
        """The ids of the terminals."""
        return tuple(self._terminals)

    @property
    def relayed(self) -> tuple[RelayedTerminal, ...]:
        """The terminals, to be looked at."""
        return tuple(self._terminals.values())

    @property
    def status_topic(self) -> str:
        """Where the daemon says that it is there."""
        return self._topics.daemon_status(self._daemon)

    @property
    def status(self) -> DaemonStatus:
        """The birth; the will is the same but for ``online``."""
        return DaemonStatus(
            session=self._session,
            online=True,
            terminals=self.terminals,
            started=self._started,
        )

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """One filter for displays and one for acknowledgements."""
        kinds = (TopicKind.TERMINAL_DISPLAY, TopicKind.TERMINAL_ACK)
        return tuple(self._topics.filter(kind, self._daemon) for kind in kinds)

    def take_up(self, settings: DaemonSettings, now: float) -> None:
        """Serve the terminals as these settings have them (``can_be_taken_up``).

        The ports of those that change must be closed.
        """
        self._places.clear()
        self._places.update(_places(settings))
        for terminal in settings.terminals:
            if terminal != self._terminals[terminal.id].settings:
                join = join_address(settings, terminal)
                self._touch(terminal.id).bind(terminal, join, now)

    # -- lines ----------------------------------------------------------------------

    def line_opened(self, terminal: str, now: float) -> None:
        """A terminal's port is open."""
        self._touch(terminal).line_opened(now)

    def line_lost(self, terminal: str, reason: str, now: float) -> None:
        """A terminal's port is gone, or does not open; ``reason`` is for people."""
        self._touch(terminal).line_lost(reason, now)

    def line_refused(self, terminal: str, reason: str, now: float) -> None:
        """Whoever is at a terminal's port is refused; ``reason`` is for people."""
        self._touch(terminal).line_refused(reason, now)

    def lets_go(self, terminal: str) -> str | None:
        """Why a terminal's port is to be closed and opened again now, once.

        None while it is not: it is when the terminal there has been refused a while.
        """
        return self._terminals[terminal].lets_go()

    def intruded(self, terminal: str, reason: str) -> None:
        """Somebody was refused at a terminal's port, which goes on as it was."""
        self._touch(terminal).intruded(reason)

    def line_received(self, terminal: str, data: bytes, now: float) -> None:
        """Bytes came from a terminal; any bytes whatever."""
        self._touch(terminal).received(data, now)

    def data_to_send(self, terminal: str) -> bytes:
        """Bytes for a terminal's port, each once."""
        return self._terminals[terminal].link.data_to_send()

    def _touch(self, terminal: str) -> RelayedTerminal:
        self._touched.add(terminal)
        return self._terminals[terminal]

    # -- the broker -----------------------------------------------------------------

    def broker_connected(self, now: float) -> None:
        """Publications are taken; statuses and what is not acknowledged go again."""
        self._broker_is_there = True
        for name in self._terminals:
            self._touch(name).broker_connected(now)

    def broker_lost(self) -> None:
        """There are no publications until the broker is back."""
        self._broker_is_there = False

    def message(self, topic: str, payload: bytes, now: float) -> str | None:
        """Take a message of the referee; one that is none is logged and ignored.

        Returns:
            The terminal that it was for.
        """
        try:
            parsed = self._topics.parse(topic)
            content = decode_payload(parsed.kind, payload)
        except (TopicError, PayloadError) as error:
            logger.error("%s: ignored: %s", topic, error)  # noqa: TRY400 - theirs
            return None
        name = parsed.names[-1]
        if name not in self._terminals:
            logger.error("%s: ignored: this daemon has no such terminal", topic)
            return None
        self._forward(self._touch(name), content, now)
        return name

    def _forward(self, terminal: RelayedTerminal, content: Payload, now: float) -> None:
        table = terminal.settings.table
        match content:
            case DisplayPrompt() | Acknowledge() | Poll() if (
                content.epoch < self._epoch[table]
            ):
                logger.warning(
                    "%s: ignored a message of term %d: term %d has begun",
                    terminal.settings.id,
                    content.epoch,
                    self._epoch[table],
                )
            case DisplayPrompt(epoch=epoch):
                self._epoch[table] = epoch
                terminal.display(Display(**msgspec.structs.asdict(content)), now)
            case Acknowledge(epoch=epoch, boot=boot, n=n):
                self._epoch[table] = epoch
                ack = Ack(boot, n)
                terminal.acknowledge(ack, content.session, content.opening, now)
            case Poll(epoch=epoch, token=token):
                self._epoch[table] = epoch
                terminal.poll(token, now)
            case _:
                logger.error(
                    "%s: nothing to do for %s", terminal.settings.id, type(content)
                )

    def publications(self, now: float) -> list[Publication]:
        """What is to be published, each once, in this order.

        Events stand before answers, so that an answer to a poll never overtakes the
        events that it speaks of.
        """
        if not self._broker_is_there:
            return []
        touched = [(name, self._terminals[name]) for name in sorted(self._touched)]
        self._touched.clear()
        return [
            *self._births(touched),
            *self._statuses(touched, now),
            *self._events(touched, now),
            *self._answers(touched),
        ]

    def _births(self, touched: _Touched) -> Iterator[Publication]:
        # Each is asked, though one would do: to be asked settles what is due.
        due = [terminal.birth_is_due() for _, terminal in touched]
        if any(due):
            yield Publication(self.status_topic, encode_payload(self.status), True)

    def _statuses(self, touched: _Touched, now: float) -> Iterator[Publication]:
        for name, terminal in touched:
            status = terminal.status_due(now, self._wall())
            if status is not None:
                yield self._publication(TopicKind.TERMINAL_STATUS, name, status)

    def _events(self, touched: _Touched, now: float) -> list[Publication]:
        due: list[tuple[int, str, Offer]] = []
        for name, terminal in touched:
            due += [(offer.order, name, offer) for offer in terminal.outlet.due()]
        return [
            self._publish_offer(name, offer, now)
            for _, name, offer in sorted(due, key=lambda item: item[0])
        ]

    def _publish_offer(self, name: str, offer: Offer, now: float) -> Publication:
        table = self._terminals[name].settings.table
        if offer.k is None:
            offer.k = self._next_k[table]
            self._next_k[table] += 1
        offer.published = now
        payload = offer.payload(self._session, table, offer.k, now)
        return self._publication(TopicKind.TERMINAL_EVENTS, name, payload)

    def _answers(self, touched: _Touched) -> Iterator[Publication]:
        for name, terminal in touched:
            for answer in terminal.answers():
                yield self._publication(TopicKind.TERMINAL_SHOWN, name, answer)

    def _publication(
        self, kind: TopicKind, terminal: str, payload: Payload
    ) -> Publication:
        return Publication(
            self._topics.of(kind, self._daemon, terminal),
            encode_payload(payload),
            kind in RETAINED,
        )

    # -- time -----------------------------------------------------------------------

    def deadline(self, terminal: str) -> float | None:
        """When ``tick`` wants to be called for a terminal, None for never."""
        return self._terminals[terminal].deadline()

    def tick(self, terminal: str, now: float) -> None:
        """Do what is due."""
        self._touch(terminal).tick(now)


def _places(settings: DaemonSettings) -> dict[str, str]:
    """Where the terminals belong, by serial number."""
    return {
        terminal.serial: f"{terminal.table} {''.join(terminal.seats)}"
        for terminal in settings.terminals
        if terminal.serial is not None
    }
