"""Where the texts of the referee's catalogues stand."""

from broker.catalogue.translating import Catalogues
from referee.catalogue import TEXTS

ROOT = TEXTS.folder.parent.parent

CATALOGUES = Catalogues(
    TEXTS,
    (
        *sorted((ROOT / "referee").glob("*.py")),
        *sorted((ROOT / "bidwire").glob("rule*.py")),
        *sorted((ROOT / "bidwire" / "journal").glob("*.py")),
        ROOT / "bidwire" / "desk" / "complaints.py",
    ),
)
"""Of the referee's modules, and of those of ``bidwire`` that tell what it says.

These are ``bidwire rule``, the journal's, and the complaints that the desk shows."""
