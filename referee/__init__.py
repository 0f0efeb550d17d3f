"""The referee: it judges what the terminals send, and prompts the seats."""

__all__: list[str] = []
