"""How long everything about Bluetooth may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Deadlines in seconds.

    Attributes:
        find: to hear a terminal's advertisement, not counting pauses of the scan,
            before it is told that none comes.
        connect: for one connection, from the request to the subscription.
        disconnect: for a connection to end; then its slot is given up.
        call: for any other request to the system's Bluetooth.
        write: for a piece to be taken; then the connection is given up.
        unanswered: a terminal that says nothing for so long, though it was sent
            something more than once, has a broken connection. (A refused one is sent
            one message, and is silent for 30 s.) The link is down long before.
        quiet: a scan that hears nothing for so long is started again.
    """

    find: float = 15.0
    connect: float = 20.0
    disconnect: float = 5.0
    call: float = 10.0
    write: float = 5.0
    unanswered: float = 15.0
    quiet: float = 60.0


TIMES = Times()
"""What a real room needs."""
