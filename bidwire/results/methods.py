"""The methods of scoring that an event may choose (Law 78)."""

from enum import StrEnum


class Scoring(StrEnum):
    """How the tables that played a board are compared."""

    MATCHPOINTS = "matchpoints"
    """Two for each pair beaten, one for each tie (78A)."""
    CROSS_IMPS = "cross-imps"
    """IMPs against every other result, on average (78B)."""
    BUTLER = "butler"
    """IMPs against a trimmed mean, the datum (78B)."""
    TEAMS = "teams"
    """IMPs between the two tables of a match, and victory points (78B)."""
    TOTAL_POINTS = "total-points"
    """The points themselves (78C)."""

    @property
    def counts_imps(self) -> bool:
        """Whether a board is worth IMPs."""
        return self in {Scoring.CROSS_IMPS, Scoring.BUTLER, Scoring.TEAMS}


class Form(StrEnum):
    """What results are shown or written as."""

    TABLE = "table"
    """For people."""
    PBN = "pbn"
    CSV = "csv"
    """The travellers."""
    CSV_RANKING = "csv-ranking"
    JSON = "json"
    USEBIO = "usebio"
