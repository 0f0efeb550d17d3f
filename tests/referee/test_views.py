"""What is published of a table, and to whom."""

from typing import Any

import msgspec
import pytest

from laws.report import report
from laws.seats import Seat
from protocol.payloads import (
    DaemonStatus,
    LinkState,
    Pairs,
    Phase,
    PublicTable,
    Service,
    TableResult,
    TableState,
    decode_payload,
)
from protocol.topics import TopicKind, Topics, parse_topic
from referee.publishing import Publisher
from referee.settings import BoardSettings, Questions
from referee.table import DaemonReport
from referee.views import (
    desk,
    public_playing,
    public_table,
    result,
    rulings,
    table_state,
)
from tests.referee.bench import DEAL, Bench, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

ONE_SPADE = ("N 1S", "E P", "S P", "W P")

PASSED_OUT = ("N P", "E P", "S P", "W P")

BOARDS = [
    BoardSettings(number=n, deal=DEAL, round=2, pairs=Pairs(ns="7", ew="12"))
    for n in (1, 2)
]


@pytest.fixture
def bench() -> Bench:
    return Bench(settings(boards=BOARDS, questions=Questions.ASSUME))


def state(bench: Bench) -> TableState:
    return table_state(bench.table, "session")


# -- table state ----------------------------------------------------------------------


def test_state_tells_the_public_facts(bench: Bench) -> None:
    bench.does("N 1S", "E 2D! both majors")
    seen = state(bench)
    assert (seen.phase, seen.round, seen.play, seen.board) == (Phase.AUCTION, 2, 1, 1)
    assert (seen.dealer, seen.turn, seen.pairs.ew) == (N, S, "12")
    assert [(c.seat, c.call, c.alerted, c.explanation) for c in seen.auction] == [
        (N, "1S", False, ""),
        (E, "2D", True, "both majors"),
    ]
    assert set(seen.terminals.values()) == {LinkState.ONLINE}


def test_state_faces_dummy_after_the_opening_lead_and_no_other_hand(
    bench: Bench,
) -> None:
    bench.does(*ONE_SPADE)
    assert state(bench).dummy == ()
    bench.does("E CA", "S C8", "W C5")
    seen = state(bench)
    assert " ".join(seen.dummy) == "S7 S6 S5 H4 H3 H2 DA DK DQ DJ CT C9"
    assert [(c.hand, c.card) for c in seen.trick] == [(E, "CA"), (S, "C8"), (W, "C5")]
    bench.does("N C2")
    seen = state(bench)
    assert seen.trick == ()
    assert [c.card for c in seen.last_trick] == ["CA", "C8", "C5", "C2"]
    assert seen.tricks == {"NS": 0, "EW": 1}


def test_state_shows_penalty_cards(bench: Bench) -> None:
    bench.does(*ONE_SPADE, "W HA", "N decline")
    assert [(c.hand, c.card) for c in state(bench).faced] == [(W, "HA")]


def test_state_says_that_the_table_waits_for_the_director() -> None:
    bench = Bench(settings(questions=Questions.WAIT))
    bench.does("N 1S", "N change 1H")
    assert state(bench).waiting == "director"


def test_state_of_a_contested_claim(bench: Bench) -> None:
    bench.does(*ONE_SPADE, "E CA", "N claim 5")
    assert state(bench).phase is Phase.CLAIM
    bench.does("E object")
    assert state(bench).waiting == "director"


def test_state_between_boards() -> None:
    bench = Bench(settings(boards=[]))
    assert state(bench).phase is Phase.IDLE


def test_terminal_is_offline_when_its_daemon_has_died(bench: Bench) -> None:
    old = DaemonStatus(session="d1-0", online=False)
    bench.feed(DaemonReport("d1", old))
    assert set(state(bench).terminals.values()) == {LinkState.ONLINE}
    bench.feed(DaemonReport("d1", DaemonStatus(session="d1-1", online=False)))
    assert set(state(bench).terminals.values()) == {LinkState.OFFLINE}


# -- results, rulings, desk -----------------------------------------------------------


def test_result_has_the_whole_report(bench: Bench) -> None:
    bench.does(*PASSED_OUT)
    (finished, _) = bench.record.plays
    seen = result(bench.record, finished, "session")
    assert isinstance(seen, TableResult)
    assert (seen.play, seen.board, seen.round, seen.contract) == (1, 1, 2, None)
    assert seen.judged == report(finished.state)


def test_result_is_published_again_when_the_director_changes_it(bench: Bench) -> None:
    bench.does(*ONE_SPADE, "E CA", "N claim 5", "E agree", "W agree")
    publisher = Publisher(Topics("test"), "session", None)
    first = published(publisher, bench)
    assert first[TopicKind.TABLE_RESULT].score_ns == -100
    bench.direct("director correct 6 N claim 7", play=1)
    second = published(publisher, bench)
    assert second[TopicKind.TABLE_RESULT].score_ns == 80
    assert second[TopicKind.TABLE_RESULT].number > 0


