"""The figures that a process serves for Prometheus, as a test reads them."""

import asyncio
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families

Figures = dict[tuple[str, str], float]
"""By name and terminal or table, empty where it is of neither."""


async def scraped(address: str) -> Figures:
    """What is served at an address now."""
    return await asyncio.to_thread(_scraped, address)


def _scraped(address: str) -> Figures:
    with urlopen(f"http://{address}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (sample.name, _of(sample.labels)): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _of(labels: dict[str, str]) -> str:
    return labels.get("terminal", labels.get("table", ""))
