"""The subcommands of ``bidwire bench``."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.exits import fail
from laws.board import Edition

MOST_EVENTS = 20_000
"""Of one chain: an echo is told of each before it starts."""

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _root() -> None:
    """Measure how fast Bidwire is on this machine."""


@app.command()
def laws(  # noqa: PLR0913 - options of a command line
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="PBN and LIN files or folders of them; boards are dealt if not given",
            show_default=False,
        ),
    ] = None,
    *,
    boards: Annotated[int, typer.Option(min=1, help="So many boards.")] = 500,
    edition: Annotated[
        Edition, typer.Option(help="Laws to judge by.")
    ] = Edition.LAWS_2017,
    irregular: Annotated[
        float,
        typer.Option(
            min=0, max=1, help="Share of boards with a call out of turn and a revoke."
        ),
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Of all that is drawn by chance.")] = 0,
    rounds: Annotated[
        int, typer.Option(min=1, max=1000, help="Rounds to take the median of.")
    ] = 5,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of words.")
    ] = False,
) -> None:
    """Judge whole boards, auction and 52 cards; endplay plays the cards beside it."""
    from bidwire.bench.boards import NoBoardsError
    from bidwire.bench.command import bench_laws

    try:
        bench_laws(
            files or [],
            edition,
            boards=boards,
            irregular=irregular,
            seed=seed,
            rounds=rounds,
            as_json=json,
            say=typer.echo,
        )
    except NoBoardsError as error:
        fail(str(error))


@app.command()
def tables(  # noqa: PLR0913 - options of a command line
    *,
    tables: Annotated[
        str | None,
        typer.Option(
            help="Events to play, by their tables: 10,100,1000 unless another option"
            " names what is measured.",
            show_default=False,
        ),
    ] = None,
    largest: Annotated[
        bool,
        typer.Option(
            "--largest", help="Look for the most tables with p99 under 100 ms."
        ),
    ] = False,
    ptys: Annotated[
        int | None,
        typer.Option(
            help="Play so many tables, 50 at most, on ptys.", show_default=False
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.5, max=3600, help="Seconds of play, each.")
    ] = 15.0,
    warm_up: Annotated[
        float, typer.Option(min=0.05, max=3600, help="Seconds of play before that.")
    ] = 15.0,
    period: Annotated[
        float, typer.Option(min=0.05, max=60, help="Seconds between a table's events.")
    ] = 3.0,
    restart: Annotated[
        bool, typer.Option(help="Kill the referee of the last event of --tables.")
    ] = True,
    seed: Annotated[int, typer.Option(help="Of the boards.")] = 0,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of words.")
    ] = False,
) -> None:
    """Play whole events against one referee: latency, messages, memory, restart."""
    from bidwire.bench.tables import Options
    from bidwire.bench.tables_command import TablesError, bench_tables, read_asked
    from bidwire.children import ChildError
    from broker import EmbeddedBrokerError

    try:
        bench_tables(
            read_asked(tables, largest=largest, ptys=ptys),
            Options(
                seconds=seconds,
                warm_up=warm_up,
                period=period,
                seed=seed,
                restart=restart,
            ),
            as_json=json,
            say=typer.echo,
        )
    except (TablesError, ChildError, EmbeddedBrokerError) as error:
        fail(str(error))


@app.command()
def double_dummy(
    files: Annotated[
        list[Path],
        typer.Argument(help="PBN and LIN files or folders of them, with 52 cards"),
    ],
    *,
    positions: Annotated[int, typer.Option(min=1, help="So many positions.")] = 100,
    seed: Annotated[int, typer.Option(help="Of all that is drawn by chance.")] = 1,
) -> None:
    """Solve positions before revokes, as the evidence of Law 64C needs them."""
    from bidwire.bench.boards import NoBoardsError
    from bidwire.bench.double_dummy import bench_double_dummy

    try:
        bench_double_dummy(files, positions, seed, typer.echo)
    except NoBoardsError as error:
        fail(str(error))


@app.command()
def chain(
    *,
    events: Annotated[
        int, typer.Option(min=1, max=MOST_EVENTS, help="So many on each chain.")
    ] = 1000,
    warm_up: Annotated[
        int,
        typer.Option(min=0, max=MOST_EVENTS, help="So many before that do not count."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="Of the boards.")] = 0,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of words.")
    ] = False,
) -> None:
    """From a terminal's event to the prompt, beside an echo in the referee's place."""
    from bidwire.bench.chain import Options, UnansweredError
    from bidwire.bench.chain_command import bench_chain
    from bidwire.children import ChildError
    from broker import EmbeddedBrokerError

    options = Options(events=events, warm_up=warm_up, seed=seed)
    try:
        bench_chain(options, as_json=json, say=typer.echo)
    except (ChildError, EmbeddedBrokerError, UnansweredError, OSError) as error:
        fail(str(error))
