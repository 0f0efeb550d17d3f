"""What takes long and shows nothing that shorter tests do not show too.

A broker of the other kind, another seed or one more carrier of a test that takes many
seconds, and more examples of a property. `make test` leaves them out, and says so, to
stay within minutes on a small machine; `make test-long` runs them.
"""

import os

import pytest

LONG = bool(os.environ.get("BIDWIRE_LONG"))

long = pytest.mark.skipif(not LONG, reason="takes long: make test-long runs it")


def examples(usual: int) -> int:
    """How many examples of a property to try, where `make test` tries `usual`."""
    return 10 * usual if LONG else usual


any_broker = pytest.mark.parametrize(
    "live_broker", ["nats", pytest.param("mosquitto", marks=long)], indirect=True
)
"""For a test to which the kind of its ``live_broker`` is all one."""
