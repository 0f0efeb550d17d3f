"""Situations of a board, and what each seat is to see in them."""

from dataclasses import dataclass, field
from typing import Any

from laws.board import Edition, RevokePolicy
from laws.seats import SEATS, Seat
from protocol.messages import Encoding
from referee.record import Screen
from referee.settings import PolicySettings, Questions
from tests.referee.bench import Bench, settings

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST

LAWS_2007, LAWS_2017 = Edition

ONE_SPADE = ("N 1S", "E P", "S P", "W P")
"""North declares 1S; East leads, South is dummy."""

FIRST_TRICK = (*ONE_SPADE, "E CA", "S C8", "W C5", "N C2")

REVOKE = (*ONE_SPADE, "E CA", "S C8", "W D9")
"""West discards a diamond though he holds clubs."""

SCREENS = (
    Screen(16, 2, Encoding.ASCII),
    Screen(20, 4, Encoding.LATIN_1),
    Screen(21, 8, Encoding.UTF_8),
    Screen(40, 12, Encoding.UTF_8),
)


@dataclass(frozen=True)
class Situation:
    """What has happened, and what that lets each seat see."""

    name: str
    happenings: tuple[str, ...]
    sees: dict[Seat, str]
    """Words that the seat reads, in this order; ``…`` stands for others between."""
    asks: dict[Seat, str]
    choices: dict[Seat, list[str]]
    edition: Edition = LAWS_2017
    questions: Questions = Questions.ASSUME
    policies: PolicySettings = field(default_factory=PolicySettings)

    def bench(self, **other: Any) -> Bench:  # noqa: ANN401 - any key of the settings
        bench = Bench(
            settings(
                edition=self.edition,
                questions=self.questions,
                policies=self.policies,
                **other,
            )
        )
        for line in self.happenings:
            if line.startswith(("director", "hands", "round")):
                bench.direct(line)
                assert bench.record.replies[-1].done, bench.record.replies[-1]
            else:
                bench.does(line)
        assert bench.record.aside == ()
        return bench


def situation(
    name: str,
    *happenings: str,
    sees: dict[Seat, str],
    asks: dict[Seat, str] | None = None,
    choices: dict[Seat, list[str]] | None = None,
    **other: Any,  # noqa: ANN401 - any other field
) -> Situation:
    return Situation(name, happenings, sees, asks or {}, choices or {}, **other)


IMMEDIATE = PolicySettings(revoke=RevokePolicy.IMMEDIATE)

