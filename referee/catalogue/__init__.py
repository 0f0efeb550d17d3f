"""The texts that people read, in the language of their terminal."""

from referee.catalogue.texts import (
    DOMAIN,
    LANGUAGES,
    LOCALE,
    Catalogue,
    catalogue,
    noted,
)

__all__ = ["DOMAIN", "LANGUAGES", "LOCALE", "Catalogue", "catalogue", "noted"]
