"""Any file of records, by its name or by what it looks like, into records.

PBN and LIN are read by our own tokenizers and not by endplay's. Of 838 real files
endplay gave up five over one word in each, it let notes of one game show in later ones
(563 records), and it knows no line numbers, no ``^`` marks and no tags that a game
leaves to the one before. Every record would have to be cut out, cleaned and validated
here before endplay could be given it, only to be read a second time. So it is read
here, once, and endplay is what the tests compare with: wherever endplay reads a record
of those files, calls and cards agree.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bidwire.records.checking import checked
from bidwire.records.lin import read_lin
from bidwire.records.pbn import read_pbn
from bidwire.records.record import Record, RecordError, ScriptRecord
from bidwire.records.scan import decode
from laws.script import ScriptError, parse_script

AnyRecord = Record | ScriptRecord | RecordError


def read_records(path: str | Path) -> Iterator[AnyRecord]:
    """Read the records of a PBN, LIN or table-script file.

    A record that cannot be read comes as a ``RecordError`` and reading goes on; one
    that breaks the rules of the game comes with its ``breaches``. Any bytes are taken,
    nothing is raised for them; a file that cannot be opened is one ``RecordError``.
    """
    file = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        yield RecordError(file, "", 1, error.strerror or str(error))
        return
    yield from read_text(file, decode(data))


def read_text(file: str, text: str) -> Iterator[AnyRecord]:
    """Read the records of a text; ``file`` names it and tells the format."""
    found = False
    for item in _read(file, text):
        found = True
        yield checked(item) if isinstance(item, Record) else item
    if not found:
        yield RecordError(file, "", 1, "no record found")


def _read(file: str, text: str) -> Iterator[AnyRecord]:
    suffix = Path(file).suffix.lower()
    if suffix == ".table":
        yield _read_script(file, text)
    elif suffix == ".pbn" or (suffix != ".lin" and _LOOKS_LIKE_PBN.search(text)):
        yield from read_pbn(file, text)
    elif suffix == ".lin" or _LOOKS_LIKE_LIN.search(text):
        yield from read_lin(file, text)
    else:
        yield RecordError(
            file, "", 1, "expected records in PBN (.pbn), LIN (.lin) or a .table script"
        )


_LOOKS_LIKE_PBN = re.compile(r'^\s*\[\s*\w+\s*"', re.MULTILINE)
_LOOKS_LIKE_LIN = re.compile(r"(?:^|\|)\s*md\|")


def _read_script(file: str, text: str) -> ScriptRecord | RecordError:
    name = Path(file).stem
    try:
        return ScriptRecord(file, name, 1, parse_script(text))
    except ScriptError as error:
        return RecordError(file, name, error.line or 1, error.reason)
