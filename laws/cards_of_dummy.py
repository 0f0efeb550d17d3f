"""Cards of dummy that move, or are changed, after declarer's word (Laws 45C4b, D).

Decides 45C4(b) (a card named by mistake), 45D1 (a card that dummy moves uncalled) and
what dummy's own line does after a designation.
"""

from dataclasses import replace

from laws.actions import MoveCard, Word
from laws.card_play import play_card, waits
from laws.cards import Card
from laws.changes import offer_changes
from laws.designations import close_designation
from laws.effects import adjustable, rules
from laws.incident_events import DesignationSet, UncalledSet
from laws.incidents import ChangeOption, Designated, Uncalled
from laws.judgement import Judgement
from laws.play import Play, PlayedCard
from laws.play_events import CardsWithdrawn
from laws.possession import check_held
from laws.rulings import Effect, EffectKind, Question, Ruling
from laws.seats import Seat
from laws.taking_back import forget, put_instead


def dummy_moves(judge: Judgement, line: int, card: Card) -> bool:
    """A card line of dummy: whether it only moves what declarer has called for.

    Deal unknown: it tells which card a suit or a rank meant. Another card than the one
    called for is 45D.
    """
    play = judge.state.play
    designated = play.incidents.designated if play is not None else None
    if play is None or designated is None or designated.moved:
        return False
    moved = replace(designated, moved=True)
    if designated.card is None:
        judge.emit(DesignationSet(replace(moved, card=card)))
        close_designation(judge)
        return False
    trick = play.trick_at(designated.trick)
    lies = trick is not None and trick.card_from(play.dummy) is designated.card
    if card is designated.card and lies:
        judge.emit(DesignationSet(moved))
        return True
    if not lies or play.current.next_hand() is play.dummy:
        judge.emit(DesignationSet(moved))
        return False
    move_card(judge, line, MoveCard(play.dummy, card))
    return True


def move_card(judge: Judgement, line: int, action: MoveCard) -> None:
    """45D: dummy puts a card in the played position that declarer did not name."""
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "45D", "no play is in progress")
        return
    if action.hand is not play.dummy:
        judge.refuse(line, "45D", f"{action.hand} is not dummy")
        return
    if waits(judge, line):
        return
    called = _called_and_lying(play)
    if called is not None and called.card is not None:
        judge.emit(DesignationSet(replace(called, moved=True)))
        if called.card is not action.card:
            check_held(judge.state, play.dummy, action.card)
            by = PlayedCard(line, play.dummy, action.card)
            put_instead(judge, called.trick, by, "45D")
            uncalled = Uncalled(line, called.trick, action.card, called.card)
            judge.emit(UncalledSet(uncalled))
        return
    check_held(judge.state, play.dummy, action.card)
    if play.number == 1 and not play.current.cards:
        judge.refuse(line, "45F", "dummy may not touch a card before it is called for")
        return
    if play.current.next_hand() is not play.dummy or play.incidents.wrong is not None:
        _suggests(judge, line, play)
        return
    number = play.number
    play_card(judge, line, play.dummy, action.card, called=False)
    judge.emit(UncalledSet(Uncalled(line, number, action.card, None)))


def _suggests(judge: Judgement, line: int, play: Play) -> None:
    """45F: dummy touches a card at another hand's turn; play goes on.

    If it suggested a play and the defenders are damaged the Director adjusts the score.
    """
    judge.rule(
        Ruling(
            law="45F",
            irregularity="dummy-suggests",
            offender=play.dummy,
            line=line,
            laws=("45F",),
            effects=(adjustable("45F"),),
        )
    )


def _called_and_lying(play: Play) -> Designated | None:
    """A card called for that dummy has yet to move, while nobody has led anew."""
    designated = play.incidents.designated
    if designated is None or designated.moved:
        return None
    trick = play.trick_at(designated.trick)
    if trick is None or trick.card_from(play.dummy) is not designated.card:
        return None
    begun = play.number if play.current.cards else play.number - 1
    return designated if designated.trick >= begun else None


