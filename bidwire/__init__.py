"""The command line that composes Bidwire's parts."""

__all__: list[str] = []
