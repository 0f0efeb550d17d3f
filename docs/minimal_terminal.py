"""A Bidwire terminal in one file: four seats on a TCP port, the standard library alone.

Written from ``protocol/README.md``, whose clauses stand in comments (F7, R4), without
pairing (X) and messages in parts to the daemon: what is longer than a frame is refused.
A line of JSON on standard input is a key: ``["N", "call", null, ["1H"]]`` (seat, kind,
hand, data: K), or ``["W", 1]`` for the first answer that the display of West offers.

    python docs/minimal_terminal.py 4711 BX-1 terminal.json    # port, serial, log
"""  # noqa: INP001 - an example, no package

import contextlib
import json
import os
import re
import secrets
import select
import socket
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ASK, HELLO, WELCOME, REFUSED, PING, PONG = range(1, 7)
EVENT, ACK, LOST, DISPLAY, SHOWN, PART = range(7, 13)
BODY_MAX, BLOCK_MAX, NESTING_MAX, WINDOW, BOOTS_MAX, CAPACITY = 238, 243, 8, 16, 8, 500
OPENING_S, REFUSED_S, SILENCE_S, DOWN_S, VITALS_S, LATE_S = 2, 30, 2, 6, 10, 2
REPEAT_S, AGAIN_S, UNKNOWN, NEVER = (1, 2, 4, 8, 16, 30), 0.2, 0xFFFFFFFF, float("inf")
MOVES_CARD, SEATS = ("card", "cards", "exposed", "moved"), ("N", "E", "S", "W")
ABOUT: list[Any] = ["minimal 1", list(SEATS), 40, 8, "utf-8", "four-seats"]
Position = tuple[int, int]


def pack(value: Any) -> bytes:  # noqa: ANN401 - any value of the protocol
    """Write nil, a bool, int, text, bytes or list as MessagePack (M3)."""
    if value is None or isinstance(value, bool):
        return b"\xc0" if value is None else bytes([0xC2 + value])
    if isinstance(value, int):
        if -32 <= value < 128:
            return bytes([value & 0xFF])
        size = next(n for n in (1, 2, 4) if -(1 << 8 * n - 1) <= value < 1 << 8 * n)
        code = (0xD0 if value < 0 else 0xCC) + size // 2
        return bytes([code]) + value.to_bytes(size, "big", signed=value < 0)
    if isinstance(value, list):
        return _head(len(value), 0x90, 16, 0, 0xDC) + b"".join(map(pack, value))
    if isinstance(value, str):
        return _head(len(value.encode()), 0xA0, 32, 0xD9, 0xDA) + value.encode()
    return _head(len(value), 0, 0, 0xC4, 0xC5) + bytes(value)


def _head(count: int, fixed: int, below: int, one: int, two: int) -> bytes:
    """A length: within the code, in one byte (if there is a code for it) or in two."""
    if count < below:
        return bytes([fixed + count])
    return bytes([one, count] if one and count < 256 else [two, *divmod(count, 256)])


# The codes from c4 on: B binary, U unsigned, I signed, S string, A array, M map, X
# extension, with the bytes of their number or length; F so many bytes of another type.
_FORMS = "B1 B2 B4 X1 X2 X4 F4 F8 U1 U2 U4 U8 I1 I2 I4 I8 F2 F3 F5 F9 F17 S1 S2 S4"
_FORMS += " A2 A4 M2 M4"
FOREIGN = object()  # what is skipped, and fits no field: a map, a floating point number


