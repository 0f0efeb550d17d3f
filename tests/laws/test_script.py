"""The table script: lines into actions, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.actions import (
    Accept,
    Agree,
    Answer,
    Attention,
    Award,
    Change,
    Claim,
    Concede,
    Correct,
    Decline,
    Designation,
    ExposeCards,
    Extreme,
    Forbid,
    HandsReturned,
    Keep,
    LeadFaceDown,
    MakeCall,
    MoveCard,
    NameCard,
    NextBoardCall,
    Object,
    Overrule,
    PlayCards,
    PlayOn,
    Replace,
    Require,
    RoundEnds,
    Spread,
    Waive,
    Word,
)
from laws.board import Edition
from laws.calls import Call
from laws.cards import DECK, SUITS, Card, Suit
from laws.script import ScriptError, format_action, parse_line, parse_script
from laws.seats import SEATS, Seat
from laws.steps import Step

N, E, S, W = SEATS

LINES = [
    ("S 1H", MakeCall(S, Call.ONE_HEART)),
    ("S P", MakeCall(S, Call.PASS)),
    ("S XX", MakeCall(S, Call.REDOUBLE)),
    ("S 2D!", MakeCall(S, Call.TWO_DIAMONDS, alerted=True)),
    (
        "S 2D! both majors",
        MakeCall(S, Call.TWO_DIAMONDS, alerted=True, explanation="both majors"),
    ),
    ("& S 1D", MakeCall(S, Call.ONE_DIAMOND, simultaneous=True)),
    ("W CT", PlayCards(W, (Card.CLUB_TEN,))),
    ("& W CT", PlayCards(W, (Card.CLUB_TEN,), simultaneous=True)),
    ("W H4 S2", PlayCards(W, (Card.HEART_FOUR, Card.SPADE_TWO))),
    ("W -", PlayCards(W, ())),
    ("W exposes H4", ExposeCards(W, (Card.HEART_FOUR,))),
    ("W down", LeadFaceDown(W)),
    ("N names C6", NameCard(N, Card.CLUB_SIX)),
    ("N names H", NameCard(N, Suit.HEARTS)),
    ("N names 7", NameCard(N, "7")),
    ("N names high", NameCard(N, Designation.HIGH)),
    ("W moves HJ", MoveCard(W, Card.HEART_JACK)),
    ("W accept", Accept(W)),
    ("W decline", Decline(W)),
    ("S spread", Spread(S)),
    ("S change 2H", Change(S, Call.TWO_HEARTS)),
    ("N change C5", Change(N, Card.CLUB_FIVE)),
    ("N attention W 5", Attention(N, W, 5)),
    ("N attention", Attention(N)),
    ("W replace D5", Replace(W, Card.DIAMOND_FIVE)),
    ("W replace 1D", Replace(W, Call.ONE_DIAMOND)),
    ("W keep", Keep(W)),
    ("E require H", Require(E, Suit.HEARTS)),
    ("E require highest", Require(E, Extreme.HIGHEST)),
    ("E forbid H S", Forbid(E, (Suit.HEARTS, Suit.SPADES))),
    ("E waive", Waive(E)),
    ("E claim 3", Claim(E, 3)),
    ("E concede 2", Concede(E, 2)),
    ("S agree", Agree(S)),
    ("S object", Object(S)),
    ("S play-on", PlayOn(S)),
    ("director comparable yes", Answer(Word.COMPARABLE, True)),
    ("director shown S HS", Answer(Word.SHOWN, (Suit.HEARTS, Suit.SPADES), S)),
    ("director shown none", Answer(Word.SHOWN, ())),
    ("director intended C6", Answer(Word.INTENDED, Card.CLUB_SIX)),
    ("director intended no", Answer(Word.INTENDED, None)),
    ("director award E 3", Award(E, 3)),
    ("director overrule 2", Overrule(2)),
    ("director correct 7 S 1D", Correct(7, MakeCall(S, Call.ONE_DIAMOND))),
    ("director correct 7", Correct(7, None)),
    ("next S P", NextBoardCall(S, Call.PASS)),
    ("round ends", RoundEnds()),
    ("hands returned", HandsReturned()),
]


@pytest.mark.parametrize(("line", "action"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_read_and_written(line: str, action: object) -> None:
    assert parse_line(line) == action
    assert format_action(parse_line(line)) == line


def test_blanks_and_a_glued_explanation_do_not_matter() -> None:
    assert parse_line("  S   2D!hearts ") == MakeCall(
        S, Call.TWO_DIAMONDS, alerted=True, explanation="hearts"
    )
    assert parse_line("director shown SH") == parse_line("director shown HS")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "expected a happening"),
        ("X 1H", "expected a seat"),
        ("S", "expected what S did"),
        ("S 8C", "expected a call"),
        ("S 1h", "expected a call"),
        ("S 1H H4", "expected nothing after the call"),
        ("S H4 1H", "expected a card"),
        ("S HX", "expected a call"),
        ("& W keep", "only a call or a card"),
        ("& & W P", "only a call or a card"),
        ("W accept now", "expected nothing more"),
        ("W exposes", "expected the cards exposed"),
        ("N names", "expected a card, suit"),
        ("N names x", "expected a card, a suit"),
        ("N attention W", "expected the revoker's seat"),
        ("N attention W 14", "expected a trick from 1 to 13"),
        ("S change H", "expected a call"),
        ("E require N", "expected a suit"),
        ("E forbid", "expected the suits forbidden"),
        ("E claim 14", "expected tricks from 0 to 13"),
        ("E claim ３", "expected tricks from 0 to 13"),  # noqa: RUF001 - a wide digit
        ("director", "expected one of artificial"),
        ("director maybe yes", "expected one of artificial"),
        ("director aware perhaps", "expected yes or no"),
        ("director shown X", "expected a suit"),
        ("director award 3", "expected a seat"),
        ("director overrule 0", "expected a ruling from 1"),
        ("director correct", "expected the line to correct"),
        ("director correct 3 director aware yes", "a correction puts"),
        ("next S", "expected a seat and its call"),
        ("round over", "expected `round ends`"),
        ("hands", "expected `hands returned`"),
    ],
)
def test_a_wrong_line_says_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(ScriptError, match=expected):
        parse_line(line)


@given(
    st.sampled_from(SEATS),
    st.sampled_from(list(Call)),
    st.booleans(),
    st.lists(st.sampled_from(["both", "majors", "5-9"])),
    st.booleans(),
)
def test_any_call_comes_back(
    seat: Seat, call: Call, alerted: bool, words: list[str], simultaneous: bool
) -> None:
    text = " ".join(words) if alerted else ""
    action = MakeCall(seat, call, alerted, text, simultaneous)
    assert parse_line(format_action(action)) == action


@given(st.sampled_from(SEATS), st.lists(st.sampled_from(DECK), max_size=4))
def test_any_cards_come_back(seat: Seat, cards: list[Card]) -> None:
    action = PlayCards(seat, tuple(cards))
    assert parse_line(format_action(action)) == action


@given(st.text(max_size=40))
def test_any_text_is_an_action_or_an_error(line: str) -> None:
    try:
        action = parse_line(line)
    except ScriptError:
        return
    assert parse_line(format_action(action)) == action


def test_a_script_numbers_its_lines_as_the_file_does() -> None:
    script = parse_script("# a board\nedition 2017\nboard 2\n\nE 1S   # opens\n  S P\n")
    assert script.board.edition is Edition.LAWS_2017
    assert script.board.dealer is E
    assert script.steps == (
        Step(5, MakeCall(E, Call.ONE_SPADE)),
        Step(6, MakeCall(S, Call.PASS)),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edition 2017\nboard 2\nE 1S\nS wait\n", "line 4: expected a call"),
        (
            "edition 2017\nboard 2\nE 1S\npolicy revoke manual\n",
            "line 4: a header line after",
        ),
        ("edition 1997\n", "line 1: expected edition 2007 or 2017"),
        ("board 2\nE 1S\n", "expected a line `edition"),
        ("edition 2007\nE 1S\n", "expected a line `board"),
    ],
)
def test_a_wrong_script_names_the_line(text: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        parse_script(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("other", ["\u2028", "\x0b", "\x0c", "\x1c", "\x85"])
def test_lines_are_those_of_an_editor(end: str, other: str) -> None:
    lines = [f"# a{other}b", "edition 2017", f"board{other}1", "", "N 1C", f"E{other}P"]
    script = parse_script(end.join(lines))
    assert [step.line for step in script.steps] == [5, 6]
    with pytest.raises(ScriptError, match="line 7"):
        parse_script(end.join([*lines, "S what"]))


def test_a_byte_order_mark_at_the_head_is_no_part_of_the_script() -> None:
    script = "edition 2017\nboard 1\nN 1C\n"
    assert parse_script("\ufeff" + script) == parse_script(script)


def test_every_suit_and_word_is_covered() -> None:
    words = {a.word for _, a in LINES if isinstance(a, Answer)}
    assert words <= set(Word)
    assert {format_action(Require(E, suit)) for suit in SUITS} == {
        f"E require {suit}" for suit in SUITS
    }


def test_edition_asked_for_stands_before_the_scripts_own_and_may_be_all_there_is() -> (
    None
):
    written = parse_script("edition 2007\nboard 1\n", Edition.LAWS_2017)
    assert written.board.edition is Edition.LAWS_2017
    bare = parse_script("board 1\nN P\n", Edition.LAWS_2007)
    assert bare.board.edition is Edition.LAWS_2007
