"""A call out of turn judged from strings alone (Laws 26, 28 to 32, both editions).

An independent table for tests to compare with: it imports nothing of the project and
works from lines of a table script. Calls count as natural; a call is comparable, or of
the same meaning, only if it is the same call.
"""

from typing import Any, NamedTuple

SEATS = "NESW"
ONCE, REST = "next_turn", "rest_of_auction"

# (edition, kind of call, whose turn it was): what holds at once.
AT_ONCE: dict[tuple[str, str, str], tuple[str, dict[str, Any]]] = {
    ("2007", "bid", "partner"): ("31B", {"partner": REST}),
    ("2007", "bid", "LHO"): ("31B", {"partner": REST}),
    ("2007", "double", "partner"): ("32A", {"partner": REST}),
    ("2007", "first pass", "RHO"): ("30A", {"offender": ONCE}),
    ("2007", "first pass", "partner"): ("30A", {"offender": ONCE}),
    ("2007", "first pass", "LHO"): ("30A", {"offender": ONCE}),
    ("2007", "later pass", "RHO"): ("30B1", {"offender": ONCE}),
    ("2007", "later pass", "partner"): ("30B2(a)", {"offender": REST, "no X": True}),
    ("2017", "first pass", "RHO"): ("30A", {"offender": ONCE}),
    ("2017", "later pass", "RHO"): ("30A", {"offender": ONCE}),
}

# (edition, kind): when RHO, whose turn it was, has passed.
RHO_PASSED = {
    ("2007", "bid"): "31A1",
    ("2017", "bid"): "31A1",
    ("2007", "double"): "32B1",
    ("2017", "double"): "32A1",
}

# (edition, kind, how the offender replaced it) where nothing else was settled before.
REPLACED: dict[tuple[str, str, str], tuple[str, dict[str, Any]]] = {
    ("2007", "bid", "same"): ("31A2(a)", {"partner": ONCE}),
    ("2007", "bid", "denomination"): ("31A2(a)", {"partner": ONCE}),
    ("2007", "bid", "other"): ("31A2(b)", {"partner": REST}),
    ("2007", "double", "other"): ("32B2", {"partner": REST}),
    ("2017", "bid", "same"): ("31A2(a)", {}),
    ("2017", "bid", "denomination"): ("31A2(b)", {"partner": ONCE}),
    ("2017", "bid", "other"): ("31A2(b)", {"partner": ONCE}),
    ("2017", "double", "same"): ("32A2(a)", {}),
    ("2017", "double", "other"): ("32A2(b)", {"partner": ONCE}),
    ("2017", "first pass", "same"): ("30B1(b)(i)", {}),
    ("2017", "first pass", "other"): ("30B1(b)(ii)", {"partner": ONCE}),
    ("2017", "later pass", "same"): ("30B1(b)(i)", {}),
    ("2017", "later pass", "other"): ("30B1(b)(ii)", {"partner": ONCE}),
}


Called = tuple[str, str]


class Judged(NamedTuple):
    """What must be found, and the legal auction as (seat, call)."""

    law: str
    effects: list[dict[str, Any]]
    auction: list[Called]


def after(seat: str, steps: int = 1) -> str:
    return SEATS[(SEATS.index(seat) + steps) % 4]


def is_bid(call: str) -> bool:
    return call[0].isdigit()


def judge(lines: list[str], at: int, dealer: str, edition: str) -> Judged:
    """Judge an auction with one call out of turn on line ``at``, from 0.

    Args:
        lines: calls and answers, as in ``S 1H`` or ``W decline``.
        at: place of the call out of turn.
        dealer: the dealer.
        edition: "2007" or "2017".
    """
    words = [(line.split()[0], line.split()[1]) for line in lines]
    before = words[:at]
    turn = after(before[-1][0]) if before else dealer
    offender, call = words[at]
    seen_from = {
        after(turn): "RHO",
        after(turn, 2): "partner",
        after(turn, 3): "LHO",
    }[offender]
    answer = words[at + 1][1]
    calls = [word for word in words[at + 1 :] if word[1] not in {"accept", "decline"}]
    if answer != "decline":
        if words[at + 1][0] == after(offender) and seen_from != "LHO":
            return Judged("29A", [], [*before, (offender, call), *calls])
        if answer == "accept":
            return Judged("29A", [], [*before, (offender, call), *calls])
        return Judged("28B", [], [*before, *calls])
    law, bars, repeat = _ruling(edition, seen_from, words[at], before, calls)
    auction = [*before, *calls]
    effects = _effects(bars, offender, call if repeat else "")
    effects += _lead(edition, words[at], calls, auction)
    return Judged(law, effects, auction)


def _kind(call: str, before: list[Called]) -> str:
    if is_bid(call):
        return "bid"
    if call == "X":
        return "double"
    return "later pass" if any(is_bid(c) for _, c in before) else "first pass"


def _ruling(
    edition: str,
    seen_from: str,
    out_of_turn: Called,
    before: list[Called],
    calls: list[Called],
) -> tuple[str, dict[str, Any], bool]:
    offender, call = out_of_turn
    kind = _kind(call, before)
    at_once = AT_ONCE.get((edition, kind, seen_from))
    if at_once:
        return at_once[0], at_once[1], False
    if seen_from == "RHO" and calls[0][1] == "P":
        return RHO_PASSED[edition, kind], {}, True
    replacement = next(made for seat, made in calls if seat == offender)
    how = "other"
    if replacement == call:
        how = "same"
    elif is_bid(call) and replacement[1:] == call[1:]:
        how = "denomination"
    law, bars = REPLACED[edition, kind, how]
    return law, bars, False


def _effects(
    bars: dict[str, Any], offender: str, repeated: str
) -> list[dict[str, Any]]:
    partner = after(offender, 2)
    effects: list[dict[str, Any]] = []
    for who, seat in (("offender", offender), ("partner", partner)):
        if who in bars:
            effects.append({"kind": "must_pass", "seat": seat, "scope": bars[who]})
    if "no X" in bars:
        effects.append(
            {
                "kind": "may_not",
                "seat": partner,
                "calls": ["X", "XX"],
                "scope": "this_turn",
            }
        )
    if repeated:
        effects.append({"kind": "must_repeat", "seat": offender, "call": repeated})
    return effects


def _lead(
    edition: str, out_of_turn: Called, calls: list[Called], auction: list[Called]
) -> list[dict[str, Any]]:
    offender, call = out_of_turn
    replacement = next(made for seat, made in calls if seat == offender)
    last = [seat for seat, made in auction if is_bid(made)][-1]
    declares = SEATS.index(last) % 2 == SEATS.index(offender) % 2
    if replacement == call or declares:
        return []
    named = {c[1] for s, c in auction if s == offender and is_bid(c) and len(c) == 2}
    suit = call[1] if is_bid(call) and len(call) == 2 else ""
    if edition == "2017":
        mode, suits = "forbid_one", [s for s in "CDHS" if s not in named]
    elif suit:
        mode, suits = "require_or_forbid", [suit] if suit not in named else []
    else:
        mode, suits = "forbid_one", list("CDHS")
    effect = {
        "kind": "lead_restriction",
        "seat": after(offender, 2),
        "mode": mode,
        "suits": suits,
    }
    return [effect] if suits else []
