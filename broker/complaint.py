"""What is wrong with settings, for people: the key first, then what was expected."""

import re
from typing import Any

import msgspec
from msgspec import inspect

_AT = " - at `$"
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_OWN_KEY = re.compile("[a-z_]+(, [a-z_]+)*: ")


def complaint(
    error: msgspec.ValidationError, settings_type: type, plain: object
) -> str:
    """``terminals[0].dtr: expected leave, on or off, got 'up'``.

    Args:
        error: msgspec's.
        settings_type: the struct that was to be filled.
        plain: what it was to be filled with, as plain values.
    """
    text, _, where = str(error).partition(_AT)
    path = where.rstrip("`")
    words = _expected(text, settings_type, path)
    if words is not None:
        text = f"expected {words}, got {_value_at(plain, path)!r}"
    key = path.removeprefix(".")
    if not key:
        return text
    # Errors of our own begin with the key within the object that is meant.
    return f"{key}.{text}" if _OWN_KEY.match(text) else f"{key}: {text}"


def one_of(values: list[str]) -> str:
    """``a, b or c``."""
    *first, last = values
    return f"{', '.join(first)} or {last}" if first else last


def _expected(text: str, settings_type: type, path: str) -> str | None:
    """What was expected, where msgspec shows a pattern or hides the choice."""
    for kind, description in _alternatives(_type_at(settings_type, path)):
        if isinstance(kind, inspect.EnumType) and text.startswith("Invalid enum"):
            return one_of([str(member.value) for member in kind.cls])
        if isinstance(kind, inspect.StrType) and "matching regex" in text:
            return description
    return None


def _type_at(settings_type: type, path: str) -> inspect.Type | None:
    """The declared type at a path of msgspec's, ``.tables[0].id``; None if unknown."""
    at: inspect.Type | None = inspect.type_info(settings_type)
    for field, _ in _STEP.findall(path):
        at = next(
            (
                inner
                for kind, _ in _alternatives(at)
                if (inner := _within(kind, field)) is not None
            ),
            None,
        )
    return at


def _within(kind: inspect.Type, field: str) -> inspect.Type | None:
    match kind:
        case inspect.StructType() if field:
            return next((f.type for f in kind.fields if f.encode_name == field), None)
        case inspect.VarTupleType() | inspect.ListType() if not field:
            return kind.item_type
        case _:
            return None


def _alternatives(
    kind: inspect.Type | None, description: str | None = None
) -> list[tuple[inspect.Type, str | None]]:
    """The types that a value may have, each with its description."""
    match kind:
        case None:
            return []
        case inspect.Metadata():
            more = kind.extra_json_schema or {}
            return _alternatives(kind.type, more.get("description", description))
        case inspect.UnionType():
            return [a for t in kind.types for a in _alternatives(t, description)]
        case _:
            return [(kind, description)]


def _value_at(plain: Any, path: str) -> object:  # noqa: ANN401 - plain values
    for field, index in _STEP.findall(path):
        plain = plain[field or int(index)]
    return plain
