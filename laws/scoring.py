"""The duplicate score of a board (Law 77); ``duplicate_scoring`` compares scores."""

from laws.cards import Denomination
from laws.contract import Contract, Risk

_FACTOR = {Risk.UNDOUBLED: 1, Risk.DOUBLED: 2, Risk.REDOUBLED: 4}
_INSULT = {Risk.UNDOUBLED: 0, Risk.DOUBLED: 50, Risk.REDOUBLED: 100}
_MINORS = (Denomination.CLUBS, Denomination.DIAMONDS)


def score(contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Points of declarer's side for a contract and the tricks it took.

    Args:
        contract: the contract played.
        tricks: tricks won by declarer's side, 0 to 13, transfers included.
        vulnerable: whether declarer's side is.

    Returns:
        Positive when the contract was made, negative when it was defeated.
    """
    over = tricks - 6 - contract.level
    if over < 0:
        return -_undertricks(-over, contract.risk, vulnerable=vulnerable)
    per_trick = 20 if contract.denomination in _MINORS else 30
    first = 10 if contract.denomination is Denomination.NOTRUMP else 0
    bid = (first + per_trick * contract.level) * _FACTOR[contract.risk]
    return (
        bid
        + _overtricks(over, per_trick, contract.risk, vulnerable=vulnerable)
        + _INSULT[contract.risk]
        + _premium(bid, contract.level, vulnerable=vulnerable)
    )


def _premium(bid: int, level: int, *, vulnerable: bool) -> int:
    """Bonus for a part-score or game, and for a slam."""
    game = 50 if bid < 100 else (500 if vulnerable else 300)
    slam = {6: (500, 750), 7: (1000, 1500)}.get(level, (0, 0))
    return game + slam[vulnerable]


def _overtricks(over: int, per_trick: int, risk: Risk, *, vulnerable: bool) -> int:
    if risk is Risk.UNDOUBLED:
        return over * per_trick
    return over * (100 if vulnerable else 50) * _FACTOR[risk]


def _undertricks(down: int, risk: Risk, *, vulnerable: bool) -> int:
    if risk is Risk.UNDOUBLED:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        doubled = 200 + 300 * (down - 1)
    else:
        doubled = (100, 300, 500)[down - 1] if down <= 3 else 500 + 300 * (down - 3)
    return doubled * _FACTOR[risk] // 2
