"""``python -m desk.catalogue``: the catalogues brought up to the source."""

from desk.catalogue.sources import CATALOGUES

CATALOGUES.update()
