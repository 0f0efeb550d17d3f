"""``bidwire replay`` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.exits import fail
from laws.board import Edition


def replay(  # noqa: PLR0913 - options of a command line
    files: Annotated[
        list[Path], typer.Argument(help="PBN, LIN and .table files, or folders of them")
    ],
    *,
    tables: Annotated[int, typer.Option(min=1, max=50, help="Tables at a time.")] = 1,
    edition: Annotated[
        Edition, typer.Option(help="Laws that records are played by.")
    ] = Edition.LAWS_2017,
    inject: Annotated[
        str,
        typer.Option(
            help="What to put into clean records, commas between: out-of-turn, revoke;"
            " duplicate, reset, drop, corrupt, noise, hold, unplug; kill-referee,"
            " kill-daemon, kill-broker, cut-broker, full-disk, clock-jump."
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="Of all that is drawn by chance.")] = 0,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Play no more boards than this.")
    ] = None,
    hide_deal: Annotated[
        bool, typer.Option("--hide-deal", help="Keep the hands from the referee.")
    ] = False,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write the report here; - for stdout.")
    ] = None,
) -> None:
    """Play records through terminals, broker and referee, and compare."""
    from bidwire.replay.command import (
        InjectError,
        ReplayError,
        read_kinds,
        run_replay,
    )
    from bidwire.replay.run import Options

    try:
        kinds = read_kinds(inject)
    except InjectError as error:
        raise typer.BadParameter(str(error), param_hint="--inject") from None
    options = Options(
        edition=edition,
        tables=tables,
        kinds=kinds,
        seed=seed,
        hide_deal=hide_deal,
        boards=boards,
    )
    try:
        code = run_replay(files, options, json)
    except ReplayError as error:
        fail(str(error))
    raise typer.Exit(code)
