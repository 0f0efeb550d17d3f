"""The normative vectors: the file is current, and both directions agree with it."""

import json
import runpy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from laws.seats import Seat
from protocol.daemon_link import DaemonLink
from protocol.decoding import Malformed, Rejected, Unknown, decode
from protocol.frame import FrameDecoder, encode_frame
from protocol.happenings import EventKey
from protocol.intake import Intake, Verdict
from protocol.link import Link
from protocol.messages import (
    MESSAGE_TYPES,
    Event,
    Held,
    Hello,
    Lost,
    Part,
    RefusalReason,
    Refused,
    Vitals,
    encode,
    name_of,
)
from protocol.pairing import daemon_proof, key_of_code, read_code, terminal_proof
from protocol.parts import Reassembler
from protocol.store import Entry, MemoryStore
from protocol.terminal_link import Identity, TerminalLink
from protocol.vectors import build
from protocol.vectors.plain import message_of, plain, plain_occurrence, to_text

FILE = Path(__file__).parents[2] / "protocol" / "vectors.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


def named(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[c["name"] for c in cases])


def test_the_file_is_what_the_generator_makes() -> None:
    assert FILE.read_text(encoding="utf-8") == to_text(build()), (
        "run: python -m protocol.vectors > protocol/vectors.json"
    )


@named(VECTORS["frames"]["encode"])
def test_bodies_become_frames_and_frames_bodies(case: dict[str, Any]) -> None:
    body, frame = bytes.fromhex(case["body"]), bytes.fromhex(case["frame"])
    assert encode_frame(body) == frame
    assert FrameDecoder().receive(frame) == [body]


@named(VECTORS["frames"]["decode"])
@pytest.mark.parametrize("step", [1, 3, 1000])
def test_streams_give_their_bodies_and_counts(case: dict[str, Any], step: int) -> None:
    stream = bytes.fromhex(case["stream"])
    decoder = FrameDecoder()
    bodies = []
    for i in range(0, len(stream), step):
        bodies += decoder.receive(stream[i : i + step])
    assert [body.hex() for body in bodies] == case["bodies"]
    for counter in ("crc_errors", "cobs_errors", "oversize", "noise_bytes"):
        assert getattr(decoder.counters, counter) == case[counter], counter


@named(VECTORS["messages"]["encode"])
def test_messages_become_bodies_and_bodies_messages(case: dict[str, Any]) -> None:
    message = message_of(case["message"])
    bodies = [bytes.fromhex(body) for body in case["bodies"]]
    assert list(encode(message, case["part_id"])) == bodies
    if len(bodies) == 1:
        assert decode(bodies[0]) == message
        return
    reassembler = Reassembler()
    wholes = []
    for body in bodies:
        part = decode(body)
        assert isinstance(part, Part)
        wholes.append(reassembler.receive(part))
    assert wholes[:-1] == [None] * (len(bodies) - 1)
    assert decode(wholes[-1] or b"") == message


@named(VECTORS["messages"]["decode"])
def test_bodies_written_in_another_way_are_read(case: dict[str, Any]) -> None:
    assert decode(bytes.fromhex(case["body"])) == message_of(case["message"])


@named(VECTORS["messages"]["rejected"])
def test_bad_bodies_are_rejected(case: dict[str, Any]) -> None:
    rejected = decode(bytes.fromhex(case["body"]))
    assert isinstance(rejected, Rejected)
    assert not isinstance(rejected, Malformed)


@named(VECTORS["messages"]["malformed"])
def test_malformed_events_say_which_they_are(case: dict[str, Any]) -> None:
    malformed = decode(bytes.fromhex(case["body"]))
    assert isinstance(malformed, Malformed)
    assert (malformed.boot, malformed.n) == (case["boot"], case["n"])


@named(VECTORS["messages"]["unknown"])
def test_unknown_tags_are_told_apart(case: dict[str, Any]) -> None:
    assert isinstance(decode(bytes.fromhex(case["body"])), Unknown)


def test_every_message_has_a_vector() -> None:
    said = {case["message"]["message"] for case in VECTORS["messages"]["encode"]}
    assert said | {"PART"} == {name_of(t) for t in MESSAGE_TYPES}
    assert any(len(case["bodies"]) > 1 for case in VECTORS["messages"]["encode"])


@named(VECTORS["parts"])
def test_parts_give_their_contents(case: dict[str, Any]) -> None:
    reassembler = Reassembler()
    contents = []
    for body in case["parts"]:
        part = decode(bytes.fromhex(body))
        assert isinstance(part, Part)
        whole = reassembler.receive(part)
        if whole is not None:
            contents.append(whole.hex())
    assert contents == case["contents"]


@pytest.mark.parametrize("case", VECTORS["proofs"])
def test_proofs(case: dict[str, str]) -> None:
    key, daemon, terminal = (
        bytes.fromhex(case[name]) for name in ("key", "daemon_nonce", "terminal_nonce")
    )
    proof = terminal_proof(key, daemon, terminal, case["serial"])
    assert proof.hex() == case["terminal_proof"]
    proof = daemon_proof(key, daemon, terminal, case["serial"])
    assert proof.hex() == case["daemon_proof"]


