"""The chain: whatever is changed afterwards is found, by the number of the entry."""

import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.journal_chain import (
    BrokenChainError,
    Head,
    Link,
    chain,
    read_head,
    start_of,
    verify,
)

EVENT = "friday"

ENTRIES = [("t1", b"one"), ("t2", b"two"), ("t1", b"three"), ("t1", b"four")]


def written() -> list[Link]:
    return list(chain(start_of(EVENT), 3, ENTRIES))


def head_of(links: list[Link]) -> Head:
    return Head(links[-1].number, links[-1].hash)


def test_whole_chain_has_the_head_that_the_documentation_says() -> None:
    expected = hashlib.sha256(b"bidwire journal\x00friday").digest()
    for number, (table, entry) in enumerate(ENTRIES, 1):
        place = number.to_bytes(8, "big") + (3).to_bytes(8, "big")
        name = len(table).to_bytes(2, "big") + table.encode()
        expected = hashlib.sha256(expected + place + name + entry).digest()
    assert verify(EVENT, written()) == Head(4, expected)


def test_empty_journal_has_a_head_of_its_event() -> None:
    assert verify(EVENT, []) == start_of(EVENT) != start_of("sunday")


@pytest.mark.parametrize(
    "change",
    [
        lambda link: link._replace(entry=b"other"),
        lambda link: link._replace(entry="two"),
        lambda link: link._replace(table="t1"),
        lambda link: link._replace(epoch=2),
        lambda link: link._replace(epoch=None),
        lambda link: link._replace(hash=bytes(32)),
        lambda link: link._replace(hash=None),
    ],
)
def test_changed_entry_is_named(change: Callable[[Link], Link]) -> None:
    links = written()
    links[1] = change(links[1])
    with pytest.raises(BrokenChainError, match="entry 2 does not fit") as caught:
        verify(EVENT, links)
    assert caught.value.number == 2


def test_entry_changed_with_its_own_hash_breaks_the_next() -> None:
    links = written()
    (links[1],) = chain(Head(1, links[0].hash), 3, [("t2", b"TWO")])
    with pytest.raises(BrokenChainError, match="entry 3 does not fit"):
        verify(EVENT, links)


def test_missing_entry_is_named() -> None:
    links = written()
    del links[1]
    with pytest.raises(BrokenChainError, match=r"entry 2 .* the next one is 3"):
        verify(EVENT, links)


def test_entries_of_another_event_do_not_fit() -> None:
    with pytest.raises(BrokenChainError, match="entry 1 does not fit"):
        verify("sunday", written())


def test_epoch_never_falls() -> None:
    links = written()
    links += chain(head_of(links), 2, [("t1", b"of an earlier term")])
    with pytest.raises(BrokenChainError, match=r"entry 5 .* epoch 2, after one of 3"):
        verify(EVENT, links)


def test_journal_written_anew_does_not_have_the_noted_head() -> None:
    noted = head_of(written()[:2])
    forged = list(chain(start_of(EVENT), 3, [("t1", b"uno"), *ENTRIES[1:]]))
    assert verify(EVENT, forged).number == 4
    with pytest.raises(BrokenChainError, match=r"entry 2 .* was noted"):
        verify(EVENT, forged, [noted])
    assert verify(EVENT, written(), [noted, start_of(EVENT)]).number == 4


def test_entries_cut_off_after_a_noted_head_are_missed() -> None:
    noted = head_of(written())
    with pytest.raises(BrokenChainError, match=r"entry 3 .* entry 4 was noted, and 2"):
        verify(EVENT, written()[:2], [noted])


def test_head_is_read_as_it_is_written() -> None:
    head = head_of(written())
    assert read_head(str(head)) == head
    for wrong in ("", "4", "4:abc", f"-1:{'0' * 64}", f"4:{'g' * 64}"):
        with pytest.raises(ValueError, match="expected NUMBER:HASH"):
            read_head(wrong)


@given(st.integers(0, 3), st.integers(0, 4), st.binary(max_size=8))
def test_any_change_anywhere_is_named_at_its_place(
    place: int, at: int, put: bytes
) -> None:
    links = written()
    entry = links[place].entry
    changed = entry[:at] + put + entry[at + len(put) :]
    links[place] = links[place]._replace(entry=changed)
    if changed == entry:
        assert verify(EVENT, links) == head_of(links)
        return
    with pytest.raises(BrokenChainError) as caught:
        verify(EVENT, links)
    assert caught.value.number == place + 1
