"""What ``bidwire desk`` hands to the desk: the plan, deals, scores and files."""

import os
from pathlib import Path

import pytest

from bidwire.desk.tools import desk_tools
from bidwire.event_file import EventFileError
from bidwire.results.erasing import erase
from desk.tools import BoardDeal, Planned, Scores, ToolError
from laws.seats import Seat
from protocol.payloads import Contract, Pairs, TableResult
from tests.bidwire.results.conftest import event as played
from tests.bidwire.results.evening import EVENT
from tests.referee.bench import DEAL

__all__ = ["played"]


def result(table: str, pair: int, score: int) -> TableResult:
    """Board 1, as the referee publishes it."""
    return TableResult(
        session="r1",
        table=table,
        play=1,
        round=1,
        board=1,
        pairs=Pairs(str(pair), str(pair + 10)),
        contract=Contract(2, "H", "", Seat.SOUTH),
        tricks={},
        declarer_tricks=8,
        score_ns=score,
    )


RESULTS = (result("t1", 1, 110), result("t2", 2, 140))


def points_of(scores: Scores) -> list[tuple[str, str]]:
    """What the board was worth at both tables."""
    (traveller,) = scores.travellers
    return [row.points for row in traveller.rows]


def test_the_plan_follows_the_event_file(played: Path) -> None:
    tools = desk_tools(played)
    assert tools.plan().tables == {
        table: (Planned(1, 1), Planned(2, 1)) for table in ("t1", "t2")
    }
    assert (tools.plan().delay_s, tools.plan().is_called) == (0, False)
    changed = EVENT.replace('"1-2"', '"1-3"').replace(
        "[broker]", 'publish = "delay 7"\nrounds = "called"\n[broker]'
    )
    played.write_text(changed, encoding="utf-8")
    plan = tools.plan()
    assert [each.board for each in plan.tables["t1"]] == [1, 2, 3]
    assert (plan.delay_s, plan.is_called) == (420, True)

    # While it is being edited, what it said before stands.
    played.write_text("[event", encoding="utf-8")
    os.utime(played, (1, 1))
    assert tools.plan() is plan


def test_a_wrong_event_file_is_told_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("[event]\n", encoding="utf-8")
    with pytest.raises(EventFileError):
        desk_tools(path)


def test_deals_come_by_number_with_their_lines(played: Path) -> None:
    text = "".join(f'[Board "{n}"]\n[Deal "{DEAL}"]\n\n' for n in (8, 7, 8))
    file = desk_tools(played).read_deals("x.pbn", text.encode())
    assert file.deals == (BoardDeal(7, DEAL, 4), BoardDeal(8, DEAL, 1))
    assert file.wrong == ()


def test_scores_are_those_of_bidwire_results_with_the_players_names(
    played: Path,
) -> None:
    scores = desk_tools(played).score(RESULTS, 0)
    assert scores.scoring == "matchpoints"
    ns, ew = scores.rankings
    assert [(s.place, s.contestant, s.percent) for s in ns.standings] == [
        ("1", "2", "100.00"),
        ("2", "1 Ana {Peña} - Bo <Li>", "0.00"),
    ]
    assert ew.standings[0].contestant.startswith("11 Cy O'Hara")
    (traveller,) = scores.travellers
    assert [(r.points, r.percent) for r in traveller.rows] == [
        (("0", "2"), ("0.00", "100.00")),
        (("2", "0"), ("100.00", "0.00")),
    ]


def test_scores_are_kept_until_what_they_were_made_from_changes(played: Path) -> None:
    tools = desk_tools(played)
    scores = tools.score(RESULTS, 0)
    assert tools.score(list(RESULTS), 0) is scores
    corrected = (RESULTS[0], result("t2", 2, 100))
    assert points_of(tools.score(corrected, 0)) == [("2", "0"), ("0", "2")]
    assert tools.score(RESULTS, 0) is scores

    played.write_text(EVENT.replace("[event]", '[event]\nscoring = "total-points"'))
    assert points_of(tools.score(RESULTS, 0)) == [("110", "-110"), ("140", "-140")]


def test_an_erased_name_is_gone_from_the_scores(played: Path) -> None:
    tools = desk_tools(played)
    assert "Ana" in str(tools.score(RESULTS, 0))
    erase(played, pairs=(), due=False)
    assert "Ana" not in str(tools.score(RESULTS, 0))


def test_scores_follow_a_deals_file_that_breaks(played: Path) -> None:
    deals = played.parent / "friday.pbn"
    deals.write_text("".join(f'[Board "{n}"]\n[Deal "{DEAL}"]\n\n' for n in (1, 2)))
    played.write_text(f'deals = "friday.pbn"\n{EVENT}')
    tools = desk_tools(played)
    tools.score(RESULTS, 0)
    deals.unlink()
    with pytest.raises(ToolError, match=r"friday\.pbn"):
        tools.score(RESULTS, 0)


def test_files_have_the_auctions_of_the_journal_where_it_is_kept_here(
    played: Path,
) -> None:
    exports = {each.name: each for each in desk_tools(played).exports}
    assert exports.keys() == {"pbn", "csv", "csv-ranking", "json", "usebio"}
    assert b"^I" in exports["pbn"].write(())


def test_what_cannot_be_scored_says_why(played: Path) -> None:
    tools = desk_tools(played)
    with pytest.raises(ToolError, match="expected one of 1, got 4"):
        tools.score(RESULTS, 4)
    played.write_text("[event", encoding="utf-8")
    with pytest.raises(ToolError, match=r"friday\.toml"):
        tools.score(RESULTS, 0)
    (pbn,) = [each for each in tools.exports if each.name == "pbn"]
    with pytest.raises(ToolError, match=r"friday\.toml"):
        pbn.write(RESULTS)
