"""``python -m referee.catalogue``: the catalogues brought up to the source."""

from referee.catalogue.sources import CATALOGUES

CATALOGUES.update()
