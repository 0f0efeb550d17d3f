"""Which Law judges a happening of the play, and in what order it is looked at."""

from laws.actions import (
    Accept,
    Action,
    Agree,
    Answer,
    Attention,
    Award,
    Change,
    Claim,
    Concede,
    Decline,
    ExposeCards,
    Forbid,
    HandsReturned,
    Keep,
    LeadFaceDown,
    MoveCard,
    NameCard,
    NextBoardCall,
    Object,
    PlayCards,
    PlayOn,
    Replace,
    Require,
    RoundEnds,
    Spread,
    Waive,
    Word,
)
from laws.attention import draw_attention
from laws.card_play import play_card, waits
from laws.cards import Card
from laws.cards_of_dummy import change_designation, dummy_moves, move_card
from laws.changes import change_card, keep_card
from laws.claims import (
    agree,
    award,
    call_on_next_board,
    end_round,
    face_hand,
    make_claim,
    object_to_claim,
    play_on,
)
from laws.corrections import confirm_revoke, correct_revoke, deny_revoke, own_up
from laws.defective_tricks import omit_card, supply_card
from laws.designations import name_card
from laws.dummys_rights import choose_hand, must_choose_hand, warn_of_wrong_hand
from laws.ending import return_hands
from laws.exposed_cards import (
    become_penalty_cards,
    designate_one,
    expose_cards,
    show_several,
)
from laws.incidents import NO_INCIDENTS, WrongKind
from laws.judgement import Judgement
from laws.lead_choices import choose
from laws.misinformed_plays import take_back_misinformed, wants_it_back
from laws.out_of_turn_leads import (
    accept_lead,
    decline_lead,
    put_card,
    spread_hand,
)
from laws.penalty_card_not_played import accept_other_card, decline_other_card
from laws.possession import check_held
from laws.revoke_attention import must_correct
from laws.seats import Seat
from laws.state import State


def judge_in_play(  # noqa: C901, PLR0912 - one line a kind
    judge: Judgement, line: int, action: Action
) -> None:
    """Judge a happening that is not one of the auction."""
    if isinstance(action, PlayCards):
        judge_cards(judge, line, action)
        return
    match action:
        case NameCard():
            name_card(judge, line, action)
        case MoveCard():
            move_card(judge, line, action)
        case ExposeCards():
            expose_cards(judge, line, action)
        case LeadFaceDown(seat):
            _lead_face_down(judge, line, seat)
        case Attention():
            draw_attention(judge, line, action)
        case Claim(seat, tricks):
            make_claim(judge, line, seat, tricks)
        case Concede(seat, tricks):
            make_claim(judge, line, seat, tricks, conceded=True)
        case Answer(Word.DUMMY_WARNED, answer):
            if answer:
                warn_of_wrong_hand(judge, line)
        case Award(seat, tricks):
            award(judge, line, seat, tricks)
        case NextBoardCall(seat):
            call_on_next_board(judge, line, seat)
        case RoundEnds():
            end_round(judge, line)
        case HandsReturned():
            return_hands(judge, line)
        case _:
            _judge_answer(judge, line, action)


def _judge_answer(  # noqa: C901, PLR0912 - one line a kind
    judge: Judgement, line: int, action: Action
) -> None:
    """A seat takes, or does not take, what the Laws offer it."""
    match action:
        case Agree(seat):
            agree(judge, line, seat)
        case Object(seat):
            object_to_claim(judge, line, seat)
        case PlayOn(seat):
            play_on(judge, line, seat)
        case Accept(seat) | Decline(seat):
            _answer_option(judge, line, seat, accepts=isinstance(action, Accept))
        case Spread(seat):
            _spread(judge, line, seat)
        case Require() | Forbid():
            if _pending_lead(judge):
                decline_lead(judge, line, action.seat)
            choose(judge, line, action)
        case Waive():
            choose(judge, line, action)
        case Replace(seat, by) if isinstance(by, Card):
            replace_card(judge, line, seat, by)
        case Keep(seat):
            if not deny_revoke(judge, seat):
                keep_card(judge, line, seat)
        case Change(seat, to) if isinstance(to, Card) and wants_it_back(
            judge.state, action
        ):
            take_back_misinformed(judge, line, seat, to)
        case Change(seat, to) if isinstance(to, Card):
            change_designation(judge, line, seat, to)
        case _:
            judge.refuse(line, "81C", "nothing waits for this")


def _spread(judge: Judgement, line: int, seat: Seat) -> None:
    """A hand is spread: after an opening lead out of turn 54A, else a claim (48B2)."""
    play = judge.state.play
    wrong = play.incidents.wrong if play is not None else None
    if wrong is not None and wrong.kind is WrongKind.OPENING_LEAD:
        spread_hand(judge, line, seat, wrong)
    else:
        face_hand(judge, line, seat)


