"""Where the texts of the terminal's catalogues stand."""

from broker.catalogue.translating import Catalogues
from terminal.catalogue import ENGLISH, TEXTS

CATALOGUES = Catalogues(TEXTS, (ENGLISH,))
"""Of the web terminal's page; what daemons say stands in ``broker.line_reasons``."""
