"""The judged board as one plain object: the JSON of ``bidwire rule --json``."""

from typing import Any

from laws.board import RevokePolicy
from laws.contract import Contract
from laws.established_revokes import transfer_of
from laws.incidents import Revoke
from laws.legal_calls import legal_calls
from laws.legal_cards import hand_to_play, legal_cards
from laws.play import Play
from laws.rulings import Effect, Question, Ruling
from laws.scoring import score
from laws.seats import SIDES, Seat
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
        "revokes": [_revoke(r) for r in spoken_of(state)],
        "tricks": _tricks(play),
        "transfer": _transfer(play),
        "result": _result(state),
    }


def turn_of(state: State) -> Seat | None:
    """The seat (in play the hand) to act by the Laws."""
    return hand_to_play(state) if state.auction.ended else state.auction.turn


def legal(state: State) -> tuple[Any, ...]:
    """What the seat to act may call or play now: neither refused nor irregular.

    None while it has to wait for another's choice. In play substitutes for a revoke
    or a missing card when those are awaited; cards only when the deal is known.
    """
    return legal_cards(state) if state.auction.ended else legal_calls(state)


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
    for name in [
        "seat",
        "scope",
        "call",
        "calls",
        "mode",
        "suits",
        "card",
        "rank",
        "trick",
        "to",
        "tricks",
        "law",
    ]:
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
    contract = state.play.contract if state.play is not None else None
    return contract_object(contract) if contract else "passed out"


def contract_object(contract: Contract) -> Plain:
    return {
        "level": contract.level,
        "denomination": contract.denomination.value,
        "risk": contract.risk.value,
        "declarer": contract.declarer.value,
    }


def spoken_of(state: State) -> tuple[Revoke, ...]:
    """The revokes that may be told of: under ``manual`` those with attention drawn."""
    if state.play is None:
        return ()
    revokes = state.play.incidents.revokes
    if state.board.policies.revoke is RevokePolicy.MANUAL:
        revokes = tuple(revoke for revoke in revokes if revoke.notice)
    return tuple(sorted(revokes, key=lambda r: (r.trick, r.line)))


def _revoke(revoke: Revoke) -> Plain:
    plain: Plain = {
        "seat": revoke.hand.value,
        "trick": revoke.trick,
        "card": revoke.card.value,
        "suit": revoke.suit.value if revoke.suit else None,
        "state": revoke.state,
        "law": revoke.law,
    }
    if revoke.rule:
        plain |= {"rule": revoke.rule, "moved": revoke.moved}
    return plain


def _transfer(play: Play | None) -> Plain | None:
    transfer = transfer_of(play) if play is not None else None
    if transfer is None:
        return None
    side, tricks = transfer
    return {"to": side.value, "tricks": tricks}


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
    transfer = transfer_of(play)
    if transfer is not None:
        tricks += transfer[1] if transfer[0] is side else -transfer[1]
    points = score(play.contract, tricks, vulnerable=side in state.board.vulnerable)
    return {
        "declarer_tricks": tricks,
        "score_NS": points if side is SIDES[0] else -points,
    }
