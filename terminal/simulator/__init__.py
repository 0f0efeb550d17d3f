"""Simulated terminals: the far end of the wire, with players who act on it."""

__all__: list[str] = []
