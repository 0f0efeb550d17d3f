"""The log of a table and what its seats see, as people read them."""

from collections.abc import Iterator
from typing import Any

import pytest

from laws.seats import Seat
from protocol.payloads import (
    Adjustment,
    Artificial,
    LogKind,
    Outcome,
    Pairs,
    Service,
    SideScore,
    TableDisplays,
    TableLog,
    TerminalShown,
    decode_payload,
)
from protocol.topics import Topics, parse_topic
from referee.displays import Displays, by_urgency, refreshed, was_shown
from referee.prompts import BoardText
from referee.record import Record, fold
from referee.settings import BoardSettings
from referee.slow_views import KEYS_S, PAUSE_S, Log, SlowViews
from tests.referee.bench import Bench, settings

BOARDS = (BoardSettings(number=1), BoardSettings(number=2))


class Reader:
    """Reads what a table on the bench publishes at leisure."""

    def __init__(self, **event: Any) -> None:  # noqa: ANN401 - any key of the settings
        self.bench = Bench(settings(**{"boards": BOARDS, **event}))
        record = Record(self.bench.event, self.bench.event.tables[0])
        self.slow = SlowViews(Topics("test"), "s", Log(record))
        self.told = 0
        self.now = 0.0

    def take(self) -> None:
        self.slow.add(self.bench.folded[self.told :], self.now)
        self.told = len(self.bench.folded)

    def read(self) -> Iterator[TableLog | TableDisplays]:
        for publication in self.slow.publications(self.now):
            kind = parse_topic(publication.topic).kind
            payload = decode_payload(kind, publication.payload)
            assert isinstance(payload, TableLog | TableDisplays)
            yield payload


@pytest.fixture
def reader() -> Reader:
    return Reader()


def seen_now(record: Record) -> Displays:
    return {
        (terminal.id, seat): refreshed(
            None, BoardText(record), (terminal, seat), 1, 0.0
        )
        for terminal, seat in by_urgency(record)
    }


def texts(log: TableLog | TableDisplays) -> list[str]:
    assert isinstance(log, TableLog)
    return [line.text for line in log.lines if line.kind is not LogKind.LINK]


def test_the_log_has_calls_rulings_and_commands_in_order_with_times(
    reader: Reader,
) -> None:
    reader.bench.does("N 1S", "S 2S", "E decline")
    reader.bench.direct(service=Service.CLOSE)
    reader.take()
    log, _ = reader.read()
    assert isinstance(log, TableLog)
    assert (log.table, log.play, log.board) == ("t1", 1, 1)
    assert texts(log)[:3] == ["Board 1, Laws of 2017", "N 1S", "S 2S"]
    assert any("Law 29" in text or "Law 31" in text for text in texts(log))
    assert "Director (director): closes the board" in texts(log)
    assert [line.number for line in log.lines] == sorted(
        line.number for line in log.lines
    )
    keys = [line for line in log.lines if line.kind is LogKind.KEY]
    assert [(line.at, line.age_ms) for line in keys] == [(1.7e9 + 1000.0, 0)] * 3


def test_the_log_is_told_in_every_language(reader: Reader) -> None:
    reader.take()
    (log,) = reader.read()
    assert isinstance(log, TableLog)
    board = next(line for line in log.lines if line.kind is LogKind.BOARD)
    assert board.texts["es"].startswith("Tablilla 1")


def test_key_presses_alone_wait_longer_than_what_needs_a_director(
    reader: Reader,
) -> None:
    reader.take()
    list(reader.read())
    reader.now = 100.0
    reader.bench.does("N P")
    reader.take()
    assert len(list(reader.read())) == 1  # the last one is long ago
    reader.bench.does("E P")
    reader.take()
    assert reader.slow.next_due() == 100.0 + KEYS_S
    reader.bench.direct(service=Service.HANDS)
    reader.take()
    assert reader.slow.next_due() == 100.0 + PAUSE_S


def test_the_log_of_a_play_goes_out_whole_when_the_next_begins(reader: Reader) -> None:
    reader.bench.does("N P", "E P", "S P", "W P")
    reader.take()
    first, second = reader.read()
    assert isinstance(first, TableLog)
    assert isinstance(second, TableLog)
    assert (first.board, second.board) == (1, 2)
    assert "W P" in texts(first)
    assert texts(second) == ["Board 2, Laws of 2017"]


