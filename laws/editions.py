"""What differs between the editions of the Laws: one table, looked up by the board.

    rules = rules_of(state.board.edition)

Every function that decides a paragraph reads its differences here; nothing else asks
which edition is played. Where an instance says the same in both editions the field
is a paragraph's number that moved.
"""

from dataclasses import dataclass

from laws.actions import Word
from laws.board import Edition
from laws.rectifications import (
    RECTIFICATIONS_2007,
    RECTIFICATIONS_2017,
    Rectifications,
)


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
        out_of_rotation: what follows a cancelled call out of rotation (30-32).
        comparable_calls: a comparable call in place of a withdrawn one (23A) spares
            what a repeated denomination only eases, and lifts Law 26 (2017).
        restriction_requires: declarer may require a suit that the withdrawn call
            showed (26A2), not only forbid one.
        changed_call_restricts: Law 26 may apply to a call withdrawn or cancelled
            under 25B.
        pass_before_bid_is_out_of_rotation: a second call at LHO's turn that is a pass
            before anybody has bid is no change of call (25) but 30A.
        change_of_call: what makes it one, by the Law of the call (pass, bid, double).
        unintended: not the call he meant to make, so that it may be changed (25A).
        intended: the call was meant, and stands.
        change_too_late: his partner has called since.
        change_after_auction: the auction period is over.
        change_offered: LHO may withdraw the call he made over it.
        skipped: a player lost his turn through a pass out of rotation (34 too).
        ignorance_adjusts: a side that gained by an opponent's action in ignorance has
            its score adjusted (11A); else it may only lose its rectification.
        wrong_board: a call on cards from a wrong board is made again; it is too late
            for that; what it is.
        wrong_board_lho_repeats: LHO who called over it has to repeat his call.
        last_trick_information: what a revoke on trick 12 shows a partner who has yet to
            play to it (62D2).
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
        named_until_dummy_plays: a card of dummy named by mistake may be changed until
            dummy plays again (45C4b); else until declarer plays from either hand.
        dummy_pointed: what makes good the damage of a defender's irregularity that
            dummy, having looked, was first to point at (43B3).
        uncalled_stands: a card of dummy that was not called for, and each side has
            played on.
        penalty_card_information: the paragraph on what the sight of a penalty card
            tells its owner's partner.
        penalty_card_authorised: that is authorised while it lies there, and the score
            adjusted if it helped (50E3); else he may not use it (50E2).
        penalty_card_picked_up: what it told is unauthorised from when it is picked up
            (50E2, 2017); None where it was before.
        claim_suspends: play is suspended by a claim and may go on by common consent
            (68D2b); else it ceases, and later play is evidence only (70D3).
        high_of_suit_led: "high" and "low" mean of the suit led (46B1).
        premature: the choices after a defender's play before his partner: highest,
            lowest, forbid a suit, require a suit (None: not offered) (57A).
        premature_by_dummy: a defender's premature play is not rectified since dummy
            had picked or suggested a card (57C).
        premature_by_declarer: declarer's premature play stands.
        premature_at_rho: a defender's play at his right-hand opponent's turn.
        rightful_lead: the side whose lead it was leads after an opponent's lead out
            of turn.
        right_defender: the defender at the right of declarer's lead out of turn plays.
        must_accept_and_play: who must accept an opening lead (54C) may not spread his
            hand instead.
        last_lead_acceptable: a lead out of turn to the last trick can be accepted.
    """

    withdrawn_information: str
    awareness: str
    replacement_word: Word
    out_of_rotation: Rectifications
    comparable_calls: bool
    restriction_requires: bool
    changed_call_restricts: bool
    pass_before_bid_is_out_of_rotation: bool
    change_of_call: tuple[str, str, str]
    unintended: str
    intended: str
    change_too_late: str
    change_after_auction: str
    change_offered: str
    skipped: str
    ignorance_adjusts: bool
    wrong_board: tuple[str, str, str]
    wrong_board_lho_repeats: bool
    last_trick_information: str
    dummy_silent: str
    both_corrected: bool
    agreement: str
    agreement_at_once: bool
    misled_establishes: bool
    repeat_spared: bool
    both_spared: bool
    redress: tuple[str, str, str]
    named_until_dummy_plays: bool
    dummy_pointed: str
    uncalled_stands: str
    penalty_card_information: str
    penalty_card_authorised: bool
    penalty_card_picked_up: str | None
    claim_suspends: bool
    high_of_suit_led: bool
    premature: tuple[str, str, str, str | None]
    premature_by_dummy: str
    premature_by_declarer: str
    premature_at_rho: str
    rightful_lead: str
    right_defender: str
    last_lead_acceptable: bool
    must_accept_and_play: bool


_RULES = {
    Edition.LAWS_2007: Rules(
        withdrawn_information="16D2",
        awareness="23",
        replacement_word=Word.SAME_MEANING,
        out_of_rotation=RECTIFICATIONS_2007,
        comparable_calls=False,
        restriction_requires=True,
        changed_call_restricts=False,
        pass_before_bid_is_out_of_rotation=True,
        change_of_call=("30B3", "31", "25B"),
        unintended="25A1",
        intended="25A1",
        change_too_late="25A2",
        change_after_auction="25A3",
        change_offered="25A4",
        skipped="17E2",
        ignorance_adjusts=False,
        wrong_board=("17D1", "17D2", "17D1"),
        wrong_board_lho_repeats=True,
        last_trick_information="62D2",
        dummy_silent="9A3",
        both_corrected=False,
        agreement="63A3",
        agreement_at_once=True,
        misled_establishes=True,
        repeat_spared=True,
        both_spared=True,
        redress=("64C", "64C", "64C"),
        named_until_dummy_plays=True,
        dummy_pointed="12B1",
        uncalled_stands="45D",
        penalty_card_information="50E2",
        penalty_card_authorised=False,
        penalty_card_picked_up=None,
        claim_suspends=False,
        high_of_suit_led=False,
        premature=("57A1", "57A2", "57A3", None),
        premature_by_dummy="57C1",
        premature_by_declarer="57C2",
        premature_at_rho="49",
        rightful_lead="53C",
        right_defender="53B",
        last_lead_acceptable=True,
        must_accept_and_play=False,
    ),
    Edition.LAWS_2017: Rules(
        withdrawn_information="16C2",
        awareness="72C",
        replacement_word=Word.COMPARABLE,
        out_of_rotation=RECTIFICATIONS_2017,
        comparable_calls=True,
        restriction_requires=False,
        changed_call_restricts=True,
        pass_before_bid_is_out_of_rotation=False,
        change_of_call=("30B2", "31C", "32C"),
        unintended="25A1",
        intended="25A2",
        change_too_late="25A4",
        change_after_auction="25A5",
        change_offered="25A6",
        skipped="17D3",
        ignorance_adjusts=True,
        wrong_board=("15A2(b)", "15A2(a)", "15A1"),
        wrong_board_lho_repeats=False,
        last_trick_information="16C2",
        dummy_silent="9A4",
        both_corrected=True,
        agreement="63A4",
        agreement_at_once=False,
        misled_establishes=False,
        repeat_spared=False,
        both_spared=False,
        redress=("64C1", "64C2(a)", "64C2(b)"),
        named_until_dummy_plays=False,
        dummy_pointed="43B3",
        uncalled_stands="45D2",
        penalty_card_information="50E3",
        penalty_card_authorised=True,
        penalty_card_picked_up="50E2",
        claim_suspends=True,
        high_of_suit_led=True,
        premature=("57A1", "57A2", "57A4", "57A3"),
        premature_by_dummy="57C2",
        premature_by_declarer="57C3",
        premature_at_rho="57D",
        rightful_lead="53B",
        right_defender="53C",
        last_lead_acceptable=False,
        must_accept_and_play=True,
    ),
}


def rules_of(edition: Edition) -> Rules:
    """The rule parameters of an edition."""
    return _RULES[edition]
