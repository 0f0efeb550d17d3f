"""``bidwire torture``: whole boards while everything breaks that can break."""
