"""The wire between terminals and daemons, and the MQTT contract; no I/O."""

__all__: list[str] = []