class Reader:
    """Reads MessagePack in any form; ValueError for what is none (M3)."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        self.at += count
        if self.at > len(self.data):
            raise ValueError("cut short")
        return self.data[self.at - count : self.at]

    def value(self, depth: int = 1) -> Any:  # noqa: ANN401 - any value there is
        code = self.take(1)[0]
        if code < 0x80 or code >= 0xE0:
            return code if code < 0x80 else code - 256
        if code in {0xC0, 0xC2, 0xC3}:
            return {0xC0: None, 0xC2: False, 0xC3: True}[code]
        kind, count = "MASS"[(code >> 4) - 8 & 3], code & (15 if code < 0xA0 else 31)
        if code > 0xC0:
            form = _FORMS.split()[code - 0xC4] if code > 0xC1 else "N0"
            kind, count = form[0], int(form[1:])
            if kind != "F":
                count = int.from_bytes(self.take(count), "big", signed=kind == "I")
        if kind == "N" or (kind in "AM" and depth > NESTING_MAX):
            raise ValueError("a byte that means nothing, or nested too deep")
        if kind in "UI":
            return count
        if kind in "AM":
            items = range(count if kind == "A" else 2 * count)
            values = [self.value(depth + 1) for _ in items]
            return values if kind == "A" else FOREIGN
        raw = self.take(count + (kind == "X"))
        with contextlib.suppress(UnicodeDecodeError):
            return raw.decode() if kind == "S" else raw if kind == "B" else FOREIGN
        return FOREIGN


def frame(body: bytes) -> bytes:
    """CRC-32, COBS, the delimiter, and one before it when there is room (F3 to F6)."""
    chunks = (body + zlib.crc32(body).to_bytes(4, "little")).split(b"\0")
    framed = b"".join(bytes([len(chunk) + 1]) + chunk for chunk in chunks) + b"\0"
    return b"\0" + framed if len(framed) <= BLOCK_MAX else framed


def unframe(block: bytes) -> bytes | None:
    """The body of what stood between two delimiters, None when it is noise (F7)."""
    out, at = bytearray(), 0
    while at < len(block):
        end = at + block[at]
        if end > len(block):
            return None
        out += block[at + 1 : end] + (b"\0" if end < len(block) else b"")
        at = end
    body, crc = bytes(out[:-4]), out[-4:]
    return body if body and zlib.crc32(body).to_bytes(4, "little") == crc else None


class Receiver:
    def __init__(self) -> None:
        self.block, self.parts, self.before = b"", list[bytes](), list[Any]()

    def bodies(self, data: bytes) -> Iterator[bytes]:
        """The bodies that these bytes complete (F7)."""
        *blocks, rest = (self.block + data).split(b"\0")
        self.block = rest[: BLOCK_MAX + 1]  # one byte more than there may be
        for block in blocks:
            body = unframe(block) if len(block) <= BLOCK_MAX else None
            if body is not None:
                yield body

    def whole(self, part: list[Any]) -> bytes | None:
        """Take the fields of a PART; the message when that was its last one (P3)."""
        before, self.before = self.before, part
        ident, index, count, content = part
        if part == before:
            return None
        follows = before[::2] == [ident, count] and index == len(self.parts) + 1
        kept = self.parts if follows and index > 1 else []
        self.parts = [*kept, content] if follows or index == 1 else []
        if len(self.parts) < count:
            return None
        body, self.parts, self.before = b"".join(self.parts), [], []
        return body


UINT8, UINT16, UINT32 = range(1 << 8), range(1 << 16), range(1 << 32)
DATA = [(bool, str, UINT32)]
WANTED = ("none", "call", "card", "choice", "wait")
_NUMBERED = (UINT32, UINT32, SEATS, UINT32, UINT16, UINT32)
_LISTS: Any = ([[str]], [[str, DATA, str]], [str])
FIELDS: dict[int, tuple[list[Any], list[Any]]] = {
    # What a daemon sends, as ``fits`` reads it, and what may be left out at the end.
    ASK: ([UINT16, bytes], [1, b""]),
    WELCOME: ([UINT16, bytes], [1, b""]),
    REFUSED: ([str, str], [""]),
    PING: ([UINT32], []),
    ACK: ([UINT32, range(-1, 1 << 32)], []),
    DISPLAY: ([*_NUMBERED, WANTED, (None, *SEATS), *_LISTS], [[], []]),
    PART: ([UINT8, range(1, 9), range(2, 9), bytes], []),
}


def fits(value: object, pattern: Any) -> bool:  # noqa: ANN401 - a little language
    """Whether a value is of a type, in a range, one of a tuple, or as a list says."""
    if isinstance(pattern, tuple):
        return any(fits(value, one) for one in pattern)
    if isinstance(pattern, list) and isinstance(value, list):  # one pattern is for all
        each = pattern * len(value) if len(pattern) == 1 else pattern
        return len(value) >= len(each) and all(map(fits, value, each))
    if isinstance(pattern, type):
        return isinstance(value, pattern)
    values = pattern if isinstance(pattern, range) else [pattern]
    return type(value) is type(values[0]) and value in values


def read_message(body: bytes) -> list[Any] | None:
    """A daemon's message with all its fields, None for an unknown one (M2, M4)."""
    reader = Reader(body)
    message: Any = reader.value()
    tag = message[0] if isinstance(message, list) and message else None
    if not fits(tag, range(1 << 64)) or reader.at < len(body):
        raise ValueError("no array with a tag")
    if tag not in FIELDS:
        return None
    patterns, defaults = FIELDS[tag]
    absent = len(patterns) + 1 - len(message)
    message += defaults[-absent:] if absent > 0 else []
    if not fits(message, [UINT32, *patterns]) or (tag == PART and not message[4]):
        raise ValueError(f"message {tag} breaks a rule")
    return list(message[: len(patterns) + 1])


