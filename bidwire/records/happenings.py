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
    return (*actions, *claim_actions(record, replace(made, declarer=declarer)))


def claim_actions(record: Record, contract: Contract) -> tuple[Action, ...]:
    """The claim that ends the play of a record before its 52nd card, if it does.

    ``contract`` names who plays the hand.
    """
    if len(record.cards) == 52 or record.result is None or contract.declarer is None:
        return ()
    declarer = contract.declarer
    more = record.result - tricks_won(record, contract)
    left = 13 - len(record.cards) // 4
    statement = Claim(declarer, more) if more else Concede(declarer, left)
    return (statement, Agree(declarer.lho), Agree(declarer.rho))


def tricks_won(record: Record, contract: Contract) -> int:
    """Tricks that the declaring side has won with the cards of the record."""
    assert contract.declarer is not None  # noqa: S101 - contract_of names one
    side = contract.declarer.side
    return sum(
        winner_of(trick, contract.denomination.suit).side is side
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
