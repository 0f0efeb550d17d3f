"""How the ``bidwire`` command ends when not all is well."""

from typing import NoReturn

import typer

REFUSED = 1
"""Exit code when a Director's command was refused."""

TO_SEE_TO = 1
"""Exit code when a room, or what was played in it, is not as it should be."""

BROKEN = 1
"""Exit code when a journal is not what was written."""

BAD_INPUT = 2
"""Exit code when the input is at fault: there is nothing that could be told of it."""


def fail(text: str, code: int = BAD_INPUT) -> NoReturn:
    """Say what is wrong, with the input if nothing else is said, and exit."""
    typer.echo(text, err=True)
    raise typer.Exit(code)
