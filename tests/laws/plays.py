"""Boards with a play, judged from a few lines, for the tests of Laws 41 to 79."""

from pathlib import Path

from laws.report import report
from laws.script import parse_script
from laws.state import State
from tests.laws.tables import Told, run

CASES = Path(__file__).parent / "cases"

DEAL = "N:Q42.A73.AQ6.8642 JT9.JT9.K75.AK97 AK75.K52.832.QJ5 863.Q864.JT94.T3"
"""A deal on which South plays 3NT and West leads."""

NO_CLUB = "N:Q42.A73.AQ6.8642 JT9.QJT9.KJT975. AK75.K52.832.QJ5 863.864.4.AKT973"
"""The same, with no club in East's hand."""


def judged(edition: str, lines: str, **head: str) -> State:
    """The state after the lines; commas, semicolons and line ends separate them.

    Args:
        edition: of the Laws.
        lines: what happens after the auction.
        head: ``auction`` (South plays 3NT), ``dealer`` (S), ``deal`` (unknown) and
            ``policy`` on revokes (record) or on what is ``out_of_turn`` (apply).
    """
    top = [f"edition {edition}", f"dealer {head.get('dealer', 'S')}", "vul none"]
    if "deal" in head:
        top.append(f"deal {head['deal']}")
    if "policy" in head:
        top.append(f"policy revoke {head['policy']}")
    if "out_of_turn" in head:
        top.append(f"policy out_of_turn {head['out_of_turn']}")
    auction = head.get("auction", "S 3NT; W P; N P; E P")
    body = f"{auction};{lines}".replace(",", ";").replace(";", "\n").splitlines()
    text = "\n".join([*top, *(part.strip() for part in body)]) + "\n"
    return run(parse_script(text))[0]


def told(edition: str, lines: str, **head: str) -> Told:
    """What ``bidwire rule --json`` tells after the lines; see ``judged``."""
    return Told(report(judged(edition, lines, **head)))


def case(name: str) -> Told:
    """What is told after a case's table script."""
    return Told(report(run(parse_script((CASES / f"{name}.table").read_text()))[0]))
