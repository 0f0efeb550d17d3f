"""What the engine says in plain words, in the language of the reader.

The engine knows no catalogue: why it refuses what happened, and what is wrong with a
line of a table script, it tells in English. So do the journal's entries, which are the
same for every reader: ``referee.refusals``. The sentences are recognised by their
pattern.
"""

from collections.abc import Callable

from broker.catalogue.sentences import Sentences
from broker.line_reasons import line_reason_in_words
from referee.catalogue import LANGUAGES, Catalogue, catalogue, noted
from referee.names import LETTERS
from referee.refusals import CALLS, HAPPENINGS, LAST, REFUSALS

REASONS = (
    noted("nothing"),
    *LETTERS.values(),
    # Why a happening is refused.
    noted("nothing has been played"),
    noted("{hand} has played no card to trick {number}"),
    noted("dummy may not draw attention during play (42B3)"),
    noted("nothing irregular to rule on"),
    noted("the auction period is over"),
    noted("the auction has ended"),
    noted("it is the turn of {seat}"),
    noted("{hand} has to correct the revoke at trick {number} first"),
    noted("{hand} has to follow suit ({suit})"),
    noted("{hand} has to obey an option of declarer ({suit})"),
    noted("he has made no call that could be changed"),
    noted("his partner has called since"),
    noted("{call} is the call that he made"),
    noted("{hand} has been offered no change"),
    noted("expected a legal card ({cards}), got {got}"),
    noted("there is no play to end"),
    noted("a claim is being settled already"),
    noted("dummy takes no part in the play"),
    noted("only {number} tricks remain"),
    noted("a revoke has to be corrected first"),
    noted("there is no claim to agree to"),
    noted("the claim is before the Director"),
    noted("there is no claim to object to"),
    noted("there is no claim to adjudicate"),
    noted("there is no claim that play could go on after"),
    noted("play ceases; cards played now are evidence only (70D3)"),
    noted("play is suspended by the claim"),
    noted("play has ceased; the card may be evidence of the likely play (70D3)"),
    noted("only the non-claiming side may ask to play on"),
    noted("{hand} has no revoke to correct"),
    noted("not the turn of this hand"),
    noted("a trick begins with a card"),
    noted("the last card is played"),
    noted("no play is in progress"),
    noted("only declarer calls for a card of dummy"),
    noted("{hand} is not dummy"),
    noted("dummy may not touch a card before it is called for"),
    noted("no card of dummy has just been named"),
    noted("only declarer can change what he named"),
    noted("declarer has played from a hand since"),
    noted("dummy has no such card to play: {card}"),
    noted("play has not ended"),
    noted("the auction has not ended"),
    noted("there is no ruling {number}"),
    noted("nothing happened at line {number}"),
    noted("line {number} is the Director's own word"),
    noted("nothing is being played"),
    noted("no trick is in progress"),
    noted("{hand} has to say which of his cards he plays"),
    noted("{call} is not admissible"),
    noted("{seat} must pass"),
    noted("{seat} must repeat {call}"),
    noted("{seat} may not call {call} at this turn"),
    noted("declarer has nothing to choose now"),
    noted("the choice is declarer's"),
    noted("a card once played stays played"),
    noted("declarer is not to lead"),
    noted("a defender has to say which hand leads"),
    noted("the choice is not {seat}'s"),
    noted("declarer has to accept or refuse first"),
    noted("declarer has to choose first"),
    noted("the lead is taken back, it cannot be accepted"),
    noted("nothing awaits acceptance"),
    noted("only presumed declarer may spread his hand"),
    noted("declarer could have seen a card of dummy"),
    noted("the lead of {card} awaits a decision"),
    noted("nothing waits for this"),
    noted("a card is missing from a trick"),
    noted("a card out of order waits for declarer's choice"),
    noted("no lead is due"),
    noted("only the opening lead is made face down"),
    noted("the lead is {seat}'s; it goes back"),
    # What cannot have happened.
    noted("{hand} does not hold {card}"),
    noted("{card} has been exposed before"),
    noted("expected a card of {hand}, but {card} has been seen in the hand of {seat}"),
    noted("expected a card that {hand} still holds, but {card} has been played"),
    noted("expected one of the 13 cards that {hand} has shown, got {card}"),
    # What is wrong with a line.
    noted("expected a line `edition 2007` or `edition 2017`"),
    noted("expected a line `board N` or `dealer N|E|S|W`"),
    noted("expected either board, or dealer and vul; got both"),
    noted("expected a board number from 1, got {got}"),
    noted("expected vul none, NS, EW or all, got {got}"),
    noted("expected a policy of {names}, got {got}"),
    noted("expected policy {name} to be one of {names}, got {got}"),
    noted("expected edition 2007 or 2017, got {got}"),
    noted("a second policy {name} line"),
    noted("a second {name} line"),
    noted("a header line after the first happening"),
    noted("expected at most {number} happenings"),
    noted("a deal begins with its first seat and a colon, as in N:…; got {got}"),
    noted("a deal has 4 hands, got {got}"),
    noted("hand of {seat}: expected 4 suits S.H.D.C between dots, got {got}"),
    noted("hand of {seat}: expected 13 cards, got {got}"),
    noted("hand of {seat}: {card} is already in the hand of {other}"),
    noted("hand of {seat}: {got} is no rank in {suit}"),
    noted("expected a seat (N E S W), got {got}"),
    noted("expected a happening, got an empty line"),
    noted("expected what {seat} did, got nothing"),
    noted("only a call or a card can be simultaneous (&)"),
    noted(
        "expected nothing after the call {call}, got {got} (an explanation follows an "
        "alerted call, as in 2D!)"
    ),
    noted(
        "expected a call (P X XX 1C … 7NT), a card (C2 … SA) or a happening after "
        "{seat}, got {got}"
    ),
    noted("expected a card, suit then rank (C2 … SA), got {got}"),
    noted("expected a call (P X XX 1C … 7NT), got {got}"),
    noted(
        "expected a card, a suit (C D H S), a rank (2 … 9 T J Q K A), or one of high, "
        "low, win, any; got {got}"
    ),
    noted("expected a suit (C D H S), got {got}"),
    noted("expected tricks from {low} to {high}, got {got}"),
    noted("expected a trick from {low} to {high}, got {got}"),
    noted("expected a ruling from {low} to {high}, got {got}"),
    noted("expected a line from {low} to {high}, got {got}"),
    noted("expected a number of tricks, got {got}"),
    noted("expected a ruling, got {got}"),
    noted("expected a call or a card, got {got}"),
    noted("expected a suit, highest or lowest, got {got}"),
    noted("expected a card, suit, rank, or one of high, low, win, any, got {got}"),
    noted("expected an answer to {word}, got {got}"),
    noted("expected yes or no to {word}, got {got}"),
    noted("expected a card, got {got}"),
    noted("expected nothing more, got {got}"),
    noted("expected the cards exposed, got nothing"),
    noted("expected the suits forbidden, got nothing"),
    noted("expected the revoker's seat and the trick, as in W 5"),
    noted("expected a seat and its call on the next board"),
    noted("expected `round ends`"),
    noted("expected `hands returned`"),
    noted("expected the line to correct"),
    noted("a correction puts a table happening in its place"),
    noted("expected a seat and its side's tricks, as in E 3"),
    noted("expected one of {names} after director"),
    noted("expected one of: {choices}"),
    noted("expected one of {choices}, got {got}"),
)
"""The engine's sentences, those with fixed words before those that could take them in.

The order is that of the search."""


