"""``bidwire desk`` and ``bidwire desk-user`` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.arguments import EventArgument
from bidwire.exits import fail
from bidwire.languages import Language
from desk.role import Role


def desk(event_file: EventArgument) -> None:
    """Serve the Director's desk as a web page, until Ctrl-C.

    Its users are made by `bidwire desk-user`. It may be started before `bidwire up`,
    and follows it when that is started anew.
    """
    from bidwire.desk.command import run_desk
    from bidwire.event_file import EventFileError

    try:
        run_desk(event_file, typer.echo)
    except EventFileError as error:
        fail(str(error))


def desk_user(  # noqa: PLR0913 - options of a command line
    event_file: EventArgument,
    name: Annotated[str, typer.Argument(help="Who; the journal has it too")],
    *,
    role: Annotated[
        Role | None, typer.Option(help="What he may do.", show_default=False)
    ] = None,
    language: Annotated[
        Language | None,
        typer.Option(
            help="Of his pages; if not given, the browser's.", show_default=False
        ),
    ] = None,
    password_file: Annotated[
        Path | None,
        typer.Option(help="File with his password; if not given, it is asked for."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="He may not log in any more.")
    ] = False,
) -> None:
    """Make a user of the desk, give one another password or role, or remove one.

    A running `bidwire desk` takes it over.
    """
    from bidwire.desk.users import AskedUser, remove_user, set_user
    from bidwire.event_file import EventFileError

    if remove == (role is not None):
        raise typer.BadParameter("expected either --role or --remove")
    try:
        if role is None:
            file = remove_user(event_file, name)
            typer.echo(f"{name} is no user of the desk any more: {file}")
            return
        asked = AskedUser(name, role, language or "", password_file)
        file, is_new = set_user(event_file, asked)
    except EventFileError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{event_file}: the users cannot be written: {error}")
    told = "is a user of the desk now" if is_new else "has another password"
    typer.echo(f"{name} {told}, as {role}: {file}")
