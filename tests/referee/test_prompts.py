"""What each seat sees, situation by situation, on the smallest displays too."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from laws.board import RevokePolicy
from laws.calls import Call
from laws.report import legal, report, turn_of
from laws.seats import SEATS, Seat
from protocol.happenings import EventKey, Request, action_from
from protocol.limits import MESSAGE_MAX
from protocol.messages import Display, encoded_size
from protocol.payloads import DisplayPrompt, encode_payload
from referee.displays import by_urgency, display_of
from referee.fit import PAGES_MAX
from referee.prompts import BoardText
from referee.record import Screen
from referee.settings import BoardSettings, PolicySettings, Questions
from referee.views import desk, table_state
from tests.long import examples
from tests.referee.bench import Bench, settings
from tests.referee.situations import (
    FIRST_TRICK,
    ONE_SPADE,
    REVOKE,
    SCREENS,
    SITUATIONS,
    Situation,
    W,
)


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
    return display_of(BoardText(changed), settings_of, seat, epoch=1)


def test_a_spanish_display_has_spanish_letters() -> None:
    bench = Bench(settings(language="es"))
    assert "Tablilla 1, dador Norte, vulnerable: nadie" in shown(bench.display(W))
    bench.does("N 1S", "E P", "S P")
    assert "N:1S E:P S:P" in shown(bench.display(W))
    assert "N E S O" in shown(bench.display(W))
    bench.does("W P", *FIRST_TRICK[len(ONE_SPADE) :])
    seen = shown(bench.display(Seat.SOUTH))
    assert "NS:0 EO:1" in seen
    assert "O:C5" in seen


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


@pytest.mark.parametrize("seed", range(examples(10)))
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


@pytest.mark.parametrize(
    ("played", "seat"),
    [((), Seat.NORTH), (("N 1S",), Seat.EAST), (("N 1S", "S 2S"), Seat.WEST)],
)
def test_the_prompt_that_the_table_waits_for_is_the_most_urgent(
    played: tuple[str, ...], seat: Seat
) -> None:
    bench = Bench(settings())
    bench.does(*played)
    order = [seat for _, seat in by_urgency(bench.record)]
    assert order[0] is seat
    assert order[1:] == [other for other in SEATS if other is not seat]
