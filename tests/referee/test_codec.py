"""Every event of the engine comes back from the journal as it went in."""

import dataclasses
import enum
import types
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.actions import Action, Correct, MakeCall, NameCard
from laws.calls import Call
from laws.events import Event, Happened, Rejudged
from laws.seats import Seat
from laws.steps import Step
from referee.codec import (
    ACTION_CLASSES,
    EVENT_CLASSES,
    CodecError,
    decode_event,
    encode_action,
    encode_event,
)


def values_of(hint: Any, depth: int = 0) -> st.SearchStrategy[Any]:  # noqa: ANN401, C901, PLR0911 - one branch for each form of annotation
    """Values of an annotation, whatever they would mean at a table."""
    if hint is Event:
        simple = [c for c in EVENT_CLASSES.values() if c is not Rejudged]
        return st.nothing() if depth > 1 else one_of_classes(simple, depth + 1)
    if hint == Action:
        return one_of_classes(list(ACTION_CLASSES.values()), depth + 1)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(values_of(arg, depth) for arg in args))
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values_of(args[0], depth), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(values_of(arg, depth) for arg in args))
    if origin is frozenset:
        return st.frozensets(values_of(args[0], depth), max_size=3)
    if hint is types.NoneType:
        return st.none()
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-(10**9), 10**9)
    if hint is str:
        return st.text(max_size=8)
    if issubclass(hint, enum.Enum):
        return st.sampled_from(list(hint))
    return instances_of(hint, depth)


def instances_of(cls: type, depth: int = 0) -> st.SearchStrategy[Any]:
    """Instances of a dataclass with any values whatever."""
    if cls is NameCard:  # its `str` is a rank: the action has no other
        named = NameCard.__annotations__["named"]
        ranks = st.sampled_from("23456789TJQKA")
        rest = [values_of(arg) for arg in typing.get_args(named) if arg is not str]
        return st.builds(NameCard, st.sampled_from(Seat), st.one_of(ranks, *rest))
    if cls is Correct:  # what really happened is nothing that the Director said
        others = [c for c in ACTION_CLASSES.values() if c is not Correct]
        by = st.sampled_from(others).flatmap(instances_of)
        return st.builds(Correct, st.integers(1, 99), st.none() | by)
    hints = typing.get_type_hints(cls)
    fields = {f.name: values_of(hints[f.name], depth) for f in dataclasses.fields(cls)}
    return st.builds(cls, **fields)


def one_of_classes(classes: list[Any], depth: int) -> st.SearchStrategy[Any]:
    return st.sampled_from(classes).flatmap(lambda c: instances_of(c, depth))


@pytest.mark.parametrize("name", EVENT_CLASSES)
def test_event_comes_back(name: str) -> None:
    @given(instances_of(EVENT_CLASSES[name]))
    def check(event: Event) -> None:
        encoded = msgspec.json.encode(encode_event(event))
        assert decode_event(msgspec.json.decode(encoded)) == event

    check()


@given(one_of_classes(list(ACTION_CLASSES.values()), 0))
def test_action_comes_back(action: Action) -> None:
    event = Happened(Step(7, action))
    encoded = msgspec.json.encode(encode_event(event))
    assert decode_event(msgspec.json.decode(encoded)) == event


def test_action_is_its_line_of_the_table_script() -> None:
    event = Happened(Step(3, MakeCall(Seat.SOUTH, Call.ONE_SPADE)))
    assert encode_event(event) == {
        "event": "Happened",
        "step": {"line": 3, "action": "S 1S"},
    }


def test_explanation_that_the_line_would_change_comes_back_whole() -> None:
    action = MakeCall(Seat.SOUTH, Call.TWO_DIAMONDS, True, "5+ #  majors")
    assert isinstance(encode_action(action), dict)


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"event": "Unheard"},
        {"event": "Happened"},
        {"event": "Happened", "step": {"line": "1", "action": "S 1S"}},
        {"event": "Happened", "step": {"line": 1, "action": "S 8S"}},
        [],
        None,
    ],
)
def test_what_is_no_event_is_an_error(plain: object) -> None:
    with pytest.raises(CodecError, match="expected an event of the engine"):
        decode_event(plain)