@pytest.mark.parametrize("case", VECTORS["codes"], ids=lambda c: c["typed"])
def test_join_codes_become_keys(case: dict[str, str]) -> None:
    assert read_code(case["typed"]) == case["code"]
    assert key_of_code(case["code"], case["terminal"]).hex() == case["key"]


class GivenStore(MemoryStore):
    """A store that begins with the log of a vector."""

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(case["boot"], volatile=case["volatile"])
        self._entries = [
            Entry(msgspec.convert(event, Event), None) for event in case["log"]
        ]
        held = msgspec.convert(case["held"], list[Held])
        self._next = {h.boot: h.next for h in held}


def end_of(case: dict[str, Any]) -> Link:
    given = iter(range(1, 256))

    def nonce() -> bytes:
        return bytes([next(given)]) * 16

    key = bytes.fromhex(case["key"]) if case["key"] else None
    if case["end"] == "terminal":
        identity = msgspec.convert(case["identity"], Identity)
        link = TerminalLink(identity, GivenStore(case), nonce, key)
        link.vitals = msgspec.convert(case["vitals"], Vitals)
        return link

    def admit(hello: Hello) -> Refused | None:
        if hello.serial == case["serial"]:
            return None
        text = f"expected {case['serial']}, got {hello.serial}"
        return Refused(RefusalReason.SERIAL, text)

    return DaemonLink(nonce, admit, key)


def act(link: Link, step: dict[str, Any]) -> None:
    now = step["now"]
    match step["do"]:
        case "open":
            link.opened(now)
        case "close":
            link.closed()
        case "tick":
            link.tick(now)
        case "receive":
            for frame in step["frames"]:
                link.receive_data(bytes.fromhex(frame), now)
        case "send":
            link.send(message_of(step["message"]), now)
        case do:
            assert do == "press"
            assert isinstance(link, TerminalLink)
            press = step["press"]
            hand = Seat(press["hand"]) if press["hand"] else None
            seat, data = Seat(press["seat"]), tuple(press["data"])
            link.press(EventKey(press["kind"], seat, hand, data), now)


@named(VECTORS["conversations"])
def test_conversations_go_as_written(case: dict[str, Any]) -> None:
    link = end_of(case)
    for number, step in enumerate(case["steps"]):
        act(link, step)
        where = f"step {number} at {step['now']}: {step['do']}"
        assert link.data_to_send().hex() == step["sends"], where
        happened = [plain_occurrence(o) for o in link.events_received()]
        assert json.loads(msgspec.json.encode(happened)) == step["events"], where
        assert link.state.value == step["state"], where
        assert link.deadline() == step["deadline"], where


@named(VECTORS["conversations"])
def test_conversations_say_in_words_what_their_frames_hold(
    case: dict[str, Any],
) -> None:
    for step in case["steps"]:
        for frames, messages in (
            ("".join(step.get("frames", ())), step.get("messages") or None),
            (step["sends"], step["sent"]),
        ):
            if messages is None:
                continue
            bodies = FrameDecoder().receive(bytes.fromhex(frames))
            read = [decode(body) for body in bodies]
            parts = [m for m in read if isinstance(m, Part)]
            whole = [m for m in read if not isinstance(m, Part | Rejected | Unknown)]
            said = [message_of(message) for message in messages]
            if not parts:
                assert whole == said


@named(VECTORS["intake"])
def test_logs_are_taken_as_written(case: dict[str, Any]) -> None:
    intake: Intake | None = None
    for step in case["steps"]:
        said = message_of(step["said"])
        if isinstance(said, Hello):
            reset = intake is not None and intake.is_reset(said)
            assert step["verdict"] == ("reset" if reset else None)
            intake = intake.greet(said) if intake else Intake.begin(said)
        else:
            assert isinstance(said, Event | Lost)
            assert intake is not None, "a case begins with HELLO"
            verdict = intake.judge(said)
            assert verdict.value == step["verdict"]
            if verdict is Verdict.NEXT:
                intake = intake.take(said)
        assert plain(intake.ack) == step["ack"]


def test_the_generator_prints_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("protocol.vectors", run_name="__main__")
    assert capsys.readouterr().out == FILE.read_text(encoding="utf-8")


def test_the_conversations_reach_every_state_and_every_message() -> None:
    steps = [step for case in VECTORS["conversations"] for step in case["steps"]]
    assert {step["state"] for step in steps} >= {"opening", "up", "refused"}
    sent = {m["message"] for s in steps for m in s["sent"]}
    received = {m["message"] for s in steps for m in s.get("messages", ())}
    assert sent | {"PART"} == {name_of(t) for t in MESSAGE_TYPES}
    assert received | {"PART", "LOST"} == {name_of(t) for t in MESSAGE_TYPES}
