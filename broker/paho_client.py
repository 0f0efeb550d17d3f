"""paho's client with one system call for many packets, not several for each.

paho reads a packet with three calls and writes each with one of its own, which is most
of what a busy daemon's kernel does. It has no hook for that but these methods of its
own; a release without them would fail every test of the broker.
"""

from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import MQTTErrorCode

READ_BYTES = 1 << 16
"""Bytes taken from the socket at a time, at most."""

_DISCONNECT = 0xE0


class BufferedClient(paho.Client):
    """A client that reads ahead, and writes what has gathered at once.

    Messages that were only gathered when the connection is lost are like those that
    were lost on the way: paho sends them again until the broker confirms them.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - paho's own
        super().__init__(*arguments, **named)
        self._came = b""
        self._read = 0
        self._gone = bytearray()

    @property
    def has_read_ahead(self) -> bool:
        """Whether something has come that the socket shows nothing of any more."""
        return self._read < len(self._came)

    def want_write(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._gone) or super().want_write()

    def reconnect(self) -> MQTTErrorCode:
        """Open a new socket; what the last one left is of no use any more."""
        self._came, self._read = b"", 0
        self._gone.clear()
        return super().reconnect()

    def _sock_recv(self, bufsize: int) -> bytes:
        if not self.has_read_ahead:
            self._came, self._read = super()._sock_recv(READ_BYTES), 0
        data = self._came[self._read : self._read + bufsize]
        self._read += len(data)
        return data

    def _sock_send(self, buf: bytes | bytearray) -> int:
        self._gone += buf
        if buf[0] == _DISCONNECT:  # paho closes the socket next
            self._send_gathered()
        return len(buf)

    def _packet_write(self) -> MQTTErrorCode:
        gathered = super()._packet_write()
        if gathered is not MQTTErrorCode.MQTT_ERR_SUCCESS:
            return gathered
        try:
            self._send_gathered()
        except BlockingIOError:
            return MQTTErrorCode.MQTT_ERR_AGAIN
        except OSError:
            return MQTTErrorCode.MQTT_ERR_CONN_LOST
        return gathered

    def _send_gathered(self) -> None:
        while self._gone:
            sent = super()._sock_send(self._gone)
            del self._gone[:sent]