class Entry(NamedTuple):
    """An event, or (its ``rest`` is None) events that are lost; [:2] is its place."""

    boot: int
    last: int
    first: int
    rest: list[Any] | None = None  # seat, play, rev, kind, hand, data
    pressed: float | None = None  # None when that was before the restart

    def message(self, now: float) -> list[Any]:
        """EVENT with its age now (E5), or LOST."""
        if self.rest is None:
            return [LOST, self.boot, self.first, self.last]
        age = UNKNOWN if self.pressed is None else round((now - self.pressed) * 1000)
        return [EVENT, self.boot, self.first, *self.rest[:3], age, *self.rest[3:]]


class Log:
    """What is not yet acknowledged, in a file that outlives any restart (E2 to E4)."""

    def __init__(self, path: Path) -> None:
        self.path, self.acked, self.events = path, (-1, -1), list[Entry]()
        self.next: dict[int, int] = {}  # by boot, as far as it is not acknowledged
        self.boot = 1 + secrets.randbelow(0x7FFFFFFF)  # E3: never one that was before
        if path.exists():
            stored = json.loads(path.read_text())
            self.events = [Entry(b, n, n, rest) for b, n, rest in stored["events"]]
            self.next = {boot: n for boot, n in stored["next"] if n}
            self.forget(tuple(stored["acked"]))
            self.boot = stored["boot"] + (len(self.next) < BOOTS_MAX)
        self.next.setdefault(self.boot, 0)
        self.save()

    def save(self) -> None:
        """Store it so that a loss of power leaves the old state or the new one."""
        events = [[event.boot, event.first, event.rest] for event in self.events]
        stored = {"boot": self.boot, "acked": self.acked, "events": events}
        scratch = self.path.with_suffix(".new")
        with scratch.open("w") as file:
            json.dump({**stored, "next": list(self.next.items())}, file)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(self.path)

    def forget(self, acked: Position) -> None:  # the referee has all up to here (R3)
        kept = {self.boot: self.next[self.boot]} if self.boot in self.next else {}
        self.acked = max(self.acked, acked)
        self.events = [event for event in self.events if event[:2] > self.acked]
        left = {b: n for b, n in self.next.items() if (b, n - 1) > self.acked}
        self.next = left | kept

    def held(self) -> list[list[int]]:
        """Each boot of which something is kept, and the running one (E4)."""
        firsts = {event.boot: event.first for event in reversed(self.events)}
        return [[b, firsts.get(b, n), n] for b, n in sorted(self.next.items())]

    def after(self, acked: Position | None) -> list[Entry]:
        """What is to be sent after an ACK, LOST in place of what is missing (R6)."""
        entries = []
        for boot, first, end in self.held():
            due = first if acked is None else 0
            if acked is not None and acked[0] >= boot:
                due = acked[1] + 1 if acked[0] == boot else end
            kept = [e for e in self.events if e.boot == boot and e.first >= due]
            for event in [*kept, Entry(boot, end, end)]:
                if due < event.first:
                    entries.append(Entry(boot, event.first - 1, due))
                entries.append(event)
                due = event.last + 1
            entries.pop()
        return entries


