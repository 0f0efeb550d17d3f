"""Where the texts of the desk's catalogues stand."""

from broker.catalogue.translating import Catalogues
from desk.catalogue import TEXTS

ROOT = TEXTS.folder.parent

CATALOGUES = Catalogues(
    TEXTS,
    (
        *sorted(ROOT.glob("*.py")),
        *sorted((ROOT / "pages").glob("*.py")),
        *sorted((ROOT / "templates").glob("*.html")),
    ),
)
"""Of its modules and its pages' templates."""
