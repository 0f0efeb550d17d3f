"""What waits for the Director at a table."""

from typing import Any

from desk.room import Room
from desk.waiting import waiting_at
from laws.seats import Seat
from protocol.course import Course, CourseText
from protocol.payloads import Pairs, TableResult
from tests.desk.rooms import desk, question

COMPARABLE = question(question="comparable", law="23A", seat="E", choices=["yes", "no"])


def room_with(*questions: dict[str, Any], **changes: Any) -> Room:  # noqa: ANN401
    judged = {"questions": list(questions)}
    return Room(desks={"a1": desk("a1", play=3, judged=judged, **changes)})


def test_each_answer_says_what_it_would_lead_to() -> None:
    foreseen = (
        {"line": "director comparable E yes", "text": "nothing else"},
        {"line": "director comparable E no", "text": "West must pass"},
    )
    (asked,) = waiting_at(room_with(COMPARABLE, foreseen=foreseen), "a1").questions
    assert [(a.line, a.foreseen and a.foreseen["text"]) for a in asked.answers] == [
        ("director comparable E yes", "nothing else"),
        ("director comparable E no", "West must pass"),
    ]
    assert [a.words for a in asked.answers] == [["yes"], ["no"]]


def test_a_question_that_holds_nothing_has_its_choices_all_the_same() -> None:
    aware = question(question="aware", seat="E", choices=["yes", "no"], holds=False)
    (asked,) = waiting_at(room_with(aware), "a1").questions
    assert [a.line for a in asked.answers] == [
        "director aware E yes",
        "director aware E no",
    ]


def test_questions_that_hold_the_table_come_first_and_players_options_last() -> None:
    option = question(to="W", question="accept", choices=["accept"], seat="S")
    aware = question(question="aware", seat="E", holds=False)
    found = waiting_at(room_with(option, aware, COMPARABLE), "a1").questions
    assert [asked.plain["question"] for asked in found] == [
        "comparable",
        "aware",
        "accept",
    ]


def test_a_players_option_alone_does_not_wait_for_the_director() -> None:
    option = question(to="W", question="accept", choices=["accept", "decline"])
    foreseen = ({"line": "W accept", "text": "it stands"},)
    found = waiting_at(room_with(option, foreseen=foreseen), "a1")
    assert not found.is_any
    assert found.questions[0].to is Seat.WEST
    assert [a.line for a in found.questions[0].answers] == ["W accept"]


def test_questions_come_in_words_where_the_referee_tells_them() -> None:
    course = Course(
        dealer=Seat.NORTH, questions=(CourseText("Comparable?", {"es": "¿Sí?"}),)
    )
    (asked,) = waiting_at(room_with(COMPARABLE, course=course), "a1").questions
    assert asked.told == {"text": "Comparable?", "texts": {"es": "¿Sí?"}}


def test_law_64c_is_asked_of_an_earlier_board_with_its_evidence() -> None:
    damage = question(
        question="damage", seat="W", line=7, law="64C1", choices=["yes", "no"]
    )
    evidence = {"play": 2, "line": 7, "seat": "W", "double_dummy": 9, "actual": 8}
    room = room_with(evidence=({"play": 3} | evidence | {"play": 2},))
    room.results["a1", 2] = TableResult(
        *("r1", "a1", 2, 1, 4, Pairs(), None, {}, None, None),
        judged={"questions": [damage]},
    )
    (asked,) = waiting_at(room, "a1").questions
    assert (asked.play, asked.board, asked.evidence) == (2, 4, evidence)


def test_law_70_asks_for_tricks_of_those_that_remain() -> None:
    claim = question(
        question="claim", seat="S", about="3 of 5 tricks", choices=["award"]
    )
    (asked,) = waiting_at(room_with(claim), "a1").questions
    assert asked.claimed == (3, 5)
    assert asked.answers == ()


def test_any_number_of_suits_answers_what_was_shown() -> None:
    suits = question(question="shown", seat="S", choices=["C", "D", "H", "S", "none"])
    (asked,) = waiting_at(room_with(suits), "a1").questions
    assert asked.is_about_suits


def test_of_a_table_not_heard_of_nothing_waits() -> None:
    assert not waiting_at(Room(), "a1").is_any
