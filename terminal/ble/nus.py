"""The Nordic UART Service (F9): two characteristics, one for each direction."""

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
"""What a terminal advertises."""

DOWN = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
"""The daemon writes the stream to the terminal here."""

UP = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
"""The terminal notifies the stream to the daemon here."""

VALUE_MAX = 512
"""Bytes of an attribute's value at most, whatever the MTU is (F10)."""

ATT_HEADER = 3
"""Bytes of the MTU that a notification or a write does not have for its value."""
