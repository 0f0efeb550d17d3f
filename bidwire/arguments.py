"""Arguments and options that several subcommands have."""

from pathlib import Path
from typing import Annotated

import typer

from bidwire.languages import Language

EventArgument = Annotated[
    Path, typer.Argument(help="The event file", metavar="EVENT.toml")
]

LanguageOption = Annotated[
    Language | None,
    typer.Option(help="Of the words; if not given, by LANG.", show_default=False),
]
