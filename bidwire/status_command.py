"""``bidwire status``: looks, and shows what it has seen."""

import asyncio
import json
import time
from pathlib import Path

import typer
from rich.console import Console

from bidwire.event_file import read_event_file
from bidwire.status import look, plain, troubles
from bidwire.status_table import drawn

WIDTH = 100
"""Columns where the output is no screen."""


def show(path: Path, *, as_json: bool) -> bool:
    """Print how the room is; returns whether nothing is to be seen to.

    Args:
        path: the event file.
        as_json: one JSON object instead of tables.

    Raises:
        EventFileError: the event file is wrong, or gives no credentials.
        DirectError: the broker does not answer.
    """
    event = read_event_file(path)
    room = asyncio.run(look(event, path.resolve().parent))
    if as_json:
        typer.echo(json.dumps(plain(room, event), indent=2, ensure_ascii=False))
    else:
        console = Console()
        if not console.is_terminal:
            console.width = WIDTH
        console.print(drawn(room, event, time.time()))
    return not any(troubles(room, event))
