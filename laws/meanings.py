"""What calls mean: the Director's judgements that the Laws of calls lean on.

Law 23A (2017: is a call comparable?), 26 (which suits did a call show? has a repeated
call a much different meaning?), 27B1 (the same meaning?), 29C (which denominations did
it specify?), 30C (was a pass artificial, or a pass of partner's artificial call?).

Each is asked of the Director; until he answers, an assumption stands in, which comes
back beside the value: artificial only if alerted, suits shown as named, comparable
and of the same meaning only the same call, a repeated call of no different meaning.
"""

from typing import NamedTuple

from laws.actions import Word
from laws.auction import MadeCall, Standing, last_action
from laws.auction_state import Auction
from laws.calls import Call
from laws.cards import SUITS, Denomination, Suit
from laws.judgement import Judgement
from laws.rulings import Question
from laws.seats import Seat


class Finding(NamedTuple):
    """Yes or no, and what was assumed in saying so."""

    value: bool
    assumptions: tuple[str, ...] = ()


class Shown(NamedTuple):
    """Suits, and what was assumed in naming them."""

    suits: tuple[Suit, ...]
    assumptions: tuple[str, ...] = ()


_YES_NO = ("yes", "no")

MEANINGS = frozenset({Word.ARTIFICIAL, Word.SHOWN})
"""Words on what a call meant, which the Director may say without being asked."""


def call_explained(auction: Auction, seat: Seat | None) -> MadeCall | None:
    """The call that such a word is about: the last irregular one, of the seat if named.

    None when there is none yet.
    """
    for made in reversed(auction.calls):
        irregular = made.standing is not Standing.LEGAL
        if irregular and (seat is None or made.seat is seat):
            return made
    return None


def _question(  # noqa: PLR0913 - a question has these parts
    word: Word,
    made: MadeCall,
    law: str,
    about: str,
    *,
    choices: tuple[str, ...] = _YES_NO,
    holds: bool = False,
) -> Question:
    return Question(
        to=None,
        question=word.value,
        law=law,
        line=made.line,
        seat=made.seat,
        about=about,
        choices=choices,
        holds=holds,
    )


def _judged(judge: Judgement, word: Word, question: Question, default: bool) -> Finding:
    given = judge.director(word, question)
    if given is not None:
        return Finding(bool(given.answer))
    text = "yes" if default else "no"
    return Finding(default, (f"{word} {question.seat}: {text}",))


def is_comparable(
    judge: Judgement,
    new: MadeCall,
    old: MadeCall,
    law: str = "23A",
    *,
    holds: bool = True,
) -> Finding:
    """Whether a call is comparable to the withdrawn one that it replaces (23A)."""
    question = _question(
        Word.COMPARABLE, new, law, f"{new.call} for {old.call}", holds=holds
    )
    return _judged(judge, Word.COMPARABLE, question, new.call is old.call)


def has_same_meaning(judge: Judgement, new: MadeCall, old: MadeCall) -> Finding:
    """Whether a call has the same or a more precise meaning (27B1(b), 2007)."""
    question = _question(
        Word.SAME_MEANING, new, "27B1(b)", f"{new.call} for {old.call}", holds=True
    )
    return _judged(judge, Word.SAME_MEANING, question, new.call is old.call)


def has_different_meaning(judge: Judgement, new: MadeCall, old: MadeCall) -> Finding:
    """Whether a repeated call has a much different meaning (26, 2007)."""
    question = _question(
        Word.DIFFERENT_MEANING, new, "26", f"{new.call} for {old.call}"
    )
    return _judged(judge, Word.DIFFERENT_MEANING, question, default=False)


def is_artificial(judge: Judgement, made: MadeCall, law: str) -> Finding:
    """Whether a call was artificial: asked of an alerted one only."""
    question = _question(Word.ARTIFICIAL, made, law, made.call.value, holds=True)
    if not made.alerted:
        given = judge.said(Word.ARTIFICIAL, question)
        return Finding(given is not None and bool(given.answer))
    return _judged(judge, Word.ARTIFICIAL, question, default=True)


def is_artificial_pass(
    judge: Judgement, made: MadeCall, before: tuple[MadeCall, ...]
) -> Finding:
    """Whether a pass was artificial, or of partner's artificial call (30C)."""
    last = last_action(before)
    if last is None or last.seat is not made.seat.partner or not last.alerted:
        return is_artificial(judge, made, "30C")
    about = f"{made.call} over {last.call}"
    question = _question(Word.ARTIFICIAL, made, "30C", about, holds=True)
    return _judged(judge, Word.ARTIFICIAL, question, default=True)


def suits_shown(judge: Judgement, made: MadeCall, law: str) -> Shown:
    """The suits that a call showed (26, 29C): asked of an alerted one only."""
    named = suits_named(made.call)
    question = _question(
        Word.SHOWN, made, law, made.call.value, choices=(*SUITS, "none")
    )
    if not made.alerted:
        given = judge.said(Word.SHOWN, question)
    else:
        given = judge.director(Word.SHOWN, question)
    if given is not None and isinstance(given.answer, tuple):
        return Shown(given.answer)
    if not made.alerted:
        return Shown(named)
    return Shown(named, (f"shown {made.seat}: {''.join(named) or 'none'}",))


def suits_named(call: Call) -> tuple[Suit, ...]:
    """The suit that a bid names, if any."""
    suit = call.denomination.suit if call.denomination is not None else None
    return (suit,) if suit is not None else ()


class Specified(NamedTuple):
    """Denominations, and what was assumed in naming them."""

    denominations: frozenset[Denomination]
    assumptions: tuple[str, ...] = ()


def denominations_specified(judge: Judgement, made: MadeCall) -> Specified:
    """The denominations that a call specified, not those it named (29C)."""
    shown = suits_shown(judge, made, "29C")
    denominations = frozenset(suit.denomination for suit in shown.suits)
    if made.call.denomination is Denomination.NOTRUMP and not made.alerted:
        denominations |= {Denomination.NOTRUMP}
    return Specified(denominations, shown.assumptions)
