"""Where the tests find files that are not theirs."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

RECORDS = REPOSITORY.parent / "shared" / "data"
"""Real tournament records; they are kept outside the repository."""
