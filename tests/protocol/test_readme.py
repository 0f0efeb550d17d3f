"""The specification agrees with the code: tables, examples, clauses, code."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from cobs import cobs  # type: ignore[import-untyped]  # it ships no types
from hypothesis import given
from hypothesis import strategies as st

from laws.actions import Action
from laws.script import parse_line
from laws.seats import Seat
from protocol import limits, payloads
from protocol.frame import crc_of, encode_frame
from protocol.happenings import (
    DIRECTOR_ONLY,
    KINDS,
    EventKey,
    Kind,
    action_from,
    fields_of,
)
from protocol.link import TRANSITIONS, State, Trigger
from protocol.messages import MESSAGE_TYPES, Message, encode, name_of, tag_of
from protocol.payloads import PAYLOADS, schema_of
from protocol.topics import MATRIX, RETAINED, Access, Role
from protocol.vectors import build
from protocol.vectors.pieces import SAMPLES

PACKAGE = Path(__file__).parents[2] / "protocol"
TEXT = (PACKAGE / "README.md").read_text(encoding="utf-8")
CLAUSES = set(re.findall(r"^- \*\*([A-Z]\d+)\*\*", TEXT, re.MULTILINE))


def section(heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    level = heading.split(" ", maxsplit=1)[0]
    after = TEXT.split(f"\n{heading}\n", 1)[1]
    return re.split(rf"^#{{1,{len(level)}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]


def table(text: str, number: int = 0) -> list[list[str]]:
    """The rows of a table in a text, without its head."""
    tables = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
    rows = tables[number].strip().splitlines()[2:]
    return [[cell.strip() for cell in row[1:-1].split(" | ")] for row in rows]


def bare(cell: str) -> str:
    return cell.replace("`", "")


def hex_of(lines: Iterable[str]) -> str:
    """The bytes at the beginning of each line."""
    pattern = re.compile(r" *([0-9a-f]{2}(?: [0-9a-f]{2})*)(?:  |$)")
    return "".join(
        match[1].replace(" ", "") for line in lines if (match := pattern.match(line))
    )


@pytest.mark.parametrize("message", MESSAGE_TYPES, ids=name_of)
def test_each_message_is_told_field_by_field(message: type[Message]) -> None:
    name, tag = name_of(message), tag_of(message)
    rows = table(section(f"### {tag} {name}"))
    assert [bare(row[1]) for row in rows] == list(message.__struct_fields__)
    assert [row[0] for row in rows] == [str(i) for i in range(1, len(rows) + 1)]
    for row, field in zip(rows, msgspec.structs.fields(message), strict=True):
        assert ("Default" in row[3]) is (not field.required), field.name


def test_the_table_of_transitions_is_the_codes() -> None:
    rows = table(section("## O. Opening a link"))
    assert {row[0] for row in rows} == {state.value for state in State}
    for row in rows:
        told = dict(zip(Trigger, row[1:], strict=True))
        real = TRANSITIONS[State(row[0])]
        assert told == {t: real[t].value if t in real else "-" for t in Trigger}


def test_every_limit_is_told() -> None:
    told = {bare(name): value for name, value, _ in table(section("## L. Limits"))}
    real = {
        name: ", ".join(f"{x:g}" for x in value)
        if isinstance(value, tuple)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
        for name, value in vars(limits).items()
        if name.isupper()
    }
    assert told == real


def test_every_kind_is_told_with_its_data() -> None:
    rows = {bare(row[0]): row for row in table(section("## K. Kinds of event"))}
    assert list(rows) == [kind.value for kind in Kind]
    for kind, spec in KINDS.items():
        _, meaning, hand, data, examples = rows[kind.value]
        assert meaning == spec.meaning
        assert hand == ("yes" if spec.moves_card else "nil")
        assert re.findall(r"`(\w+)`", data) == [field.name for field in spec.fields]
        for field in spec.fields:
            assert field.expected in data
            assert (f"[`{field.name}`" in data) is field.optional
        for example in examples.split(" · "):
            seat, from_hand, values = json.loads(bare(example))
            key = EventKey(
                kind.value,
                Seat(seat),
                Seat(from_hand) if from_hand else None,
                tuple(values),
            )
            assert fields_of(action_from(key)) == key


def test_every_happening_has_an_event_a_command_or_both() -> None:
    happened = set()
    kinds = set()
    for _, kind, line in table(section("### Happenings, events and commands")):
        kinds.add(bare(kind))
        if re.fullmatch(r"`[^`]+`", line) is None or bare(kind) in {"board", "undo"}:
            continue
        action = parse_line(bare(line))
        happened.add(type(action))
        if kind == "-":
            assert type(action) in DIRECTOR_ONLY
        else:
            assert fields_of(action).kind == bare(kind)
    assert happened == set(get_args(Action))
    assert kinds - {"-"} == {kind.value for kind in Kind}


def test_the_matrix_of_roles_and_topics_is_the_codes() -> None:
    rows = table(section("## T. Topics"))
    for row, (kind, roles) in zip(rows, MATRIX.items(), strict=True):
        topic = re.sub(r"<\w+>", "+", bare(row[0]))
        assert topic == kind.value
        letters = {Access.PUBLISH: "p", Access.SUBSCRIBE: "s"}
        for role, cell in zip(Role, row[1:5], strict=True):
            assert cell == (" ".join(sorted(letters[a] for a in roles[role])) or "-")
        assert row[5] == ("yes" if kind in RETAINED else "no")
        assert re.findall(r"`([^`]+)`", row[6]) == [
            schema_of(t) for t in PAYLOADS[kind]
        ]


INNER = (
    payloads.HelloReport,
    payloads.VitalsReport,
    payloads.PublicCall,
    payloads.PublicCard,
    payloads.Contract,
    payloads.Pairs,
    payloads.HeldEvent,
    payloads.SilentCall,
    payloads.Alarm,
    payloads.CommandReply,
)


@pytest.mark.parametrize(
    ("heading", "struct"),
    [(f"### {schema_of(t)}", t) for ts in PAYLOADS.values() for t in ts]
    + [(f"#### {t.__name__}", t) for t in INNER],
)
def test_each_payload_is_told_field_by_field(
    heading: str, struct: type[msgspec.Struct]
) -> None:
    rows = table(section(heading))
    assert [bare(row[0]) for row in rows] == list(struct.__struct_fields__)
    for row, field in zip(rows, msgspec.structs.fields(struct), strict=True):
        assert ("Default" in row[2]) is (not field.required), field.name


EXAMPLES = re.findall(r"^#### Example: (.+)$", TEXT, re.MULTILINE)


def test_the_messages_of_a_first_conversation_are_worked_out() -> None:
    worked = {name.split(",")[0].split(" ")[0] for name in EXAMPLES}
    assert worked >= {
        *("ASK", "HELLO", "WELCOME", "DISPLAY", "SHOWN", "EVENT", "ACK", "PING"),
        *("PONG", "LOST"),
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_worked_example_is_what_the_code_makes(name: str) -> None:
    text = section(f"#### Example: {name}")
    body_block, frame_block = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    (body,) = encode(SAMPLES[name])
    assert hex_of(body_block.splitlines()) == body.hex()
    assert f"CRC `{crc_of(body).hex(' ')}`" in text
    assert hex_of(frame_block.splitlines()) == encode_frame(body).hex()


def test_the_worked_conversation_is_that_of_the_vectors() -> None:
    text = section("### A whole conversation")
    (block,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    said = {"<": "", ">": ""}
    way = ""
    for line in block.splitlines():
        if line[0].isdigit():
            way = line.split()[1]
        else:
            said[way] += hex_of([line])
    steps = build()["conversations"][0]["steps"]
    assert said["<"] == "".join(f for s in steps for f in s.get("frames", ()))
    assert said[">"] == "".join(s["sends"] for s in steps)


def cited(text: str) -> set[str]:
    groups = re.findall(r"[(:] ?((?:[A-Z]\d+)(?:, [A-Z]\d+)*)[),. ]", text)
    return {clause for group in groups for clause in group.split(", ")}


@pytest.mark.parametrize(
    "path",
    sorted(PACKAGE.rglob("*.py")),
    ids=lambda p: p.relative_to(PACKAGE).as_posix(),
)
def test_every_clause_that_the_code_cites_is_there(path: Path) -> None:
    docstrings = "".join(re.findall(r'"""(.*?)"""', path.read_text("utf-8"), re.DOTALL))
    assert cited(docstrings) <= CLAUSES


def test_every_clause_that_the_text_or_a_vector_cites_is_there() -> None:
    assert cited(TEXT) <= CLAUSES
    for conversation in build()["conversations"]:
        assert set(conversation["clauses"]) <= CLAUSES


def test_clauses_are_numbered_without_gaps() -> None:
    for letter in {clause[0] for clause in CLAUSES}:
        numbers = sorted(int(c[1:]) for c in CLAUSES if c[0] == letter)
        assert numbers == list(range(1, len(numbers) + 1)), letter


def told_code() -> dict[str, Callable[[bytes], Any]]:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - our own text
    return names


CODE = told_code()


@given(st.binary(max_size=600))
def test_the_cobs_and_crc_of_the_text_are_those_of_the_libraries(data: bytes) -> None:
    assert CODE["cobs_encode"](data) == cobs.encode(data)
    assert CODE["cobs_decode"](cobs.encode(data)) == data
    assert CODE["crc32"](data).to_bytes(4, "little") == crc_of(data)


@given(st.binary(max_size=300))
def test_the_cobs_of_the_text_refuses_what_the_library_refuses(block: bytes) -> None:
    try:
        decoded = cobs.decode(block)
    except cobs.DecodeError:
        with pytest.raises(ValueError, match="no COBS"):
            CODE["cobs_decode"](block)
    else:
        assert CODE["cobs_decode"](block) == decoded


@given(st.binary(min_size=1, max_size=238))
def test_the_frame_of_the_text_is_the_codes(body: bytes) -> None:
    assert CODE["frame"](body) == encode_frame(body)


def test_the_check_value_of_the_crc() -> None:
    assert CODE["crc32"](b"123456789") == 0xCBF43926
    assert crc_of(b"123456789").hex(" ") == "26 39 f4 cb"
