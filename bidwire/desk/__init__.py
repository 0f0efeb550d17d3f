"""``bidwire desk`` and ``bidwire desk-user``: the Director's desk beside an event."""
