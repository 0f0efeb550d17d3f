"""The subcommands of ``bidwire journal``."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.exits import BROKEN, fail
from bidwire.languages import Language, preferred_language

app = typer.Typer(no_args_is_help=True)

JournalArgument = Annotated[
    Path, typer.Argument(help="The journal, or the EVENT.toml that names it")
]


@app.callback()
def _root() -> None:
    """Is a journal whole, and what happened at a table?"""


@app.command()
def verify(
    file: JournalArgument,
    *,
    head: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NUMBER:HASH", help="A head noted earlier; may be given again."
        ),
    ] = None,
) -> None:
    """Check that a journal is what was written, and print its head.

    Exit code 0: whole; 1: the first entry that does not fit is named; 2: no journal.
    """
    from bidwire.event_file import EventFileError
    from bidwire.journal.command import verify_journal
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError, read_head

    try:
        noted = [read_head(text) for text in head or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--head") from None
    try:
        verify_journal(file, noted, typer.echo)
    except (BrokenChainError, DamagedJournalError) as error:
        fail(f"{file}: {error}", BROKEN)
    except (EventFileError, JournalError) as error:
        fail(str(error))


@app.command()
def show(
    file: JournalArgument,
    table: Annotated[str, typer.Argument(help="A table's id")],
    *,
    board: Annotated[
        int, typer.Option(min=0, help="Only this board.", show_default=False)
    ] = 0,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of lines.")
    ] = False,
    language: Annotated[
        Language | None,
        typer.Option(help="Of the words; if not given, by LANG.", show_default=False),
    ] = None,
) -> None:
    """Tell what happened at a table: keys, rulings, the Director, alarms, links.

    Times are local, those of the JSON are UTC. Exit codes as for `verify`.
    """
    from bidwire.event_file import EventFileError
    from bidwire.journal.command import NoSuchTableError, Wanted, show_table
    from referee.codec import CodecError
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError

    wanted = Wanted(table, board, language or preferred_language(), json)
    try:
        show_table(file, wanted, typer.echo)
    except (BrokenChainError, CodecError, DamagedJournalError) as error:
        fail(f"{file}: {error}", BROKEN)
    except (EventFileError, JournalError, NoSuchTableError) as error:
        fail(str(error))
