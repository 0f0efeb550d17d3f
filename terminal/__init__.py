"""The daemon between terminals and the broker, and the simulated terminal."""

__all__: list[str] = []
