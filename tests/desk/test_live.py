"""When a live page looks at what has changed: nothing secret shifts it."""

from hypothesis import given
from hypothesis import strategies as st

from desk.live import HEARTBEAT, PACE, next_look


def looks(changes: list[float], until: int) -> list[int]:
    """The looks of a page on which changes that it does not show wake its server."""
    seen, now = [0], 0.0
    while seen[-1] < until:
        due = [at for at in changes if at >= now]
        now = min([*due, until * PACE])
        changes = [at for at in changes if at > now]
        seen.append(next_look(seen[-1], until, now))
        now = max(now, seen[-1] * PACE)
    return seen


@given(st.lists(st.floats(0, HEARTBEAT * PACE), max_size=30))
def test_the_beat_comes_at_its_time_whatever_wakes_the_server(
    changes: list[float],
) -> None:
    seen = looks(changes, HEARTBEAT)
    assert seen[-1] == HEARTBEAT
    assert sorted(set(seen)) == seen


def test_what_comes_meanwhile_goes_together() -> None:
    assert next_look(3, 40, 3 * PACE + 0.01) == 4
    assert next_look(3, 40, 7 * PACE - 0.01) == 7


def test_who_is_woken_a_little_late_does_not_wait_for_the_next_look() -> None:
    assert next_look(3, 40, 40 * PACE + 0.01) == 40
