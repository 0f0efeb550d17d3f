"""The conformance suite: checks of a terminal against the clauses of the wire."""
