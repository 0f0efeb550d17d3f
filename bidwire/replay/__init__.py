"""``bidwire replay``: records played through terminals, broker and referee."""

__all__: list[str] = []
