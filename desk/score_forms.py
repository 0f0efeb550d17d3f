"""Scores as Directors type them: ``4HX-1 N`` or points, weights, artificial scores.

Laws 12C1 (assigned), 12C2 (artificial), 90 and 91 (penalties). A wrong field is told in
the words of the catalogue, all of them at once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from desk.catalogue import Catalogue
from desk.words import LETTERS
from laws.cards import Denomination
from laws.contract import Contract, Risk
from laws.scoring import score
from laws.seats import Seat, Side
from protocol.limits import TEXT_MAX
from protocol.scores import (
    SCORE_MAX,
    WHOLE,
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    SideScore,
)

ROWS = 4
"""Outcomes that the form has room for, of each side."""

ASSIGNED, SAME = "assigned", "same"
"""What a side gets beside artificial scores: outcomes of its own, or the other's."""

_RESULT = re.compile(
    r"(?P<level>[1-7])(?P<denomination>NT|[CDHSN])(?P<risk>XX|X|)"
    r"(?P<before>[NESWO]?)(?P<over>=|[+-]\d{1,2})(?P<after>[NESWO]?)"
)
_POINTS = re.compile(r"[+-]?\d{1,4}")
_SYMBOLS = str.maketrans("♣♦♥♠×*−–", "CDHSXX--")  # noqa: RUF001 - as people type

Fields = Mapping[str, str]


class ScoreError(ValueError):
    """No score: says what was expected, in the reader's language."""


def outcome_of(
    typed: str, vulnerable: Iterable[Side], percent: int, words: Catalogue
) -> Outcome:
    """An outcome: a contract with its result (``4HX-1 N``), ``pass``, or points.

    Args:
        typed: blanks and capitals do not matter; points are North-South's.
        vulnerable: the sides that are.
        percent: its weight.
        words: for what is wrong.

    Raises:
        ScoreError: it is none.
    """
    text = "".join(typed.upper().translate(_SYMBOLS).split())
    if text in {"P", "PASS", "PASSED", "PASADO", "PASO"}:
        return Outcome(0, percent, "Pass")
    if _POINTS.fullmatch(text):
        points = int(text)
        if abs(points) > SCORE_MAX or points % 10:
            raise ScoreError(
                words.text(
                    "{typed}: points end in 0 and are {most} at most",
                    typed=typed.strip(),
                    most=SCORE_MAX,
                )
            )
        return Outcome(points, percent)
    return _contract_outcome(text, typed.strip(), frozenset(vulnerable), percent, words)


def _contract_outcome(
    text: str, typed: str, vulnerable: frozenset[Side], percent: int, words: Catalogue
) -> Outcome:
    found = _RESULT.fullmatch(text)
    seat = found["before"] or found["after"] if found is not None else ""
    if found is None or not seat or (found["before"] and found["after"]):
        raise ScoreError(
            words.text(
                "{typed}: expected a contract with its result and declarer, such as "
                "4HX-1 N, 3NT= S or 2S+1 E, or points of North-South",
                typed=typed,
            )
        )
    named = found["denomination"]
    denomination = Denomination("NT" if named == "N" else named)
    declarer = Seat.WEST if seat == "O" else Seat(seat)
    contract = Contract(
        int(found["level"]), denomination, Risk(found["risk"]), declarer
    )
    over = 0 if found["over"] == "=" else int(found["over"])
    tricks = 6 + contract.level + over
    if not 0 <= tricks <= 13:
        raise ScoreError(
            words.text(
                "{typed}: that would be {tricks} tricks; there are 13",
                typed=typed,
                tricks=tricks,
            )
        )
    points = score(contract, tricks, vulnerable=declarer.side in vulnerable)
    told_over = "=" if over == 0 else f"{over:+d}"
    told = f"{contract.level}{denomination}{contract.risk}{told_over} {declarer}"
    ns = points if declarer.side is Side.NORTH_SOUTH else -points
    return Outcome(ns, percent, told)


