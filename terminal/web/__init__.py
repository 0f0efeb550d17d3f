"""Web terminals: a tablet's browser as a table terminal, served by the daemon itself.

``carrier`` is what the daemon sees: it opens the port ``web://`` of a terminal as any
other. The page in ``static`` is a terminal of its own (``docs/web-terminal.md``).
"""

__all__: list[str] = []