SITUATIONS = [
    situation(
        "turn",
        "N 1S",
        sees={N: "East to call N:1S", E: "Your call N:1S", W: "East to call"},
        asks={N: "none", E: "call", S: "none", W: "none"},
    ),
    situation(
        "board",
        sees={N: "Your call … Board 1, dealer North, vulnerable none"},
        asks={N: "call"},
    ),
    situation(
        "alerted calls in the auction so far",
        "N 1S",
        "E 2D! both majors",
        sees={S: "Your call N:1S E:2D! … N E S W 1S 2D!"},
    ),
    situation(
        "opening lead",
        *ONE_SPADE,
        sees={
            E: "Your opening lead Trick 1 1S by North NS:0 EW:0",
            S: "East to lead",
        },
        asks={E: "card", N: "none"},
    ),
    situation(
        "dummy's turn",
        *ONE_SPADE,
        "E CA",
        sees={
            N: "Play a card from dummy Trick 1 E:CA",
            S: "Wait: declarer plays your card",
            W: "South to play",
        },
        asks={N: "card", S: "none"},
    ),
    situation(
        "second trick",
        *FIRST_TRICK,
        "E CK",
        "S C9",
        sees={
            W: "Your card Trick 2 E:CK S:C9 1S by North NS:0 EW:1 "
            "Last trick E:CA S:C8 W:C5 N:C2"
        },
        asks={W: "card"},
    ),
    situation(
        "doubled contract",
        "N 1S",
        "E X",
        "S P",
        "W P",
        "N P",
        sees={E: "Your opening lead Trick 1 1S doubled by North"},
    ),
    situation(
        "claimed slip waits for the Director (25A)",
        "N 1S",
        "N change 1H",
        sees={
            N: "Stop: the Director decides. Please wait "
            "Was it a slip, never meant? Tell the Director alone",
            W: "Stop: the Director decides. Please wait",
        },
        asks={N: "wait", S: "wait"},
        questions=Questions.WAIT,
    ),
    situation(
        "second call (25B)",
        "N 1S",
        "N 2H",
        sees={
            N: "Your second call counts only if East accepts it: wait",
            E: "North wants 2H instead. Accept it or not; your call accepts it "
            "(Law 25B1, 2017)",
            S: "North wants 2H instead. East is choosing: wait",
        },
        asks={E: "choice", N: "none"},
        choices={E: ["Accept 2H", "Do not accept 2H"]},
    ),
    situation(
        "call out of turn (29)",
        "N 1S",
        "S 2C",
        sees={
            S: "Your 2C was out of turn: wait for West",
            W: "South called 2C out of turn. Accept it or not; your call accepts it "
            "(Law 29A, 2017)",
            E: "It is your turn: wait, then call normally",
            N: "South called 2C out of turn. West is choosing: wait",
        },
        asks={W: "choice", E: "none", S: "none"},
        choices={W: ["Accept 2C", "Do not accept 2C"]},
    ),
    situation(
        "call out of turn accepted (29A)",
        "N 1S",
        "S 2C",
        "W accept",
        sees={
            W: "Your call",
            S: "You called out of turn. Accepted: the call stands (Law 29A, 2017)",
        },
    ),
    situation(
        "opponent called in turn before the ruling (28B)",
        "N 1S",
        "S 2C",
        "E P",
        sees={
            S: "Your call … You called out of turn. "
            "The call is cancelled; nothing else follows. "
            "Do not use what was withdrawn (Law 16C2) (Law 28B, 2017)",
            N: "South called out of turn. … Do not use what was withdrawn",
        },
    ),
    situation(
        "pass at RHO's turn (30)",
        "N 1S",
        "S P",
        "W decline",
        sees={S: "You must pass at your next turn (Law 30B1, 2007)", E: "Your call"},
        edition=LAWS_2007,
    ),
    situation(
        "pass at partner's turn after a bid (30B2)",
        "N 1S",
        "E 2H",
        "S 2S",
        "W 3H",
        "S P",
        "W decline",
        sees={
            S: "You must pass for the rest of the auction (Law 30B2(a), 2007)",
            N: "You may not double, redouble at this turn",
        },
        edition=LAWS_2007,
    ),
    situation(
        "bid out of turn at RHO's turn, RHO yet to call (31A)",
        "N 1S",
        "S 2C",
        "W decline",
        sees={
            S: "Your 2C is cancelled. Wait: if East passes you must repeat it",
            E: "Your call",
        },
    ),
    situation(
        "RHO passed: repeat (31A1)",
        "N 1S",
        "S 2C",
        "W decline",
        "E P",
        sees={S: "You must repeat 2C (Law 31A1, 2017) Your call"},
        asks={S: "call"},
    ),
    situation(
        "RHO acted, 2007 (31A2)",
        "N 1S",
        "S 2C",
        "W decline",
        "E 2D",
        sees={
            S: "Your 2C is cancelled. Repeat its denomination: partner passes once. "
            "Otherwise: partner passes for the rest of the auction"
        },
        edition=LAWS_2007,
    ),
    situation(
        "another denomination, 2007 (31A2(b))",
        "N 1S",
        "S 2C",
        "W decline",
        "E 2D",
        "S 2H",
        sees={
            N: "You must pass for the rest of the auction (Law 31A2(b), 2007)",
            S: "You called out of turn. North must pass for the rest of the auction",
        },
        edition=LAWS_2007,
    ),
    situation(
        "bid at partner's turn, 2007 (31B)",
        "S 1H",
        "W decline",
        sees={N: "You must pass now (Law 31B, 2007) Your call"},
        asks={N: "call"},
        edition=LAWS_2007,
    ),
    situation(
        "bid at partner's turn, 2017 (31B)",
        "S 1H",
        "W decline",
        sees={
            S: "Your 1H is cancelled: make any legal call. If it is not comparable, "
            "your partner must pass once (Law 31B1, 2017)",
            N: "Your call … Do not use what was withdrawn",
        },
    ),
    situation(
        "insufficient bid (27)",
        "N 1S",
        "E 1H",
        sees={
            E: "Your 1H is insufficient: wait for South",
            S: "East bid 1H, which is insufficient. Accept it or not",
        },
        choices={S: ["Accept 1H", "Do not accept 1H"]},
    ),
    situation(
        "insufficient bid not accepted (27B)",
        "N 1S",
        "E 1H",
        "S decline",
        sees={
            E: "Correct your 1H: the lowest sufficient bid in the same denomination, "
            "or a comparable call; otherwise partner must pass for the rest of the "
            "auction (Law 27B, 2017) Your call"
        },
        asks={E: "call"},
    ),
    situation(
        "insufficient bid badly corrected (27B2)",
        "N 1S",
        "E 1H",
        "S decline",
        "E 3D",
        sees={
            W: "You must pass for the rest of the auction (Law 27B2, 2017)",
            N: "Declarer may forbid West one of these suits when he first leads: "
            "clubs, hearts, spades",
        },
    ),
    situation(
        "lead restriction due (26)",
        "N 1S",
        "E P",
        "S 2S",
        "W 2H",
        "N decline",
        "W 3D",
        "N 3S",
        "E P",
        "S P",
        "W P",
        sees={
            N: "East is to lead: require or forbid a suit, or leave it free",
            E: "Wait for declarer, then lead",
            S: "North is choosing: wait",
        },
        asks={N: "choice", E: "none"},
        choices={
            N: ["Forbid clubs", "Forbid hearts", "Forbid spades", "Any card"],
        },
    ),
    situation(
        "opening lead out of turn (54)",
        *ONE_SPADE,
        "W HA",
        sees={
            W: "Leave HA faced and wait",
            E: "Do not lead; take a face-down card back",
            S: "Do not spread your hand yet",
            N: "West led HA out of turn. Spread your hand, accept it and see dummy, or "
            "refuse it: then also require or forbid the suit (Law 54, 2017)",
        },
        asks={N: "choice", E: "none"},
        choices={
            N: [
                "Accept, spread my hand",
                "Accept HA",
                "Do not accept HA",
                "Require hearts",
                "Forbid hearts",
            ]
        },
    ),
    situation(
        "declarer leads from the wrong hand (55)",
        *FIRST_TRICK,
        "E S8",
        "S S5",
        "W S2",
        "N SA",
        "S DA",
        sees={
            E: "Declarer led DA from the wrong hand. Accept it or not",
            W: "Declarer led DA from the wrong hand. Accept it or not",
            N: "DA was led out of turn: wait",
        },
        asks={E: "choice", W: "choice", N: "none"},
        choices={W: ["Accept DA", "Do not accept DA"]},
    ),
    situation(
        "penalty card, and partner is to lead (50D2)",
        *ONE_SPADE,
        "W HA",
        "N decline",
        sees={
            N: "East is to lead: require or forbid a suit, or leave it free "
            "(Law 50D2, 2017)",
            E: "Wait for declarer, then lead … Penalty cards W:HA",
            W: "Your HA stays faced: play it as soon as you legally can",
        },
        asks={N: "choice", E: "none"},
        choices={N: ["Require hearts", "Forbid hearts", "Any card"]},
    ),
    situation(
        "declarer requires the suit (50D2)",
        *ONE_SPADE,
        "W HA",
        "N decline",
        "N require H",
        sees={E: "Declarer requires hearts (Law 50D2(a), 2017) Your opening lead"},
        asks={E: "card"},
    ),
    situation(
        "several cards shown at once (58B)",
        *ONE_SPADE,
        "E CA CK",
        sees={E: "Say which card you play: CA CK", N: "East is choosing: wait"},
        choices={E: ["Play CA", "Play CK"]},
    ),
    situation(
        "declarer calls for a card by a suit (46)",
        *ONE_SPADE,
        "E CA",
        "N names C",
        sees={W: "Your card Trick 1 E:CA S:C8"},
    ),
    situation(
        "revoke that nobody has spoken of (policy record)",
        *REVOKE,
        sees=dict.fromkeys(SEATS, "Trick 1 E:CA S:C8 W:D9"),
    ),
    situation(
        "revoke spoken of at once (policy immediate)",
        *REVOKE,
        sees={
            W: "Put a legal card in place of D9 (Law 62B, 2017)",
            N: "West corrects a card: wait",
        },
        asks={W: "card", N: "none"},
        policies=IMMEDIATE,
    ),
    situation(
        "revoke corrected; an opponent may change his card (62C1)",
        *REVOKE,
        "N C2",
        "N attention W 1",
        "W replace C5",
        sees={
            N: "You may put another card in place of C2, or keep it (Law 62C1, 2017)",
            W: "Your D9 stays faced: play it as soon as you legally can",
        },
        choices={N: ["Keep C2"]},
    ),
    situation(
        "claim (68)",
        *ONE_SPADE,
        "E CA",
        "N claim 5",
        sees={
            N: "You claim 5 of 13 tricks: state how you play on",
            E: "North claims 5 of 13 tricks: agree or object (Law 68D, 2017)",
            S: "A claim: East is to answer",
        },
        asks={E: "choice", W: "choice"},
        choices={E: ["Agree", "Object"]},
    ),
    situation(
        "contested claim (70)",
        *ONE_SPADE,
        "E CA",
        "N claim 5",
        "E object",
        sees=dict.fromkeys(SEATS, "Stop: the Director decides. Please wait"),
        asks=dict.fromkeys((N, S), "wait"),
    ),
    situation(
        "result of an agreed claim",
        *ONE_SPADE,
        "E CA",
        "N claim 5",
        "E agree",
        "W agree",
        sees=dict.fromkeys(SEATS, "Board 1: 1S by North -2, score -100"),
        asks=dict.fromkeys(SEATS, "none"),
    ),
    situation(
        "what the Laws do not allow",
        *ONE_SPADE,
        "E CA",
        "S attention",
        sees={S: "S attention: not allowed (Law 9A4)"},
    ),
]
