"""Messages and occurrences as plain JSON values, and back."""

from typing import Any

import msgspec

from protocol.decoding import Malformed
from protocol.link import (
    BodyRejected,
    LinkDown,
    LinkRefused,
    LinkUp,
    Occurrence,
    Received,
)
from protocol.messages import MESSAGE_TYPES, Message, name_of

LINE = 100
"""Characters of a line of the file, where its values can be broken."""

_TYPES = {name_of(message_type): message_type for message_type in MESSAGE_TYPES}


def plain(message: Message) -> dict[str, Any]:
    """A message as an object: its name and its fields; bytes as hexadecimal digits."""
    fields = {
        name: value.hex() if isinstance(value, bytes) else msgspec.to_builtins(value)
        for name, value in msgspec.structs.asdict(message).items()
    }
    return {"message": name_of(type(message)), **fields}


def message_of(value: dict[str, Any]) -> Message:
    """The message that ``plain`` gave this for."""
    message_type = _TYPES[value["message"]]
    elements = [
        bytes.fromhex(value[field.encode_name])
        if field.encode_name in {"nonce", "asked", "proof", "content"}
        else value[field.encode_name]
        for field in msgspec.structs.fields(message_type)
    ]
    tag = message_type.__struct_config__.tag
    return msgspec.convert([tag, *elements], message_type)


def plain_occurrence(occurrence: Occurrence) -> dict[str, Any]:
    """What a link hands up, as an object."""
    match occurrence:
        case LinkUp():
            return {"event": "up"}
        case LinkDown(reason=down):
            return {"event": "down", "reason": down.value}
        case LinkRefused(reason=refused, text=text):
            return {"event": "refused", "reason": refused.value, "text": text}
        case BodyRejected():
            return {"event": "rejected"}
        case Received():
            pass
    message = occurrence.message
    if isinstance(message, Malformed):
        body, place = message.body.hex(), {"boot": message.boot, "n": message.n}
        return {"event": "malformed", **place, "body": body}
    return {"event": "received", **plain(message)}


def to_text(vectors: dict[str, Any]) -> str:
    """The file's text: JSON, where what fits a line stands on one."""
    return _pretty(msgspec.to_builtins(vectors), "") + "\n"


def _pretty(value: Any, indent: str) -> str:  # noqa: ANN401 - any JSON value
    short = msgspec.json.encode(value).decode()
    if len(indent) + len(short) <= LINE or not isinstance(value, dict | list):
        return short
    deeper = indent + " "
    if isinstance(value, dict):
        items = [
            f"{msgspec.json.encode(key).decode()}: {_pretty(item, deeper)}"
            for key, item in value.items()
        ]
    else:
        items = [_pretty(item, deeper) for item in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    lines = f",\n{deeper}".join(items)
    return f"{left}\n{deeper}{lines}\n{indent}{right}"
