"""``bidwire journal``: is a journal whole, and what happened at a table?"""

__all__: list[str] = []
