"""``bidwire results`` and ``bidwire erase-names`` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.arguments import EventArgument
from bidwire.exits import BROKEN, fail
from bidwire.results.methods import Form, Scoring


def results(  # noqa: PLR0913 - options of a command line
    event_file: EventArgument,
    *,
    form: Annotated[
        Form, typer.Option("--format", help="For people, or for other programs.")
    ] = Form.TABLE,
    scoring: Annotated[
        Scoring | None,
        typer.Option(help="In place of the event's.", show_default=False),
    ] = None,
    board: Annotated[
        int, typer.Option(min=0, help="Only this board.", show_default=False)
    ] = 0,
    round_number: Annotated[
        int,
        typer.Option(
            "--round", min=0, help="Only this round, ranked.", show_default=False
        ),
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write here, not to standard output."),
    ] = None,
) -> None:
    """Score and rank what has been played, during the event or after it.

    Exit code 0: done; 1: the journal is not what was written; 2: bad input.
    """
    from bidwire.event_file import EventFileError
    from bidwire.results.command import scored, show
    from bidwire.results.session import NothingPlayedError
    from bidwire.results.teams import NoSuchTeamError
    from referee.codec import CodecError
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError

    try:
        session = scored(event_file, scoring, board, round_number)
    except (BrokenChainError, CodecError, DamagedJournalError) as error:
        fail(f"{event_file}: {error}", BROKEN)
    except (NothingPlayedError, NoSuchTeamError) as error:
        fail(f"{event_file}: {error}")
    except (EventFileError, JournalError) as error:
        fail(str(error))
    try:
        show(session, form, output)
    except OSError as error:
        fail(f"{output}: cannot be written: {error.strerror}")


def erase_names(
    event_file: EventArgument,
    *,
    pair: Annotated[
        list[str] | None,
        typer.Option(help="The names of this pair; may be given again."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The names of all pairs.")
    ] = False,
    due: Annotated[
        bool,
        typer.Option(
            "--due", help="All, if the event's retention_days are over; else nothing."
        ),
    ] = False,
) -> None:
    """Erase players' names, and say what else may hold them.

    Exit code 0: done, or not due yet; 2: bad input, nothing was erased.
    """
    from bidwire.event_file import EventFileError
    from bidwire.results.erasing import erase
    from referee.journal import DamagedJournalError, JournalError
    from referee.journal_chain import BrokenChainError

    if bool(pair) + everything + due != 1:
        raise typer.BadParameter("expected one of --pair ID, --all and --due")
    try:
        told = erase(event_file, pairs=pair or (), due=due)
    except (BrokenChainError, DamagedJournalError) as error:
        fail(f"{event_file}: {error}", BROKEN)
    except (EventFileError, JournalError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{event_file}: the names cannot be written: {error.strerror}")
    for line in told:
        typer.echo(line)