def test_board_that_the_director_closed_has_a_result_without_a_score(
    bench: Bench,
) -> None:
    bench.does(*ONE_SPADE)
    bench.direct(service=Service.CLOSE)
    closed = bench.record.plays[0]
    seen = result(bench.record, closed, "session")
    assert seen is not None
    assert (seen.score_ns, seen.declarer_tricks) == (None, None)


def test_ruling_is_numbered_within_the_table_and_told_in_words(bench: Bench) -> None:
    bench.does("N 1S", "S 2C", "W decline", "E P", "S 2C")
    first, second = rulings(bench.play, "session")
    assert (first.number, second.number) == (1, 2)
    assert first.text.startswith("South called out of turn. ")
    assert second.text.endswith("(Law 31A1, 2017)")
    assert second.ruling["law"] == "31A1"


def test_overruled_ruling_stays_published_as_superseded(bench: Bench) -> None:
    bench.does("N 1S", "S 2C", "W decline")
    bench.direct("director overrule 1")
    assert rulings(bench.play, "session")[0].ruling["status"] == "superseded"


def test_desk_has_the_report_of_the_running_play(bench: Bench) -> None:
    bench.does("N 1S", "S 2C")
    seen = desk(bench.table, "session")
    assert seen.judged == report(bench.play.state)
    assert seen.questions == tuple(seen.judged["questions"])
    assert seen.number == bench.record.number


# -- spectators -----------------------------------------------------------------------


def test_spectators_see_a_board_when_it_is_over(bench: Bench) -> None:
    bench.does(*PASSED_OUT[:3])
    assert public_playing(bench.record, live=False) is None
    bench.does(PASSED_OUT[3])
    playing = public_playing(bench.record, live=False)
    assert playing is not None
    seen = public_table(bench.record, playing, "session")
    assert isinstance(seen, PublicTable)
    assert (seen.board, seen.score_ns, seen.deal) == (1, 0, DEAL)


def test_live_spectators_see_no_hand_before_the_end(bench: Bench) -> None:
    bench.does(*ONE_SPADE, "E CA")
    playing = public_playing(bench.record, live=True)
    assert playing is not None
    seen = public_table(bench.record, playing, "session")
    assert seen.deal == ""
    assert [[c.card for c in trick] for trick in seen.tricks_played] == [["CA"]]


def published(publisher: Publisher, bench: Bench) -> dict[TopicKind, Any]:
    """What goes out now, by kind of topic."""
    return {
        parse_topic(p.topic).kind: decode_payload(parse_topic(p.topic).kind, p.payload)
        for p in publisher.publications(bench.table, bench.now)
    }


def test_delayed_spectators_see_what_was_to_be_seen_then(bench: Bench) -> None:
    publisher = Publisher(Topics("test"), "session", 60.0)
    bench.does("N 1S")
    assert TopicKind.PUBLIC not in published(publisher, bench)
    assert publisher.next_due() == bench.now + 60.0
    bench.now += 30
    bench.does("E P")
    assert TopicKind.PUBLIC not in published(publisher, bench)
    bench.now += 30
    seen = published(publisher, bench)[TopicKind.PUBLIC]
    assert [c.call for c in seen.auction] == ["1S"]
    bench.now += 30
    seen = published(publisher, bench)[TopicKind.PUBLIC]
    assert [c.call for c in seen.auction] == ["1S", "P"]
    assert publisher.next_due() is None


def test_only_what_has_changed_is_published(bench: Bench) -> None:
    publisher = Publisher(Topics("test"), "session", 0.0)
    assert TopicKind.TABLE_STATE in published(publisher, bench)
    assert published(publisher, bench) == {}
    bench.does("N 1S")
    assert set(published(publisher, bench)) == {
        TopicKind.TABLE_STATE,
        TopicKind.PUBLIC,
        TopicKind.TABLE_DESK,
    }
    publisher.forget()
    assert TopicKind.TABLE_STATE in published(publisher, bench)


def test_hands_travel_on_no_topic_that_a_terminal_or_spectator_reads(
    bench: Bench,
) -> None:
    """Only cards that everybody has seen are on the topics of the table."""
    publisher = Publisher(Topics("test"), "session", 0.0)
    for line in (*ONE_SPADE, "E CA", "S C8", "W C5", "N C2"):
        bench.does(line)
        for publication in publisher.publications(bench.table, bench.now):
            kind = parse_topic(publication.topic).kind
            if kind in {TopicKind.TABLE_DESK, TopicKind.TABLE_RESULT}:
                continue
            text = publication.payload.decode()
            hidden = ("SA", "SK", "C6", "C7", "CK", "HA", "H5")
            assert not [card for card in hidden if f'"{card}"' in text]
            assert msgspec.json.decode(text)
