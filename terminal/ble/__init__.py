"""Terminals over Bluetooth LE: the Nordic UART Service as one more carrier of the wire.

A `Radio` is one adapter. It opens a connection as an asyncio transport, so that a line
and everything above it need not know what carries its bytes.
"""

from terminal.ble.backend import SYSTEM, Backend
from terminal.ble.leases import Leases
from terminal.ble.radio import Radio
from terminal.ble.times import TIMES, Times

__all__ = ["SYSTEM", "TIMES", "Backend", "Leases", "Radio", "Times"]