def take_back_uncalled(judge: Judgement, line: int) -> bool:
    """45D1: a card not called for goes back until each side has played on.

    What was played after it goes back too; a defender may play another card. Not once
    play has ended or has ceased by a claim, nor while another card awaits a ruling.
    """
    play = judge.state.play
    uncalled = play.incidents.uncalled if play is not None else None
    if play is None or uncalled is None or play.ended:
        return False
    if play.incidents.claim is not None or play.incidents.wrong is not None:
        return False
    judge.emit(UncalledSet(None))
    trick = play.trick_at(uncalled.trick)
    place = trick.place_of(play.dummy) if trick is not None else None
    later = play.tricks[uncalled.trick :]
    on = {
        p.hand.side for t in (*later, play.current) for p in t.cards if t is not trick
    }
    if trick is None or place is None or len(on) > 1:
        return False
    if uncalled.called is None:
        forget(judge, uncalled.trick, place)
        judge.emit(CardsWithdrawn(line, uncalled.trick, place, "45D1"))
    else:
        by = PlayedCard(line, play.dummy, uncalled.called)
        put_instead(judge, uncalled.trick, by, "45D1")
        offer_changes(judge, _played_since(play, line, uncalled.trick, place, "45D1"))
    _rule_uncalled(judge, line, play, "45D1")
    return True


def let_uncalled_stand(judge: Judgement, line: int) -> None:
    """45D2 (2017), by 45D in 2007: each side has played on, and the card stands."""
    play = judge.state.play
    if play is not None:
        _rule_uncalled(judge, line, play, rules(judge).uncalled_stands)


def _rule_uncalled(judge: Judgement, line: int, play: Play, law: str) -> None:
    """45D: the card goes back, or (each side having played on) it stands."""
    judge.rule(
        Ruling(
            law=law,
            irregularity="uncalled-card",
            offender=play.dummy,
            line=line,
            laws=tuple(dict.fromkeys(("45D", law))),
        )
    )


def _played_since(
    play: Play, line: int, number: int, place: int, law: str
) -> tuple[ChangeOption, ...]:
    """45D1, 47D: the defenders' cards of the trick after a card of dummy that changed.

    It was dummy's fault under 45D1, so that declarer, his partner, may change too when
    his right-hand opponent has; under 45C4(b) it was declarer's own.
    """
    trick = play.trick_at(number)
    offender = play.dummy if law == "45D1" else play.declarer
    return tuple(
        ChangeOption(line, p.hand, number, p.card, law, offender)
        for p in (trick.cards[place + 1 :] if trick is not None else ())
        if play.is_defender(p.hand)
    )


def change_designation(judge: Judgement, line: int, seat: Seat, to: Card) -> None:
    """45C4(b): the card named was not what declarer meant; the Director says so.

    In time until declarer plays from either hand again; 2007 until his partner, dummy,
    does, and only without pause for thought, which is part of the Director's answer.
    """
    play = judge.state.play
    designated = play.incidents.designated if play is not None else None
    trick = play.trick_at(designated.trick) if play is not None and designated else None
    place = trick.place_of(play.dummy) if play is not None and trick else None
    if play is None or designated is None or trick is None or place is None:
        judge.refuse(line, "45C4(b)", "no card of dummy has just been named")
        return
    if seat is not play.declarer:
        judge.refuse(line, "45C4(b)", "only declarer can change what he named")
        return
    since = [*trick.cards[place + 1 :]]
    if designated.trick < play.number:
        since += play.current.cards
    ending = {play.dummy}
    if not rules(judge).named_until_dummy_plays:
        ending.add(play.declarer)
    if any(p.hand in ending for p in since):
        judge.refuse(line, "45C4(b)", "declarer has played from a hand since")
        return
    check_held(judge.state, play.dummy, to)
    question = Question(
        to=None,
        question=Word.UNINTENDED,
        law="45C4(b)",
        line=line,
        seat=seat,
        about=f"{trick.cards[place].card} for {to}",
        choices=("yes", "no"),
        holds=True,
    )
    given = judge.director(Word.UNINTENDED, question)
    assumptions = () if given is not None else (f"unintended {seat}: no",)
    options: tuple[ChangeOption, ...] = ()
    if given is not None and given.answer is True:
        by = PlayedCard(line, play.dummy, to)
        put_instead(judge, designated.trick, by, "45C4(b)")
        options = _played_since(play, line, designated.trick, place, "47D")
    judge.rule(
        Ruling(
            law="45C4(b)",
            irregularity="change-of-designation",
            offender=seat,
            line=line,
            laws=("45C4(b)", *(("47D",) if options else ())),
            effects=tuple(
                Effect(kind=EffectKind.MAY_CHANGE, seat=o.hand, card=o.card)
                for o in options
            ),
            assumptions=assumptions,
        )
    )
    offer_changes(judge, options)
