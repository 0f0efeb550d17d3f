"""``bidwire torture`` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.exits import TO_SEE_TO, fail


def torture(
    *,
    minutes: Annotated[
        float, typer.Option(min=0.1, max=10_000, help="How long.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Of all that is drawn by chance.")] = 0,
    tables: Annotated[int, typer.Option(min=1, max=20, help="Tables at a time.")] = 4,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the report here.")
    ] = None,
) -> None:
    """Play whole boards while terminals, lines and processes break.

    Exit code 0: the referee's log equals what was played; 1: it does not.
    """
    from bidwire.torture.command import run_torture
    from bidwire.torture.run import Options

    try:
        well = run_torture(Options(minutes=minutes, seed=seed, tables=tables), json)
    except OSError as error:
        fail(f"{json}: {error.strerror}")
    if not well:
        raise typer.Exit(TO_SEE_TO)
