"""Faults in messages (M), limits (L) and displays (D)."""

import msgspec

from hil_tests.bodies import body as encoded
from hil_tests.faulty.rules import Breaking, FaultyLink
from protocol.decoding import Rejected, Unknown, decode
from protocol.frame import encode_frame
from protocol.limits import NESTING_MAX
from protocol.link import State
from protocol.messages import (
    Display,
    Message,
    Ping,
    Shown,
    Welcome,
    encoded_size,
    tag_of,
)
from protocol.nesting import depth_of


class UnknownTakesLinkDown(FaultyLink):
    """A message of an unknown tag is an error for the link (M2)."""

    def _receive_body(self, body: bytes, now: float) -> None:
        super()._receive_body(body, now)
        if isinstance(decode(body), Unknown):
            self.go_down(now)


class WrongSideTakesLinkDown(FaultyLink):
    """A message from the wrong side is an error for the link (M5)."""

    def _unexpected(self) -> None:
        super()._unexpected()
        if self.state is State.UP:
            self.go_down(self._heard)


def elements_of(body: bytes) -> list[object]:
    """A body as the array that it begins with; empty when it is none."""
    try:
        value: object = msgspec.msgpack.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


class _Lenient(FaultyLink):
    """Reads what it rejects in another way before it gives up."""

    def _receive_body(self, body: bytes, now: float) -> None:
        if isinstance(decode(body), Rejected):
            body = self.mended(body)
        super()._receive_body(body, now)

    def mended(self, body: bytes) -> bytes:
        """What it takes the body for."""
        raise NotImplementedError


class TypesConverted(_Lenient):
    """A token that is no integer is made one (M2)."""

    def mended(self, body: bytes) -> bytes:
        match elements_of(body):
            case [5, float() | bool() as token, *_]:
                return encoded(tag_of(Ping), int(token))
            case _:
                return body


class EndOfBodyNotChecked(_Lenient):
    """Bytes after the array are no matter (M2)."""

    def mended(self, body: bytes) -> bytes:
        return body[:-1]


class FieldsAssumed(_Lenient):
    """A PING without a token is taken for one with 0 (M2)."""

    def mended(self, body: bytes) -> bytes:
        elements = elements_of(body)
        return encoded(*elements, 0) if elements == [tag_of(Ping)] else body


class Utf8NotChecked(_Lenient):
    """Text that is no UTF-8 is shown (M2)."""

    def mended(self, body: bytes) -> bytes:
        return body.replace(b"\xff", b"?").replace(b"\xfe", b"?")


class DepthNotChecked(_Lenient):
    """A body may be of any depth (M3)."""

    def mended(self, body: bytes) -> bytes:
        if depth_of(body) > NESTING_MAX and elements_of(body)[:1] == [tag_of(Ping)]:
            return encoded(*elements_of(body)[:2])
        return body


class _Strict(FaultyLink):
    """Drops bodies that it should read."""

    def _receive_body(self, body: bytes, now: float) -> None:
        if not self.is_unwanted(body):
            super()._receive_body(body, now)

    def is_unwanted(self, body: bytes) -> bool:
        """Whether it drops this one."""
        raise NotImplementedError


class FurtherFieldsRejected(_Strict):
    """A message with more elements than its table is rejected (M2)."""

    def is_unwanted(self, body: bytes) -> bool:
        message = decode(body)
        if isinstance(message, Rejected | Unknown):
            return False
        return len(elements_of(body)) > len(message.__struct_fields__) + 1


class LongFormsRejected(_Strict):
    """Numbers and counts in forms longer than need be are rejected (M3)."""

    def is_unwanted(self, body: bytes) -> bool:
        elements = elements_of(body)
        return bool(elements) and encoded(*elements[:1]) != b"\x91" + body[1:2]


class OtherValuesRejected(_Strict):
    """A body with maps, floating point or extensions is rejected (M3)."""

    def is_unwanted(self, body: bytes) -> bool:
        return any(
            isinstance(element, float | dict | msgspec.msgpack.Ext)
            for element in elements_of(body)
        )


class DefaultsNotKnown(_Strict):
    """A message whose last fields are left out is rejected (M4)."""

    def is_unwanted(self, body: bytes) -> bool:
        message = decode(body)
        if not isinstance(message, Ping | Display | Welcome):
            return False
        return len(elements_of(body)) < len(message.__struct_fields__) + 1


