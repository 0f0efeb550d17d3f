"""``python -m bidwire``."""

from bidwire.cli import main

main()
