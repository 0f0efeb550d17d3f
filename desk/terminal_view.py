"""What the terminals page shows of each terminal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from desk.room import LOW_BATTERY, Room
from desk.room_view import natural
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class TerminalCard:
    """A terminal.

    Attributes:
        id: its name.
        table: where it stands.
        seats: that it serves, as far as it has said.
        link: ``online``, ``offline``, ``refused`` or ``unknown``.
        reason: why, in English; empty for nothing to say.
        battery: in percent.
        signal: of its radio, in dBm.
        firmware: its version.
        uptime_s: seconds since it was switched on.
        serial: of the box that is there.
        bound: the serial number of the box that belongs there, empty for any.
        heard: time of day at which it was last heard, by its daemon's clock.
        join: the address, with its code, of a web terminal; who may not know has none.
        is_web: whether a tablet is the terminal.
    """

    id: str
    table: str
    seats: tuple[Seat, ...]
    link: str
    reason: str
    battery: int | None
    signal: int | None
    firmware: str
    uptime_s: int | None
    serial: str
    bound: str
    heard: str
    join: str
    is_web: bool

    @property
    def is_low(self) -> bool:
        """Whether its battery needs charging."""
        return self.battery is not None and self.battery <= LOW_BATTERY


def terminal_cards(
    room: Room, planned: Mapping[str, tuple[Seat, ...]], *, knows: bool
) -> list[TerminalCard]:
    """All terminals, by table.

    Args:
        room: what is known.
        planned: the seats of each terminal, should it not have told them itself yet.
        knows: whether for who may know how tablets join.
    """
    cards = [
        _card(room, name, planned.get(name, ()), knows=knows) for name in room.terminals
    ]
    return sorted(cards, key=lambda card: (natural(card.table), natural(card.id)))


def with_codes(cards: Iterable[TerminalCard]) -> list[TerminalCard]:
    """Those that a tablet may join."""
    return [card for card in cards if card.join]


def _card(
    room: Room, name: str, planned: tuple[Seat, ...], *, knows: bool
) -> TerminalCard:
    status = room.terminals[name]
    link, reason = room.link(name)
    hello, vitals = status.hello, status.vitals
    bound = room.assignments.get(room.daemon_of[name])
    return TerminalCard(
        id=name,
        table=status.table,
        seats=hello.seats if hello is not None else planned,
        link=link,
        reason=reason,
        battery=vitals.battery if vitals is not None else None,
        signal=vitals.signal if vitals is not None else None,
        firmware=hello.firmware if hello is not None else "",
        uptime_s=vitals.uptime_s if vitals is not None else None,
        serial=hello.serial if hello is not None else "",
        bound=bound.serials.get(name, "") if bound is not None else "",
        heard=_time_of_day(status.at, status.heard_s),
        join=status.join if knows else "",
        is_web=bool(status.join),
    )


def _time_of_day(at: float, heard_s: float | None) -> str:
    """When something was last heard, by the clock of this machine's time zone."""
    if heard_s is None or not at:
        return ""
    return f"{datetime.fromtimestamp(at - heard_s).astimezone():%H:%M:%S}"
