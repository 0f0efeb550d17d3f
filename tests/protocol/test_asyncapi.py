"""The AsyncAPI document: current, complete, and true to topics and payloads."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from protocol.asyncapi import document, to_yaml
from protocol.payloads import PAYLOADS, schema_of
from protocol.topics import MATRIX, RETAINED, Access, Role, TopicKind, parse_topic

FILE = Path(__file__).parents[2] / "protocol" / "asyncapi.yaml"
DOCUMENT = document()


def test_the_file_is_what_the_generator_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(__import__("sys").modules, "protocol.asyncapi")
        runpy.run_module("protocol.asyncapi", run_name="__main__")
    printed = capsys.readouterr().out
    assert printed == FILE.read_text(encoding="utf-8"), (
        "run: python -m protocol.asyncapi > protocol/asyncapi.yaml"
    )


def test_every_topic_is_a_channel_with_its_payloads() -> None:
    channels = list(DOCUMENT["channels"].values())
    for kind, channel in zip(TopicKind, channels, strict=True):
        filled = re.sub(r"\{[a-z]+\}", "7", channel["address"])
        assert parse_topic(filled).kind is kind
        named = re.findall(r"\{([a-z]+)\}", channel["address"])
        assert list(channel["parameters"]) == named
        assert list(channel["messages"]) == [t.__name__ for t in PAYLOADS[kind]]


def test_every_access_of_the_matrix_is_an_operation() -> None:
    operations = DOCUMENT["operations"]
    granted = [
        (role, access, kind)
        for kind, roles in MATRIX.items()
        for role, accesses in roles.items()
        for access in accesses
    ]
    assert len(operations) == len(granted)
    for role, access, kind in granted:
        name = kind.name.lower().replace("_", "-")
        operation = operations[f"{role.value}-{access.value}-{name}"]
        binding = operation["bindings"]["mqtt"]
        assert binding["qos"] == 1
        if access is Access.PUBLISH:
            assert operation["action"] == "send"
            assert binding["retain"] is (kind in RETAINED)
        else:
            assert operation["action"] == "receive"
    assert not any(n.startswith(f"{Role.SPECTATOR.value}-publish") for n in operations)


def references(value: Any) -> list[str]:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        found = [r for item in value.values() for r in references(item)]
        return [*found, value["$ref"]] if "$ref" in value else found
    if isinstance(value, list):
        return [r for item in value for r in references(item)]
    return []


def test_every_reference_leads_somewhere() -> None:
    for reference in references(DOCUMENT):
        place = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
        assert place


def test_every_schema_is_told_by_name() -> None:
    told = {m["name"] for m in DOCUMENT["components"]["messages"].values()}
    assert told == {schema_of(t) for ts in PAYLOADS.values() for t in ts}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a-b": 1, "c": True}, 'a-b: 1\n"c": true\n'),
        ({"$ref": "#/x", "no": None}, '"$ref": "#/x"\n"no": null\n'),
        ({"list": ["a", {"key": []}]}, 'list:\n  - "a"\n  -\n    key: []\n'),
        ({}, "{}\n"),
    ],
)
def test_values_become_yaml(value: object, text: str) -> None:
    assert to_yaml(value) == text
