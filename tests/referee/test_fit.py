"""Texts on small displays: wrapped between words, paged, in characters they have."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Encoding
from referee.fit import LINE_MAX, PAGES_MAX, Grid, paginate, plain, wrap

WORDS = st.lists(st.text("abcdefgh♠é", min_size=1, max_size=30), max_size=40)


@given(WORDS, st.integers(8, 80))
def test_wrapping_keeps_every_character_and_no_line_is_too_long(
    words: list[str], columns: int
) -> None:
    lines = wrap(" ".join(words), columns)
    assert all(0 < len(line) <= min(columns, LINE_MAX) for line in lines)
    assert "".join(lines).replace(" ", "") == "".join(words)


def test_words_are_not_cut_where_they_fit() -> None:
    assert wrap("West called 1H out of turn", 16) == ["West called 1H", "out of turn"]


def test_word_wider_than_the_display_is_cut() -> None:
    assert wrap("a abcdefghijk b", 8) == ["a", "abcdefgh", "ijk b"]


@given(st.lists(WORDS, max_size=6), st.integers(8, 40), st.integers(2, 12))
def test_pages_have_no_more_rows_than_the_display(
    blocks: list[list[str]], columns: int, rows: int
) -> None:
    texts = [" ".join(words) for words in blocks]
    pages = paginate(texts, columns, rows, Encoding.UTF_8)
    assert len(pages) <= PAGES_MAX
    assert all(0 < len(page) <= rows for page in pages)


def test_block_that_fits_on_a_page_is_not_torn() -> None:
    assert paginate(["aa", "bb cc"], 2, 3, Encoding.ASCII) == (("aa", "bb", "cc"),)
    assert paginate(["aa", "bb cc"], 2, 2, Encoding.ASCII) == (("aa",), ("bb", "cc"))


def test_grid_keeps_its_columns() -> None:
    grid = Grid(("N   E   S   W", "    1D  P"))
    assert paginate([grid], 16, 2, Encoding.ASCII) == (("N   E   S   W", "    1D  P"),)


def test_what_a_display_cannot_show_is_put_in_characters_that_it_can() -> None:
    text = "Ñandú — ♠ … \N{EN DASH}"
    assert plain(text, Encoding.UTF_8) == text
    assert plain("Ñ♥", Encoding.LATIN_1) == "ÑH"
    assert plain("Ñandú ♠ …", Encoding.ASCII) == "Nandu S ..."


@given(st.text(max_size=40), st.sampled_from(Encoding))
def test_plain_text_is_encodable(text: str, encoding: Encoding) -> None:
    if encoding is not Encoding.UTF_8:
        codec = {"ascii": "ascii", "latin-1": "latin-1"}[encoding.value]
        plain(text, encoding).encode(codec)
