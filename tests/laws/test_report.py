"""The JSON object of ``bidwire rule --json``."""

import json

import pytest

from laws.report import report
from tests.laws.plays import DEAL, judged

EDITIONS = pytest.mark.parametrize("edition", ["2007", "2017"])

KEYS = [
    "edition",
    "rulings",
    "bound",
    "questions",
    "refused",
    "turn",
    "legal",
    "auction",
    "withdrawn",
    "contract",
    "revokes",
    "tricks",
    "transfer",
    "result",
]

REVOKE = "W H4, N HA, E C7, S H2, N C2, E CK, S C5, W C3"


@EDITIONS
def test_it_has_every_key_and_is_plain_json(edition: str) -> None:
    told = report(judged(edition, "W H4", deal=DEAL))
    assert [key for key in KEYS if key in told] == KEYS
    assert json.loads(json.dumps(told)) == told
    assert told["edition"] == edition


def test_before_the_first_card() -> None:
    told = report(judged("2017", "", deal=DEAL))
    assert told["contract"] == {
        "level": 3,
        "denomination": "NT",
        "risk": "",
        "declarer": "S",
    }
    assert told["turn"] == "W"
    assert len(told["legal"]) == 13
    assert told["tricks"] == {"NS": 0, "EW": 0}
    assert told["transfer"] is None
    assert told["result"] is None


def test_legal_cards_are_told_only_of_a_known_deal() -> None:
    assert report(judged("2017", "W H4"))["legal"] == []
    assert report(judged("2017", "W H4", deal=DEAL))["legal"] == ["H3", "H7", "HA"]


def test_passed_out() -> None:
    told = report(judged("2017", "", auction="S P; W P; N P; E P"))
    assert told["contract"] == "passed out"
    assert told["result"] == {"declarer_tricks": None, "score_NS": 0}
    assert told["turn"] is None


@EDITIONS
def test_a_revoke_before_and_after_the_end(edition: str) -> None:
    told = report(judged(edition, REVOKE, deal=DEAL))
    assert told["revokes"] == [
        {
            "seat": "E",
            "trick": 1,
            "card": "C7",
            "suit": "H",
            "state": "established",
            "law": "63A1",
        }
    ]
    ended = f"{REVOKE}, S claim 9, W agree, E agree"
    told = report(judged(edition, ended, deal=DEAL))
    assert told["revokes"][0]["rule"] == "64A2"
    assert told["revokes"][0]["moved"] == 1
    assert told["tricks"] == {"NS": 10, "EW": 3}
    assert told["transfer"] == {"to": "NS", "tricks": 1}
    assert told["result"] == {"declarer_tricks": 11, "score_NS": 460}


def test_effects_have_only_the_fields_of_their_kind() -> None:
    told = report(
        judged("2017", "W H4, N HA, E C7, S attention E 1, E replace H9", deal=DEAL)
    )
    assert told["bound"] == [
        {
            "kind": "penalty_card",
            "seat": "E",
            "card": "C7",
            "rank": "major",
            "law": "62B1",
        }
    ]
    first, second = told["rulings"]
    assert first["effects"] == [{"kind": "must_correct", "seat": "E", "trick": 1}]
    assert (first["law"], first["irregularity"], first["offender"]) == (
        "62A",
        "revoke",
        "E",
    )
    assert (first["status"], second["status"]) == ("in-force", "in-force")


def test_the_score_is_north_souths() -> None:
    lines = "S H4, W HA, N H9, E H2, E claim 8, N agree, S agree"
    turned = DEAL.replace("N:", "W:")
    told = report(
        judged("2017", lines, deal=turned, dealer="E", auction="E 3NT; S P; W P; N P")
    )
    assert told["result"] == {"declarer_tricks": 9, "score_NS": -400}
