"""What the log says, awaited."""

import asyncio
import logging


def until_told(text: str, logger: str) -> asyncio.Event:
    """An event that is set when a logger, or one below it, says this."""
    told = asyncio.Event()
    listened = logging.getLogger(logger)

    class Reader(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if text in record.getMessage():
                told.set()
                listened.removeHandler(self)

    listened.addHandler(Reader())
    return told
