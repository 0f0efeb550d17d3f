"""Results of an event: scored by Laws 77 and 78, ranked, and written for others."""

__all__: list[str] = []
