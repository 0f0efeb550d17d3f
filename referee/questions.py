"""What a seat is told of a question that is put to it, or to another seat."""

from laws.auction_state import OptionKind
from laws.incidents import WrongKind
from laws.play import Play
from laws.rulings import Question
from laws.seats import Seat
from referee.catalogue import Catalogue, noted
from referee.names import claim_name, seat_name, thing_name
from referee.playing import Playing
from referee.wording import cited

ACCEPT_CALL = noted(
    "{seat} called {what} out of turn. Accept it or not; your call accepts it"
)
ACCEPT_BID = noted(
    "{seat} bid {what}, which is insufficient. Accept it or not; your call accepts it"
)
ACCEPT_CHANGE = noted(
    "{seat} wants {what} instead. Accept it or not; your call accepts it"
)
ACCEPT_LEAD = noted(
    "{seat} led {what} out of turn. Accept it or not; playing to it accepts it"
)
ACCEPT_OPENING = noted(
    "{seat} led {what} out of turn. Spread your hand, accept it and see dummy, or "
    "refuse it"
)
ACCEPT_OPENING_OF_PARTNER = noted(
    "{seat} led {what} out of turn. Spread your hand, accept it and see dummy, or "
    "refuse it: then also require or forbid the suit"
)
ACCEPT_WRONG_HAND = noted("Declarer led {what} from the wrong hand. Accept it or not")
ACCEPT_HAND = noted(
    "Dummy warned declarer: accept the lead from {seat}'s hand, or decline and have it "
    "from the other"
)
ACCEPT_CARD = noted("{seat} played {what} instead of a penalty card. Accept it or not")
LEAD = noted("{seat} is to lead: require or forbid a suit, or leave it free")
PREMATURE = noted(
    "{seat} is to play after his partner's early card: require, forbid, or leave it "
    "free"
)
CHANGE_CALL = noted("You may change your {what} by another call, or keep it")
CHANGE_CARD = noted("You may put another card in place of {what}, or keep it")
REPLACE = noted("Put a legal card in place of {what}")
SUPPLY = noted("No card of yours is in trick {what}: face one of the suit, else any")
DESIGNATE_DUMMY = noted("Which card of dummy: say which you called")
DESIGNATE = noted("Say which card you play: {what}")
CLAIM = noted("{seat} claims {what}: agree or object")


HAPPENED = {
    ACCEPT_CALL: noted("{seat} called {what} out of turn"),
    ACCEPT_BID: noted("{seat} bid {what}, which is insufficient"),
    ACCEPT_CHANGE: noted("{seat} wants {what} instead"),
    ACCEPT_LEAD: noted("{seat} led {what} out of turn"),
    ACCEPT_OPENING: noted("{seat} led {what} out of turn"),
    ACCEPT_OPENING_OF_PARTNER: noted("{seat} led {what} out of turn"),
    ACCEPT_WRONG_HAND: noted("Declarer led {what} from the wrong hand"),
    ACCEPT_CARD: noted("{seat} played {what} instead of a penalty card"),
}
"""What all at the table have seen, whoever is asked about it."""


def question_in_words(playing: Playing, question: Question, words: Catalogue) -> str:
    """The question to the seat that it is put to, with its citation."""
    source = _source(playing, question)
    told = words.text(
        source,
        seat=seat_name(question.seat, words) if question.seat is not None else "",
        what=_what(question, words),
    )
    return f"{told} ({cited(question.law, playing, words)})"


def option_told(playing: Playing, question: Question, words: Catalogue) -> str:
    """An option of a seat, with its citation."""
    if question.to is None:
        raise AssertionError(question)
    told = question_in_words(playing, question, words)
    return f"{seat_name(question.to, words)}: {told}"


def _source(playing: Playing, question: Question) -> str:
    play = playing.state.play
    if question.question == "accept":
        if play is None:
            return _accept_in_auction(playing, question)
        return _accept_in_play(play, question)
    if question.question == "change" and play is None:
        return CHANGE_CALL
    if question.question == "designate" and play is not None:
        return DESIGNATE_DUMMY if question.seat is play.dummy else DESIGNATE
    return _SOURCES.get(question.question, noted("{seat}: {what}?"))


_SOURCES = {
    "change": CHANGE_CARD,
    "claim": CLAIM,
    "lead": LEAD,
    "premature": PREMATURE,
    "replace": REPLACE,
    "supply": SUPPLY,
}


def _accept_in_auction(playing: Playing, question: Question) -> str:
    for option in playing.state.auction.options:
        if option.made.line == question.line:
            match option.kind:
                case OptionKind.OUT_OF_ROTATION:
                    return ACCEPT_CALL
                case OptionKind.INSUFFICIENT:
                    return ACCEPT_BID
                case OptionKind.CHANGE:
                    return ACCEPT_CHANGE
    return ACCEPT_CALL


def _accept_in_play(play: Play, question: Question) -> str:
    wrong = play.incidents.wrong
    if wrong is None:
        return ACCEPT_HAND if question.seat is play.current.leader else ACCEPT_LEAD
    if wrong.kind is WrongKind.NOT_THE_PENALTY_CARD:
        return ACCEPT_CARD
    if not play.is_defender(wrong.hand):
        return ACCEPT_WRONG_HAND
    if wrong.kind is WrongKind.OPENING_LEAD:
        requires = any(choice.startswith("require") for choice in question.choices)
        return ACCEPT_OPENING_OF_PARTNER if requires else ACCEPT_OPENING
    return ACCEPT_LEAD


def _what(question: Question, words: Catalogue) -> str:
    if question.question != "claim":
        return thing_name(question.about, words)
    return claim_name(question.about, words)


def is_choosing(playing: Playing, seat: Seat, words: Catalogue) -> str:
    """What the other seats are told while one has an option."""
    questions = playing.asked(seat)
    name = seat_name(seat, words)
    if all(question.question in {"replace", "supply"} for question in questions):
        return words.text("{seat} corrects a card: wait", seat=name)
    if any(question.question == "claim" for question in questions):
        return words.text("A claim: {seat} is to answer", seat=name)
    told = words.text("{seat} is choosing: wait", seat=name)
    happened = HAPPENED.get(_source(playing, questions[0]))
    if happened is None or questions[0].seat is None:
        return told
    offender = seat_name(questions[0].seat, words)
    seen = words.text(happened, seat=offender, what=_what(questions[0], words))
    return f"{seen}. {told}"
