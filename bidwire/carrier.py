"""What lies between simulated terminals and their daemon."""

from enum import StrEnum


class Carrier(StrEnum):
    """A carrier that needs no hardware."""

    SERIAL = "serial"
    """A pty for each terminal."""
    BLE = "ble"
    """Virtual Bluetooth LE, which needs the daemon in the terminals' process."""
