"""The forms in which results can be handed on, for the command line and the desk."""

from collections.abc import Callable
from dataclasses import dataclass

from bidwire.results.methods import Form
from bidwire.results.session import Session
from bidwire.results.to_csv import ranking_csv, travellers_csv
from bidwire.results.to_json import results_json
from bidwire.results.to_pbn import results_pbn
from bidwire.results.to_usebio import results_usebio


@dataclass(frozen=True, slots=True)
class Export:
    """A form of results.

    Attributes:
        form: its name, as on the command line.
        title: for people.
        media_type: of the file.
        suffix: of the file's name.
        write: makes the file's content of a scored session (``session.score``).
    """

    form: Form
    title: str
    media_type: str
    suffix: str
    write: Callable[[Session], bytes]


EXPORTS = (
    Export(Form.PBN, "PBN 2.1", "application/x-pbn", ".pbn", results_pbn),
    Export(
        Form.CSV, "CSV, travellers", "text/csv; charset=utf-8", ".csv", travellers_csv
    ),
    Export(
        Form.CSV_RANKING,
        "CSV, ranking",
        "text/csv; charset=utf-8",
        ".ranking.csv",
        ranking_csv,
    ),
    Export(Form.JSON, "JSON", "application/json", ".json", results_json),
    Export(Form.USEBIO, "USEBIO 1.2", "application/xml", ".xml", results_usebio),
)
"""All of them."""
