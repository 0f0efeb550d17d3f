"""What the tests of the referee share."""

from collections.abc import Iterator

import pytest

from tests.referee.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A table, whose journal folds to the same record when the test is over."""
    bench = Bench()
    yield bench
    assert bench.refolded() == bench.record
