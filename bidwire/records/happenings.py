"""A record as happenings at the table, and the outcome that it should have.

A record does not say who claimed: declarer does, both opponents agree, and the tricks
are those that make the file's result.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bidwire.records.checking import declarer_at_play
from bidwire.records.record import Contract, PassedOut, Record
from bidwire.records.rules import called, contract_of, tricks_of, winner_of
from laws.actions import (
    Action,
    Agree,
    Answer,
    Award,
    Claim,
    Concede,
    Correct,
    ExposeCards,
    HandsReturned,
    MoveCard,
    Overrule,
    PlayCards,
    RoundEnds,
    Spread,
)
from laws.seats import Seat


@dataclass(frozen=True, slots=True)
class Happening:
    """An action and the seat that presses the key: declarer for dummy's cards.

    The actor is None for what belongs to no seat (the Director's word).
    """

    actor: Seat | None
    action: Action


def to_happenings(record: Record) -> tuple[Action, ...]:
    """Calls, cards, and the claim that ends the play where the cards do.

    Raises:
        ValueError: the record cannot be played to an end (see ``is_playable``).
    """
    if not record.is_playable:
        raise ValueError(f"board {record.board} cannot be played to an end")
    actions: list[Action] = list(record.auction)
    made = contract_of(called(record.auction))
    if isinstance(made, PassedOut):
        return tuple(actions)
    declarer = declarer_at_play(record, made)
    for at, (hand, card) in enumerate(record.cards):
        actions.append(PlayCards(hand, (card,)))
        if at == 0 and record.swapped:
            actions.append(Spread(declarer.partner))
    return (*actions, *_claim(record, made, declarer))


def _claim(record: Record, made: Contract, declarer: Seat) -> Iterable[Action]:
    if len(record.cards) == 52 or record.result is None:
        return ()
    more = record.result - tricks_won(record, made)
    left = 13 - len(record.cards) // 4
    statement = Claim(declarer, more) if more else Concede(declarer, left)
    return (statement, Agree(declarer.lho), Agree(declarer.rho))


def tricks_won(record: Record, made: Contract) -> int:
    """Tricks that the declaring side has won with the cards of the record."""
    side = declarer_at_play(record, made).side
    return sum(
        winner_of(trick, made.denomination.suit).side is side
        for trick in tricks_of(record.cards)
        if len(trick) == 4
    )


def actor_of(action: Action, declarer: Seat | None) -> Seat | None:
    """The seat that acts: declarer for dummy's cards, None for the Director."""
    match action:
        case PlayCards(hand=hand) | ExposeCards(hand=hand):
            dummy = declarer.partner if declarer else None
            return declarer if hand is dummy else hand
        case MoveCard(hand=hand):
            return hand
        case (
            Answer() | Award() | Overrule() | Correct() | RoundEnds() | HandsReturned()
        ):
            return None
        case _:
            return action.seat


def with_actors(
    actions: Iterable[Action], declarer: Seat | None
) -> tuple[Happening, ...]:
    """The actions with the seats that press the keys."""
    return tuple(Happening(actor_of(action, declarer), action) for action in actions)


def declarer_of(record: Record) -> Seat | None:
    """Who plays the hand of a record; None if nobody does."""
    if not record.auction_ended:
        return None
    made = contract_of(called(record.auction))
    return declarer_at_play(record, made) if isinstance(made, Contract) else None


def expected_contract(record: Record) -> Contract | PassedOut | None:
    """The contract by the file: by its tags, else by its auction."""
    if record.contract is None and record.auction_ended:
        return contract_of(called(record.auction))
    return record.contract


def expected_tricks(record: Record) -> int | None:
    """Tricks of the declaring side by the file: its result, else its 52 cards.

    None where it says neither, or says itself that its result is wrong (``^``).
    """
    if record.result_irregular and len(record.cards) == 52:
        return None
    if record.result is not None:
        return record.result
    made = contract_of(called(record.auction)) if record.auction_ended else None
    if isinstance(made, Contract) and len(record.cards) == 52:
        return tricks_won(record, made)
    return None


def differences(
    record: Record, contract: Contract | PassedOut | None, tricks: int | None
) -> tuple[str, ...]:
    """Where an outcome differs from what the file says, one sentence each.

    Args:
        record: the record that was played.
        contract: the contract that the table came to, with who plays the hand.
        tricks: tricks of the declaring side as played, None if nobody bid.
    """
    found: list[str] = []
    said = expected_contract(record)
    match said, contract:
        case Contract(declarer=None), Contract(declarer=declarer):
            said = replace(said, declarer=declarer)
        case _:
            pass
    if said is not None and said != contract:
        found.append(f"contract: the file says {said}, played was {contract}")
    wanted = expected_tricks(record)
    if isinstance(contract, Contract) and wanted is not None and wanted != tricks:
        found.append(f"tricks: the file says {wanted}, played were {tricks}")
    return tuple(found)
