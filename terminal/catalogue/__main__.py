"""``python -m terminal.catalogue``: the catalogues brought up to the source."""

from terminal.catalogue.sources import CATALOGUES

CATALOGUES.update()
