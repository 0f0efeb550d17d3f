"""What ``bidwire results`` does."""

from pathlib import Path

import typer
from rich.console import Console

from bidwire.results.exports import EXPORTS
from bidwire.results.methods import Form, Scoring
from bidwire.results.session import Session, score
from bidwire.results.source import read_material
from bidwire.results.table import drawn

WIDTH = 120
"""Columns where the output is no screen."""


def scored(
    path: Path, scoring: Scoring | None, board: int, round_number: int
) -> Session:
    """The event of a file, scored.

    Raises:
        EventFileError, BrokenChainError, CodecError, JournalError: as
            ``source.read_material``.
        NothingPlayedError, NoSuchTeamError: as ``session.score``.
    """
    material = read_material(path, scoring)
    return score(material, board=board, round_number=round_number)


def show(session: Session, form: Form, output: Path | None) -> None:
    """Write results to a file, or to standard output.

    Raises:
        OSError: the file cannot be written.
    """
    export = next((each for each in EXPORTS if each.form is form), None)
    if export is not None:
        content = export.write(session)
        if output is None:
            typer.echo(content, nl=False)
        else:
            output.write_bytes(content)
        return
    if output is None:
        console = Console()
        if not console.is_terminal:
            console.width = WIDTH
        console.print(drawn(session))
        return
    with output.open("w", encoding="utf-8") as file:
        Console(file=file, width=WIDTH).print(drawn(session))
