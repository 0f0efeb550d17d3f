"""Sentences on the paragraphs about the auction, attention, information (9-39)."""

from collections.abc import Mapping

from laws.board import Edition
from referee.catalogue import noted

_2007, _2017 = Edition.LAWS_2007, Edition.LAWS_2017

_COULD_HAVE_KNOWN = noted(
    "If the offender could have known that his irregularity might well damage the "
    "other side, and it gained by it, the Director adjusts the score when play is over."
)
_DUMMY_IS_SILENT = noted(
    "Dummy may not draw attention to an irregularity before play is over."
)
_NO_MORE_CHANGE_PARTNER = noted("Partner has called since: no call is changed.")
_NO_MORE_CHANGE_PERIOD = noted("The auction period is over: no call is changed.")
_LHO_MAY_WITHDRAW = noted(
    "LHO may withdraw the call that he made over the unintended one; the offending "
    "side may not use what it told."
)
_OWN_SIDE_WITHDRAWN = noted(
    "The offending side may not use what a withdrawn call or card told, its own or "
    "an opponent's."
)
_PASS_AT_RHO = noted(
    "A pass at RHO's turn: the offender must pass when it is next his turn."
)
_CHANGES_CALL = noted(
    "He who has called and calls again at his LHO's turn changes his call: Law 25 "
    "rules."
)
_SKIPPED = noted(
    "Three passes have followed a call, one of them out of rotation, and a player lost "
    "his turn: it comes back to him and the passes after it are cancelled."
)
_RHO_PASSES = noted(
    "RHO has passed: the offender must repeat his call, and if it is legal nothing "
    "else follows."
)
_RHO_DECIDES_BID = noted("A bid at RHO's turn: what follows depends on RHO's call.")
_RHO_DECIDES_DOUBLE = noted(
    "A double or redouble at RHO's turn: what follows depends on RHO's call."
)
_PARTNER_IS_FREE = noted(
    "It was not RHO's turn: partner may make any legal call, but not use what the "
    "cancelled call told him."
)
_OFFENDER_IS_FREE = noted(
    "The offender may make any legal call when his turn comes; what follows depends "
    "on whether it is comparable with the cancelled one."
)
_COMPARABLE = noted(
    "The new call is comparable: nothing else follows, and no lead is restricted."
)
_NOT_COMPARABLE = noted(
    "The new call is not comparable: partner must pass when it is next his turn, and "
    "his first lead may be restricted."
)

