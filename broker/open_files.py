"""How many files this process may open; a connection is one of them."""

import contextlib
import resource


def allow_all_files() -> None:
    """Raise the limit as far as this process may.

    Shells and systemd begin at 1024, for the sake of programs that wait with
    ``select()``; what they allow is far more. Children have the same limit.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # then it stays as it was
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def at_most_half(number: int) -> int:
    """The number, or half of the files that may be open where that is less."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return number if soft == resource.RLIM_INFINITY else min(number, soft // 2)
