"""Paragraphs that Bidwire answers for without citing them.

What the engine cites has its sentence in ``referee.paragraphs``. A regular auction and
a regular play cite nothing, although the Laws decide every turn and trick of them.
Those paragraphs stand here, each with the event that shows it at work.
"""

from dataclasses import dataclass

from laws.actions import Designation
from laws.board import Edition
from laws.cards import Card, Suit
from tests import silent_signs as signs
from tests.silent_signs import Seen

_2007, _2017 = (Edition.LAWS_2007,), (Edition.LAWS_2017,)


@dataclass(frozen=True, slots=True)
class Silent:
    """A paragraph that decides without being cited.

    Attributes:
        law: the paragraph.
        says: what it says, in one sentence of our own.
        seen: the event that shows it at work.
        editions: those that have it.
    """

    law: str
    says: str
    seen: Seen
    editions: tuple[Edition, ...] = tuple(Edition)


_LOW_HIGH = (Designation.HIGH, Designation.LOW)
_RECTIFYING = ("52B2", "54D", "56")
"""Rulings by which a defender's card goes back and another is played or led."""

_UNTIL_RETURNED = "After four passes a call may be changed until the hands are back."

SILENT = (
    Silent(
        "15A2(c)",
        "What the call made on cards from a wrong board told, its side may not use.",
        signs.told_of_wrong_board,
        _2017,
    ),
    Silent(
        "16C1",
        "The innocent side may use what any withdrawn call or card tells it.",
        signs.told_to_offenders,
        _2017,
    ),
    Silent(
        "16D1",
        "The innocent side may use what any withdrawn call or card tells it.",
        signs.told_to_offenders,
        _2007,
    ),
    Silent(
        "17D1",
        "The auction period ends when the lead is faced.",
        signs.opening_lead,
        _2017,
    ),
    Silent("17D2", _UNTIL_RETURNED, signs.changed_after_four_passes, _2017),
    Silent(
        "18B",
        "A bid supersedes the last one by more tricks, or as many in a higher "
        "denomination.",
        signs.higher_bid,
    ),
    Silent("19C", "A later bid lets a double or redouble lapse.", signs.double_lapses),
    Silent(
        "19D",
        "If it does not lapse the contract is doubled or redoubled.",
        signs.doubled,
    ),
    Silent(
        "22A",
        "Three passes after the last bid leave it the contract.",
        signs.contract,
        _2017,
    ),
    Silent("22A1", "Four passes end the board unplayed.", signs.passed_out, _2007),
    Silent(
        "22A2",
        "Three passes after the last bid leave it the contract.",
        signs.contract,
        _2007,
    ),
    Silent("22B", "Four passes end the board unplayed.", signs.passed_out, _2017),
    Silent(
        "22B1",
        "The auction period ends when the lead is faced.",
        signs.opening_lead,
        _2007,
    ),
    Silent("22B2", _UNTIL_RETURNED, signs.changed_after_four_passes, _2007),
    Silent(
        "23B",
        "After a comparable call auction and play go on without rectification.",
        signs.comparable,
        _2017,
    ),
    Silent(
        "24D",
        "After the auction declarer's side picks its exposed cards up.",
        signs.picked_up_by_declarers_side,
        _2017,
    ),
    Silent(
        "24E",
        "After the auction a defender's exposed card is a penalty card.",
        signs.penalty_card_of_the_auction,
        _2017,
    ),
    Silent("41C", "When the opening lead is faced play has begun.", signs.opening_lead),
    Silent(
        "42A",
        "Dummy plays the card that declarer has called for, as his agent.",
        signs.dummy_moves_it,
    ),
    Silent(
        "42B1",
        "Dummy may ask declarer, who did not follow suit, whether he can.",
        signs.asks("dummy"),
    ),
    Silent(
        "42B3",
        "When play is over dummy may draw attention to what went wrong in it.",
        signs.dummy_after_play,
    ),
    Silent("44B", "After the lead each hand in turn plays a card.", signs.plays),
    Silent("44D", "Who cannot follow suit may play any card.", signs.discards),
    Silent("44E", "The highest trump wins a trick that has one.", signs.with_trump),
    Silent(
        "44F",
        "Otherwise the highest card of the suit led wins it.",
        signs.without_trump,
    ),
    Silent("44G", "The hand that won the trick leads to the next.", signs.lead),
    Silent("45C4(a)", "A card is played when its player names it.", signs.names(Card)),
    Silent(
        "46B1", "High or low is the highest or lowest card.", signs.names(_LOW_HIGH)
    ),
    Silent(
        "46B1(b)",
        "Win it is the lowest card known to win.",
        signs.names((Designation.WIN,)),
    ),
    Silent("46B2", "A suit alone is its lowest card.", signs.names(Suit)),
    Silent(
        "46B3(a)",
        "A rank alone, dummy leading, is of the suit that dummy has just won with.",
        signs.resolved_rank(leads=True),
    ),
    Silent(
        "47A",
        "A card goes back as a rectification demands.",
        signs.ruled_by(*_RECTIFYING),
    ),
    Silent("47B", "A card goes back to correct an illegal play.", signs.rectified),
    Silent(
        "47C",
        "A card goes back when its designation is changed.",
        signs.designation_changed,
    ),
    Silent(
        "47F1",
        "A card out of turn goes back when an opponent whose lead it was has led.",
        signs.ruled_by("53C"),
        _2007,
    ),
    Silent(
        "47F1",
        "A card out of turn goes back when an opponent whose lead it was has led.",
        signs.ruled_by("53B"),
        _2017,
    ),
    Silent(
        "48A",
        "A card that declarer or dummy exposes is no penalty card.",
        signs.exposed_by_declarers_side,
    ),
    Silent("48B2", "Who faces his hand claims.", signs.faced_to_claim),
    Silent(
        "50A",
        "A penalty card stays faced until it is played.",
        signs.penalty_card_played,
    ),
    Silent(
        "50C",
        "Beside a minor penalty card its owner plays an honour of the suit, or another "
        "suit.",
        signs.beside_a_minor,
    ),
    Silent(
        "50D1(b)",
        "Who has a major penalty card follows suit first, with another card.",
        signs.not_yet_legal,
    ),
    Silent(
        "50D2(b)",
        "Declarer leaves the lead free, and the penalty card stays.",
        signs.waives_with_penalty_card,
    ),
    Silent(
        "50E1",
        "That a penalty card has to be played everybody may know.",
        signs.penalty_card,
        _2007,
    ),
    Silent(
        "50E1",
        "What a penalty card tells everybody may use while it lies there.",
        signs.penalty_card,
        _2017,
    ),
    Silent(
        "51B1",
        "Penalty cards of one suit are picked up together when declarer requires or "
        "forbids it.",
        signs.several_of_a_suit,
    ),
    Silent(
        "51B2(c)",
        "Declarer leaves the lead free, and the penalty cards stay.",
        signs.waives_several,
        _2017,
    ),
    Silent(
        "52B1(c)",
        "The penalty card stays one when declarer accepts another.",
        signs.stays_though_accepted,
    ),
    Silent("57B", "A partner who cannot obey plays any card.", signs.unable_to_play),
    Silent("59", "Who cannot lead as required leads any card.", signs.unable_to_lead),
    Silent(
        "60A1",
        "Who plays to a lead out of turn has let it stand.",
        signs.accepted_by_play,
    ),
    Silent(
        "61B1",
        "Declarer may ask a defender who did not follow suit whether he can.",
        signs.asks("declarer"),
    ),
    Silent(
        "61B2",
        "Dummy may ask declarer who did not follow suit, and no defender.",
        signs.asks("dummy"),
    ),
    Silent(
        "61B3",
        "A defender may ask declarer or his partner who did not follow suit, his "
        "partner only if the regulations let him.",
        signs.asks("defender"),
        _2007,
    ),
    Silent(
        "61B3",
        "A defender may ask declarer or his partner who did not follow suit.",
        signs.asks("defender"),
        _2017,
    ),
    Silent(
        "68D2(a)",
        "A claim that is doubted is the Director's at once.",
        signs.doubted,
        _2017,
    ),
    Silent("77", "The contract and the tricks give the score.", signs.ended),
    Silent(
        "79A",
        "The tricks won are agreed on before the hands go back to the board.",
        signs.hands_back,
    ),
)
