"""How a board went, as the Director's desk shows it."""

from laws.actions import Action, MakeCall
from laws.calls import Call
from laws.report import report
from laws.seats import Seat
from protocol.happenings import CallDirector
from protocol.payloads import Service
from referee.catalogue import catalogue
from referee.course import course
from referee.journal import Row
from referee.settings import Questions
from referee.story import tell
from referee.views import desk, result
from tests.referee.bench import DEAL, Bench, settings
from tests.referee.situations import FIRST_TRICK, REVOKE

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


def bench_after(*happenings: str | Action) -> Bench:
    bench = Bench(settings(questions=Questions.ASSUME))
    bench.does(*happenings)
    return bench


def test_withdrawn_calls_stand_where_they_were_made() -> None:
    gone = course(bench_after("E 1C", "S decline", "N 1S").play)
    assert [(c.line, c.seat, c.call, c.withdrawn) for c in gone.calls] == [
        (1, E, "1C", True),
        (3, N, "1S", False),
    ]
    assert gone.lines == ("E 1C", "S decline", "N 1S")


def test_an_alert_comes_with_its_explanation() -> None:
    told = course(bench_after("N 2D! both majors").play)
    assert [(c.alerted, c.explanation) for c in told.calls] == [(True, "both majors")]


def test_words_of_a_player_stand_on_one_line_without_what_steers_a_screen() -> None:
    bench = bench_after(MakeCall(N, Call("2D"), True, "both\n\x00majors \x1b[31m"))
    (call,) = course(bench.play).calls
    assert call.explanation == "both majors [31m"
    bench.does(CallDirector(E, False, "slow\rplay\x07"))
    assert desk(bench.table, "s").calls[0].reason == "slow play"


def test_tricks_name_the_happening_of_each_card() -> None:
    told = course(bench_after(*FIRST_TRICK, "E CK").play)
    first, second = told.tricks
    assert [(c.line, c.hand, c.card) for c in first.cards] == [
        (5, E, "CA"),
        (6, S, "C8"),
        (7, W, "C5"),
        (8, N, "C2"),
    ]
    assert (first.leader, first.winner, second.winner) == (E, E, None)


def test_cards_that_went_back_name_what_took_them_back() -> None:
    bench = bench_after(*REVOKE, "W attention W 1", "W replace C5")
    told = course(bench.play)
    assert [(c.line, c.hand, c.card) for c in told.withdrawn] == [(9, W, "D9")]
    assert [c.card for c in told.tricks[0].cards] == ["CA", "C8", "C5"]


def test_each_seat_and_the_director_read_a_ruling_in_their_language() -> None:
    told = course(bench_after("N 1S", "E P", "S P", "W 1D", "N decline").play)
    ruling = told.rulings[-1]
    assert ruling.number == 1
    assert "Law 27B" in ruling.text
    assert "Ley 27B" in ruling.texts["es"]
    assert ruling.seats[W]["en"].startswith("Your bid was insufficient")
    assert ruling.seats[W]["es"]


def test_effects_and_assumptions_of_a_ruling_come_in_words() -> None:
    bench = bench_after("E 1C", "S decline", "N 1S", "E 2C")
    reported = report(bench.play.state)["rulings"]
    for told, plain in zip(course(bench.play).rulings, reported, strict=True):
        assert len(told.effects) == len(plain["effects"])
        assert len(told.assumptions) == len(plain["assumptions"])
    last = course(bench.play).rulings[-1]
    assert last.effects[0].text == "West must pass at the next turn"
    assert last.assumptions[0].texts["es"] == "el nuevo canto de Este no es comparable"


def test_open_questions_come_in_words() -> None:
    bench = Bench(settings(questions=Questions.WAIT))
    bench.does("E 1C", "S decline", "N 1S", "E 2C")
    asked = course(bench.play).questions[0]
    assert asked.text == (
        "Is the new call of East (2C for 1C) comparable with the withdrawn call?"
        " (Law 23A, 2017)"
    )
    assert asked.texts["es"].startswith("¿")


def test_what_an_answer_means_stands_beside_its_line() -> None:
    bench = bench_after("E 1C", "S decline", "N 1S", "E 2C")
    bench.direct("director comparable E no")
    rows = [Row(n, "t1", entry) for n, entry in enumerate(bench.entries, 1)]
    told = [line.text for line in tell("test", "t1", rows, catalogue("es"))]
    assert "S decline (No aceptar 1C)" in told
    assert "N 1S" in told
    (said,) = [text for text in told if text.startswith("Director (director)")]
    assert said.startswith("Director (director): director comparable E no (¿Es")
    assert said.endswith("? No)")


def test_the_reason_of_a_command_stands_in_the_log() -> None:
    bench = bench_after("N 1S")
    bench.direct("director correct 1 N 1H", reason="mis-keyed")
    rows = [Row(n, "t1", entry) for n, entry in enumerate(bench.entries, 1)]
    told = [line.text for line in tell("test", "t1", rows, catalogue("en"))]
    assert "Director (director): director correct 1 N 1H: mis-keyed" in told


def test_the_hands_stand_in_the_result_once_the_director_has_asked() -> None:
    bench = bench_after("N P", "E P", "S P", "W P")
    first = bench.record.plays[0]
    over = result(bench.record, first, "session")
    assert over is not None
    assert over.deal == ""
    bench.direct(service=Service.HANDS, play=1)
    over = result(bench.record, bench.record.plays[0], "session")
    assert over is not None
    assert over.deal == DEAL


def test_what_binds_is_told_with_its_law() -> None:
    told = course(bench_after("E P", "S decline").play)
    assert [(b.seat, b.text) for b in told.bound] == [
        (E, "East must pass at the next turn. (Law 30A, 2017)")
    ]


def test_the_desk_has_it_while_it_goes_on_and_the_result_afterwards() -> None:
    bench = bench_after("N P", "E P", "S P")
    seen = desk(bench.table, "session").course
    assert seen is not None
    assert len(seen.calls) == 3
    bench.does("W P")
    over = result(bench.record, bench.record.plays[0], "session")
    assert over is not None
    assert over.course == course(bench.record.plays[0])