SENTENCES = Sentences((*REFUSALS, *REASONS, *LAST), elsewhere=line_reason_in_words)
"""All that the referee tells by pattern, sentences with fixed words first."""

_CALLS = Sentences(CALLS)

_HAPPENINGS = Sentences((*HAPPENINGS, *LETTERS.values()))

ALERT = "!"
"""Stands in the line of an alerted call, before its explanation."""


def reason_in_words(reason: str, words: Catalogue) -> str:
    """What was said in English, in the reader's language; as it is when unknown."""
    return SENTENCES.in_words(reason, words)


def call_in_words(reason: str, words: Catalogue) -> str:
    """Why a player calls the Director; what he has typed is told as he typed it."""
    return _CALLS.in_words(reason, words)


def happening_in_words(happening: str, words: Catalogue) -> str:
    """What a key press says; a line of the script, with a player's words, as it is."""
    return happening if ALERT in happening else _HAPPENINGS.in_words(happening, words)


def in_other_languages(
    reason: str, in_words: Callable[[str, Catalogue], str] = reason_in_words
) -> dict[str, str]:
    """The same in the languages in which it differs, by their code."""
    told = {code: in_words(reason, catalogue(code)) for code in LANGUAGES}
    return {code: text for code, text in told.items() if text != reason}


def is_known(reason: str) -> bool:
    """Whether it is one of ``REASONS`` or ``REFUSALS``."""
    return SENTENCES.knows(reason)
