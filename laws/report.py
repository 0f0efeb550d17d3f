"""The judged board as one plain object: the JSON of ``bidwire rule --json``."""

from typing import Any

from laws.auction import admissible_calls
from laws.cards import SUITS, Card
from laws.contract import Contract
from laws.play import Play
from laws.rulings import Effect, Question, Ruling
from laws.scoring import score
from laws.seats import SEATS, SIDES, Seat
from laws.state import State

Plain = dict[str, Any]


def report(state: State) -> Plain:
    """What is known of the board now.

    Returns:
        The object that ``docs/table-script.md`` describes, of strings, numbers, lists
        and dictionaries only.
    """
    play = state.play
    turn = turn_of(state)
    return {
        "edition": state.board.edition.value,
        "rulings": [_ruling(ruling) for ruling in state.rulings],
        "bound": [{**_effect(b.effect), "law": b.law} for b in state.bindings],
        "questions": [_question(question) for question in state.questions],
        "refused": [
            {"line": r.line, "law": r.law, "reason": r.reason} for r in state.refused
        ],
        "turn": turn.value if turn else None,
        "legal": [option.value for option in legal(state)],
        "auction": [[c.seat.value, c.call.value] for c in state.auction.legal_calls],
        "withdrawn": [
            [c.seat.value, c.call.value] for c in state.auction.calls if c.withdrawn
        ],
        "contract": _contract(state),
        "revokes": [],
        "tricks": _tricks(play),
        "transfer": None,
        "result": _result(state),
    }


def turn_of(state: State) -> Seat | None:
    """The seat (in play the hand) to act by the Laws."""
    if not state.auction.ended:
        return state.auction.turn
    if state.play is None or state.play.ended:
        return None
    return state.play.current.next_hand()


def legal(state: State) -> tuple[Any, ...]:
    """The legal calls, or cards of the hand to play, now.

    Cards only when the deal is known.
    """
    turn = turn_of(state)
    if turn is None:
        return ()
    if not state.auction.ended:
        return admissible_calls(state.auction.legal_calls, turn)
    return legal_cards(state.play, turn) if state.play else ()


def legal_cards(play: Play, hand: Seat) -> tuple[Card, ...]:
    """Cards with which the hand follows suit, or any when it cannot (Law 44C, D)."""
    if play.held is None:
        return ()
    held = play.held[SEATS.index(hand)]
    led = play.current.suit_led
    following = tuple(card for card in held if card.suit is led)
    return tuple(sorted(following or held, key=_order))


def _order(card: Card) -> tuple[int, int]:
    return (SUITS.index(card.suit), card.strength)


def _ruling(ruling: Ruling) -> Plain:
    return {
        "law": ruling.law,
        "laws": list(ruling.laws),
        "irregularity": ruling.irregularity,
        "offender": ruling.offender.value,
        "status": ruling.status.value,
        "effects": [_effect(effect) for effect in ruling.effects],
        "assumptions": list(ruling.assumptions),
        "line": ruling.line,
    }


def _effect(effect: Effect) -> Plain:
    plain: Plain = {"kind": effect.kind.value}
    for (
        name
    ) in ["seat", "scope", "call", "calls", "mode", "suits", "card", "rank", "trick", "to", "tricks", "law"]:
        value = getattr(effect, name)
        if isinstance(value, tuple):
            plain[name] = [item.value for item in value]
        elif value is not None:
            plain[name] = getattr(value, "value", value)
    return plain


def _question(question: Question) -> Plain:
    return {
        "to": question.to.value if question.to else "director",
        "question": question.question,
        "about": question.about,
        "choices": list(question.choices),
        "law": question.law,
        "line": question.line,
        "seat": question.seat.value if question.seat else None,
        "holds": question.holds,
    }


def _contract(state: State) -> Plain | str | None:
    if not state.auction.ended:
        return None
    contract = state.contract
    return contract_object(contract) if contract else "passed out"


def contract_object(contract: Contract) -> Plain:
    return {
        "level": contract.level,
        "denomination": contract.denomination.value,
        "risk": contract.risk.value,
        "declarer": contract.declarer.value,
    }


def _tricks(play: Play | None) -> Plain:
    if play is None:
        return {side.value: 0 for side in SIDES}
    return {side.value: won for side, won in play.tricks_won().items()}


def _result(state: State) -> Plain | None:
    play = state.play
    if play is None:
        if state.auction.ended:
            return {"declarer_tricks": None, "score_NS": 0}
        return None
    if not play.ended:
        return None
    side = play.declarer.side
    tricks = play.tricks_won()[side]
    points = score(play.contract, tricks, vulnerable=side in state.board.vulnerable)
    return {
        "declarer_tricks": tricks,
        "score_NS": points if side is SIDES[0] else -points,
    }
