"""The MQTT contract as an AsyncAPI 3 document, made from the code.

``python -m protocol.asyncapi`` prints it; ``protocol/asyncapi.yaml`` is what it prints.
"""

import re
import sys
from typing import Any

import msgspec

from protocol.payloads import PAYLOADS, schema_of
from protocol.topics import (
    LEVEL_PATTERN,
    MATRIX,
    QOS,
    RETAINED,
    ROOT,
    Access,
    TopicKind,
)

_PLAIN_KEY = re.compile("(?!(yes|no|on|off|true|false|null)$)[A-Za-z][A-Za-z0-9_-]+")
_REFERENCE = "#/components/schemas/{name}"


def document() -> dict[str, Any]:
    """The AsyncAPI document as plain values."""
    types = [t for ts in PAYLOADS.values() for t in ts]
    _, schemas = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Bidwire",
            "version": "1",
            "description": (
                "The MQTT contract between terminal daemons, the referee, Directors "
                "and spectators. protocol/README.md says what it means."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {_name(kind): _channel(kind) for kind in TopicKind},
        "operations": {
            f"{role.value}-{access.value}-{_name(kind)}": _operation(kind, access)
            for kind, roles in MATRIX.items()
            for role, granted in roles.items()
            for access in sorted(granted)
        },
        "components": {
            "messages": {
                t.__name__: {
                    "name": schema_of(t),
                    "payload": {"$ref": _REFERENCE.format(name=t.__name__)},
                }
                for t in types
            },
            "schemas": _portable(schemas),
        },
    }


def _portable(schema: Any) -> Any:  # noqa: ANN401 - plain values in, plain values out
    r"""The schema with its patterns in the dialect of JSON Schema.

    There ``$`` is the very end, for which Python says ``\Z``.
    """
    if isinstance(schema, dict):
        return {
            key: value.replace(r"\Z", "$") if key == "pattern" else _portable(value)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_portable(item) for item in schema]
    return schema


def _name(kind: TopicKind) -> str:
    return kind.name.lower().replace("_", "-")


def _channel(kind: TopicKind) -> dict[str, Any]:
    levels = kind.value.split("/")
    parameters = {"event": _parameter("The event.")}
    for place, level in enumerate(levels):
        if level == "+":
            before = levels[place - 1]
            name = "table" if before == "public" else before.removesuffix("s")
            levels[place] = "{" + name + "}"
            parameters[name] = _parameter(f"The {name}, by its id or number.")
    return {
        "address": "/".join([ROOT, "{event}", *levels]),
        "parameters": parameters,
        "messages": {
            t.__name__: {"$ref": f"#/components/messages/{t.__name__}"}
            for t in PAYLOADS[kind]
        },
    }


def _parameter(description: str) -> dict[str, str]:
    return {"description": f"{description} Matches {LEVEL_PATTERN}."}


def _operation(kind: TopicKind, access: Access) -> dict[str, Any]:
    sends = access is Access.PUBLISH
    binding: dict[str, Any] = {"qos": QOS, "bindingVersion": "0.2.0"}
    if sends:
        binding["retain"] = kind in RETAINED
    return {
        "action": "send" if sends else "receive",
        "channel": {"$ref": f"#/channels/{_name(kind)}"},
        "bindings": {"mqtt": binding},
    }


def to_yaml(value: object, indent: str = "") -> str:
    """Plain values as YAML: block style, every string in double quotes."""
    if isinstance(value, dict) and value:
        return "".join(
            f"{indent}{_key(key)}:{_nested(item, indent)}"
            for key, item in value.items()
        )
    if isinstance(value, list) and value:
        return "".join(f"{indent}-{_nested(item, indent)}" for item in value)
    return f"{indent}{_scalar(value)}\n"


def _nested(item: object, indent: str) -> str:
    if isinstance(item, dict | list) and item:
        return "\n" + to_yaml(item, indent + "  ")
    return f" {_scalar(item)}\n"


def _key(key: object) -> str:
    text = str(key)
    return text if _PLAIN_KEY.fullmatch(text) else _scalar(text)


def _scalar(value: object) -> str:
    return msgspec.json.encode(value).decode()


if __name__ == "__main__":
    sys.stdout.write(to_yaml(document()))
