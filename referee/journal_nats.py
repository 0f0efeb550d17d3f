"""The NATS cluster that keeps a journal: connection, stream, bucket of the lease."""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig, StorageType, StreamConfig
from nats.js.errors import APIError, BucketNotFoundError, NotFoundError
from nats.js.kv import KeyValue

from referee.journal import (
    ForeignJournalError,
    JournalUnavailableError,
    UnusableJournalError,
)
from referee.settings import StreamSettings

logger = logging.getLogger(__name__)

PASSING = (NatsError, OSError, TimeoutError)
"""What goes wrong with the cluster and may be over at the next attempt."""

CONNECT_S = 10.0
"""Seconds that a first connection may take; after that the supervisor tries again."""

CLOSE_S = 1.0

NO_CLUSTER = 10074
"""The server's code when several replicas are asked of one that has no cluster."""


def stream_name(event: str) -> str:
    """Name of the stream; an event's id fits."""
    return f"bidwire-journal-{event}"


def subject_of(event: str) -> str:
    """Subject of the stream: no MQTT topic of an event maps to it."""
    return f"bidwire-journal.{event}"


def bucket_name(event: str) -> str:
    """Name of the bucket that holds the lease."""
    return f"bidwire-lease-{event}"


@contextlib.asynccontextmanager
async def connected(settings: StreamSettings) -> AsyncIterator[Client]:
    """A client that comes back to any server of the cluster.

    Raises:
        UnusableJournalError: we are not let in, or the authority's file is no good.
        JournalUnavailableError: nobody answers.
    """
    client, troubles = Client(), list[str]()

    async def on_error(error: Exception) -> None:
        logger.debug("journal: %r", error)
        # A refusal tells more than the lost connection that it ends with.
        if not any("Authorization" in trouble for trouble in troubles):
            troubles[:] = [str(error) or repr(error)]

    try:
        try:
            async with asyncio.timeout(CONNECT_S):
                await client.connect(
                    list(settings.servers),
                    name="bidwire referee",
                    user=settings.user,
                    password=settings.password,
                    tls=_context(settings),
                    error_cb=on_error,
                    connect_timeout=2,
                    reconnect_time_wait=1,
                    max_reconnect_attempts=-1,
                    ping_interval=1,
                    max_outstanding_pings=2,
                )
        except PASSING as error:
            why = troubles[-1] if troubles else str(error)
            told = f"{settings}: {why or 'no answer'}"
            if "Authorization" in why:
                raise UnusableJournalError(told) from error
            raise JournalUnavailableError(told) from error
        yield client
    finally:
        with contextlib.suppress(*PASSING):
            async with asyncio.timeout(CLOSE_S):
                await client.close()


def _context(settings: StreamSettings) -> ssl.SSLContext | None:
    if not any(server.startswith("tls:") for server in settings.servers):
        return None
    try:
        return ssl.create_default_context(cafile=settings.ca_file)
    except OSError as error:
        raise UnusableJournalError(
            f"ca_file: {settings.ca_file}: expected a PEM file of certificates, got: "
            f"{error.strerror}"
        ) from error


async def make_stream(client: Client, settings: StreamSettings, event: str) -> None:
    """Make the stream of a journal where it is missing.

    Raises:
        ForeignJournalError: there is another stream by that name.
        UnusableJournalError: the cluster cannot keep so many replicas.
        JournalUnavailableError: there was one, and the cluster has it no more.
        nats.errors.Error: the cluster cannot do it now.
    """
    manager, name = client.jetstream(), stream_name(event)
    wanted = StreamConfig(
        name=name,
        description=f"journal of the Bidwire event {event}",
        subjects=[subject_of(event)],
        storage=StorageType.FILE,
        num_replicas=settings.replicas,
        deny_delete=True,
        deny_purge=True,
    )
    try:
        found = (await manager.stream_info(name)).config
    except NotFoundError:
        await _must_be_new(client, event)
        try:
            found = (await manager.add_stream(wanted)).config
        except APIError as error:
            if error.err_code == NO_CLUSTER:
                raise UnusableJournalError(
                    f"replicas: expected 1 for a server without a cluster, got "
                    f"{settings.replicas}"
                ) from error
            raise
    if found.subjects != wanted.subjects or found.storage != wanted.storage:
        raise ForeignJournalError(
            f"stream {name}: expected a journal in files on {wanted.subjects}, got "
            f"{found.storage} on {found.subjects}"
        )
    if found.num_replicas != settings.replicas:
        logger.warning(
            "stream %s: expected %d replicas, got %s",
            name,
            settings.replicas,
            found.num_replicas,
        )


async def _must_be_new(client: Client, event: str) -> None:
    """A journal that somebody has held the lease of is not begun anew, empty."""
    with contextlib.suppress(NotFoundError):
        await client.jetstream().stream_info(f"KV_{bucket_name(event)}")
        raise JournalUnavailableError(
            f"stream {stream_name(event)}: expected the journal of event {event!r}, "
            "got none: the cluster has lost it; bring it back, or delete the bucket "
            f"{bucket_name(event)} to begin a new one"
        )


async def make_bucket(client: Client, settings: StreamSettings, event: str) -> KeyValue:
    """The bucket of the lease, made where it is missing.

    Raises:
        nats.errors.Error: the cluster cannot do it now.
    """
    # A renewal that is not answered soon is given up, so that the next one may be.
    context, name = client.jetstream(timeout=settings.lease_s / 3), bucket_name(event)
    try:
        return await context.key_value(name)
    except BucketNotFoundError:
        return await context.create_key_value(
            KeyValueConfig(bucket=name, history=1, replicas=settings.replicas)
        )