class Terminal:
    """The terminal's end of a link, without input or output: it is told the time."""

    def __init__(self, serial: str, log: Log, say: Callable[[str], None]) -> None:
        self.serial, self.about, self.log, self.say = serial, ABOUT, log, say
        self.state, self.out, self.receiver = "closed", bytearray(), Receiver()
        self.nonce, self.asked, self.told = b"", b"", ""
        self.hello_at = self.heard = self.pinged = self.started = 0.0
        self.repeat_at, self.step = NEVER, 0
        self.sent: dict[Position, float] = {}  # what is in flight, since when
        self.acked: Position | None = None  # the last ACK
        self.acked_here, self.displays = False, dict[str, list[Any]]()  # on this link
        self.shown: dict[str, Position] = {}  # their numbers, on this link

    def send(self, *message: Any) -> None:  # noqa: ANN401 - the fields of any message
        self.out += frame(pack(list(message)))

    def opened(self, now: float) -> None:
        """The carrier is there, or the far side is silent: begin to open (O3, S2)."""
        self.receiver.parts, self.receiver.before = [], []
        self.state, self.asked, self.nonce = "opening", b"", os.urandom(16)
        self.hello(now)

    def hello(self, now: float) -> None:
        self.hello_at = now + (REFUSED_S if self.state == "refused" else OPENING_S)
        head = [HELLO, 1, self.serial, self.log.boot, False, self.log.held()]
        self.send(*head, *self.about, self.nonce, self.asked, b"")

    def ping_at(self) -> float:  # S1, S3
        return min(max(self.heard, self.pinged) + SILENCE_S, self.pinged + VITALS_S)

    def deadline(self) -> float:  # when ``tick`` is due
        if self.state != "up":
            return NEVER if self.state == "closed" else self.hello_at
        return min(self.heard + DOWN_S, self.ping_at(), self.repeat_at)

    def tick(self, now: float) -> None:
        if self.state in {"opening", "refused"} and now >= self.hello_at:
            self.hello(now)
        if self.state == "up" and now >= self.heard + DOWN_S:
            self.say("link down: silence")
            self.opened(now)
        if self.state == "up" and now >= self.ping_at():
            self.pinged = now
            self.send(PING, 0, [None, None, int(now - self.started), "power"])
        if self.state == "up" and now >= self.repeat_at:
            self.step = min(self.step + 1, len(REPEAT_S) - 1)
            self.repeat_at = now + REPEAT_S[self.step]
            self.send_entries(now, again=True)
        kept = self.log.events  # what its user has to know of them (E8)
        oldest = min((event.pressed or -NEVER for event in kept), default=NEVER)
        late = kept and (self.state != "up" or now - oldest >= LATE_S)
        told = f"saved, not yet sent ({len(kept)})" if late else ""
        if told != self.told:
            self.told = told
            self.say(told or "all sent")

    def send_entries(self, now: float, *, again: bool = False) -> None:
        """Send what of the first 16 entries is not in flight (R1, R2, R6)."""
        window = self.log.after(self.acked)[:WINDOW]
        if again or (window and window[0][:2] not in self.sent):
            self.sent.clear()
        for entry in window:
            if entry[:2] not in self.sent:
                self.send(*entry.message(now))
                self.sent[entry[:2]] = now
        if not window:
            self.repeat_at = NEVER
        elif self.repeat_at == NEVER:
            self.step, self.repeat_at = 0, now + REPEAT_S[0]

    def press(self, now: float, seat: str, kind: str, hand: Any, data: Any) -> None:  # noqa: ANN401 - unchecked as yet
        """Take a key: check it, number it, keep it, send it (E2, E7)."""
        _, rev, _, play, *_ = self.displays.get(seat, [0] * 5)
        log, rest = self.log, [seat, play, rev, kind, hand, data]
        fine: Any = fits(rest, [SEATS, UINT32, UINT32, str, (None, *SEATS), DATA])
        fine = fine and re.fullmatch("[a-z][a-z-]{0,23}", kind) and len(data) <= 8
        fine = fine and all(len(text) <= 120 for text in data if isinstance(text, str))
        if not fine or len(pack(rest)) > BODY_MAX - 20:  # M6: nobody could take it
            raise ValueError("a rule of section M is broken, or it is too long")
        if len(log.events) >= CAPACITY:  # E2
            raise ValueError("memory full")
        n = log.next[log.boot]
        log.events.append(Entry(log.boot, n, n, rest, now))
        log.next[log.boot] = n + 1
        log.save()
        self.say(f"[{seat}] event {log.boot}.{n}: {kind} {data}")
        if self.state == "up":
            self.send_entries(now)

    def take_body(self, now: float, body: bytes, *, whole: bool = False) -> None:
        try:
            message = read_message(body)
        except ValueError as error:
            self.say(f"rejected: {error}")
            return
        self.heard = now
        tag, *fields = message or [0]
        if tag == PART and not whole:
            content = self.receiver.whole(fields)
            if content is not None:
                self.take_body(now, content, whole=True)
        elif tag in {ASK, WELCOME, REFUSED}:
            self.take_opening(now, tag, fields)
        elif self.state == "up" and tag == PING:  # S4: after all events that were sent
            self.send(PONG, fields[0], self.log.boot, self.log.next[self.log.boot])
        elif self.state == "up" and tag == ACK:
            self.take_ack(now, (fields[0], fields[1]))
        elif self.state == "up" and tag == DISPLAY and fields[2] in self.about[1]:
            self.take_display(fields)

    def take_opening(self, now: float, tag: int, fields: list[Any]) -> None:
        """ASK, WELCOME or REFUSED (O3 to O7)."""
        self.receiver.parts, self.receiver.before = [], []
        if tag == ASK:
            if fields[1] != self.asked:
                self.asked, self.nonce = fields[1], os.urandom(16)
            self.state = "opening"
            self.hello(now)
        elif tag == REFUSED:
            self.say(f"refused: {fields[0]}: {fields[1]}")
            self.state, self.hello_at = "refused", now + REFUSED_S
        elif fields[0] == 1 and self.asked and self.state != "up":
            self.say("link up")
            self.state, self.pinged, self.shown, self.acked_here = "up", now, {}, False
            self.sent, self.repeat_at = {}, NEVER  # R5
            self.send_entries(now)

    def take_ack(self, now: float, acked: Position) -> None:
        """Forget what is acknowledged, or send again (R3 to R7)."""
        if acked >= (self.log.boot, self.log.next[self.log.boot]):
            return  # R7
        before, repeated = self.acked, self.acked_here
        self.acked, self.acked_here = acked, True
        if before is None or acked > before:
            self.log.forget(acked)
            self.log.save()
            self.say(f"acknowledged up to {acked}, {len(self.log.events)} kept")
            self.sent = {p: sent for p, sent in self.sent.items() if p > acked}
            self.repeat_at = NEVER
            self.send_entries(now)
        elif acked < before or repeated:
            for entry in self.log.after(acked)[:1]:
                again_at = self.sent.get(entry[:2], -NEVER) + AGAIN_S
                if now < again_at:  # R4
                    self.repeat_at = min(self.repeat_at, again_at)
                else:
                    self.send_entries(now, again=True)

    def take_display(self, fields: list[Any]) -> None:
        """Show a display unless a greater one is shown; answer what is (D2, D3)."""
        epoch, rev, seat, play, board, _, ask, hand, pages, choices, locks = fields
        if (epoch, rev) > self.shown.get(seat, (-1, -1)):
            self.shown[seat], self.displays[seat] = (epoch, rev), fields
            head = f"[{seat}] {epoch}.{rev} play {play} board {board} <{ask} {hand}>"
            self.say(f"{head} {pages} {[choice[2] for choice in choices]} -{locks}")
        self.send(SHOWN, *self.shown[seat], seat)


