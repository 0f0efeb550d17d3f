"""A judged board beside what should have come of it."""

from collections.abc import Iterator
from typing import Any

from bidwire.records import Contract, PassedOut, Record
from bidwire.records.happenings import (
    declarer_of,
    expected_contract,
    expected_tricks,
)
from bidwire.records.plan import Injected, Kind, Plan
from laws.report import report
from laws.seats import SIDES, Seat
from laws.state import State

Judged = dict[str, Any]


def contract_text(judged: Judged) -> tuple[str | None, str | None]:
    """Contract (``4SX``, ``passed out``) and declarer of a judged board."""
    contract = judged["contract"]
    if contract is None or contract == "passed out":
        return contract, None
    text = f"{contract['level']}{contract['denomination']}{contract['risk']}"
    return text, contract["declarer"]


def record_differences(record: Record, judged: Judged) -> list[str]:
    """Where a judged board differs from what its file says of it."""
    found = list(
        _contract_differences(expected_contract(record), declarer_of(record), judged)
    )
    tricks, declarer = expected_tricks(record), contract_text(judged)[1]
    if tricks is not None and declarer is not None:
        taken = judged["tricks"][Seat(declarer).side.value]
        if taken != tricks:
            found.append(f"tricks: the file has {tricks} for declarer, not {taken}")
    if not record.marks:
        found.extend(_told(ruling) for ruling in judged["rulings"])
    found.extend(_refusals(judged))
    return found


def injection_differences(plan: Plan, judged: Judged) -> list[str]:
    """Where a judged board differs from what was put into its record."""
    contract = plan.contract
    by = contract.declarer if isinstance(contract, Contract) else None
    found = list(_contract_differences(contract, by, judged))
    for side in SIDES:
        won, expected = judged["tricks"][side.value], plan.tricks.get(side, 0)
        if won != expected:
            found.append(f"tricks: expected {expected} for {side}, not {won}")
    transfer = None
    if plan.transfer is not None:
        transfer = {"to": plan.transfer.to.value, "tricks": plan.transfer.tricks}
    if judged["transfer"] != transfer:
        found.append(f"transfer: expected {transfer}, not {judged['transfer']}")
    for injected in plan.injected:
        found.extend(_missing(injected, judged))
    found.extend(_invented(plan.injected, judged))
    found.extend(_refusals(judged))
    return found


def script_differences(alone: State, judged: Judged) -> list[str]:
    """Where the referee's report differs from that of the engine alone."""
    expected = report(alone)
    return [
        f"{key}: the engine alone has {expected[key]}, the referee {judged.get(key)}"
        for key in expected
        if expected[key] != judged.get(key)
    ]


def _contract_differences(
    expected: Contract | PassedOut | None, by: Seat | None, judged: Judged
) -> Iterator[str]:
    contract, declarer = contract_text(judged)
    if isinstance(expected, PassedOut):
        if contract != "passed out":
            yield f"contract: expected passed out, not {contract}"
    elif expected is not None:
        text = f"{expected.level}{expected.denomination}{expected.risk}"
        if contract != text:
            yield f"contract: expected {text}, not {contract}"
        if by is not None and declarer != by:
            yield f"declarer: expected {by}, not {declarer}"


def _told(ruling: Judged) -> str:
    return (
        f"irregularity reported: {ruling['irregularity']} by {ruling['offender']},"
        f" Law {ruling['law']}"
    )


def _refusals(judged: Judged) -> Iterator[str]:
    for refusal in judged["refused"]:
        yield f"refused: Law {refusal['law']}: {refusal['reason']}"


def _missing(injected: Injected, judged: Judged) -> Iterator[str]:
    """What should have been found of one irregularity, and was not."""
    name = f"{injected.irregularity} by {injected.seat}"
    if injected.kind is Kind.REVOKE:
        if _revoke_of(injected) not in [_revoke(entry) for entry in judged["revokes"]]:
            yield (
                f"{name}: expected {_revoke_of(injected)} among"
                f" {[_revoke(entry) for entry in judged['revokes']]}"
            )
        return
    rulings = [r for r in judged["rulings"] if r["offender"] == injected.seat]
    rulings = [r for r in rulings if r["irregularity"] == injected.irregularity]
    cited = [ruling for ruling in rulings if ruling["law"] == injected.law]
    if not cited:
        laws = ", ".join(ruling["law"] for ruling in rulings) or "nothing"
        yield f"{name}: expected Law {injected.law}, found {laws}"
        return
    effects = [effect for ruling in rulings for effect in ruling["effects"]]
    for expected in injected.effects:
        if not any(effect.items() >= expected.items() for effect in effects):
            yield f"{name}: expected the effect {dict(expected)} among {effects}"


Revoke = tuple[str, int, str, str | None, int | None]
"""Hand, trick, card, the paragraph of Law 64, tricks moved."""


def _revoke_of(injected: Injected) -> Revoke:
    assert injected.trick is not None  # noqa: S101 - revokes have both
    assert injected.card is not None  # noqa: S101 - revokes have both
    where = (injected.seat.value, injected.trick, injected.card.value)
    return (*where, injected.law, injected.moved)


def _revoke(entry: Judged) -> Revoke:
    return (
        entry["seat"],
        entry["trick"],
        entry["card"],
        entry.get("rule"),
        entry.get("moved"),
    )


def _invented(injected: tuple[Injected, ...], judged: Judged) -> Iterator[str]:
    """Rulings about nothing that was injected."""
    known = {(item.irregularity, item.seat.value) for item in injected}
    for ruling in judged["rulings"]:
        if (ruling["irregularity"], ruling["offender"]) not in known:
            yield _told(ruling)
    revokes = {_revoke_of(item)[:3] for item in injected if item.kind is Kind.REVOKE}
    for entry in judged["revokes"]:
        if _revoke(entry)[:3] not in revokes:
            yield f"revoke reported: {entry['seat']} at trick {entry['trick']}"