def test_a_later_score_names_the_play_that_it_is_about(reader: Reader) -> None:
    reader.bench.does("N P", "E P", "S P", "W P")
    average = SideScore(artificial=Artificial.AVERAGE)
    given = Adjustment(average, average, "noise")
    reader.bench.direct(service=Service.ADJUST, play=1, adjustment=given)
    reader.take()
    _, log = reader.read()
    assert isinstance(log, TableLog)
    last = log.lines[-1]
    assert (last.play, last.board) == (1, 1)
    assert last.text == (
        "Director (director): adjusts the score: NS average, EW average: noise"
    )
    assert last.texts["es"] == (
        "Director (director): ajusta la puntuación: NS media, EO media: noise"
    )


def test_an_outcome_is_told_with_the_symbol_of_its_suit(reader: Reader) -> None:
    reader.bench.does("N P", "E P", "S P", "W P")
    given = SideScore(outcomes=(Outcome(-110, told="2CX= W"),))
    adjustment = Adjustment(given, given, "noise")
    reader.bench.direct(service=Service.ADJUST, play=1, adjustment=adjustment)
    reader.take()
    _, log = reader.read()
    assert isinstance(log, TableLog)
    assert "NS -110 (2♣X= W), EW -110 (2♣X= W)" in log.lines[-1].text
    assert "NS -110 (2♣X= O), EO -110 (2♣X= O)" in log.lines[-1].texts["es"]


def test_after_a_restart_the_running_play_is_told_again_with_what_comes(
    reader: Reader,
) -> None:
    bench = reader.bench
    bench.does("N P", "E P", "S P", "W P", "E 1C")
    record = Record(bench.event, bench.event.tables[0])
    reader.slow = SlowViews(Topics("test"), "s", Log(record))
    for entry in bench.entries:
        reader.slow.log.fold(record, entry)
        record = fold(record, entry)
    reader.told = len(bench.folded)
    assert list(reader.read()) == []
    bench.does("S P")
    reader.take()
    (log,) = reader.read()
    assert isinstance(log, TableLog)
    assert log.board == 2
    assert [line.text for line in log.lines if line.kind is LogKind.KEY] == [
        "E 1C",
        "S P",
    ]


def test_displays_say_what_each_seat_sees_and_whether_it_is_shown(
    reader: Reader,
) -> None:
    record = reader.bench.record
    displays = seen_now(record)
    rev = displays["t1-n", Seat.NORTH].display.rev
    shown = TerminalShown(epoch=1, rev=rev, seat=Seat.NORTH, session="s")
    displays = was_shown(displays, "t1-n", shown)
    reader.slow.see(displays, 0.0)
    (seen,) = reader.read()
    assert isinstance(seen, TableDisplays)
    north = next(d for d in seen.displays if d.seat is Seat.NORTH)
    east = next(d for d in seen.displays if d.seat is Seat.EAST)
    assert "Your call" in " ".join(line for page in north.pages for line in page)
    assert (north.shown, east.shown) == (True, False)
    reader.slow.see(displays, 5.0)
    assert reader.slow.next_due() is None


def test_what_the_broker_did_not_take_goes_out_again(reader: Reader) -> None:
    reader.take()
    (publication,) = reader.slow.publications(0.0)
    reader.slow.again(publication, 0.1)
    assert reader.slow.publications(0.05) == []
    assert reader.slow.next_due() == 0.1
    assert reader.slow.publications(0.1) == [publication]


def test_displays_that_a_broker_keeps_have_ids_for_names() -> None:
    pairs = Pairs(ns="3", ew="4")
    boards = [BoardSettings(number=1, round=1, pairs=pairs)]
    reader = Reader(boards=boards, names={"3": "3 Ana Rua - Bo Li"})
    reader.take()
    record = reader.bench.record
    displays = seen_now(record)
    assert "Ana Rua" in str([shown.display.pages for shown in displays.values()])
    reader.slow.see(displays, 0.0)
    _, kept = reader.read()
    assert isinstance(kept, TableDisplays)
    told = " ".join(line for page in kept.displays[0].pages for line in page)
    assert "Round 1: 3 North-South, 4 East-West" in told
    assert "Ana" not in str(kept)
