"""Measurements that anybody can repeat: ``bidwire bench``."""

__all__: list[str] = []
