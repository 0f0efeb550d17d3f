"""A judged board beside the tags of its record: contract, declarer, tricks."""

from typing import Any

from bidwire.records import Contract, PassedOut, Record
from laws.cards import Denomination
from laws.seats import Seat

Plain = dict[str, Any]


def contract_text(judged: Plain) -> tuple[str | None, str | None]:
    """Contract (``4SX``, ``passed out``) and declarer of a judged board."""
    contract = judged["contract"]
    if contract is None or contract == "passed out":
        return contract, None
    text = f"{contract['level']}{contract['denomination']}{contract['risk']}"
    return text, contract["declarer"]


def differences(record: Record, judged: Plain) -> list[str]:
    """Where a judged board differs from what its file says of it."""
    found = []
    contract, declarer = contract_text(judged)
    tagged = record.contract
    if isinstance(tagged, PassedOut) and contract != "passed out":
        found.append(f"contract: the file has passed out, the referee {contract}")
    elif isinstance(tagged, Contract):
        found.extend(_contract_differences(record, tagged, contract, declarer))
    if record.result is not None and declarer is not None:
        taken = judged["tricks"][Seat(declarer).side.value]
        if taken != record.result:
            found.append(
                f"tricks: the file has {record.result} for declarer, the referee"
                f" {taken}"
            )
    return found


def _contract_differences(
    record: Record, tagged: Contract, contract: str | None, declarer: str | None
) -> list[str]:
    found = []
    in_file = f"{tagged.level}{Denomination(tagged.denomination)}{tagged.risk}"
    if contract != in_file:
        found.append(f"contract: the file has {in_file}, the referee {contract}")
    by_file = tagged.declarer
    if by_file is not None and record.swapped:
        by_file = by_file.partner
    if by_file is not None and declarer != by_file:
        found.append(f"declarer: the file has {by_file}, the referee {declarer}")
    return found


def uncalled_for(judged: Plain, *, allowed: int = 0) -> list[str]:
    """Rulings and refusals on a board where nothing irregular was to happen."""
    found = [
        f"irregularity reported: {r['law']} {r['irregularity']} by {r['offender']}"
        for r in judged["rulings"][allowed:]
    ]
    found.extend(
        f"refused: line {r['line']}, Law {r['law']}: {r['reason']}"
        for r in judged["refused"]
    )
    return found
