"""``bidwire demo``: four terminals play a board, and a referee rules."""

__all__: list[str] = []
