"""Plans: clean records as they are, or with irregularities and faults put into them.

Chance comes from one ``random.Random`` for each board, so that a seed gives the same
plans whatever runs beside them. An injected board is to be played by the plan's edition
with the policies that are the default: the Laws are applied, a revoke is only recorded.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from bidwire.records.checking import declarer_at_play
from bidwire.records.happenings import claim_actions, to_happenings, with_actors
from bidwire.records.out_of_turn import Woven, weave
from bidwire.records.plan import (
    OF_PROCESSES,
    OF_TERMINALS,
    Fault,
    Injected,
    Kind,
    Plan,
    Transfer,
)
from bidwire.records.playout import LeadRestriction, Played, play_out
from bidwire.records.record import Contract, PassedOut, Record
from bidwire.records.rules import called, contract_of, tricks_of, winner_of
from bidwire.records.transfers import Moved, moved_for
from laws.actions import Action
from laws.board import Edition
from laws.seats import SEATS, SIDES, Side

_LASTING = frozenset({Kind.HOLD, Kind.UNPLUG})
LONGEST_S = 3.0
"""Seconds that a line is held up or unplugged, at most: less than its link waits."""


def board_random(seed: int, number: int) -> Random:
    """The source of chance for one board of a replay, by its place in the replay."""
    return Random(f"{seed}/{number}")  # noqa: S311 - reproducible, guards nothing


def plan_board(
    record: Record, edition: Edition, kinds: Collection[Kind], random: Random
) -> Plan:
    """Plan one board.

    Irregularities need a clean record: its deal known and none of its own. What could
    not be injected is named in ``omitted``. Faults of processes are not drawn here but
    for a whole replay (``with_strikes``).

    Raises:
        ValueError: the record cannot be played to an end (``Record.is_playable``).
    """
    plan = _as_recorded(record, edition)
    if {Kind.OUT_OF_TURN, Kind.REVOKE} & set(kinds):
        plan = _with_irregularities(plan, kinds, random)
    faults = [_fault(plan, kind, random) for kind in OF_TERMINALS if kind in kinds]
    return replace(plan, faults=tuple(faults))


def _fault(plan: Plan, kind: Kind, random: Random) -> Fault:
    at = random.randrange(1, len(plan.happenings))
    actor = plan.happenings[at].actor
    seat = random.choice(SEATS) if kind is Kind.RESET else actor
    seconds = random.uniform(0.2, LONGEST_S) if kind in _LASTING else 0.0
    return Fault(kind, plan.record.board, at, seat, seconds)


def with_strikes(
    plans: Sequence[Plan], kinds: Collection[Kind], random: Random, times: int = 2
) -> list[Plan]:
    """Draw the moments at which processes are struck in a replay of these plans.

    Each kind asked for strikes so many times, each time at a random happening of a
    random board.
    """
    killed = list(plans)
    if not killed:
        return killed
    for kind in OF_PROCESSES:
        for _ in range(times if kind in kinds else 0):
            number = random.randrange(len(killed))
            plan = killed[number]
            at = random.randrange(1, len(plan.happenings))
            fault = Fault(kind, plan.record.board, at)
            killed[number] = replace(plan, faults=(*plan.faults, fault))
    return killed


def _as_recorded(record: Record, edition: Edition) -> Plan:
    actions = to_happenings(record)
    contract = contract_of(called(record.auction))
    declarer = None
    if isinstance(contract, Contract):
        declarer = declarer_at_play(record, contract)
        contract = replace(contract, declarer=declarer)
    return Plan(
        record=record,
        edition=edition,
        happenings=with_actors(actions, declarer),
        injected=(),
        faults=(),
        contract=contract,
        tricks=_tricks_as_recorded(record, contract),
    )


def _tricks_as_recorded(
    record: Record, contract: Contract | PassedOut
) -> Mapping[Side, int]:
    if isinstance(contract, PassedOut) or contract.declarer is None:
        return dict.fromkeys(SIDES, 0)
    side = contract.declarer.side
    if len(record.cards) < 52 and record.result is not None:
        return {side: record.result, side.other: 13 - record.result}
    trump = contract.denomination.suit
    won = [winner_of(trick, trump).side for trick in tricks_of(record.cards)]
    return {side: won.count(side) for side in SIDES}


def _with_irregularities(plan: Plan, kinds: Collection[Kind], random: Random) -> Plan:
    record = plan.record
    hindrance = _hindrance(record)
    if hindrance:
        return replace(plan, omitted=(hindrance,))
    omitted: list[str] = []
    woven = None
    if Kind.OUT_OF_TURN in kinds:
        woven = weave(called(record.auction), plan.edition, random)
        if woven is None:
            omitted.append("no call out of turn: no attempt came to a contract")
    contract = woven.contract if woven else plan.contract
    played = None
    if isinstance(contract, Contract):
        restriction = woven.restriction if woven else None
        plays = _Plays(record, contract, restriction, random)
        played = plays.with_revokes() if Kind.REVOKE in kinds else None
        if played is None and woven is not None:
            played = plays.legal()
    if Kind.REVOKE in kinds and (played is None or not played.revokes):
        omitted.append("no revoke: no attempt came to one")
    if played is not None and isinstance(contract, Contract):
        plan = _as_injected(plan, woven, contract, played)
    return replace(plan, omitted=tuple(omitted))


def _hindrance(record: Record) -> str:
    """Why nothing can be injected into a record; empty where it can."""
    if record.hands is None:
        return "nothing injected: the deal is not known"
    if record.marks or record.swapped:
        return "nothing injected: the record has irregularities of its own"
    return ""


def _as_injected(
    plan: Plan, woven: Woven | None, contract: Contract, played: Played
) -> Plan:
    record = plan.record
    auction = woven.actions if woven else record.auction
    injected = [_call_injected(woven, record.board)] if woven else []
    injected += _revokes_injected(played, contract, record.board, len(auction))
    won = [winner.side for winner in played.winners]
    tricks: Mapping[Side, int] = {side: won.count(side) for side in SIDES}
    claim: tuple[Action, ...] = ()
    if played.followed:
        claim = claim_actions(record, contract)
        tricks = _tricks_as_recorded(record, contract)
    return replace(
        plan,
        happenings=with_actors([*auction, *played.actions, *claim], contract.declarer),
        injected=tuple(injected),
        contract=contract,
        tricks=tricks,
        transfer=_transfer(injected),
    )


@dataclass(frozen=True, slots=True)
class _Plays:
    """Plays of one board in one contract."""

    record: Record
    contract: Contract
    restriction: LeadRestriction | None
    random: Random

    def legal(self) -> Played:
        return self._play([])

    def with_revokes(self) -> Played | None:
        """A play with one revoke or two whose transfer leaves nothing open."""
        for _ in range(30):
            wanted = self.random.choice([1, 1, 1, 2])
            first = self.random.randint(1, 9)
            played = self._play([first] * wanted)
            if played.revokes and not self._is_open(played):
                return played
        return None

    def _is_open(self, played: Played) -> bool:
        moved = _moved(played, self.contract)
        other_way = _moved(played, self.contract, later_first=True)
        return moved != other_way or any(one.is_open for one in moved)

    def _play(self, revokes_from: list[int]) -> Played:
        hands, made = self.record.hands, contract_of(called(self.record.auction))
        assert hands is not None  # noqa: S101 - checked where irregularities begin
        same = (
            isinstance(made, Contract)
            and made.denomination is self.contract.denomination
            and made.declarer is self.contract.declarer
        )
        return play_out(
            hands,
            self.contract,
            self.record.cards if same else (),
            self.random,
            revokes_from=revokes_from,
            restriction=self.restriction,
        )


def _moved(
    played: Played, contract: Contract, *, later_first: bool = False
) -> tuple[Moved, ...]:
    assert contract.declarer is not None  # noqa: S101 - contract_of names one
    dummy = contract.declarer.partner
    return moved_for(played.revokes, played.winners, dummy, later_first=later_first)


def _call_injected(woven: Woven, board: str) -> Injected:
    return Injected(
        kind=Kind.OUT_OF_TURN,
        board=board,
        at=woven.at,
        seat=woven.seat,
        irregularity="call-out-of-turn",
        law=woven.law,
        call=woven.call,
        effects=woven.effects,
    )


def _revokes_injected(
    played: Played, contract: Contract, board: str, calls: int
) -> list[Injected]:
    return [
        Injected(
            kind=Kind.REVOKE,
            board=board,
            at=calls + revoke.at,
            seat=revoke.hand,
            irregularity="revoke",
            law=moved.rule,
            card=revoke.card,
            trick=revoke.trick,
            moved=moved.tricks,
        )
        for revoke, moved in zip(played.revokes, _moved(played, contract), strict=True)
    ]


def _transfer(injected: Sequence[Injected]) -> Transfer | None:
    total = sum(item.moved for item in injected)
    if not total:
        return None
    offender = next(item.seat for item in injected if item.moved)
    return Transfer(offender.side.other, total)
