"""Clauses K: every EVENT kind and what it says, there and back."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws import actions
from laws.actions import Action
from laws.calls import Call
from laws.cards import Card, Suit
from laws.script import format_action, parse_line
from laws.seats import Seat
from protocol.happenings import (
    ALERT_KEY,
    DIRECTOR_ONLY,
    KEYS,
    KINDS,
    CallDirector,
    EventKey,
    GiveAnswer,
    HappeningError,
    Kind,
    PlaceBoard,
    Request,
    RequestUndo,
    action_from,
    action_of,
    fields_of,
    is_locked,
)
from protocol.messages import Choice, Datum
from tests.protocol.samples import DATA, DISPLAY, EVENT, SEATS
from tests.protocol.samples import KINDS as KIND_NAMES

N, E, S, W = Seat

SAID: list[tuple[EventKey, Action | Request, str]] = [
    (EventKey("call", S, None, ("1H",)), actions.MakeCall(S, Call("1H")), "S 1H"),
    (
        EventKey("call", S, None, ("2D", True, "transfer")),
        actions.MakeCall(S, Call("2D"), alerted=True, explanation="transfer"),
        "S 2D! transfer",
    ),
    (
        EventKey("call", S, None, ("1D", False, "", True)),
        actions.MakeCall(S, Call("1D"), simultaneous=True),
        "& S 1D",
    ),
    (
        EventKey("card", W, W, ("CT",)),
        actions.PlayCards(W, (Card("CT"),)),
        "W CT",
    ),
    (
        EventKey("card", W, W, ("CT", True)),
        actions.PlayCards(W, (Card("CT"),), simultaneous=True),
        "& W CT",
    ),
    (
        EventKey("cards", W, W, ("H4 S2",)),
        actions.PlayCards(W, (Card("H4"), Card("S2"))),
        "W H4 S2",
    ),
    (EventKey("cards", W, W, ("",)), actions.PlayCards(W, ()), "W -"),
    (
        EventKey("exposed", W, W, ("H4",)),
        actions.ExposeCards(W, (Card("H4"),)),
        "W exposes H4",
    ),
    (EventKey("face-down", W, None, ()), actions.LeadFaceDown(W), "W down"),
    (
        EventKey("named", N, None, ("C6",)),
        actions.NameCard(N, Card("C6")),
        "N names C6",
    ),
    (EventKey("named", N, None, ("H",)), actions.NameCard(N, Suit("H")), "N names H"),
    (EventKey("named", N, None, ("7",)), actions.NameCard(N, "7"), "N names 7"),
    (
        EventKey("named", N, None, ("win",)),
        actions.NameCard(N, actions.Designation.WIN),
        "N names win",
    ),
    (
        EventKey("moved", W, W, ("HJ",)),
        actions.MoveCard(W, Card("HJ")),
        "W moves HJ",
    ),
    (EventKey("accept", W, None, ()), actions.Accept(W), "W accept"),
    (EventKey("decline", W, None, ()), actions.Decline(W), "W decline"),
    (EventKey("spread", S, None, ()), actions.Spread(S), "S spread"),
    (
        EventKey("change", S, None, ("2H",)),
        actions.Change(S, Call("2H")),
        "S change 2H",
    ),
    (
        EventKey("change", N, None, ("C5",)),
        actions.Change(N, Card("C5")),
        "N change C5",
    ),
    (EventKey("attention", N, None, ()), actions.Attention(N), "N attention"),
    (
        EventKey("attention-revoke", N, None, ("W", 5)),
        actions.Attention(N, W, 5),
        "N attention W 5",
    ),
    (
        EventKey("replace", W, None, ("D5",)),
        actions.Replace(W, Card("D5")),
        "W replace D5",
    ),
    (EventKey("keep", W, None, ()), actions.Keep(W), "W keep"),
    (
        EventKey("require", E, None, ("H",)),
        actions.Require(E, Suit("H")),
        "E require H",
    ),
    (
        EventKey("require", E, None, ("highest",)),
        actions.Require(E, actions.Extreme.HIGHEST),
        "E require highest",
    ),
    (
        EventKey("forbid", E, None, ("H S",)),
        actions.Forbid(E, (Suit("H"), Suit("S"))),
        "E forbid H S",
    ),
    (EventKey("waive", E, None, ()), actions.Waive(E), "E waive"),
    (EventKey("claim", E, None, (3,)), actions.Claim(E, 3), "E claim 3"),
    (EventKey("concede", E, None, (2,)), actions.Concede(E, 2), "E concede 2"),
    (EventKey("agree", S, None, ()), actions.Agree(S), "S agree"),
    (EventKey("object", S, None, ()), actions.Object(S), "S object"),
    (EventKey("play-on", S, None, ()), actions.PlayOn(S), "S play-on"),
    (
        EventKey("next-board", S, None, ("P",)),
        actions.NextBoardCall(S, Call.PASS),
        "next S P",
    ),
    (EventKey("board", N, None, (12,)), PlaceBoard(N, 12), ""),
    (
        EventKey("answer", N, None, ("board", "yes")),
        GiveAnswer(N, "board", "yes"),
        "",
    ),
    (EventKey("director", E, None, ()), CallDirector(E), ""),
    (
        EventKey("director", E, None, (True, "tempo")),
        CallDirector(E, silent=True, reason="tempo"),
        "",
    ),
    (EventKey("undo", N, None, ()), RequestUndo(N), ""),
]


@pytest.mark.parametrize(
    ("key", "action", "line"), SAID, ids=[f"{k.kind}{k.data}" for k, _, _ in SAID]
)
def test_an_event_says_an_action_and_an_action_its_event(
    key: EventKey, action: Action | Request, line: str
) -> None:
    assert action_from(key) == action
    assert fields_of(action) == key
    if line:
        assert parse_line(line) == action
        assert not isinstance(action, Request)
        assert format_action(action) == line


def test_every_kind_is_said_above() -> None:
    assert {key.kind for key, _, _ in SAID} == set(Kind)
    assert set(KINDS) == set(Kind)


def test_every_action_has_a_kind_or_is_the_directors_alone() -> None:
    said = {type(action) for _, action, _ in SAID}
    assert said == (set(get_args(Action)) - DIRECTOR_ONLY) | set(get_args(Request))


@pytest.mark.parametrize(
    "action",
    [
        actions.Answer(actions.Word.AWARE, answer=True),
        actions.Award(E, 3),
        actions.Overrule(2),
        actions.Correct(7, None),
        actions.RoundEnds(),
        actions.HandsReturned(),
    ],
    ids=lambda action: type(action).__name__,
)
def test_what_only_the_director_does_has_no_event(action: Action) -> None:
    assert type(action) in DIRECTOR_ONLY
    with pytest.raises(HappeningError, match="it is a Director's command"):
        fields_of(action)
    assert parse_line(format_action(action)) == action


def test_declarer_plays_dummys_card() -> None:
    action = actions.PlayCards(N, (Card("SA"),))
    assert fields_of(action, seat=S) == EventKey("card", S, N, ("SA",))
    event = EventKey("card", S, N, ("SA",))
    assert action_from(event) == action


def test_an_event_of_the_wire_is_read() -> None:
    assert action_of(EVENT) == actions.MakeCall(N, Call("1S"))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            EventKey("call", N, None, ("8S",)),
            "call: expected call to be a call: P, X, XX, 1C to 7NT; got '8S'",
        ),
        (EventKey("call", N, None, ()), "call: expected 1 data"),
        (EventKey("call", N, N, ("1S",)), "call: expected no hand, got"),
        (EventKey("call", N, None, ("1S", 1)), "expected alerted to be true when"),
        (EventKey("call", N, None, ("1S", True, "x" * 121)), "at most 120 characters"),
        (EventKey("call", N, None, (1,)), "expected call to be a call"),
        (EventKey("card", N, None, ("SA",)), "card: expected the hand of the card"),
        (EventKey("card", N, N, ("1S",)), "expected cards to be a card"),
        (EventKey("cards", N, N, ("SA XX",)), "cards with a space between, or nothing"),
        (EventKey("named", N, None, ("1",)), "a rank, or high, low, win, any"),
        (EventKey("named", N, None, (7,)), "a rank, or high, low, win, any"),
        (EventKey("forbid", N, None, ("",)), "suits with a space between"),
        (EventKey("forbid", N, None, ("NT",)), "suits with a space between"),
        (EventKey("require", N, None, ("NT",)), "C, D, H, S, highest or lowest"),
        (EventKey("change", N, None, ("8C",)), "the call or card that was meant"),
        (EventKey("claim", N, None, (14,)), "a number of tricks, 0 to 13; got 14"),
        (EventKey("claim", N, None, (True,)), "a number of tricks, 0 to 13; got True"),
        (EventKey("attention-revoke", N, None, ("W",)), "expected 2 data"),
        (EventKey("attention-revoke", N, None, ("X", 1)), "the seat that revoked"),
        (EventKey("attention-revoke", N, None, ("W", 0)), "the trick, 1 to 13"),
        (EventKey("board", N, None, (0,)), "number of the board, 1 to 65535"),
        (EventKey("bid", N, None, ("1S",)), "expected a kind (call, card, cards"),
    ],
    ids=lambda value: None if isinstance(value, str) else f"{value.kind}{value.data}",
)
def test_an_event_that_is_no_happening_says_what_was_expected(
    key: EventKey, expected: str
) -> None:
    with pytest.raises(HappeningError) as caught:
        action_from(key)
    assert expected in str(caught.value)


@given(KIND_NAMES, SEATS, st.none() | SEATS, DATA)
def test_any_event_is_read_or_refused(
    kind: str, seat: Seat, hand: Seat | None, data: tuple[str | int | bool, ...]
) -> None:
    try:
        action = action_from(EventKey(kind, seat, hand, data))
    except HappeningError:
        return
    assert action_from(fields_of(action)) == action


def test_data_that_a_later_version_adds_are_ignored() -> None:
    key = EventKey("claim", E, None, (3, "later", True))
    assert action_from(key) == actions.Claim(E, 3)


def test_key_names_are_calls_cards_kinds_and_alert() -> None:
    assert len(KEYS) == 38 + 52 + len(Kind) + 1
    assert {"P", "7NT", "SA", "claim", "call", ALERT_KEY} <= KEYS


def locked(
    locks: tuple[str, ...], kind: str, *data: Datum, choices: tuple[Choice, ...] = ()
) -> bool:
    shown = msgspec.structs.replace(DISPLAY, locks=locks, choices=choices)
    return is_locked(shown, EventKey(kind, N, None, data))


def test_a_lock_holds_one_key_or_every_key_of_a_kind() -> None:
    locks = ("X", "SA", "claim")
    assert locked(locks, "call", "X")
    assert not locked(locks, "call", "XX")
    assert locked(locks, "card", "SA")
    assert locked(locks, "claim", 3)
    assert locked(("call",), "call", "1S")
    assert not locked(locks, "replace", "SA")
    assert not locked(locks, "call")
    assert not locked((), "claim", 3)


def test_the_alert_key_is_locked_by_its_name() -> None:
    assert locked(("alert",), "call", "2D", True)
    assert not locked(("alert",), "call", "2D", False)
    assert not locked(("alert",), "director", "2D", True)


def test_a_choice_is_never_locked() -> None:
    offered = Choice("call", ("1S",), "One spade")
    assert not locked(("call", "1S"), "call", "1S", choices=(offered,))
    assert locked(("call", "1S"), "call", "1H", choices=(offered,))
