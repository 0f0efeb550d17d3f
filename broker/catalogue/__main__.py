"""``python -m broker.catalogue``: the catalogues brought up to the source."""

from broker.catalogue.sources import CATALOGUES

CATALOGUES.update()
