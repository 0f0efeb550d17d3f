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
    ),
)
"""Of the referee's modules, those of ``bidwire rule`` and of its journal."""
