"""Law 77: every contract, every number of tricks, against the table of the Law."""

import pytest

from laws.cards import DENOMINATIONS, Denomination
from laws.contract import Contract, Risk
from laws.scoring import score
from laws.seats import Seat

# The Law's table, written out as numbers. Rows of trick points are for levels 1 to 7,
# rows of undertricks for one to thirteen down.
TRICK_POINTS = {
    "C": (20, 40, 60, 80, 100, 120, 140),
    "D": (20, 40, 60, 80, 100, 120, 140),
    "H": (30, 60, 90, 120, 150, 180, 210),
    "S": (30, 60, 90, 120, 150, 180, 210),
    "NT": (40, 70, 100, 130, 160, 190, 220),
}
OVERTRICK = {
    ("C", "", False): 20,
    ("D", "", False): 20,
    ("H", "", False): 30,
    ("S", "", False): 30,
    ("NT", "", False): 30,
    ("C", "", True): 20,
    ("D", "", True): 20,
    ("H", "", True): 30,
    ("S", "", True): 30,
    ("NT", "", True): 30,
}
DOUBLED_OVERTRICK = {
    ("X", False): 100,
    ("X", True): 200,
    ("XX", False): 200,
    ("XX", True): 400,
}
DOWN = {
    ("", False): (50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650),
    ("", True): (
        *(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300),
    ),
    ("X", False): (
        *(100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500),
    ),
    ("X", True): (
        *(200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800),
    ),
    ("XX", False): (
        *(200, 600, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000),
    ),
    ("XX", True): (
        *(400, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000, 7600),
    ),
}
PART_SCORE, GAME = 50, {False: 300, True: 500}
SLAM = {6: {False: 500, True: 750}, 7: {False: 1000, True: 1500}}
MADE_DOUBLED = {"": 0, "X": 50, "XX": 100}
TIMES = {"": 1, "X": 2, "XX": 4}


def by_the_table(
    level: int, denomination: str, risk: str, tricks: int, *, vulnerable: bool
) -> int:
    over = tricks - (level + 6)
    if over < 0:
        return -DOWN[risk, vulnerable][-over - 1]
    points = TRICK_POINTS[denomination][level - 1] * TIMES[risk]
    total = points + MADE_DOUBLED[risk]
    total += GAME[vulnerable] if points >= 100 else PART_SCORE
    if level in SLAM:
        total += SLAM[level][vulnerable]
    if risk:
        return total + over * DOUBLED_OVERTRICK[risk, vulnerable]
    return total + over * OVERTRICK[denomination, risk, vulnerable]


@pytest.mark.parametrize("denomination", DENOMINATIONS)
@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize("risk", Risk)
@pytest.mark.parametrize("vulnerable", [False, True])
def test_law_77(
    level: int, denomination: Denomination, risk: Risk, *, vulnerable: bool
) -> None:
    contract = Contract(level, denomination, risk, Seat.SOUTH)
    for tricks in range(14):
        expected = by_the_table(
            level, denomination.value, risk.value, tricks, vulnerable=vulnerable
        )
        assert score(contract, tricks, vulnerable=vulnerable) == expected


@pytest.mark.parametrize(
    ("text", "tricks", "vulnerable", "points"),
    [
        ("1NT", 7, False, 90),
        ("2S", 8, False, 110),
        ("2S", 10, True, 170),
        ("3NT", 9, False, 400),
        ("3NT", 9, True, 600),
        ("4H", 10, False, 420),
        ("4H", 12, True, 680),
        ("5C", 11, True, 600),
        ("2HX", 8, False, 470),
        ("1SX", 7, True, 160),
        ("3NTXX", 10, True, 1400),
        ("6S", 12, False, 980),
        ("7NT", 13, True, 2220),
        ("7NTXX", 13, True, 2980),
        ("4SX", 9, False, -100),
        ("4SX", 6, False, -800),
        ("4SX", 6, True, -1100),
        ("7NTXX", 0, True, -7600),
    ],
)
def test_scores_that_every_player_knows(
    text: str, tricks: int, points: int, *, vulnerable: bool
) -> None:
    rest = text[1:].rstrip("X")
    contract = Contract(
        int(text[0]),
        Denomination(rest),
        Risk(text[1 + len(rest) :]),
        Seat.NORTH,
    )
    assert score(contract, tricks, vulnerable=vulnerable) == points