def type_key(terminal: Terminal, now: float, line: bytes) -> None:
    """Press the key that a line of JSON says; ValueError when it does nothing."""
    seat, kind, *more = json.loads(line)
    display = terminal.displays.get(seat)
    if display is None and kind != "director":
        raise ValueError("this seat has been shown nothing yet")  # E7
    hand, _, choices, locks = display[-4:] if display else (None, [], [], [])
    if isinstance(kind, int):  # D8: a choice, which is never locked
        (kind, data, *_), locks = choices[kind - 1], []
        more = [hand if kind in MOVES_CARD else None, data]
    hand, data = more
    names = {kind, *(data[:1] if kind in {"call", "card"} else [])}  # K3
    names |= {"alert"} if kind == "call" and data[1:2] == [True] else set()
    if not names.isdisjoint(locks):
        raise ValueError("this key is locked")
    terminal.press(now, seat, kind, hand, data)


def serve(terminal: Terminal, server: socket.socket, keys: int) -> None:
    """Serve one connection after the other (F9), and the keys."""
    carrier: socket.socket | None = None
    typed, watched = b"", list[Any]([keys])
    while True:
        wait = max(0.0, min(terminal.deadline() - time.monotonic(), 3600))
        ready = select.select([*watched, server, carrier or server], [], [], wait)[0]
        now, gone = time.monotonic(), server in ready
        if carrier in ready and carrier:
            data = b""
            with contextlib.suppress(OSError):
                data = carrier.recv(4096)
            for body in terminal.receiver.bodies(data):
                terminal.take_body(now, body)
            gone = gone or not data
        if keys in ready:
            chunk = os.read(keys, 4096)
            *lines, typed = (typed + chunk).split(b"\n")
            for line in lines:
                try:
                    type_key(terminal, now, line)
                except (ValueError, IndexError, TypeError) as error:
                    terminal.say(f"? {line.decode(errors='replace')}: {error}")
            watched = watched if chunk else []
        if carrier and gone:
            carrier.close()
            carrier, terminal.state, terminal.receiver = None, "closed", Receiver()
            terminal.say("connection closed")
        if server in ready:
            carrier = server.accept()[0]
            carrier.settimeout(DOWN_S)
            terminal.opened(now)
        terminal.tick(now)
        with contextlib.suppress(OSError):  # a lost connection shows when it is read
            if carrier:
                carrier.sendall(terminal.out)
        terminal.out.clear()


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("usage: python minimal_terminal.py PORT SERIAL_NUMBER FILE")
    terminal = Terminal(sys.argv[2], Log(Path(sys.argv[3])), partial(print, flush=True))
    terminal.started = time.monotonic()
    server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    terminal.say(f"port {server.getsockname()[1]}, held {terminal.log.held()}")
    serve(terminal, server, sys.stdin.fileno())


if __name__ == "__main__":
    main()
