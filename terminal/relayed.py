"""One terminal as its daemon sees it: its link, its log's order, its status."""

import logging
from collections.abc import Callable, Mapping
from typing import assert_never

import msgspec

from protocol.daemon_link import DaemonLink
from protocol.decoding import Malformed
from protocol.limits import MESSAGE_MAX, POLLS_MAX, TEXT_MAX
from protocol.link import (
    BodyRejected,
    DownReason,
    LinkDown,
    LinkRefused,
    LinkUp,
    Occurrence,
    Received,
    Repeat,
    State,
)
from protocol.messages import (
    Ack,
    Display,
    Event,
    Hello,
    Lost,
    Message,
    Ping,
    Pong,
    Refused,
    Shown,
    Vitals,
    encoded_size,
)
from protocol.payloads import (
    HelloReport,
    LinkState,
    TerminalClear,
    TerminalShown,
    TerminalStatus,
    VitalsReport,
)
from terminal.admission import why_refused
from terminal.inlet import Inlet, Logged, UnknownBootError
from terminal.outlet import Outlet
from terminal.second_look import SecondLook
from terminal.settings import TerminalSettings, is_web

logger = logging.getLogger(__name__)

VITALS_SECONDS = 30.0
"""Between two statuses that differ only in uptime or signal."""

REBOUND = "another port, box or key is set"
"""Reason of a terminal that has been bound anew and whose port is not open yet."""

UNOPENED = "the port has not been opened yet"
"""Reason of a terminal whose port nobody has tried to open."""

UNJOINED = "no tablet has joined yet"
"""The same of a web terminal, whose port each tablet opens that joins."""

UNHEARD = "the terminal has not answered yet"
"""Reason of a terminal whose port is open, and silent so far."""

UNANSWERED = "waiting for the referee's first answer"
"""Reason of a terminal whose link is up while the referee has said nothing to it."""

WARNINGS_MAX = 16
"""Reasons for which messages of one opening of a line are rejected, as far as told."""

DOWN = {
    DownReason.CARRIER: "its carrier was lost",
    DownReason.SILENCE: "no sign of life",
    DownReason.ASKED: "the daemon opens the link anew",
    DownReason.REFUSED: "refused",
    DownReason.REOPENED: "the terminal opens the link anew",
}
"""Reasons of a terminal whose link was up; people read them."""


