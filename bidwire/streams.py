"""Standard streams that are closed, full, without a reader, or know only ASCII."""

import codecs
import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator

_TAKES_NO_MORE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE}
"""How the write to a stream fails that is full, broken, or has no reader."""

_LEGIBLE = "bidwire-legible"
"""The name by which Python knows ``_legible``."""


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Run a command whose streams may fail it.

    What standard output has no character for is written as displays of few characters
    show it: letters of suits, no accents, else question marks. An output that is closed
    takes everything; an input that is closed stays None, as Python has it.

    Raises:
        SystemExit: an output takes no more, with the code 1: told in one line on
            standard error, or silently when its reader has gone.
    """
    _open_the_closed()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error(_LEGIBLE, _legible)
        sys.stdout.reconfigure(errors=_LEGIBLE)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in _TAKES_NO_MORE:
            raise
        _give_up(error)
        raise SystemExit(1) from None


def _legible(error: UnicodeError) -> tuple[str, int]:
    """An error handler of ``codecs``: what stands for characters that are not there."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from protocol.messages import Encoding  # noqa: PLC0415 - seldom needed
    from referee.fit import plain  # noqa: PLC0415 - seldom needed

    return plain(error.object[error.start : error.end], Encoding.ASCII), error.end


def _open_the_closed() -> None:
    """Occupy the descriptors of closed streams, so that no other file gets them."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w")))


def _give_up(error: OSError) -> None:
    """Say why, and let what is still unwritten go nowhere when Python ends."""
    if error.errno != errno.EPIPE:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"standard output: {error.strerror}\n")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, stream.fileno())
