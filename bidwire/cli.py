"""The ``bidwire`` command.

Each subcommand imports its parts when it is called, so that ``bidwire rule`` starts
without the broker and the terminals.
"""

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from bidwire.arguments import EventArgument, LanguageOption
from bidwire.bench.cli import app as bench
from bidwire.carrier import Carrier
from bidwire.desk.cli import desk, desk_user
from bidwire.editions import Editions, editions_of
from bidwire.exits import REFUSED, TO_SEE_TO, fail
from bidwire.journal.cli import app as journal
from bidwire.languages import preferred_language
from bidwire.replay.cli import replay
from bidwire.results.cli import erase_names, results
from bidwire.streams import standard_streams
from bidwire.torture.cli import torture
from laws.board import Edition

app = typer.Typer(
    name="bidwire",
    help="The open bridge between table terminals and a live referee.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(bench, name="bench")
app.add_typer(journal, name="journal")


@app.callback()
def _root() -> None:
    """The open bridge between table terminals and a live referee."""


@app.command()
def demo(  # noqa: PLR0913 - options of a command line
    *,
    edition: Annotated[
        Edition, typer.Option(help="Laws that the board is played by.")
    ] = Edition.LAWS_2017,
    speed: Annotated[
        float, typer.Option(min=0.1, max=100, help="So many times as fast.")
    ] = 1.0,
    pause: Annotated[
        bool, typer.Option("--pause/--no-pause", help="Time to look between the keys.")
    ] = True,
    carrier: Annotated[
        Carrier,
        typer.Option(help="Serial lines, or Bluetooth LE without any hardware."),
    ] = Carrier.SERIAL,
    play: Annotated[
        bool, typer.Option("--play", help="Sit down yourself: play in a browser.")
    ] = False,
    seat: Annotated[
        str, typer.Option(help="With --play: where you sit; NESW for all four.")
    ] = "S",
    listen: Annotated[
        str | None,
        typer.Option(
            help="With --play: where the page is served, such as 0.0.0.0:8471 for a"
            " phone; if not given, on this machine alone.",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[
        bool,
        typer.Option(help="With --play: open a browser, where there is a display."),
    ] = True,
) -> None:
    """Watch four terminals play a board, and a referee rule on it; or play yourself."""
    from bidwire.children import ChildError
    from bidwire.demo.command import NoVirtualBluetoothError, run_demo
    from broker import EmbeddedBrokerError

    try:
        if play:
            _play_demo(edition, seat, listen, speed=speed, opens=browser)
        else:
            run_demo(edition, speed, pause=pause, carrier=carrier)
    except (ChildError, EmbeddedBrokerError, NoVirtualBluetoothError) as error:
        fail(str(error))


def _play_demo(
    edition: Edition, seat: str, listen: str | None, *, speed: float, opens: bool
) -> None:
    from bidwire.demo.play import Play, free_address, run_play
    from bidwire.event_file import read_seats
    from terminal.web.settings import check_web

    try:
        seats = read_seats(seat.upper())
    except ValueError as error:
        raise typer.BadParameter(f"--seat: {error}") from None
    if listen is not None:
        try:
            check_web(listen, None, None, None)
        except ValueError as error:
            raise typer.BadParameter(f"--{error}") from None
    run_play(
        Play(
            edition=edition,
            seats=seats,
            listen=listen or free_address(),
            language=preferred_language(),
            speed=speed,
            opens=opens,
        ),
        typer.echo,
    )


@app.command()
def rule(  # noqa: PLR0913 - options of a command line
    file: Annotated[
        str | None, typer.Argument(help="A table script, or - for standard input")
    ] = None,
    *,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object instead of words.")
    ] = False,
    pbn: Annotated[
        bool, typer.Option("--pbn", help="The judged board as a PBN file.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="The way to each ruling, by paragraph.")
    ] = False,
    edition: Annotated[
        Editions | None,
        typer.Option(help="Laws to judge by, whatever the script's own line says."),
    ] = None,
    language: LanguageOption = None,
    interactive: Annotated[
        bool,
        typer.Option("-i", "--interactive", help="Take the script line by line."),
    ] = False,
) -> None:
    """Judge a table script: what is the ruling?"""
    from bidwire import rule_command as command
    from bidwire.rule import InputError

    asked = [
        name
        for name, given in [("--json", json), ("--pbn", pbn), ("--explain", explain)]
        if given
    ]
    both = edition is Editions.BOTH
    if len(asked) > 1:
        raise typer.BadParameter(f"expected {asked[0]} or {asked[1]}, got both")
    if both and pbn:
        raise typer.BadParameter("expected --edition 2007 or 2017 with --pbn, got both")
    if interactive and (asked or both):
        wrong = asked[0] if asked else "--edition both"
        raise typer.BadParameter(f"expected -i without {wrong}")
    forms = {"--json": "json", "--pbn": "pbn", "--explain": "explained"}
    options = command.Options(
        form=command.Form(forms[asked[0]] if asked else "words"),
        language=language or preferred_language(),
        editions=editions_of(edition),
    )
    if file is None and not interactive:
        raise typer.BadParameter("expected a table script, - for standard input, or -i")
    if interactive and sys.stdin is None:
        fail("-i: standard input is closed")
    try:
        if interactive:
            # Standard input is for what is typed, so that - has nothing to read.
            path = Path(file) if file is not None and file != "-" else None
            script = _read_text(str(path)) if path is not None else ""
            command.take_script(script, path, options, typer.echo)
        else:
            command.tell_script(_read_text(file or "-"), options, typer.echo)
    except InputError as error:
        fail(f"{file}: {command.error_in_words(error, options.language)}")


@app.command()
def up(
    event_file: Annotated[
        Path | None, typer.Argument(help="The event file", metavar="EVENT.toml")
    ] = None,
    *,
    example: Annotated[
        bool, typer.Option("--example", help="Print a commented example.")
    ] = False,
) -> None:
    """Run the daemons of a real event until Ctrl-C.

    Exit code 2: something that no restart mends; 3: another `bidwire up` of the same
    event has taken over.
    """
    from bidwire.event_file import EXAMPLE

    if example:
        typer.echo(EXAMPLE.read_text(encoding="utf-8"), nl=False)
        return
    if event_file is None:
        raise typer.BadParameter("expected an event file; --example prints one")
    _run(event_file)


@app.command()
def referee(
    event_file: EventArgument,
) -> None:
    """Run a referee that stands by for that of `bidwire up`, until Ctrl-C.

    The event file needs a section [journal]. Exit codes as for `up`.
    """
    _run(event_file, only_referee=True)


def _run(event_file: Path, *, only_referee: bool = False) -> None:
    """Run an event; exits with what its daemons ended with."""
    from bidwire.children import ChildError
    from bidwire.event_file import EventFileError
    from bidwire.up import run_event
    from broker import EmbeddedBrokerError
    from broker.exits import ExitCode

    try:
        run_event(event_file, typer.echo, only_referee=only_referee)
    except (EventFileError, EmbeddedBrokerError) as error:
        fail(str(error))
    except ChildError as error:
        taken = "another `bidwire up` has taken this event over; this one ends: "
        why = taken if error.code == ExitCode.TAKEN_OVER else ""
        fail(f"{event_file}: {why}{error}", error.code)


@app.command()
def provision(  # noqa: PLR0913 - options of a command line
    event_file: EventArgument,
    folder: Annotated[
        Path,
        typer.Argument(
            help="Where the broker's files go; made if absent", metavar="FOLDER"
        ),
    ],
    *,
    cert: Annotated[
        Path | None, typer.Option(help="The broker's certificate, PEM.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key, PEM.")] = None,
    ca: Annotated[
        Path | None,
        typer.Option(
            help="Who signed it, PEM; left out: one of the system's authorities."
        ),
    ] = None,
    no_tls: Annotated[
        bool, typer.Option("--no-tls", help="No encryption; on this machine only.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Name or address that the daemons connect to.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            help="If not given 8883, or 1883 with --no-tls.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over files that are there.")
    ] = False,
) -> None:
    """Write configuration, access list and passwords of a Mosquitto for an event.

    Prints the section `broker` for the event file. Start the broker with
    `mosquitto -c FOLDER/mosquitto.conf`.
    """
    from bidwire.event_file import EventFileError
    from bidwire.provision import Listener, ProvisionError, provision_broker

    listener = Listener(host=host, port=port, cert=cert, key=key, ca=ca, tls=not no_tls)
    try:
        section = provision_broker(event_file, folder, listener, force=force)
    except (EventFileError, ProvisionError) as error:
        fail(str(error))
    typer.echo(section, nl=False)


@app.command()
def replace(
    event_file: EventArgument,
    terminal: Annotated[str, typer.Argument(help="Id of the terminal")],
    serial: Annotated[
        str, typer.Argument(help="Serial number of the box that takes its place")
    ],
) -> None:
    """Let another box take a terminal's place, also in the middle of a board.

    Writes its serial number into the event file; a running `bidwire up` takes it over.
    The new box goes on where the referee's log of the old one ends.
    """
    from bidwire.bindings import replace_box
    from bidwire.event_file import EventFileError

    try:
        before = replace_box(event_file, terminal, serial)
    except EventFileError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{event_file}: cannot be written: {error.strerror}")
    instead = f", no longer {before}" if before is not None else ""
    typer.echo(f"{terminal} is {serial}{instead}; a running `bidwire up` takes it over")


@app.command()
def pair(
    event_file: EventArgument,
    terminal: Annotated[str, typer.Argument(help="Id of the terminal")],
    *,
    anew: Annotated[
        bool, typer.Option("--new", help="Replace the key that is there.")
    ] = False,
) -> None:
    """Make a terminal's key: into its key file, and shown to be typed in at the box.

    A running `bidwire up` takes it over.
    """
    from bidwire.event_file import EventFileError
    from bidwire.pair import make_key

    try:
        file, key = make_key(event_file, terminal, anew=anew)
    except EventFileError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{event_file}: the key cannot be written: {error}")
    typer.echo(
        f"{terminal}: its key is in {file}, for its owner's eyes only.\n"
        f"Type it in at the terminal, and nowhere else:\n\n    {key}\n"
    )


@app.command()
def join(
    event_file: EventArgument,
    terminal: Annotated[
        str | None, typer.Argument(help="Id of the terminal; all, if not given")
    ] = None,
    *,
    qr: Annotated[
        bool, typer.Option("--qr/--no-qr", help="Draw the address as a QR code, too.")
    ] = True,
) -> None:
    """Show the addresses at which tablets join as web terminals.

    Who has an address is that terminal: show it to nobody else.
    """
    from bidwire.event_file import EventFileError
    from bidwire.join import qr_code, tell_addresses
    from terminal.web.codes import CodesError

    try:
        for name, address in tell_addresses(event_file, terminal).items():
            typer.echo(f"{name}: {address}")
            if qr:
                typer.echo(qr_code(address))
    except (EventFileError, CodesError) as error:
        fail(str(error))


@app.command()
def direct(
    event_file: EventArgument,
    table: Annotated[str | None, typer.Argument(help="A table's id")] = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            help="A line of the table script (director comparable yes), or a service:"
            " confirm N, reject N, attend N, open BOARD, close, round N, hands,"
            " release TERMINAL, drop TERMINAL, adjust NS SCORE EW SCORE: REASON,"
            " penalty SIDE AMOUNT UNIT: REASON"
        ),
    ] = None,
    *,
    watching: Annotated[
        bool, typer.Option("--watch", help="Show what waits; so without a command.")
    ] = False,
    play: Annotated[
        int, typer.Option(min=0, help="An earlier playing that it is about.")
    ] = 0,
) -> None:
    """See what waits for the Director, or decide it.

    Exit code 0: done; 1: refused, with the reason; 2: no such command, or nobody there.
    """
    from bidwire.direct import DirectError, check_table, give_order, watch
    from bidwire.event_file import EventFileError, naming, read_event_file
    from bidwire.orders import OrderError, read_order

    if command and watching:
        raise typer.BadParameter("expected a command or --watch, got both")
    folder = event_file.resolve().parent
    try:
        event = read_event_file(event_file)
        with naming(event_file):
            check_table(event, table)
            if not command or table is None:
                with contextlib.suppress(KeyboardInterrupt):
                    asyncio.run(watch(event, folder, table, typer.echo))
                return
            order = read_order(" ".join(command), play)
            reply = asyncio.run(give_order(event, folder, table, order))
    except (DirectError, EventFileError, OrderError) as error:
        fail(str(error))
    if not reply.done:
        fail(f"refused: {reply.reason}", REFUSED)
    if reply.reason:
        fail(f"in the log (entry {reply.number}), but {reply.reason}", REFUSED)
    typer.echo(f"done (entry {reply.number})")


@app.command()
def status(
    event_file: EventArgument,
    *,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show the room at a glance: tables, terminals, and what is to be seen to.

    Exit code 0: all is well; 1: something is to be seen to; 2: nobody is there to ask.
    """
    from bidwire.direct import DirectError
    from bidwire.event_file import EventFileError
    from bidwire.status_command import show

    try:
        well = show(event_file, as_json=json)
    except (DirectError, EventFileError) as error:
        fail(str(error))
    if not well:
        raise typer.Exit(TO_SEE_TO)


app.command()(desk)
app.command("desk-user")(desk_user)
app.command()(torture)
app.command()(replay)
app.command()(results)
app.command("erase-names")(erase_names)


def _read_text(file: str) -> str:
    """The text of a file or of standard input; exits when it cannot be read."""
    try:
        if file == "-":
            if sys.stdin is None:
                fail("-: standard input is closed")
            return sys.stdin.buffer.read().decode("utf-8")
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        fail(f"{file}: {reason}")


def main() -> None:
    """Run the command line."""
    with standard_streams():
        app()
