"""The Laws of Duplicate Bridge as a pure engine: no I/O, clock or chance."""

__all__: list[str] = []