class ShownMalformed(FaultyLink):
    """SHOWN is followed by one whose revision is text (M1)."""

    def _send(self, message: Message) -> bool:
        done = super()._send(message)
        if isinstance(message, Shown):
            self._outbox += encode_frame(encoded(11, 1, "one", "N"))
        return done


# -- limits -------------------------------------------------------------------------


class _Choosy(FaultyLink):
    """Ignores displays that it should show."""

    def _take_display(self, display: Display) -> None:
        if self.takes(display):
            super()._take_display(display)

    def takes(self, display: Display) -> bool:
        """Whether it shows this one."""
        raise NotImplementedError


class ShortMessages(_Choosy):
    """A display of more than 1700 bytes is ignored (L)."""

    def takes(self, display: Display) -> bool:
        return encoded_size(display) <= 1700


class ShortLists(_Choosy):
    """A display with more than 8 choices is ignored (L)."""

    def takes(self, display: Display) -> bool:
        return len(display.choices) <= 8


class SignedNumbers(_Choosy):
    """A display whose revision needs 32 bits is ignored (L)."""

    def takes(self, display: Display) -> bool:
        return display.rev < 1 << 31


class LongLineIgnored(_Choosy):
    """A display with a line that is too long is ignored (D6)."""

    def takes(self, display: Display) -> bool:
        widest = max((len(line) for page in display.pages for line in page), default=0)
        return widest <= self._identity.columns


# -- displays -----------------------------------------------------------------------


class ShownOnce(FaultyLink):
    """SHOWN answers a display that is new, and no other (D3)."""

    def _take_display(self, display: Display) -> None:
        before = self._numbered.get(display.seat)
        super()._take_display(display)
        if self._numbered.get(display.seat) == before:
            self._outbox.clear()


class LatestCounts(FaultyLink):
    """Whatever display comes last is shown (D2)."""

    def _take_display(self, display: Display) -> None:
        self._numbered.pop(display.seat, None)
        super()._take_display(display)


class EpochIgnored(FaultyLink):
    """The revision alone tells which display counts (D2)."""

    def _take_display(self, display: Display) -> None:
        before = self._numbered.get(display.seat)
        if before is not None and display.rev < before[1]:
            self._send(Shown(*before, display.seat))
            return
        self._numbered.pop(display.seat, None)
        super()._take_display(display)


class OneNumberForAllSeats(FaultyLink):
    """The greatest number of any seat counts for all (D2)."""

    def _take_display(self, display: Display) -> None:
        self._numbered = dict.fromkeys(
            self._identity.seats, max(self._numbered.values(), default=(0, 0))
        )
        super()._take_display(display)


class OtherSeatsAnswered(FaultyLink):
    """A display for a seat that is not served is answered (D3)."""

    def _take_display(self, display: Display) -> None:
        if display.seat not in self._identity.seats:
            self._send(Shown(display.epoch, display.rev, display.seat))
        else:
            super()._take_display(display)


class NumbersOutliveOpening(FaultyLink):
    """The numbers of before an opening count after it (D4)."""

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        numbered = dict(self._numbered)
        super()._take_welcome(welcome, now)
        self._numbered = numbered


class BlankAtOpening(FaultyLink):
    """With an opening the terminal forgets what its seats show (D4)."""

    def _begin_opening(self, now: float) -> None:
        self.displays.clear()
        super()._begin_opening(now)

    def _take_welcome(self, welcome: Welcome, now: float) -> None:
        self.displays.clear()
        super()._take_welcome(welcome, now)


class ShowsNothing(FaultyLink):
    """A display is answered, but nothing is seen (D6)."""

    def _take_display(self, display: Display) -> None:
        blank = msgspec.structs.replace(display, pages=(("",),))
        super()._take_display(blank)


MESSAGE_FAULTS: tuple[Breaking, ...] = (
    UnknownTakesLinkDown,
    WrongSideTakesLinkDown,
    TypesConverted,
    EndOfBodyNotChecked,
    FieldsAssumed,
    Utf8NotChecked,
    DepthNotChecked,
    FurtherFieldsRejected,
    LongFormsRejected,
    OtherValuesRejected,
    DefaultsNotKnown,
    ShownMalformed,
    ShortMessages,
    ShortLists,
    SignedNumbers,
    LongLineIgnored,
    ShownOnce,
    LatestCounts,
    EpochIgnored,
    OneNumberForAllSeats,
    OtherSeatsAnswered,
    NumbersOutliveOpening,
    BlankAtOpening,
    ShowsNothing,
)
