"""Bluetooth LE without hardware, on bumble's virtual controllers.

`Air` is the room, a `NusEnd` hangs a simulated terminal into it, and a `VirtualAdapter`
is what a daemon has in place of the system's Bluetooth. Needs bumble, which only tests,
simulators and demos install (``pip install bidwire[sim]``).
"""

from terminal.virtual_ble.adapter import VirtualAdapter
from terminal.virtual_ble.air import Air
from terminal.virtual_ble.backend import backend_of
from terminal.virtual_ble.end import NusEnd

__all__ = ["Air", "NusEnd", "VirtualAdapter", "backend_of"]
