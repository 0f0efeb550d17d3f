"""What differs between the editions of the Laws: one table, looked up by the board.

    rules = rules_of(state.board.edition)

Every function that decides a paragraph reads its differences here; nothing else asks
which edition is played. Where an instance says the same in both editions the field
is a paragraph's number that moved.
"""

from dataclasses import dataclass

from laws.actions import Word
from laws.board import Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rule parameters of an edition.

    Attributes:
        withdrawn_information: what makes information from one's own side's withdrawn
            actions unauthorised.
        awareness: the offender could have known that his irregularity might damage
            the other side.
        replacement_word: the Director's word on a call that replaces an insufficient
            bid (27B1b).
    """

    withdrawn_information: str
    awareness: str
    replacement_word: Word


_RULES = {
    Edition.LAWS_2007: Rules(
        withdrawn_information="16D2",
        awareness="23",
        replacement_word=Word.SAME_MEANING,
    ),
    Edition.LAWS_2017: Rules(
        withdrawn_information="16C2",
        awareness="72C",
        replacement_word=Word.COMPARABLE,
    ),
}


def rules_of(edition: Edition) -> Rules:
    """The rule parameters of an edition."""
    return _RULES[edition]
