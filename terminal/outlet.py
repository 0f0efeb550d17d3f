"""The events that a daemon has taken over from a terminal and offers to the referee.

Each is offered until the referee has acknowledged it: once when it comes, again when
the broker is back, and again when the terminal repeats it. Its place in the order of
the table, ``k``, is taken when it is first published and stays the same ever after, so
that a copy fills the gap that a lost one left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from protocol.limits import AGE_UNKNOWN_MS, WINDOW
from protocol.messages import Ack, Event, Lost
from protocol.payloads import TerminalEvent, TerminalLost
from terminal.inlet import Logged, last_number

OFFERS_MAX = 4 * WINDOW
"""Entries of one terminal that the referee has not acknowledged. A terminal stops at
``WINDOW``; one that does not is not listened to, and repeats."""

AGAIN_SECONDS = 0.5
"""A repeated frame is published again only so long after the last time: shorter, and
it was sent before the referee's answer could reach the terminal."""


@dataclass(slots=True)
class Offer:
    """One entry of a terminal's log, on its way to the referee."""

    logged: Logged
    serial: str
    """The terminal's serial number."""
    came: float
    """When it arrived here."""
    order: int
    """Counts what arrived at this daemon."""
    k: int | None = None
    """Its number in the order of the table, once it has been published."""
    published: float | None = None
    """When it was last published, None when that is due."""

    def offer_again(self, now: float) -> None:
        """The terminal has repeated it: publish it again, unless it has just been."""
        if self.published is not None and now >= self.published + AGAIN_SECONDS:
            self.published = None

    def payload(
        self, session: str, table: str, k: int, now: float
    ) -> TerminalEvent | TerminalLost:
        """The payload of this entry, with the stamp of its daemon."""
        fields = msgspec.structs.asdict(self.logged)
        stamp: dict[str, Any] = {
            "session": session,
            "table": table,
            "k": k,
            "serial": self.serial,
        }
        if isinstance(self.logged, Lost):
            return TerminalLost(**fields, **stamp)
        fields["age_ms"] = self._age_ms(self.logged, now)
        return TerminalEvent(**fields, **stamp)

    def _age_ms(self, event: Event, now: float) -> int:
        if event.age_ms == AGE_UNKNOWN_MS:
            return AGE_UNKNOWN_MS
        waited_ms = round((now - self.came) * 1000)
        return min(event.age_ms + waited_ms, AGE_UNKNOWN_MS - 1)


class Outlet:
    """What one terminal's daemon offers, in the order of the terminal's log."""

    def __init__(self) -> None:
        self._offers: dict[tuple[str, int, int, int], Offer] = {}
        self._acked: Ack | None = None

    def __len__(self) -> int:
        return len(self._offers)

    @property
    def acked(self) -> Ack | None:
        """The referee's last ACK."""
        return self._acked

    def take(self, logged: Logged, serial: str, order: int, now: float) -> bool:
        """Offer an entry; one that is offered already is offered again.

        Returns:
            False when there is no room: the terminal will repeat it.
        """
        key = _key(logged)
        offer = self._offers.get(key)
        if offer is not None:
            offer.offer_again(now)
        elif len(self._offers) >= OFFERS_MAX:
            return False
        else:
            self._offers[key] = Offer(logged, serial, now, order)
        return True

    def is_acknowledged(self, logged: Logged) -> bool:
        """Whether the referee's last ACK says that it has this entry."""
        acked = self._acked
        return (
            acked is not None
            and logged.boot == acked.boot
            and last_number(logged) <= acked.n
        )

    def acknowledged(self, ack: Ack) -> None:
        """The referee has everything up to this event."""
        self._acked = ack
        done = [
            index
            for index, offer in enumerate(self._offers.values())
            if offer.logged.boot == ack.boot and last_number(offer.logged) <= ack.n
        ]
        if done:
            for key in list(self._offers)[: done[-1] + 1]:
                del self._offers[key]

    def opened(self) -> None:
        """The link has come up: what the terminal repeats now the referee must judge.

        It may have lost its memory and begun its numbers anew.
        """
        self._acked = None

    def replaced(self) -> None:
        """Another log has begun: what stood in the old one has been published."""
        self._offers = {
            key: offer for key, offer in self._offers.items() if offer.k is None
        }

    def offer_all_again(self) -> None:
        """The broker is back, and may have lost what it had."""
        for offer in self._offers.values():
            offer.published = None

    def due(self) -> Iterator[Offer]:
        """What is to be published."""
        return (offer for offer in self._offers.values() if offer.published is None)


def _key(logged: Logged) -> tuple[str, int, int, int]:
    if isinstance(logged, Event):
        return ("event", logged.boot, logged.n, logged.n)
    return ("lost", logged.boot, logged.first, logged.last)
