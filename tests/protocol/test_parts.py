"""Clauses P: a long message arrives complete or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import MESSAGE_MAX, PART_BYTES
from protocol.messages import Part
from protocol.parts import Reassembler


def cut(content: bytes, part_id: int = 1, size: int = PART_BYTES) -> list[Part]:
    chunks = [content[i : i + size] for i in range(0, len(content), size)]
    return [Part(part_id, i, len(chunks), c) for i, c in enumerate(chunks, 1)]


def gather(parts: list[Part]) -> list[bytes]:
    reassembler = Reassembler()
    return [whole for p in parts if (whole := reassembler.receive(p)) is not None]


@given(st.binary(min_size=PART_BYTES + 1, max_size=MESSAGE_MAX))
def test_parts_come_together(content: bytes) -> None:
    assert gather(cut(content)) == [content]


def test_the_same_part_twice_counts_once() -> None:
    first, second = cut(b"ab", size=1)
    assert gather([first, first, second]) == [b"ab"]


def test_a_missing_part_drops_the_message_and_the_repeat_arrives() -> None:
    a, b, c = cut(b"abc", size=1)
    assert gather([a, c]) == []
    assert gather([b, c]) == []
    assert gather([a, c, *cut(b"abc", part_id=2, size=1)]) == [b"abc"]


def test_parts_of_two_messages_are_never_mixed() -> None:
    a = cut(b"ab", part_id=1, size=1)
    b = cut(b"cd", part_id=2, size=1)
    assert gather([a[0], b[1]]) == []
    assert gather([a[0], b[0], a[1], b[1]]) == []
    assert gather([a[0], *b]) == [b"cd"]
    assert gather([a[0], Part(1, 2, 3, b"b")]) == []


def test_an_index_above_the_count_is_dropped() -> None:
    assert gather([Part(1, 1, 2, b"a"), Part(1, 3, 2, b"b"), Part(1, 2, 2, b"b")]) == []


def test_messages_given_up_are_counted() -> None:
    reassembler = Reassembler()
    reassembler.receive(Part(1, 1, 2, b"a"))
    reassembler.receive(Part(2, 1, 2, b"a"))
    assert reassembler.abandoned == 1
    reassembler.reset()
    reassembler.reset()
    assert reassembler.abandoned == 2
    assert reassembler.buffered == 0


@given(
    st.lists(
        st.builds(
            Part,
            st.integers(0, 2),
            st.integers(1, 8),
            st.integers(2, 8),
            st.binary(min_size=1, max_size=PART_BYTES),
        )
    )
)
def test_any_parts_never_exceed_the_cap(parts: list[Part]) -> None:
    reassembler = Reassembler()
    for part in parts:
        reassembler.receive(part)
        assert reassembler.buffered <= MESSAGE_MAX
