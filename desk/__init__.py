"""The Director's desk: a web page that is one more client of the MQTT contract."""

__all__: list[str] = []
