"""The events that a daemon has taken over from a terminal and offers to the referee.

Each is offered until the referee has acknowledged it: once when it comes, again when
the broker is back, and again when the terminal repeats it. Its place in the order of
the table, ``k``, is taken when it is first published and stays the same ever after, so
that a copy fills the gap that a lost one left.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from protocol.decoding import Malformed
from protocol.limits import AGE_UNKNOWN_MS, TEXT_MAX, WINDOW
from protocol.messages import Ack, Event, Lost
from protocol.payloads import TerminalEvent, TerminalLost, TerminalMalformed
from terminal.inlet import Logged, first_number, last_number

OFFERS_MAX = 4 * WINDOW
"""Entries of one terminal that the referee has not acknowledged. A terminal stops at
``WINDOW``; one that does not is not listened to, and repeats."""

AGAIN_SECONDS = 0.1
"""A repeated frame is published again only so long after the last time: shorter, and
it is a frame that came twice. Half of what a terminal waits before it repeats what a
repeated ACK asks for."""


@dataclass(slots=True)
class Offer:
    """One entry of a terminal's log, on its way to the referee."""

    logged: Logged
    serial: str
    """The terminal's serial number."""
    opening: int
    """The opening of the link in which it came last."""
    came: float
    """When it arrived here."""
    order: int
    """Counts what arrived at this daemon."""
    k: int | None = None
    """Its number in the order of the table, once it has been published."""
    published: float | None = None
    """When it was last published, None when that is due."""

    def is_of(self, logged: Logged) -> bool:
        """Whether it is this entry, and not one of another log that has its number."""
        return _timeless(logged) == _timeless(self.logged)

    def offer_again(self, logged: Logged, opening: int, now: float) -> None:
        """The terminal has repeated it: publish it again, unless it has just been.

        In another opening than before it has to be: the referee takes only what came
        in the opening that it knows (J4).
        """
        if opening != self.opening:
            self.logged, self.opening, self.came = logged, opening, now
            self.published = None
        elif self.published is not None and now >= self.published + AGAIN_SECONDS:
            self.published = None

    def payload(
        self, session: str, table: str, k: int, now: float
    ) -> TerminalEvent | TerminalLost | TerminalMalformed:
        """The payload of this entry, with the stamp of its daemon."""
        logged = self.logged
        stamp: dict[str, Any] = {
            "session": session,
            "table": table,
            "k": k,
            "opening": self.opening,
            "serial": self.serial,
        }
        if isinstance(logged, Malformed):
            stamp |= {"raw": logged.body.hex(), "reason": logged.reason[:TEXT_MAX]}
            return TerminalMalformed(boot=logged.boot, n=logged.n, **stamp)
        fields = msgspec.structs.asdict(logged)
        if isinstance(logged, Lost):
            return TerminalLost(**fields, **stamp)
        fields["age_ms"] = self._age_ms(logged, now)
        return TerminalEvent(**fields, **stamp)

    def _age_ms(self, event: Event, now: float) -> int:
        if event.age_ms == AGE_UNKNOWN_MS:
            return AGE_UNKNOWN_MS
        waited_ms = round((now - self.came) * 1000)
        return min(event.age_ms + waited_ms, AGE_UNKNOWN_MS - 1)


class Outlet:
    """What one terminal's daemon offers, in the order of the terminal's log."""

    def __init__(self) -> None:
        self._offers: dict[_Key, Offer] = {}
        self._acked: Ack | None = None
        self._opening = 0

    def __len__(self) -> int:
        return len(self._offers)

    @property
    def acked(self) -> Ack | None:
        """The referee's last ACK in this opening."""
        return self._acked

    def take(
        self, logged: Logged, serial: str, order: Callable[[], int], now: float
    ) -> bool:
        """Offer an entry; one that is offered already is offered again.

        Args:
            logged: the entry.
            serial: the terminal's serial number.
            order: counts what arrives at this daemon.
            now: the time.

        Returns:
            False when there is no room: the terminal will repeat it.
        """
        key = _key(logged)
        offer = self._offers.get(key)
        if offer is not None and offer.is_of(logged):
            offer.offer_again(logged, self._opening, now)
        elif offer is None and len(self._offers) >= OFFERS_MAX:
            return False
        else:
            self._offers[key] = Offer(logged, serial, self._opening, now, order())
            if isinstance(logged, Lost):
                self._offer_after(logged, order)
        return True

    def _offer_after(self, lost: Lost, order: Callable[[], int]) -> None:
        """Offer again what follows lost events: the referee took it for a gap."""
        for offer in self._offers.values():
            logged = offer.logged
            if (logged.boot, first_number(logged)) > (lost.boot, lost.last):
                offer.published = None
                offer.order = order()

    def has(self, logged: Logged) -> bool:
        """Whether this very entry is offered already."""
        offer = self._offers.get(_key(logged))
        return offer is not None and offer.is_of(logged)

    def is_acknowledged(self, logged: Logged) -> bool:
        """Whether the referee's last ACK says that it has this entry."""
        acked = self._acked
        return (
            acked is not None
            and logged.boot == acked.boot
            and last_number(logged) <= acked.n
        )

    def acknowledged(self, ack: Ack) -> list[Offer]:
        """The referee has everything up to this event; returns what that settles."""
        self._acked = ack
        done = [
            index
            for index, offer in enumerate(self._offers.values())
            if offer.logged.boot == ack.boot and last_number(offer.logged) <= ack.n
        ]
        keys = list(self._offers)[: done[-1] + 1] if done else []
        return [self._offers.pop(key) for key in keys]

    def opened(self, opening: int, *, another_log: bool) -> None:
        """The link has come up: what the terminal repeats now the referee must judge.

        Args:
            opening: how often it has come up.
            another_log: the terminal is another, or its memory was reset: no ACK will
                name what stood in the log before.
        """
        self._acked = None
        self._opening = opening
        if another_log:
            self._offers.clear()

    def offer_all_again(self) -> None:
        """The broker is back, and may have lost what it had."""
        for offer in self._offers.values():
            offer.published = None

    def due(self) -> Iterator[Offer]:
        """What is to be published: what has come, or come again, in this opening."""
        return (
            offer
            for offer in self._offers.values()
            if offer.published is None and offer.opening == self._opening
        )


def _timeless(logged: Logged) -> Logged:
    """An entry without its age, which grows from repeat to repeat."""
    if isinstance(logged, Event):
        return msgspec.structs.replace(logged, age_ms=0)
    return logged


_Key = tuple[bool, int, int, int]
"""Whether it is lost; boot, first number and last."""


def _key(logged: Logged) -> _Key:
    lost = isinstance(logged, Lost)
    return (lost, logged.boot, first_number(logged), last_number(logged))