@dataclass
class ScoreForm:
    """What a Director typed, and what is wrong with it.

    Attributes:
        fields: as typed, by name, to show them again.
        wrong: what is wrong, for people.
    """

    fields: Fields = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def adjustment(
        self, vulnerable: Iterable[Side], words: Catalogue
    ) -> Adjustment | None:
        """The adjusted score; None when something is wrong."""
        reason = self._reason(words)
        ns = self._side("ns", frozenset(vulnerable), words)
        same = self.fields.get("ew") == SAME
        if same and ns is not None and ns.artificial is not None:
            self.wrong.append(
                words.text(
                    "East-West: an artificial score is given to each side for itself"
                )
            )
        ew = ns if same else self._side("ew", frozenset(vulnerable), words)
        if self.wrong or ns is None or ew is None:
            return None
        return Adjustment(ns, ew, reason)

    def withdrawal(self, words: Catalogue) -> Adjustment | None:
        """Takes an adjusted score back; None when the reason is missing."""
        reason = self._reason(words)
        return None if self.wrong else Adjustment(reason=reason)

    def penalty(self, words: Catalogue) -> Penalty | None:
        """The procedural penalty; None when something is wrong."""
        reason = self._reason(words)
        typed = self.fields.get("amount", "").strip().replace(",", ".")
        amount = float(typed) if re.fullmatch(r"\d{1,3}(\.\d{1,2})?", typed) else None
        if amount is None:
            told = words.text(
                "Amount: expected a number such as 10 or 0.5, got {typed}",
                typed=typed or "-",
            )
            self.wrong.append(told)
        side, unit = self.fields.get("side", ""), self.fields.get("unit", "")
        if side not in set(Side) or unit not in set(PenaltyUnit):
            self.wrong.append(words.text("Choose a side and a unit."))
        if self.wrong or amount is None:
            return None
        return Penalty(Side(side), amount, PenaltyUnit(unit), reason)

    def _reason(self, words: Catalogue) -> str:
        reason = " ".join(self.fields.get("reason", "").split())
        if not reason:
            self.wrong.append(words.text("Reason: it stands in the log, so write one."))
        if len(reason) > TEXT_MAX:
            told = words.text("Reason: {most} characters at most.", most=TEXT_MAX)
            self.wrong.append(told)
        return reason

    def _side(
        self, name: str, vulnerable: frozenset[Side], words: Catalogue
    ) -> SideScore | None:
        kind = self.fields.get(name, "")
        if kind in set(Artificial):
            return SideScore(artificial=Artificial(kind))
        side = words.text(LETTERS[Side.NORTH_SOUTH if name == "ns" else Side.EAST_WEST])
        if kind != ASSIGNED:
            self.wrong.append(words.text("{side}: choose a score.", side=side))
            return None
        rows = [
            tuple(
                self.fields.get(f"{name}-{what}-{row}", "").strip()
                for what in ("outcome", "weight")
            )
            for row in range(1, ROWS + 1)
        ]
        rows = [row for row in rows if any(row)]
        if not rows:
            told = words.text("{side}: write at least one outcome.", side=side)
            self.wrong.append(told)
            return None
        return self._assigned(side, rows, vulnerable, words)

    def _assigned(
        self,
        side: str,
        rows: list[tuple[str, ...]],
        vulnerable: frozenset[Side],
        words: Catalogue,
    ) -> SideScore | None:
        outcomes, before = [], len(self.wrong)
        for typed, weight in rows:
            percent = self._percent(side, weight, alone=len(rows) == 1, words=words)
            try:
                outcomes.append(outcome_of(typed, vulnerable, percent, words))
            except ScoreError as error:
                self.wrong.append(f"{side}: {error}")
        total = sum(outcome.percent for outcome in outcomes)
        if len(self.wrong) == before and total != WHOLE:
            told = words.text(
                "{side}: the weights make {total} %, not 100 %.", side=side, total=total
            )
            self.wrong.append(told)
        if len(self.wrong) > before:
            return None
        return SideScore(outcomes=tuple(outcomes))

    def _percent(self, side: str, weight: str, *, alone: bool, words: Catalogue) -> int:
        typed = weight.removesuffix("%").strip()
        if alone and not typed:
            return WHOLE
        if re.fullmatch("[0-9]{1,3}", typed) and 1 <= int(typed) <= WHOLE:
            return int(typed)
        told = words.text(
            "{side}: weight: expected 1 to 100, got {typed}",
            side=side,
            typed=weight or "-",
        )
        self.wrong.append(told)
        return 1
