"""The texts that people read, in their language; each package has its own."""

from broker.catalogue.texts import Catalogue, Texts, noted

__all__ = ["Catalogue", "Texts", "noted"]
