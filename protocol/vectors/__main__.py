"""Print the vectors: ``python -m protocol.vectors > protocol/vectors.json``."""

import sys

from protocol.vectors import build
from protocol.vectors.plain import to_text

sys.stdout.write(to_text(build()))
