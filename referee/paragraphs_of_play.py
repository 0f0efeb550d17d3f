"""Sentences on the paragraphs about the play, revokes and claims (41 to 71)."""

from collections.abc import Mapping

from laws.board import Edition
from referee.catalogue import noted

_2007, _2017 = Edition.LAWS_2007, Edition.LAWS_2017

_RIGHTFUL_LEAD = noted(
    "An opponent whose lead it was has led: his card is the lead, and the card out of "
    "turn goes back without more."
)
_RIGHT_DEFENDER = noted(
    "The defender at the right of declarer's lead has played to it: the lead stands, "
    "and he has played before his partner."
)
_FORBIDDEN_SUIT = noted("Declarer may forbid partner one suit.")
_EARLY_CARD_STANDS = noted(
    "A card that declarer plays too early from either hand is played, and stays."
)
_COMPENSATION = noted(
    "If the innocent side is not sufficiently compensated, the Director adjusts the "
    "score."
)

PLAY: Mapping[str, str | Mapping[Edition, str]] = {
    "41A": noted(
        "The defender at declarer's left makes the opening lead, face down; a lead by "
        "anybody else goes back."
    ),
    "42B2": noted(
        "Dummy may try to keep declarer from an irregularity, as from a lead from the "
        "wrong hand."
    ),
    "43A1": noted("Dummy takes no part in the play and gives declarer no advice."),
    "43A2": noted("Dummy may not look at another player's hand."),
    "43B": noted("Dummy who has looked at another hand has lost rights of his."),
    "43B2(a)": noted(
        "Dummy had looked at another hand and warned declarer of the wrong hand: "
        "either defender chooses the hand that leads."
    ),
    "43B2(b)": noted(
        "Dummy had looked at another hand and was first to ask about declarer's "
        "revoke: it is corrected, and Law 64 applies as though it were established."
    ),
    "43B3": {
        _2007: noted(
            "Dummy had looked at another hand and was first to point at a defender's "
            "irregularity: nothing is rectified now, damage is made good at the end."
        ),
        _2017: noted(
            "Dummy had looked at another hand and was first to point at a defender's "
            "irregularity: at the end the defenders lose what they gained, declarer's "
            "side keeps its score."
        ),
    },
    "44": noted("Hands play clockwise, and the winner of a trick leads to the next."),
    "44A": noted("A trick begins with the card that is led to it."),
    "44C": noted("Whoever can follow suit must; that comes before everything else."),
    "45C4(b)": {
        _2007: noted(
            "A designation that was not intended may be changed without pause for "
            "thought, until partner plays."
        ),
        _2017: noted(
            "Declarer may change a slip of the tongue in calling for dummy's card, "
            "until he next plays from either hand."
        ),
    },
    "45D": noted("Dummy has moved a card that declarer did not call for."),
    "45D1": noted(
        "Until each side has played on the card goes back, and a defender may change "
        "what he played after it."
    ),
    "45D2": {
        _2017: noted(
            "Each side has played on: the card of dummy that was not called for stands."
        )
    },
    "45E": noted(
        "A fifth card to a trick goes back to declarer's side; a defender's becomes a "
        "penalty card."
    ),
    "45F": noted(
        "Dummy may not touch or point at a card before it is called for: play goes on, "
        "and the score is adjusted if it suggested a play and damaged the defenders."
    ),
    "46A": noted("Declarer calls for a card of dummy by its suit and rank."),
    "46B": noted(
        "An incomplete call for a card is completed by rule, unless another card was "
        "meant beyond doubt."
    ),
    "46B3(b)": noted(
        "He named a rank only and more than one card fits: declarer says which."
    ),
    "46B4": noted(
        "He named a card that dummy does not have: that is void, and he may call for "
        "any legal card."
    ),
    "46B5": noted("He left the card to others: either defender may choose it."),
    "47D": noted(
        "After an opponent has changed his card, a card played after it may be changed."
    ),
    "47E1": {
        _2007: noted(
            "An opponent had told him that it was his turn: the card may be taken "
            "back, and LHO may not accept it."
        ),
        _2017: noted(
            "An opponent had told him that it was his turn: the card is taken back, "
            "and LHO may not accept it."
        ),
    },
    "47E2": noted(
        "A card played on an opponent's mistaken explanation may be taken back while "
        "nothing has been played after it."
    ),
    "47E2(a)": noted(
        "Nothing has been played after it, nor has dummy faced a card after the lead: "
        "another card takes its place, and no more follows."
    ),
    "47E2(b)": noted(
        "It is too late to take the card back: the Director may adjust the score."
    ),
    "47F2": noted("A card once played stays played, but for what Law 47 allows."),
    "49": noted(
        "A defender's card that his partner could see becomes a penalty card, unless "
        "it was shown in normal play."
    ),
    "50": noted(
        "A card exposed too early is a penalty card unless the Director says otherwise."
    ),
    "50B": noted(
        "One card below the ten, exposed by accident, is a minor penalty card; an "
        "honour, a card played on purpose, and each of several is a major one."
    ),
    "50D": noted(
        "A major penalty card is played as soon as it legally can be; before partner "
        "leads, declarer may require or forbid its suit."
    ),
    "50D1(a)": noted("A major penalty card is played at the first legal chance."),
    "50D2": noted(
        "Partner is to lead and waits: declarer may require or forbid the suit of the "
        "penalty card, or leave the lead free."
    ),
    "50D2(a)": noted(
        "Declarer has required or forbidden the suit: the penalty card is picked up."
    ),
    "50E2": {
        _2007: noted(
            "Partner may know that the penalty card must be played; what else it tells "
            "him he may not use."
        ),
        _2017: noted(
            "The penalty card is picked up: from now on partner may not use what he "
            "saw of it."
        ),
    },
    "50E3": {
        _2017: noted(
            "Partner may use what he sees while the penalty card lies there; if it "
            "helped and damaged the other side, the Director adjusts the score."
        )
    },
    "51A": noted("Several penalty cards could be played: declarer says which."),
    "51B2": noted(
        "There are penalty cards of several suits: declarer may require one of the "
        "suits, or forbid one or more."
    ),
    "51B2(a)": noted("One suit is required: its penalty cards are picked up."),
    "51B2(b)": noted("Suits are forbidden: their penalty cards are picked up."),
    "52A": noted(
        "A defender who did not play his penalty card may not take back the other card "
        "by himself."
    ),
    "52B1": noted("Declarer may accept the card that was played instead."),
    "52B1(a)": noted("Declarer has accepted the card that was played instead."),
    "52B1(b)": noted("Declarer has played since, and so has accepted the card."),
    "52B2": noted(
        "Declarer has refused the card: the penalty card is played, and every card "
        "wrongly played is a major penalty card."
    ),
    "53A": {
        _2007: noted(
            "A lead out of turn may be accepted, in words or when the next hand plays "
            "to it."
        ),
        _2017: noted(
            "A lead out of turn may be accepted, in words or when the next hand plays "
            "to it, but not to the last trick."
        ),
    },
    "53B": {_2007: _RIGHT_DEFENDER, _2017: _RIGHTFUL_LEAD},
    "53C": {_2007: _RIGHTFUL_LEAD, _2017: _RIGHT_DEFENDER},
    "54": noted(
        "The wrong defender has faced an opening lead: declarer may spread his hand, "
        "accept the lead, or refuse it."
    ),
    "54A": noted("Declarer spreads his hand and becomes dummy; the lead stands."),
    "54B": noted("Declarer accepts the lead: dummy spreads, declarer plays second."),
    "54C": noted("Declarer could have seen a card of dummy: he must accept the lead."),
    "54D": noted("Declarer refuses the lead: the card is a major penalty card."),
    "54E": noted(
        "Declarer's side has tried to lead: ruled on like a card exposed in the "
        "auction."
    ),
    "55A": noted(
        "Either defender may accept declarer's lead out of turn; if they differ, the "
        "one next in turn to it decides."
    ),
    "55B1": noted("It was a defender's lead: the card goes back, and no more follows."),
    "55B2": noted(
        "It was the other hand's lead: the card goes back, and any card of the right "
        "hand is led."
    ),
    "55C": noted(
        "If declarer's line may rest on what his lead out of turn told him, the "
        "Director may adjust the score."
    ),
    "56": noted(
        "A defender's lead out of turn is refused: the card is a major penalty card."
    ),
    "57A": noted(
        "A defender has played before his partner: the card is a major penalty card, "
        "and declarer says what partner has to play."
    ),
    "57A1": noted("Partner has to play his highest card of the suit led."),
    "57A2": noted("Partner has to play his lowest card of the suit led."),
    "57A3": {
        _2007: _FORBIDDEN_SUIT,
        _2017: noted("Declarer may require another suit of partner."),
    },
    "57A4": {_2017: _FORBIDDEN_SUIT},
    "57C1": {
        _2007: noted(
            "Declarer had played from both hands, or dummy had picked a card by "
            "himself: the early card is not rectified."
        ),
        _2017: noted(
            "Declarer had played from both hands: the early card is not rectified."
        ),
    },
    "57C2": {
        _2007: _EARLY_CARD_STANDS,
        _2017: noted(
            "Dummy had picked or suggested a card by himself: the early card is not "
            "rectified."
        ),
    },
    "57C3": {_2017: _EARLY_CARD_STANDS},
    "57D": {
        _2017: noted(
            "A defender has played at his RHO's turn: he plays the card at his own if "
            "he legally can, else it is a major penalty card."
        )
    },
    "58A": noted(
        "Of two cards played at once, that of the hand whose turn it was comes first."
    ),
    "58B": noted("Of several cards from one hand only one is played."),
    "58B2": noted(
        "The player says which of his cards he plays; a defender's others are penalty "
        "cards."
    ),
    "60A2": noted(
        "By playing before a ruling the other side has let its right go: the wrong "
        "play counts as in turn."
    ),
    "60A3": noted(
        "The offending side keeps the duties that it had before: its penalty cards and "
        "lead restrictions."
    ),
    "60B": noted(
        "A defender has played after declarer had to take back a lead and before the "
        "right one: the card is a major penalty card."
    ),
    "60C": noted(
        "The offending side has played before a ruling: the other side keeps all its "
        "rights, and the card is a penalty card."
    ),
    "61A": noted(
        "A revoke is not to follow suit when able, or not to lead or play what is "
        "required when able."
    ),
    "61B": noted("A player who did not follow suit may be asked whether he can."),
    "62A": {
        _2007: noted(
            "A revoke is corrected when its player notices it before it is established."
        ),
        _2017: noted(
            "A revoke is corrected when attention is drawn to it before it is "
            "established."
        ),
    },
    "62B": noted("The revoker puts a legal card in place of the wrong one."),
    "62B1": noted("A defender's withdrawn card becomes a major penalty card."),
    "62B2": noted(
        "A card of declarer or dummy, or one that lay faced, goes back without more."
    ),
    "62C": noted("Cards played after the revoke may be changed as Law 62C allows."),
    "62C1": noted(
        "The innocent side may change the cards that it played after the revoke, its "
        "lead to the next trick included."
    ),
    "62C2": noted(
        "After such a change the next hand of the offending side may change its card; "
        "a defender's becomes a penalty card."
    ),
    "62C3": {
        _2017: noted(
            "Both sides have revoked on the trick and only one has played on: both "
            "revokes are corrected."
        )
    },
    "62D1": noted(
        "A revoke on the twelfth trick is corrected even when it is established, until "
        "all four hands are back in the board."
    ),
    "62D2": {
        _2007: noted(
            "A defender revoked on the twelfth trick before his partner's turn: "
            "partner, with cards of two suits, may not choose what the revoke card "
            "could have suggested."
        )
    },
    "63A1": noted(
        "The revoker's side has led or played to a later trick: that establishes the "
        "revoke."
    ),
    "63A2": noted(
        "The revoker's side has named a card for a later trick: that establishes the "
        "revoke."
    ),
    "63A3": {
        _2007: noted(
            "The revoker's side has claimed, conceded or agreed: that establishes the "
            "revoke."
        ),
        _2017: noted(
            "The revoker's side has claimed or conceded: that establishes the revoke."
        ),
    },
    "63A4": {
        _2017: noted(
            "The opponents' claim or concession has been agreed to: that establishes "
            "the revoke."
        )
    },
    "63B": noted(
        "An established revoke is corrected no more: the trick stands, play goes on, "
        "and Law 64 settles it in the end."
    ),
    "64A1": noted(
        "The revoker won the trick of the revoke: it goes over, and with it one later "
        "trick of his side if it won any."
    ),
    "64A2": noted(
        "The revoker did not win the trick of the revoke, but his side won it or a "
        "later one: one trick goes over."
    ),
    "64B1": noted(
        "The revoker's side won neither the trick of the revoke nor a later one: no "
        "trick goes over."
    ),
    "64B2": {
        _2007: noted(
            "The same player has revoked in the same suit before: no trick goes over "
            "for this revoke."
        ),
        _2017: noted(
            "An earlier revoke of the same player in the same suit was established: no "
            "trick goes over for this one."
        ),
    },
    "64B3": {
        _2007: noted(
            "A card was not played that lay faced on the table, or belonged to a hand "
            "that did: no trick goes over."
        ),
        _2017: noted(
            "A penalty card or a card of dummy was not played: no trick goes over."
        ),
    },
    "64B4": noted(
        "Attention came after the innocent side had called on the next board: no trick "
        "goes over."
    ),
    "64B5": noted("Attention came after the round had ended: no trick goes over."),
    "64B6": noted("The revoke was on the twelfth trick: no trick goes over."),
    "64B7": {
        _2007: noted("Both sides have revoked on the board: no trick goes over."),
        _2017: noted(
            "Both sides' revokes were established on the board: no trick goes over."
        ),
    },
    "64B8": {
        _2017: noted(
            "Both sides' revokes on the trick were corrected: no trick goes over."
        )
    },
    "64C": {_2007: _COMPENSATION},
    "64C1": {_2017: _COMPENSATION},
    "64C2(a)": {
        _2017: noted(
            "The revoke was repeated: if the innocent side would likely have won more "
            "tricks without the later ones, the Director adjusts the score."
        )
    },
    "64C2(b)": {
        _2017: noted(
            "Both sides' revokes were established: the Director adjusts the score to "
            "what was probable without any revoke."
        )
    },
    "65": noted("Tricks are counted and agreed upon when play has ended."),
    "67": noted("Each hand plays one card to a trick; a trick without it is mended."),
    "67A": noted(
        "A side has not played on yet: the missing card is supplied, and the trick is "
        "as if it had been there."
    ),
    "67B1": noted(
        "Both sides have played on: a card is added, and the trick keeps its winner. "
        "That counts as a revoke, and one trick goes over at most."
    ),
    "67B1(a)": noted("He could follow suit, and adds a card of the suit led."),
    "67B1(b)": noted("He could not follow suit, and adds any card."),
    "68A": noted(
        "He who names tricks that he will win, or suggests that play end, has claimed."
    ),
    "68B1": noted("A claim of some tricks concedes the others."),
    "68B2": noted(
        "A defender conceded and his partner objected at once: nothing is conceded, "
        "and play goes on."
    ),
    "68D": {
        _2007: noted(
            "After a claim play ceases: it is agreed to, or the Director settles it."
        ),
        _2017: noted(
            "After a claim play is suspended: it is agreed to, or the Director settles "
            "it, or all four play on."
        ),
    },
    "68D2(b)": {
        _2017: noted(
            "The other side asked to play on and all four agreed: the claim is void."
        )
    },
    "69A": noted(
        "A claim that a side has agreed to counts as tricks won and lost in play, when "
        "it has not objected before its call on a later board or the end of the round."
    ),
    "69B": noted(
        "A side withdraws its agreement: it gets a trick that it had won, or would "
        "likely have won."
    ),
    "70A": noted(
        "The Director settles a contested claim as fairly as he can, and any doubt "
        "goes against the claimer."
    ),
    "71": noted(
        "A concession is cancelled for a trick that was won already, or could not be "
        "lost by any normal play."
    ),
}
