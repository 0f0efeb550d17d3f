"""Boxes bound to terminals by a Director from elsewhere, while ``bidwire up`` runs.

Who keeps the event file takes the command (``bidwire.assign/1``) and writes the file as
``bidwire replace`` does; the daemon is handed what is new like any other change there.
"""

import contextlib
import logging
import secrets
from collections import deque
from collections.abc import Callable
from pathlib import Path

from bidwire.bindings import replace_box
from bidwire.desk.complaints import remark_of
from bidwire.event_file import EventFileError, read_event_file
from bidwire.event_settings import DAEMON
from bidwire.screen_text import on_one_line
from broker import BrokerError, BrokerSettings, ConnectionState, MqttClient
from protocol.payloads import (
    Assignments,
    AssignReply,
    AssignTerminal,
    PayloadError,
    decode_payload,
    encode_payload,
)
from protocol.topics import TopicKind, Topics

logger = logging.getLogger(__name__)

REPLIES_MAX = 16
"""Replies that stay on the topic."""


class Assigner:
    """Takes commands to bind boxes, and publishes which box is bound where."""

    def __init__(
        self,
        event: str,
        path: Path,
        broker: BrokerSettings,
        say: Callable[[str], None],
    ) -> None:
        """Prepare; nothing is read before ``run``.

        Args:
            event: its id.
            path: the event file.
            broker: the daemon's credentials.
            say: prints a line for people.
        """
        self._topics = Topics(event)
        self._path = path
        self._say = say
        self._client = MqttClient(
            broker,
            client_id=f"assigner-{DAEMON}",
            subscriptions=[self._topics.daemon_director(DAEMON)],
            on_state=self._publish_when_connected,
        )
        self._session = secrets.token_hex(8)
        self._replies: deque[AssignReply] = deque(maxlen=REPLIES_MAX)
        self._serials: dict[str, str] = {}

    async def run(self) -> None:
        """Take commands until cancelled.

        A broker that does not grant the topics ends it with a word to the reader: the
        event goes on, and ``bidwire replace`` does the same from this machine.
        """
        try:
            async with self._client:
                while True:
                    for message in await self._client.receive_batch():
                        if not message.retained:
                            self._take(message.payload)
                        message.ack()
        except BrokerError as error:
            self._say(f"boxes cannot be replaced from the desk: {error}")

    def _take(self, payload: bytes) -> None:
        try:
            command = decode_payload(TopicKind.DAEMON_DIRECTOR, payload)
        except PayloadError as error:
            logger.warning("command to bind a box ignored: %s", error)
            return
        if not isinstance(command, AssignTerminal):
            raise TypeError(command)
        if all(command.id != reply.id for reply in self._replies):
            self._replies.append(self._bind(command))
        self.publish()

    def _bind(self, command: AssignTerminal) -> AssignReply:
        try:
            replace_box(
                self._path, command.terminal, command.serial, instead=command.instead
            )
        except (EventFileError, OSError) as error:
            told = remark_of(str(error))
            return AssignReply(
                command.id,
                command.by,
                done=False,
                reason=told.text,
                texts=dict(told.texts),
            )
        taken = f"{command.serial} takes the place of {command.terminal}"
        self._say(on_one_line(f"{command.by}: {taken}"))
        return AssignReply(command.id, command.by, done=True)

    def _publish_when_connected(self, state: ConnectionState) -> None:
        if state is ConnectionState.CONNECTED:
            self.publish()

    def publish(self) -> None:
        """Say which box is bound where, as the event file has it now.

        A file that is wrong is told by who follows it: the bindings stay as they were.
        """
        with contextlib.suppress(EventFileError):
            event = read_event_file(self._path)
            self._serials = {each.id: each.serial or "" for each in event.terminals}
        bound = Assignments(
            session=self._session,
            serials=self._serials,
            replies=tuple(self._replies),
        )
        topic = self._topics.daemon_assignments(DAEMON)
        # What cannot be sent now needs no repeat: the next connection publishes anew.
        self._client.send(topic, encode_payload(bound), retain=True)
