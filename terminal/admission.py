"""Whether a terminal is the one that the settings bind to a port (O7)."""

from collections.abc import Mapping

from protocol.limits import TEXT_MAX
from protocol.messages import Hello, RefusalReason, Refused
from terminal.settings import TerminalSettings


def why_refused(
    hello: Hello, wanted: TerminalSettings, places: Mapping[str, str]
) -> Refused | None:
    """Why a terminal is refused at a port, None when it belongs there.

    Args:
        hello: what it says of itself.
        wanted: who must be there.
        places: where the terminals of the settings belong, by serial number.
    """
    if wanted.serial is not None and hello.serial != wanted.serial:
        text = f"expected serial number {wanted.serial}, got {hello.serial}"
        if hello.serial in places:
            text += f", which belongs to {places[hello.serial]}"
        return Refused(RefusalReason.SERIAL, (text + _kept(hello))[:TEXT_MAX])
    if set(hello.seats) != set(wanted.seats):
        return Refused(
            RefusalReason.SEATS,
            f"expected seats {' '.join(wanted.seats)}, got {' '.join(hello.seats)}",
        )
    return None


def _kept(hello: Hello) -> str:
    """Events that a terminal still keeps, which nobody will take from it here.

    As ``BOOT/FIRST-LAST``.
    """
    ranges = (
        f"{held.boot}/{held.first}-{held.next - 1}"
        for held in hello.held
        if held.first < held.next
    )
    told = ", ".join(ranges)
    return f"; keeps events {told}" if told else ""
