"""Results for people: what stands in the tables beside pairs and matchpoints."""

import json

from rich.console import Console

from bidwire.results.methods import Scoring
from bidwire.results.session import Session
from bidwire.results.table import drawn
from bidwire.results.to_json import results_json
from laws.seats import Side
from protocol.scores import Penalty, PenaltyUnit
from tests.bidwire.results.samples import MINUS, PLUS, assigned, both, result, scored


def lines(session: Session) -> list[str]:
    """The lines, their words one space apart."""
    console = Console(width=160)
    with console.capture() as capture:
        console.print(drawn(session))
    return [" ".join(line.split()) for line in capture.get().splitlines()]


def match() -> Session:
    return scored(
        result("t1", "1", "2", 620),
        result("t2", "2", "1", 170),
        result("t1", "1", "2", 620, board=2),
        scoring=Scoring.TEAMS,
    )


def test_a_match_has_its_boards_imps_and_victory_points() -> None:
    told = lines(match())
    at = told.index("Round 1")
    assert told[at + 1 : at + 6] == [
        "board 1 2",
        "1 10 -10",
        "2",
        "IMP 10 -10",
        "VP 18.09 1.91",
    ]
    assert "1 1 1 18.09 10" in told
    assert told[1:3] == ["Ranking", "place team matches VP penalty IMP"]


def test_a_penalty_is_told_with_a_minus() -> None:
    late = Penalty(Side.EAST_WEST, 1, PenaltyUnit.IMPS)
    told = lines(
        scored(
            result("t1", "1", "11", 400, penalties=[late]),
            result("t2", "2", "12", 200),
            scoring=Scoring.CROSS_IMPS,
        )
    )
    (given,) = [line for line in told if " 11 1 " in line]
    assert given.split()[4] == "-1"


def test_json_has_the_match() -> None:
    (played,) = json.loads(results_json(match()))["matches"]
    assert [team["vps"] for team in played["teams"]] == [18.09, 1.91]
    assert played["boards"] == [
        {"board": 1, "imps": [10, -10]},
        {"board": 2, "imps": None},
    ]


def test_butler_tells_its_datum_and_adjusted_scores() -> None:
    weighted = both(assigned((60, 620), (40, -100)))
    session = scored(
        result("t1", "1", "11", 400),
        result("t2", "2", "12", 200, adjustment=weighted),
        result("t3", "3", "13", None, adjustment=both(PLUS, MINUS)),
        scoring=Scoring.BUTLER,
    )
    told = lines(session)
    assert "Board 1, datum 370" in told
    (given,) = [line for line in told if line.startswith("t2")]
    assert "60% 620 40% -100 / 60% 620 40% -100" in given
    (award,) = [line for line in told if line.startswith("t3")]
    assert award == "t3 3 13 not played A+ / A- 3 -3"


def test_a_penalty_that_does_not_count_is_told() -> None:
    spoke = Penalty(Side.NORTH_SOUTH, 2, PenaltyUnit.VPS)
    told = lines(scored(result("t1", "[red]", "11", 420, penalties=[spoke])))
    assert told[-1].startswith("board 1, table t1: a penalty of 2 vps for [red] is not")
    assert "1 [red] 0 0" in told
