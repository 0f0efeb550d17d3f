"""Where the texts of the catalogues stand that several packages share."""

from broker.catalogue.translating import Catalogues
from broker.line_reasons import TEXTS

CATALOGUES = Catalogues(TEXTS, (TEXTS.folder.parent / "line_reasons.py",))
"""Of what the daemons say of their terminals."""
