"""What was made is kept while what it was made from is the same."""

import pytest

from bidwire.desk.kept import MOST, Kept


class Maker:
    """Makes a new text of a word each time that it is asked to."""

    def __init__(self) -> None:
        self.kept = Kept[str]()
        self.count = 0

    def get(self, word: str, basis: str = "file") -> str:
        return self.kept.get(basis, word, lambda: self.make(word))

    def make(self, word: str) -> str:
        self.count += 1
        return f"{word} {self.count}"


def test_the_same_is_made_once() -> None:
    maker = Maker()
    assert [maker.get(word) for word in "abab"] == ["a 1", "b 2", "a 1", "b 2"]


def test_on_another_basis_everything_is_made_anew() -> None:
    maker = Maker()
    assert [maker.get("a"), maker.get("a", "other"), maker.get("a")] == [
        "a 1",
        "a 2",
        "a 3",
    ]


def test_what_was_asked_for_longest_ago_gives_way() -> None:
    maker = Maker()
    words = [str(number) for number in range(MOST + 1)]
    for word in words[:-1]:
        maker.get(word)
    first = maker.get(words[0])
    maker.get(words[-1])
    assert maker.get(words[0]) == first
    assert maker.get(words[1]).endswith(f" {MOST + 2}")


def test_what_cannot_be_made_is_tried_again() -> None:
    maker = Maker()
    with pytest.raises(ZeroDivisionError):
        maker.kept.get("file", "a", lambda: str(1 // 0))
    assert maker.get("a") == "a 1"
