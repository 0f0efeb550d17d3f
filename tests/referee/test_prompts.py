"""What each seat sees, situation by situation, on the smallest displays too."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from laws.board import Edition, IrregularCallPolicy, RevokePolicy
from laws.calls import Call
from laws.cards import DECK
from laws.report import legal, report, turn_of
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey, Request, action_from
from protocol.limits import MESSAGE_MAX
from protocol.messages import Display, Encoding, encoded_size
from protocol.payloads import DisplayPrompt, encode_payload
from referee.displays import display_of
from referee.fit import PAGES_MAX
from referee.record import Screen
from referee.settings import BoardSettings, PolicySettings, Questions, TerminalSettings
from referee.views import desk, table_state
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
            S: "East is choosing: wait",
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
            N: "West is choosing: wait",
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


def shown(display: DisplayPrompt) -> str:
    return " ".join(" ".join(line.split()) for page in display.pages for line in page)


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case.name)
def test_each_seat_sees_what_concerns_it(case: Situation) -> None:
    bench = case.bench()
    for seat, words in case.sees.items():
        text, start = shown(bench.display(seat)), 0
        for part in words.split("…"):
            start = text.find(part.strip(), start)
            assert start >= 0, f"{seat} sees: {text}"
    assert {s: bench.display(s).ask for s in case.asks} == case.asks
    labels = {s: [c.label for c in bench.display(s).choices] for s in case.choices}
    assert labels == case.choices


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case.name)
def test_every_display_is_fitted_and_nothing_is_lost(case: Situation) -> None:
    bench = case.bench()
    for seat in SEATS:
        texts = set()
        for screen in SCREENS:
            display = on_screen(bench, seat, screen)
            assert 0 < len(display.pages) <= PAGES_MAX
            for page in display.pages:
                assert len(page) <= screen.rows
                assert all(len(line) <= screen.columns for line in page)
            wire = Display(**msgspec.structs.asdict(display))
            assert encoded_size(wire) <= MESSAGE_MAX
            texts.add(shown(display))
        assert len(texts) == 1, "a smaller display has the same words"


def on_screen(bench: Bench, seat: Seat, screen: Screen) -> DisplayPrompt:
    """The display of a terminal with such a screen."""
    terminal = bench.of(seat).id
    record = bench.record
    others = tuple(s for s in record.screens if s[0] != terminal)
    settings_of = record.table.terminal(terminal)
    assert settings_of is not None
    changed = type(record)(
        **{
            name: getattr(record, name)
            for name in type(record).__dataclass_fields__
            if name != "screens"
        },
        screens=(*others, (terminal, screen)),
    )
    return display_of(changed, settings_of, seat, epoch=1)


# -- secrets --------------------------------------------------------------------------


def wild_happenings(chance: Random, bench: Bench, length: int) -> Iterator[str]:
    """What careless players might do: call out of turn or too low, and revoke."""
    for _ in range(length):
        playing = bench.play
        turn, play = turn_of(playing.state), playing.state.play
        if turn is None:
            return
        if play is None or play.held is None:
            seat = chance.choice(SEATS) if chance.random() < 0.15 else turn
            calls = legal(playing.state) if seat is turn else tuple(Call)[:12]
            yield f"{seat} {chance.choice(calls)}"
        else:
            held = sorted(play.held[SEATS.index(turn)])
            cards = legal(playing.state) if chance.random() < 0.7 else held
            yield f"{turn} {chance.choice(cards)}"


@pytest.mark.parametrize("seed", range(25))
def test_no_display_tells_what_only_the_hands_tell(seed: int) -> None:
    """With the policy ``record`` a display is the same whether the deal is known."""
    known = Bench(settings(questions=Questions.ASSUME))
    unknown = Bench(
        settings(questions=Questions.ASSUME, boards=[BoardSettings(number=1)])
    )
    for line in wild_happenings(Random(seed), known, 60):  # noqa: S311 - no secret
        for bench in (known, unknown):
            bench.does(line)
            decide_questions(bench)
        if known.play.is_over or unknown.play.is_over:
            break
        for seat in SEATS:
            seen, other = known.display(seat), unknown.display(seat)
            assert msgspec.structs.replace(seen, rev=other.rev) == other


def decide_questions(bench: Bench) -> None:
    """Whoever has an option takes the first that is offered."""
    for _ in range(8):
        asked = [(s, c) for s in SEATS for c in bench.display(s).choices]
        if not asked:
            return
        seat, choice = asked[0]
        key = EventKey(choice.kind, seat, bench.display(seat).hand, choice.data)
        action = action_from(key)
        assert not isinstance(action, Request)
        bench.does(action)


@pytest.mark.parametrize("policy", [RevokePolicy.RECORD, RevokePolicy.MANUAL])
def test_revoke_is_not_betrayed_before_play_ends(policy: RevokePolicy) -> None:
    policies = PolicySettings(revoke=policy)
    revoked = Bench(settings(policies=policies))
    revoked.does(*REVOKE, "N C2")
    state = table_state(revoked.table, "s")
    assert revoked.record.rulings_told == 0
    assert all("revoke" not in shown(revoked.display(seat)) for seat in SEATS)
    assert "revoke" not in encode_payload(state).decode()
    assert all(revoked.display(seat).locks == () for seat in SEATS)


def test_table_is_told_of_a_revoke_once_a_player_speaks_of_it() -> None:
    bench = Bench(settings())
    bench.does(*REVOKE, "N C2", "N attention W 1")
    assert bench.record.rulings_told == 1
    assert "You revoked (Law 62A, 2017)" in shown(bench.display(W))


def test_director_is_told_of_a_revoke_at_once() -> None:
    bench = Bench(settings())
    bench.does(*REVOKE)
    (suspicion,) = desk(bench.table, "s").suspicions
    assert (suspicion["seat"], suspicion["card"]) == ("W", "D9")


def test_table_is_told_of_a_revoke_when_play_ends() -> None:
    bench = Bench(settings())
    bench.does(*REVOKE, "N C2")
    while not bench.play.is_over:
        seen = report(bench.play.state)
        bench.does(f"{seen['turn']} {seen['legal'][0]}")
    assert bench.record.rulings_told == 1
    for seat in SEATS:
        text = shown(bench.display(seat))
        assert "Revoke by West:" in text
        assert "to North-South (Law 64A" in text
    assert desk(bench.table, "s").suspicions == ()


# -- locks ----------------------------------------------------------------------------


def test_no_key_is_locked_by_default() -> None:
    bench = Bench(settings())
    for line in (*ONE_SPADE, "E CA", "S C8"):
        assert all(bench.display(seat).locks == () for seat in SEATS)
        bench.does(line)


def test_out_of_turn_prevented_locks_the_keys_of_those_not_to_act() -> None:
    policies = PolicySettings(out_of_turn=IrregularCallPolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    assert bench.display(N).locks == ()
    assert bench.display(S).locks == ("call",)
    bench.does(*ONE_SPADE, "E CA")
    assert bench.display(N).locks == ()  # declarer plays dummy's card
    assert bench.display(S).locks == ("card", "cards", "face-down", "named")


def test_inadmissible_prevented_locks_the_calls_that_are() -> None:
    policies = PolicySettings(inadmissible=IrregularCallPolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    bench.does("N 1S")
    assert bench.display(E).locks == ("XX", "1C", "1D", "1H", "1S")
    assert bench.display(S).locks == ()


def test_revoke_prevented_locks_cards_on_the_players_own_terminal_alone() -> None:
    policies = PolicySettings(revoke=RevokePolicy.PREVENT)
    bench = Bench(settings(policies=policies))
    bench.does(*ONE_SPADE, "E CA")
    assert set(DECK) - set(bench.display(N).locks) == {"C8", "C9", "CT"}
    bench.does("S C8")
    assert set(DECK) - set(bench.display(W).locks) == {"C5", "C6", "C7"}
    everyone = TerminalSettings(daemon="d1", id="t1", seats=SEATS)
    shared = Bench(settings(policies=policies, terminals=[everyone]))
    shared.does(*ONE_SPADE, "E CA", "S C8")
    assert shared.display(W).locks == ()


@pytest.mark.parametrize("lock_compelled", [True, False])
def test_announced_ruling_locks_what_it_leaves_no_use_for(
    lock_compelled: bool,
) -> None:
    bench = Bench(settings(edition=LAWS_2007, lock_compelled=lock_compelled))
    bench.does("S 1H", "W decline")
    allowed = set(Call) - set(bench.display(N).locks)
    assert allowed == ({Call.PASS} if lock_compelled else set(Call))
