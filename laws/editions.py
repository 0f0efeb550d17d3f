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
        dummy_silent: bars dummy from drawing attention while play goes on.
        both_corrected: both sides having revoked on a trick and one of them having
            played on, both correct (62C3, 64B8).
        agreement: what establishes a revoke when its side agrees to a claim.
        agreement_at_once: it does so with the word of agreement (2007), not only
            when the agreement is established under 69A.
        misled_establishes: a card retracted under 47E1 establishes a revoke (63A1).
        repeat_spared: a repeated revoke is spared after an earlier one in any state,
            not only after an established one (64B2).
        both_spared: two sides' revokes are spared in whatever state the other side's
            is, not only when both were established (64B7).
        redress: insufficient compensation in general, of a repeated revoke, and where
            both sides revoked (64C).
        claim_suspends: play is suspended by a claim and may go on by common consent
            (68D2b); else it ceases, and later play is evidence only (70D3).
        high_of_suit_led: "high" and "low" mean of the suit led (46B1).
        premature: the choices after a defender's play before his partner: highest,
            lowest, forbid a suit, require a suit (None: not offered) (57A).
        premature_at_rho: a defender's play at his right-hand opponent's turn.
        rightful_lead: the side whose lead it was leads after an opponent's lead out
            of turn.
        right_defender: the defender at the right of declarer's lead out of turn plays.
        last_lead_acceptable: a lead out of turn to the last trick can be accepted.
    """

    withdrawn_information: str
    awareness: str
    replacement_word: Word
    dummy_silent: str
    both_corrected: bool
    agreement: str
    agreement_at_once: bool
    misled_establishes: bool
    repeat_spared: bool
    both_spared: bool
    redress: tuple[str, str, str]
    claim_suspends: bool
    high_of_suit_led: bool
    premature: tuple[str, str, str, str | None]
    premature_at_rho: str
    rightful_lead: str
    right_defender: str
    last_lead_acceptable: bool


_RULES = {
    Edition.LAWS_2007: Rules(
        withdrawn_information="16D2",
        awareness="23",
        replacement_word=Word.SAME_MEANING,
        dummy_silent="9A3",
        both_corrected=False,
        agreement="63A3",
        agreement_at_once=True,
        misled_establishes=True,
        repeat_spared=True,
        both_spared=True,
        redress=("64C", "64C", "64C"),
        claim_suspends=False,
        high_of_suit_led=False,
        premature=("57A1", "57A2", "57A3", None),
        premature_at_rho="49",
        rightful_lead="53C",
        right_defender="53B",
        last_lead_acceptable=True,
    ),
    Edition.LAWS_2017: Rules(
        withdrawn_information="16C2",
        awareness="72C",
        replacement_word=Word.COMPARABLE,
        dummy_silent="9A4",
        both_corrected=True,
        agreement="63A4",
        agreement_at_once=False,
        misled_establishes=False,
        repeat_spared=False,
        both_spared=False,
        redress=("64C1", "64C2(a)", "64C2(b)"),
        claim_suspends=True,
        high_of_suit_led=True,
        premature=("57A1", "57A2", "57A4", "57A3"),
        premature_at_rho="57D",
        rightful_lead="53B",
        right_defender="53C",
        last_lead_acceptable=False,
    ),
}


def rules_of(edition: Edition) -> Rules:
    """The rule parameters of an edition."""
    return _RULES[edition]