AUCTION: Mapping[str, str | Mapping[Edition, str]] = {
    "9A": noted(
        "Any player may draw attention to an irregularity in the auction, declarer or "
        "either defender to one in the play."
    ),
    "9A3": {_2007: _DUMMY_IS_SILENT},
    "9A4": {_2017: _DUMMY_IS_SILENT},
    "9B2": noted(
        "Nobody calls or plays until the matter that attention was drawn to is settled."
    ),
    "10C2": noted("Whoever has an option chooses alone, without asking his partner."),
    "11A": {
        _2007: noted(
            "A side that acts before the Director is called may lose the right to "
            "rectification: the Director says so, by overruling the ruling."
        ),
        _2017: noted(
            "A side that acts before the Director is called may lose the right to "
            "rectification; if it gained because an opponent acted in ignorance of the "
            "Laws, its score is adjusted, and only its."
        ),
    },
    "12B1": {
        _2007: noted(
            "The Director makes good what the innocent side lost through the "
            "irregularity."
        )
    },
    "15A1": {
        _2017: noted(
            "A call made on cards from a wrong board is cancelled, and so are the "
            "calls made after it."
        )
    },
    "15A2(a)": {
        _2017: noted(
            "Partner has called over the call made on cards from a wrong board: the "
            "Director adjusts the score."
        )
    },
    "15A2(b)": {
        _2017: noted(
            "Partner has not called over it: the offender calls again on the right "
            "cards, and the auction goes on normally."
        )
    },
    "16B": noted(
        "What a partner's remark or manner tells is unauthorised: it may not be used."
    ),
    "16C2": {_2017: _OWN_SIDE_WITHDRAWN},
    "16D2": {_2007: _OWN_SIDE_WITHDRAWN},
    "17C": noted("Calls are made in turn, clockwise, until the auction ends."),
    "17D1": {
        _2007: noted(
            "A call made on cards from a wrong board is cancelled: the offender calls "
            "again on the right cards."
        )
    },
    "17D2": {
        _2007: noted(
            "LHO had called over a call made on cards from a wrong board: he repeats "
            "his call over the same call. Over another one, and if partner had called, "
            "the Director adjusts the score."
        )
    },
    "17D3": {_2017: _SKIPPED},
    "17E2": {_2007: _SKIPPED},
    "18D": noted(
        "A bid has to be of more tricks than the last one, or of as many in a higher "
        "denomination."
    ),
    "19A1": noted(
        "A double is of the last bid, made by an opponent, with only passes since."
    ),
    "19B1": noted(
        "A redouble is of an opponent's double, the last call that was not a pass."
    ),
    "21B1": noted(
        "A call made on an opponent's misinformation may be changed until the auction "
        "period ends, unless partner has called since."
    ),
    "21B2": noted(
        "When a misinformed player changes his call, his LHO may change the call that "
        "he made after it."
    ),
    "21B3": noted(
        "It is too late to change the call: the Director may adjust the score for the "
        "misinformation."
    ),
    "22": noted(
        "The auction ends with four passes, or with three after the last call of "
        "another kind."
    ),
    "23": {_2007: _COULD_HAVE_KNOWN},
    "23A": {
        _2017: noted(
            "A call is comparable when it means the same as the withdrawn one or much "
            "the same, something within it, or serves the same purpose."
        )
    },
    "23C": {
        _2017: noted(
            "If the irregularity helped the offending side all the same and damaged "
            "the other, the Director adjusts the score when play is over."
        )
    },
    "24": noted(
        "A card seen or led during the auction lies faced until the auction is over; "
        "partner may not use what it tells."
    ),
    "24A": noted("One card below an honour, not led: no more during the auction."),
    "24B": noted("An honour, or a card that was led: partner must pass once."),
    "24C": noted("Two or more cards: partner must pass once."),
    "25A1": {
        _2007: noted(
            "A call that was never intended may be changed, without pause for thought, "
            "until partner calls; one that was intended stands."
        ),
        _2017: noted(
            "A call that was never intended may be changed until partner calls."
        ),
    },
    "25A2": {
        _2007: _NO_MORE_CHANGE_PARTNER,
        _2017: noted("A call that was intended stands; a change of mind is no slip."),
    },
    "25A3": {_2007: _NO_MORE_CHANGE_PERIOD},
    "25A4": {_2007: _LHO_MAY_WITHDRAW, _2017: _NO_MORE_CHANGE_PARTNER},
    "25A5": {_2017: _NO_MORE_CHANGE_PERIOD},
    "25A6": {_2017: _LHO_MAY_WITHDRAW},
    "25B": {
        _2007: noted(
            "A second call that was meant, in place of the first, is a change of call: "
            "LHO may accept it."
        )
    },
    "25B1": noted(
        "LHO accepts the second call: the first is withdrawn, the second stands."
    ),
    "25B2": noted(
        "LHO does not accept the second call: it is cancelled, the first stands."
    ),
    "25B3": noted(
        "What a call withdrawn or cancelled in this way told may not be used by the "
        "offending side."
    ),
    "26": {
        _2007: noted(
            "When a call was withdrawn and the offender's final call at that turn "
            "differs, his partner's first lead as a defender may be restricted."
        ),
        _2017: noted(
            "When a withdrawn call is not replaced by a comparable one, the first lead "
            "of the offender's partner as a defender may be restricted."
        ),
    },
    "26A": {
        _2017: noted("Replaced by a comparable call: no lead is restricted."),
    },
    "26A1": {
        _2007: noted(
            "The offender has specified every suit that the withdrawn call showed: no "
            "lead is restricted."
        )
    },
    "26A2": {
        _2007: noted(
            "The withdrawn call showed a suit that the offender has not specified "
            "since: declarer may require or forbid it when partner first leads."
        )
    },
    "26B": {
        _2007: noted(
            "The withdrawn call did not show suits alone: declarer may forbid any one "
            "suit when partner first leads."
        ),
        _2017: noted(
            "Declarer may forbid one suit that the offender has not specified, when "
            "partner first leads."
        ),
    },
    "27A1": noted(
        "LHO may accept an insufficient bid, and accepts it when he calls; then it "
        "counts as legal."
    ),
    "27A2": noted("An insufficient bid out of rotation is for Law 31 first."),
    "27B": noted("An insufficient bid not accepted is replaced by a legal call."),
    "27B1(a)": {
        _2007: noted(
            "The lowest sufficient bid in the same denomination, neither of them "
            "artificial, takes its place: nothing else follows."
        ),
        _2017: noted(
            "The lowest sufficient bid that specifies the same denominations takes its "
            "place: nothing else follows."
        ),
    },
    "27B1(b)": {
        _2007: noted(
            "A call of the same or of a more precise meaning takes its place: partner "
            "is not barred, but may not use what the first one told."
        ),
        _2017: noted("A comparable call takes its place: nothing else follows."),
    },
    "27B2": noted(
        "Another bid, or a pass, takes its place: partner must pass for the rest of "
        "the auction, and his first lead may be restricted."
    ),
    "27B3": noted(
        "A double or redouble cannot take its place: it is cancelled, and partner must "
        "pass for the rest of the auction."
    ),
    "27B4": noted(
        "A second insufficient bid, not accepted either: partner must pass for the "
        "rest of the auction."
    ),
    "27C": noted(
        "The bid was replaced before a ruling: the new call stands if it is legal, "
        "unless LHO accepts the insufficient bid."
    ),
    "27D": noted(
        "If the insufficient bid helped the offending side to a contract that it would "
        "hardly have reached, the Director adjusts the score when play is over."
    ),
    "28A": noted("A call at RHO's turn is in rotation when RHO was bound to pass."),
    "28B": noted(
        "The opponent whose turn it was has called before a ruling: his call is in "
        "rotation, the other is cancelled and nothing else follows."
    ),
    "29A": noted("LHO may accept a call out of rotation, and accepts it by calling."),
    "29B": noted(
        "The call is cancelled, and the auction goes back to the player whose turn it "
        "was."
    ),
    "29C": noted(
        "An artificial call counts for the denominations that it specified, not for "
        "the one that it named."
    ),
    "30A": {
        _2007: noted(
            "A pass out of rotation before anybody had bid: the offender must pass "
            "when it is next his turn."
        ),
        _2017: _PASS_AT_RHO,
    },
    "30B1": {_2007: _PASS_AT_RHO},
    "30B1(a)": {_2017: _PARTNER_IS_FREE},
    "30B1(b)": {_2017: _OFFENDER_IS_FREE},
    "30B1(b)(i)": {_2017: _COMPARABLE},
    "30B1(b)(ii)": {_2017: _NOT_COMPARABLE},
    "30B2": {_2017: _CHANGES_CALL},
    "30B2(a)": {
        _2007: noted(
            "After a bid, a pass at partner's turn: the offender must pass for the "
            "rest of the auction."
        )
    },
    "30B2(b)": {
        _2007: noted("Partner may bid or pass at this turn, not double or redouble.")
    },
    "30B3": {_2007: _CHANGES_CALL},
    "30C": noted(
        "An artificial pass, or a pass of partner's artificial call, is ruled on like "
        "a bid out of rotation."
    ),
    "31": {_2007: _CHANGES_CALL},
    "31A": _RHO_DECIDES_BID,
    "31A1": _RHO_PASSES,
    "31A2(a)": {
        _2007: noted(
            "RHO has acted, and the new call repeats the denomination: partner must "
            "pass when it is next his turn."
        ),
        _2017: _COMPARABLE,
    },
    "31A2(b)": {
        _2007: noted(
            "RHO has acted, and the new call does not repeat the denomination: partner "
            "must pass for the rest of the auction, and his first lead may be "
            "restricted."
        ),
        _2017: _NOT_COMPARABLE,
    },
    "31B": {
        _2007: noted(
            "A bid at partner's or LHO's turn: partner must pass for the rest of the "
            "auction, and his first lead may be restricted."
        )
    },
    "31B1": {_2017: _PARTNER_IS_FREE},
    "31B2": {_2017: _OFFENDER_IS_FREE},
    "31C": {_2017: _CHANGES_CALL},
    "32A": {
        _2007: noted(
            "A double or redouble at partner's or LHO's turn: partner must pass for "
            "the rest of the auction, and his first lead may be restricted."
        ),
        _2017: _RHO_DECIDES_DOUBLE,
    },
    "32A1": {_2017: _RHO_PASSES},
    "32A2(a)": {_2017: _COMPARABLE},
    "32A2(b)": {_2017: _NOT_COMPARABLE},
    "32B": {_2007: _RHO_DECIDES_DOUBLE},
    "32B1": {_2007: _RHO_PASSES, _2017: _PARTNER_IS_FREE},
    "32B2": {
        _2007: noted(
            "RHO has acted: the offender may make any legal call, partner must pass "
            "for the rest of the auction, and his first lead may be restricted."
        ),
        _2017: _OFFENDER_IS_FREE,
    },
    "32C": {_2017: _CHANGES_CALL},
    "33": noted(
        "Of calls made at the same moment, that of the player whose turn it was comes "
        "first."
    ),
    "34": _SKIPPED,
    "35A": noted("A double or redouble that Law 19 does not allow is inadmissible."),
    "35B": noted(
        "A bid, double or redouble by a player who must pass is inadmissible."
    ),
    "35D": noted("A call after the final pass is inadmissible."),
    "36A": noted(
        "LHO has called before a ruling: the double or redouble and all calls after it "
        "are cancelled, and nothing else follows."
    ),
    "36B1": noted("LHO has not called: the double or redouble is cancelled."),
    "36B2": noted(
        "It was in turn: the offender makes a legal call, and partner must pass for "
        "the rest of the auction."
    ),
    "36B3": noted(
        "The score may be adjusted, and partner's first lead may be restricted."
    ),
    "36B4": noted(
        "It was out of turn: the auction goes back, the offender may make any legal "
        "call at his turn, and partner must pass for the rest of the auction."
    ),
    "37A": noted("LHO has called before a ruling: the call stands, as do later ones."),
    "37B": noted(
        "LHO has not called: a pass takes the place of the call, and both members of "
        "the side must pass for the rest of the auction."
    ),
    "39A": noted("A call after the final pass is cancelled."),
    "39B": noted("A defender's pass, or any call of declarer's side: no more follows."),
    "39C": noted(
        "A defender's bid, double or redouble: his partner's first lead may be "
        "restricted."
    ),
    "72C": {_2017: _COULD_HAVE_KNOWN},
    "81C": noted("The Director applies the Laws and settles what is in doubt."),
}
