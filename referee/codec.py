"""Events of the engine as plain objects for the journal, and back.

An event is an object with its class name under ``event`` and its fields; an action is
its line of the table script, so that a journal reads like one. An action that its
line would not give back letter for letter (an explanation with two blanks in a row)
is an object with its class name under ``action``.
"""

import importlib
import pkgutil
import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import laws
from laws.actions import Action
from laws.events import Event
from laws.header import ScriptError
from laws.script import format_action, parse_line

Plain = Any
"""Strings, numbers, booleans, None, and lists and dictionaries of them."""


class CodecError(ValueError):
    """A journal holds what is no event."""


def _event_classes() -> dict[str, type[Event]]:
    found: dict[str, type[Event]] = {}
    for module in pkgutil.iter_modules(laws.__path__, "laws."):
        if not module.name.endswith("events"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            is_event = is_dataclass(value) and hasattr(value, "apply_to")
            if is_event and isinstance(value, type):
                found[value.__name__] = typing.cast("type[Event]", value)
    return found


EVENT_CLASSES = _event_classes()
"""Every event of the engine, by class name: they live in the modules ``…events``."""

ACTION_CLASSES: dict[str, type] = {c.__name__: c for c in get_args(Action)}
"""Every action, by class name."""


def encode_event(event: Event) -> Plain:
    """An event as a plain object."""
    return {"event": type(event).__name__, **_encode_fields(event)}


def decode_event(plain: Plain) -> Event:
    """The event of a plain object.

    Raises:
        CodecError: it is none.
    """
    try:
        event_class = EVENT_CLASSES[plain["event"]]
        return typing.cast("Event", _decode_fields(event_class, plain))
    except (KeyError, TypeError, ValueError) as error:
        raise CodecError(f"expected an event of the engine, got {plain!r}") from error


def encode_action(action: Action) -> Plain:
    """An action as its line, or as an object where the line would not give it back."""
    line = format_action(action)
    try:
        if parse_line(line) == action:
            return line
    except ScriptError:
        pass
    return {"action": type(action).__name__, **_encode_fields(action)}


def decode_action(plain: Plain) -> Action:
    """The action of a line or an object; ValueError when it is none."""
    if isinstance(plain, str):
        return parse_line(plain)
    action_class = ACTION_CLASSES[plain["action"]]
    return typing.cast("Action", _decode_fields(action_class, plain))


_ACTIONS = tuple(ACTION_CLASSES.values())
_EVENTS = tuple(EVENT_CLASSES.values())


def _encode(value: object) -> Plain:
    match value:
        case Enum():
            return value.value
        case tuple():
            return [_encode(item) for item in value]
        case frozenset():
            return sorted(_encode(item) for item in value)
        case None | bool() | int() | str():
            return value
        case _:
            return _encode_object(value)


def _encode_object(value: object) -> Plain:
    if isinstance(value, _ACTIONS):
        return encode_action(typing.cast("Action", value))
    if isinstance(value, _EVENTS):
        return encode_event(value)
    return _encode_fields(value)


def _encode_fields(value: object) -> dict[str, Plain]:
    if not is_dataclass(value):
        raise TypeError(f"no codec for {value!r}")
    return {f.name: _encode(getattr(value, f.name)) for f in fields(value)}


def _decode_fields(cls: type, plain: Plain) -> object:
    return cls(**{name: read(plain[name]) for name, read in _readers(cls)})


@cache
def _readers(cls: type) -> tuple[tuple[str, Callable[[Plain], object]], ...]:
    hints = get_type_hints(cls)
    return tuple((f.name, _reader(hints[f.name])) for f in fields(cls))


@cache
def _reader(hint: Any) -> Callable[[Plain], object]:  # noqa: ANN401, C901, PLR0911 - one branch for each form of annotation
    if hint is Event:
        return decode_event
    if hint == Action:
        return decode_action
    origin, args = get_origin(hint), get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _union_reader(args)
    if origin is typing.Literal:
        return lambda plain: args[args.index(plain)]
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        item = _reader(args[0])
        return lambda plain: tuple(item(x) for x in plain)
    if origin is tuple:
        items = [_reader(arg) for arg in args]
        return lambda plain: tuple(
            read(x) for read, x in zip(items, plain, strict=True)
        )
    if origin is frozenset:
        item = _reader(args[0])
        return lambda plain: frozenset(item(x) for x in plain)
    if hint in (int, str, bool):
        return lambda plain: _expect(hint, plain)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if is_dataclass(hint):
        cls = typing.cast("type", hint)
        if cls in _ACTIONS:
            return decode_action
        return lambda plain: _decode_fields(cls, plain)
    raise TypeError(f"no codec for the annotation {hint!r}")


def _union_reader(args: tuple[Any, ...]) -> Callable[[Plain], object]:
    """The first member that takes the value; none of ours overlap but Action's."""
    classes = set(ACTION_CLASSES.values())
    rest = [arg for arg in args if arg not in classes and arg is not types.NoneType]
    readers = [_reader(arg) for arg in rest]
    if len(rest) < len([arg for arg in args if arg is not types.NoneType]):
        readers.append(decode_action)
    optional = types.NoneType in args

    def read(plain: Plain) -> object:
        if plain is None and optional:
            return None
        for reader in readers:
            try:
                return reader(plain)
            except (ValueError, TypeError, KeyError):
                continue
        raise CodecError(f"expected one of {args}, got {plain!r}")

    return read


def _expect(cls: type, plain: Plain) -> object:
    if type(plain) is not cls:
        raise TypeError(f"expected {cls.__name__}, got {plain!r}")
    return plain
