"""Boards judged from a few lines of table script, for the tests of the Laws."""

from typing import Any

from laws.engine import apply, begin, decide
from laws.events import Event
from laws.report import report
from laws.script import Script, parse_script
from laws.state import State


def script(edition: str, text: str, *, dealer: str = "N") -> Script:
    """The script of the lines, which a semicolon or a line end separates."""
    head = f"edition {edition}\ndealer {dealer}\nvul none\n"
    body = "\n".join(part.strip() for part in text.replace(";", "\n").splitlines())
    return parse_script(head + body + "\n")


def judged(edition: str, text: str, *, dealer: str = "N") -> State:
    """The state after the lines."""
    return run(script(edition, text, dealer=dealer))[0]


def run(table: Script) -> tuple[State, list[Event]]:
    """The state after a script, and the log of all its events.

    Every decision is checked against its own events.
    """
    state = begin(table.board)
    log: list[Event] = []
    for step in table.steps:
        decision = decide(state, step)
        for event in decision.events:
            state = apply(state, event)
        assert state == decision.state
        log += decision.events
    return state, log


def told(edition: str, text: str, *, dealer: str = "N") -> "Told":
    """What ``bidwire rule --json`` tells after the lines."""
    return Told(report(judged(edition, text, dealer=dealer)))


class Told:
    """The object of ``bidwire rule --json``, with what tests ask of it."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = plain

    @property
    def laws(self) -> list[str]:
        """The paragraphs that decided, of the rulings in force."""
        return [ruling["law"] for ruling in self.in_force]

    @property
    def in_force(self) -> list[dict[str, Any]]:
        return [r for r in self.plain["rulings"] if r["status"] == "in-force"]

    @property
    def superseded(self) -> list[str]:
        return [r["law"] for r in self.plain["rulings"] if r["status"] != "in-force"]

    def ruling(self, law: str) -> dict[str, Any]:
        """The ruling in force by a paragraph."""
        found = [ruling for ruling in self.in_force if ruling["law"] == law]
        assert len(found) == 1, (law, self.laws)
        return found[0]

    def effects(self, kind: str) -> list[dict[str, Any]]:
        """Effects of a kind, of the rulings in force, without their kind."""
        return [
            {key: value for key, value in effect.items() if key != "kind"}
            for ruling in self.in_force
            for effect in ruling["effects"]
            if effect["kind"] == kind
        ]

    @property
    def bars(self) -> dict[str, str]:
        """Who must pass, and how long."""
        return {bar["seat"]: bar["scope"] for bar in self.effects("must_pass")}

    @property
    def leads(self) -> list[tuple[str, str, str]]:
        """Lead restrictions: seat, mode, suits."""
        return [
            (lead["seat"], lead["mode"], "".join(lead["suits"]))
            for lead in self.effects("lead_restriction")
        ]

    @property
    def adjustable(self) -> list[str]:
        """The Laws that allow an adjusted score."""
        return [effect["law"] for effect in self.effects("adjust_possible")]

    @property
    def informed(self) -> set[tuple[str, str]]:
        """Seats with unauthorised information, and by which paragraph."""
        told_to = self.effects("unauthorised_information")
        return {(effect["seat"], effect["law"]) for effect in told_to}

    @property
    def asked(self) -> list[tuple[str, str]]:
        """Open questions: to whom, and which."""
        return [(q["to"], q["question"]) for q in self.plain["questions"]]

    @property
    def auction(self) -> str:
        return " ".join(f"{seat}:{call}" for seat, call in self.plain["auction"])

    @property
    def withdrawn(self) -> str:
        return " ".join(f"{seat}:{call}" for seat, call in self.plain["withdrawn"])

    @property
    def refused(self) -> list[str]:
        return [refusal["law"] for refusal in self.plain["refused"]]

    @property
    def legal(self) -> list[str]:
        legal: list[str] = self.plain["legal"]
        return legal

    @property
    def turn(self) -> str | None:
        turn: str | None = self.plain["turn"]
        return turn

    @property
    def bound(self) -> list[tuple[str, str]]:
        """What still binds: kind and seat."""
        return [(bound["kind"], bound["seat"]) for bound in self.plain["bound"]]

    @property
    def contract(self) -> Any:  # noqa: ANN401 - an object, a text, or None
        return self.plain["contract"]

    @property
    def revokes(self) -> dict[str, str]:
        """State of each revoke, by hand and trick, as in ``W5``."""
        return {
            f"{revoke['seat']}{revoke['trick']}": revoke["state"]
            for revoke in self.plain["revokes"]
        }

    @property
    def settled(self) -> dict[str, tuple[str, int]]:
        """Paragraph of Law 64 and tricks moved of each revoke, once play has ended."""
        return {
            f"{revoke['seat']}{revoke['trick']}": (revoke["rule"], revoke["moved"])
            for revoke in self.plain["revokes"]
            if "rule" in revoke
        }

    @property
    def penalty_cards(self) -> list[tuple[str, str, str]]:
        """Penalty cards on the table: owner, card, rank."""
        return [
            (bound["seat"], bound["card"], bound["rank"])
            for bound in self.plain["bound"]
            if bound["kind"] == "penalty_card"
        ]

    @property
    def changeable(self) -> list[str]:
        """Hands that some ruling in force let change a card."""
        return sorted(effect["seat"] for effect in self.effects("may_change"))

    @property
    def tricks(self) -> tuple[int, int]:
        """Tricks as played: North-South, East-West."""
        return self.plain["tricks"]["NS"], self.plain["tricks"]["EW"]

    @property
    def transfer(self) -> tuple[str, int] | None:
        transfer = self.plain["transfer"]
        return (transfer["to"], transfer["tricks"]) if transfer else None

    @property
    def result(self) -> tuple[int, int] | None:
        """Declarer's tricks after transfers, and the score of North-South."""
        result = self.plain["result"]
        return (result["declarer_tricks"], result["score_NS"]) if result else None