def judge_cards(judge: Judgement, line: int, action: PlayCards) -> None:
    """Cards as they come from a hand: normally one."""
    play = judge.state.play
    hand = action.hand
    if play is None or (play.ended and not _is_awaited(judge.state, action)):
        judge.refuse(line, "44", "no play is in progress")
        return
    if len(action.cards) == 1:
        card = action.cards[0]
        state = judge.state
        if play.incidents is NO_INCIDENTS and not (state.bindings or state.questions):
            check_held(state, hand, card)
            regular = play.current.next_hand() is hand
            (play_card if regular else put_card)(judge, line, hand, card)
            return
        _put_one(judge, line, hand, card, simultaneous=action.simultaneous)
    elif not waits(judge, line):
        if action.cards:
            show_several(judge, line, hand, action.cards)
        else:
            omit_card(judge, line, hand)


def _is_awaited(state: State, action: PlayCards) -> bool:
    """Whether the card mends a revoke (62) or a defective trick (67), late or not."""
    hand, supply = action.hand, "supply"
    return len(action.cards) == 1 and (
        must_correct(state, hand) is not None
        or any((q.question, q.seat) == (supply, hand) for q in state.questions)
    )


def _put_one(
    judge: Judgement, line: int, hand: Seat, card: Card, *, simultaneous: bool
) -> None:
    """A card while something is not regular: it may answer what is open."""
    play = judge.state.play
    if play is None:
        return
    if must_correct(judge.state, hand) is not None:
        correct_revoke(judge, line, hand, card)
        return
    if any(q.question == "supply" for q in judge.state.questions):
        if not supply_card(judge, line, hand, card):
            judge.refuse(line, "67", "a card is missing from a trick")
        return
    if hand is play.dummy and dummy_moves(judge, line, card):
        return
    if waits(judge, line):
        return
    check_held(judge.state, hand, card)
    may, left = designate_one(judge, line, hand, card)
    if not may:
        return
    put_card(judge, line, hand, card, simultaneous=simultaneous)
    if left and play.is_defender(hand):
        become_penalty_cards(judge, line, hand, left, "58B2")


def replace_card(judge: Judgement, line: int, hand: Seat, card: Card) -> None:
    """A legal card for a revoke, a missing card, or a card that may be changed."""
    play = judge.state.play
    if play is None:
        judge.refuse(line, "62B", "nothing has been played")
        return
    if must_correct(judge.state, hand) is not None or confirm_revoke(judge, line, hand):
        correct_revoke(judge, line, hand, card)
    elif supply_card(judge, line, hand, card):
        return
    elif not play.incidents.changes and own_up(judge, line, hand, card):
        correct_revoke(judge, line, hand, card)
    else:
        change_card(judge, line, hand, card)


def _pending_lead(judge: Judgement) -> bool:
    play = judge.state.play
    wrong = play.incidents.wrong if play is not None else None
    return wrong is not None and wrong.kind is not WrongKind.NOT_THE_PENALTY_CARD


def _answer_option(judge: Judgement, line: int, seat: Seat, *, accepts: bool) -> None:
    """Accept or decline: a lead out of turn, a card that is not the penalty card.

    And the hand that declarer leads from, after dummy's warning (43B2(a)).
    """
    play = judge.state.play
    wrong = play.incidents.wrong if play is not None else None
    if must_choose_hand(judge):
        choose_hand(judge, line, seat, accepts=accepts)
    elif play is None or wrong is None:
        judge.refuse(line, "53A", "nothing awaits acceptance")
    elif wrong.kind is not WrongKind.NOT_THE_PENALTY_CARD:
        (accept_lead if accepts else decline_lead)(judge, line, seat)
    elif seat is not play.declarer:
        judge.refuse(line, "52B1", "the choice is declarer's")
    elif accepts:
        accept_other_card(judge, line, wrong)
    else:
        decline_other_card(judge, line, wrong)


def _lead_face_down(judge: Judgement, line: int, seat: Seat) -> None:
    """41A: a lead face down is nothing yet; the card's own line faces it.

    From the wrong defender it goes back, with no more said.
    """
    play = judge.state.play
    if play is None or play.ended:
        judge.refuse(line, "41A", "no lead is due")
    elif play.number > 1 or play.current.cards:
        judge.refuse(line, "41A", "only the opening lead is made face down")
    elif seat is not play.current.leader:
        judge.refuse(line, "41A", f"the lead is {play.current.leader}'s; it goes back")