class RelayedTerminal:
    """The pure part of serving one terminal."""

    def __init__(  # noqa: PLR0913 - each by name
        self,
        settings: TerminalSettings,
        session: str,
        *,
        nonce: Callable[[], bytes],
        order: Callable[[], int],
        took: Callable[[float], None],
        places: Mapping[str, str],
        join: str = "",
    ) -> None:
        """Prepare a terminal whose port is not open yet.

        Args:
            settings: who it must be and where it sits.
            session: id of the daemon's run.
            nonce: gives 16 fresh random bytes at each request.
            order: counts what arrives at this daemon.
            took: told the seconds from an entry's arrival to the referee's ACK.
            places: where the terminals of the settings belong, by serial number.
            join: the address with code at which a web terminal joins.
        """
        self.settings = settings
        self._join = join
        self._intruder = ""
        self._nonce = nonce
        self.link = self._fresh_link()
        self.outlet = Outlet()
        self._session = session
        self._order = order
        self._took = took
        self._places = places
        self._inlet = Inlet()
        self.repeated = 0
        """Entries of its log that it has sent again."""
        self._answers: dict[object, TerminalShown | TerminalClear] = {}
        self._polls: dict[int, Ping] = {}
        self._state = LinkState.OFFLINE
        self._reason = UNJOINED if is_web(settings.port) else UNOPENED
        self._opening = 0
        self._hello: Hello | None = None
        self._vitals: Vitals | None = None
        self._heard: float | None = None
        self._warned: set[str] = set()
        self._status_is_due = True
        self._status_later: float | None = None
        self._repeat_status = Repeat()
        self._is_unanswered = False
        self._told_at = 0.0
        self._second_look = SecondLook()
        self._lets_go = False

    @property
    def state(self) -> LinkState:
        """Of its link."""
        return self._state

    @property
    def openings(self) -> int:
        """How often its link has come up."""
        return self._opening

    @property
    def vitals(self) -> Vitals | None:
        """What it said last of battery, signal and uptime."""
        return self._vitals

    def _fresh_link(self) -> DaemonLink:
        return DaemonLink(self._nonce, self._admit, self.settings.key_bytes)

    def bind(self, settings: TerminalSettings, join: str, now: float) -> None:
        """Serve the same place at another port, or with another box or key.

        What it has offered goes on, unless the box has another log.

        Args:
            settings: who it must be now.
            join: the address with code at which a web terminal joins now.
            now: the time.
        """
        self._close()
        self.settings = settings
        self._join = join
        self.link = self._fresh_link()
        self._second_look.settled()
        self._go_offline(REBOUND, now)

    # -- the carrier ----------------------------------------------------------------

    def line_opened(self, now: float) -> None:
        """The port is open."""
        self.link.opened(now)
        self._warned.clear()
        if self._state is LinkState.REFUSED:
            # Most likely the same one is still there: that would be no news.
            self._second_look.after_opening(now)
            return
        self._reason = UNHEARD
        self._status_is_due = True
        self._repeat_status.start(now)

    def line_lost(self, reason: str, now: float) -> None:
        """The port is gone, or does not open."""
        self._close()
        self._second_look.settled()
        self._go_offline(reason, now)

    def line_refused(self, reason: str, now: float) -> None:
        """Whoever is at the port is not the terminal; it is tried again later."""
        self._close()
        self._refuse(reason, now)

    def lets_go(self) -> str | None:
        """Why the port is to be closed and opened again now, once; None otherwise."""
        lets_go, self._lets_go = self._lets_go, False
        return self._reason if lets_go else None

    def _look(self, now: float) -> None:
        """Look whether another terminal is there than the one that was refused."""
        if self.link.state is State.REFUSED:
            self._lets_go = True
        elif self.link.state is State.OPENING:
            self._go_offline(UNHEARD, now)

    def intruded(self, reason: str) -> None:
        """Somebody else was refused; the terminal itself, if it is there, is not."""
        self._intruder = reason
        self._status_is_due = True

    def _close(self) -> None:
        self._second_look.stop()
        self._lets_go = False
        if self.link.state is not State.CLOSED:
            self.link.closed()
            self.link.events_received()

    def received(self, data: bytes, now: float) -> None:
        """Bytes came from the terminal."""
        heard = self.link.decoder.counters.frames
        self.link.receive_data(data, now)
        if self.link.decoder.counters.frames != heard:
            self._heard = now
        self._act(now)

    def tick(self, now: float) -> None:
        """Do what is due."""
        if self._status_later is not None and now >= self._status_later:
            self._status_is_due = True
            self._status_later = None
        if self._repeat_status.is_due(now):
            # A broker may lose a status, retained or not, that is published while
            # its reader subscribes: seen on NATS.
            self._status_is_due = self._is_unanswered = True
            self._repeat_status.again(now)
        self.link.tick(now)
        self._act(now)
        if self._second_look.is_due(now):
            self._second_look.stop()
            self._look(now)

    def deadline(self) -> float | None:
        """When ``tick`` wants to be called."""
        due = (
            self.link.deadline(),
            self._status_later,
            self._repeat_status.due,
            self._second_look.due,
        )
        return min((time for time in due if time is not None), default=None)

    # -- the referee ----------------------------------------------------------------

    def acknowledge(self, ack: Ack, session: str, opening: int, now: float) -> None:
        """The referee's journal has everything up to this event.

        Args:
            ack: what it acknowledges.
            session: the run of the daemon whose opening the referee knows.
            opening: the last opening that it has heard of; an ACK for an earlier one
                may speak of another log.
            now: the time.
        """
        if (session, opening) != (self._session, self._opening):
            logger.debug("%s: an ACK for an earlier opening", self.settings.id)
            return
        self._referee_answered()
        for offer in self.outlet.acknowledged(ack):
            self._took(now - offer.came)
        self._offer(self._inlet.acknowledged(ack), now)
        self.link.send(ack, now)

    def display(self, display: Display, now: float) -> None:
        """Show this to a seat, as soon as the link is up and until it is shown."""
        size = encoded_size(display)
        if display.seat not in self.settings.seats:
            logger.error(
                "%s: a display for %s, which it does not serve",
                self.settings.id,
                display.seat,
            )
        elif size > MESSAGE_MAX:
            logger.error(
                "%s: a display of %d bytes cannot be sent, at most %d fit",
                self.settings.id,
                size,
                MESSAGE_MAX,
            )
        elif self.link.send(display, now):
            self._act(now)  # it may have been shown already
        else:
            logger.debug("%s: an outdated display", self.settings.id)

    def poll(self, token: int, now: float) -> None:
        """Ask the terminal which event it will number next."""
        while len(self._polls) >= POLLS_MAX and token not in self._polls:
            del self._polls[next(iter(self._polls))]
        ping = self._polls[token] = Ping(token)
        self.link.send(ping, now)

    # -- what is to be published ----------------------------------------------------

    def broker_connected(self, now: float) -> None:
        """Offer everything again: the broker may have lost what it had.

        The status is repeated until an ACK shows that the referee, which may be another
        by now, knows this opening.
        """
        self.outlet.offer_all_again()
        self._status_is_due = True
        if self._state is LinkState.ONLINE:
            self._repeat_status.start(now)

    def answers(self) -> list[TerminalShown | TerminalClear]:
        """What the terminal has shown and answered, each once."""
        answers = list(self._answers.values())
        self._answers.clear()
        return answers

    def birth_is_due(self) -> bool:
        """Whether the referee may have lost the daemon's birth; once a repeat.

        It takes no status before the birth, and has answered none.
        """
        due, self._is_unanswered = self._is_unanswered, False
        return due

    def status_due(self, now: float, at: float) -> TerminalStatus | None:
        """The terminal's status, if it is to be published now.

        Args:
            now: the time.
            at: the same by the wall clock, for people.
        """
        if not self._status_is_due:
            return None
        self._status_is_due = False
        self._status_later = None
        self._told_at = now
        hello = vitals = None
        if self._hello is not None:
            fields = {f: getattr(self._hello, f) for f in HelloReport.__struct_fields__}
            hello = HelloReport(**fields)
        if self._vitals is not None:
            vitals = VitalsReport(**msgspec.structs.asdict(self._vitals))
        return TerminalStatus(
            session=self._session,
            table=self.settings.table,
            link=self._state,
            reason=self._reason[:TEXT_MAX],
            opening=self._opening,
            hello=hello,
            vitals=vitals,
            at=at,
            heard_s=round(now - self._heard, 1) if self._heard is not None else None,
            join=self._join,
            intruder=self._intruder[:TEXT_MAX],
        )

    # -- what the link brings -------------------------------------------------------

    def _admit(self, hello: Hello) -> Refused | None:
        return why_refused(hello, self.settings, self._places)

    def _act(self, now: float) -> None:
        for occurrence in self.link.events_received():
            self._happened(occurrence, now)

    def _happened(self, occurrence: Occurrence, now: float) -> None:
        match occurrence:
            case LinkUp(hello=hello):
                self._come_online(hello, now)
            case LinkDown() if self.link.state is State.UP:
                pass  # it has come up again, with the same HELLO
            case LinkDown(reason=reason):
                self._go_offline(DOWN[reason], now)
            case LinkRefused(text=text):
                self._refuse(text, now)
                self._second_look.after_refusal(now)
            case Received(message=message):
                self._take(message, now)
            case BodyRejected(reason=reason):
                self._warn(f"a message is ignored: {reason}")
            case _ as unreachable:
                assert_never(unreachable)

    def _warn(self, text: str) -> None:
        """Log what is wrong with a terminal's messages, once while its line is open."""
        if text not in self._warned and len(self._warned) < WARNINGS_MAX:
            self._warned.add(text)
            logger.warning("%s: %s", self.settings.id, text)

    def _come_online(self, hello: Hello, now: float) -> None:
        self._opening += 1
        another_log = self._inlet.opened(hello)
        self.outlet.opened(self._opening, another_log=another_log)
        self._hello = hello
        self._repeat_status.start(now)
        self._second_look.settled()
        self._state = LinkState.ONLINE
        self._reason = UNANSWERED
        self._status_is_due = True
        logger.info(
            "%s: online, serial number %s, boot %d, firmware %s",
            self.settings.id,
            hello.serial,
            hello.boot,
            hello.firmware or "unknown",
        )
        for ping in self._polls.values():
            self.link.send(ping, now)

    def _go_offline(self, reason: str, now: float) -> None:
        if self._heard is not None:
            reason = f"{reason}; last heard {now - self._heard:.1f} s before"
        if self._state is LinkState.ONLINE:
            logger.warning("%s: offline: %s", self.settings.id, reason)
        elif self._reason.partition(";")[0] == reason.partition(";")[0]:
            return
        self._repeat_status.start(now)
        self._state = LinkState.OFFLINE
        self._reason = reason
        self._status_is_due = True

    def _refuse(self, text: str, now: float) -> None:
        if (self._state, self._reason) == (LinkState.REFUSED, text):
            return
        logger.error("%s: refused: %s", self.settings.id, text)
        self._repeat_status.start(now)
        self._state = LinkState.REFUSED
        self._reason = text
        self._status_is_due = True

    def _take(self, message: Message | Malformed, now: float) -> None:
        match message:
            case Malformed(reason=reason):
                self._warn(f"an event cannot be applied: {reason}")
                self._take_logged(message, now)
            case Event() | Lost():
                self._take_logged(message, now)
            case Shown(epoch=epoch, rev=rev, seat=seat):
                self._answers[seat] = TerminalShown(
                    epoch=epoch, rev=rev, seat=seat, session=self._session
                )
            case Pong(token=token, boot=boot, next=following):
                self._polls.pop(token, None)
                self._answers[token] = TerminalClear(
                    token=token, boot=boot, next=following, session=self._session
                )
            case Ping(vitals=Vitals() as vitals):
                self._take_vitals(vitals)
            case _:
                logger.debug("%s: nothing to do for %r", self.settings.id, message)

    def _take_logged(self, logged: Logged, now: float) -> None:
        if self.outlet.is_acknowledged(logged) and self.outlet.acked is not None:
            self.repeated += 1
            # The referee's ACK was lost on the line: it is still true.
            self.link.send(self.outlet.acked, now)
            return
        try:
            entries = self._inlet.take(logged)
        except UnknownBootError as error:
            self._warn(f"an event is ignored: {error}")
            return
        self._offer(entries, now)
        if not entries and self.outlet.acked is not None:
            self.link.send(self.outlet.acked, now)  # one before it is missing (R4)

    def _offer(self, entries: list[Logged], now: float) -> None:
        serial = self._hello.serial if self._hello is not None else ""
        for logged in entries:
            self.repeated += self.outlet.has(logged)
            if not self.outlet.take(logged, serial, self._order, now):
                self._warn("more events are under way than it may send")

    def _take_vitals(self, vitals: Vitals) -> None:
        before, self._vitals = self._vitals, vitals
        urgent = before is None or (before.battery, before.reset) != (
            vitals.battery,
            vitals.reset,
        )
        if urgent:
            self._status_is_due = True
        else:
            self._status_later = self._told_at + VITALS_SECONDS

    def _referee_answered(self) -> None:
        """It has taken the status of this opening: that need not be repeated."""
        if self._state is not LinkState.ONLINE or self._repeat_status.due is None:
            return
        self._repeat_status.stop()
        self._reason = ""
        self._status_is_due = True
