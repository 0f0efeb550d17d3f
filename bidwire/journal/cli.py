"""The subcommands of ``bidwire journal``."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.arguments import EventArgument, LanguageOption
from bidwire.exits import BROKEN, fail
from bidwire.languages import preferred_language

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
    signed: Annotated[
        Path | None,
        typer.Option(metavar="HEADS", help="Signed heads, as `sign` writes them."),
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Who signed: a PEM file, or 64 hex digits."),
    ] = None,
) -> None:
    """Check that a journal is what was written, and print its head.

    Exit code 0: whole; 1: the first entry that does not fit is named, or a signature
    is wrong; 2: no journal.
    """
    from bidwire.event_file import EventFileError
    from bidwire.journal.command import Signed, verify_journal
    from bidwire.journal.signing import (
        BrokenSignatureError,
        SigningError,
        read_heads,
        read_public,
    )
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError, read_head

    try:
        noted = [read_head(text) for text in head or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--head") from None
    if (signed is None) != (public is None):
        raise typer.BadParameter("expected --signed and --public together")
    try:
        heads = None
        if signed is not None and public is not None:
            heads = Signed(tuple(read_heads(signed)), read_public(public))
        verify_journal(file, noted, typer.echo, signed=heads)
    except (BrokenChainError, DamagedJournalError) as error:
        fail(f"{file}: {error}", BROKEN)
    except BrokenSignatureError as error:
        fail(f"{signed}: {error}", BROKEN)
    except SigningError as error:
        fail(str(error))
    except (EventFileError, JournalError) as error:
        fail(str(error))


@app.command()
def sign(
    file: JournalArgument,
    *,
    key: Annotated[
        Path | None,
        typer.Option(help="File of the key; left out: the event's signing_key."),
    ] = None,
    round_number: Annotated[
        int, typer.Option("--round", min=0, help="The round that has ended.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Left out: beside the journal, .heads"),
    ] = None,
) -> None:
    """Sign a journal's head, and append it to the file of signed heads.

    Exit codes as for `verify`.
    """
    from bidwire.event_file import EventFileError
    from bidwire.journal.command import sign_journal
    from bidwire.journal.signing import SigningError
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError

    try:
        sign_journal(file, key, round_number, output, typer.echo)
    except (BrokenChainError, DamagedJournalError) as error:
        fail(f"{file}: {error}", BROKEN)
    except (EventFileError, JournalError, SigningError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: cannot be written: {error.strerror}")


@app.command()
def key(
    event_file: EventArgument,
) -> None:
    """Make the key pair that signs an event's journal: `event.signing_key`."""
    from bidwire.event_file import EventFileError
    from bidwire.journal.command import make_signing_key

    try:
        make_signing_key(event_file, typer.echo)
    except EventFileError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{event_file}: the key cannot be written: {error}")


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
    language: LanguageOption = None,
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
