"""From a terminal's memory to the referee's journal, over lines and brokers that fail.

The terminals' real link, the daemon's real relay and the referee's real table, moved by
hand: nothing is lost, nothing is doubled, and an honest terminal is never taken for one
whose memory was reset.
"""

from collections import defaultdict

from hypothesis import given, settings

from broker.settings import BrokerSettings
from laws.board import Edition
from protocol.payloads import (
    Acknowledge,
    DaemonStatus,
    TerminalClear,
    TerminalEvent,
    TerminalLost,
    TerminalMalformed,
    TerminalShown,
    TerminalStatus,
    decode_payload,
)
from referee.entries import EventTaken
from referee.intake import Arrived
from referee.settings import (
    BoardSettings,
    RefereeSettings,
    TableSettings,
)
from referee.settings import TerminalSettings as Terminal
from referee.table import (
    Acknowledges,
    Cleared,
    DaemonReport,
    Input,
    Moment,
    Tick,
    begin_table,
    deadline,
    step,
)
from referee.traffic import TerminalReport
from tests.long import examples
from tests.terminal.rooms import DAEMON, SESSION, TOPICS, Far, Room, terminal_settings
from tests.terminal.test_relay_interleavings import (
    SEATS,
    STEPS,
    WIPES,
    Storm,
    Story,
    stories,
)

SETTINGS = RefereeSettings(
    event="test",
    broker=BrokerSettings(),
    journal="journal.sqlite",
    edition=Edition.LAWS_2017,
    tables=(
        TableSettings(
            id="t1",
            terminals=tuple(
                Terminal(daemon=DAEMON, id=f"t1-{seat.lower()}", seats=(seat,))
                for seat in SEATS
            ),
            boards=(BoardSettings(number=1),),
        ),
    ),
)


class RefereesRoom(Room):
    """A room whose referee is the real table."""

    def __init__(self) -> None:
        super().__init__(*(terminal_settings(seat) for seat in SEATS))
        self.table = begin_table(SETTINGS, SETTINGS.tables[0], epoch=1)
        self.journal: list[EventTaken] = []
        self.feed(DaemonReport(DAEMON, DaemonStatus(session=SESSION, online=True)))

    def feed(self, message: Input) -> None:
        outcome = step(self.table, message, Moment(self.now, self.now))
        self.table = outcome.table
        self.journal += [e for e in outcome.entries if isinstance(e, EventTaken)]
        for output in outcome.outputs:
            if isinstance(output, Acknowledges):
                self.acknowledge(self.far[output.terminal])

    def acknowledge(self, far: Far) -> None:
        log = self.table.record.log(far.name)
        if log is not None:
            ack = Acknowledge(
                epoch=1,
                boot=log.intake.ack.boot,
                n=log.intake.ack.n,
                session=log.session,
                opening=log.opening,
            )
            self.tell("ack", far, ack)

    def read(self) -> None:
        publications, self.inbox = self.inbox, []
        for publication in publications:
            topic = TOPICS.parse(publication.topic)
            name = topic.names[-1]
            match decode_payload(topic.kind, publication.payload):
                case TerminalEvent() | TerminalLost() | TerminalMalformed() as entry:
                    self.feed(Arrived(DAEMON, name, entry))
                case TerminalStatus() as status:
                    self.feed(TerminalReport(DAEMON, name, status))
                case TerminalClear() as clear:
                    self.feed(Cleared(name, clear))
                case DaemonStatus() as birth:
                    self.feed(DaemonReport(name, birth))
                case other:
                    assert isinstance(other, TerminalShown)
        due = deadline(self.table)
        if due is not None and due <= self.now:
            self.feed(Tick())


class RefereesStorm(Storm):
    """The same storm over it."""

    def make_room(self) -> Room:
        return RefereesRoom()


def weathered(story: Story) -> RefereesStorm:
    storm = RefereesStorm()
    for act, seat in story:
        act(storm, storm.room.far_of(seat))
    storm.calm_down()
    return storm


def taken(storm: RefereesStorm) -> dict[str, list[str]]:
    assert isinstance(storm.room, RefereesRoom)
    labels: dict[str, list[str]] = defaultdict(list)
    for event in storm.room.journal:
        labels[event.terminal].append(str(event.data[0]))
    return labels


def alarms(storm: RefereesStorm) -> list[str]:
    assert isinstance(storm.room, RefereesRoom)
    return [alarm.text for alarm in storm.room.table.record.alarms]


@settings(max_examples=examples(40))
@given(stories(STEPS))
def test_every_event_is_journalled_once_and_no_reset_is_seen(
    story: Story,
) -> None:
    storm = weathered(story)
    assert taken(storm) == storm.pressed
    assert alarms(storm) == []
    assert all(not far.link.unacknowledged for far in storm.room.far.values())


@settings(max_examples=examples(40))
@given(stories([*STEPS, *WIPES]))
def test_a_wiped_memory_loses_what_it_held_and_nothing_else(
    story: Story,
) -> None:
    storm = weathered(story)
    journalled = taken(storm)
    for name, pressed in storm.pressed.items():
        lost = set(pressed) - set(journalled[name])
        assert journalled[name] == [label for label in pressed if label not in lost]
        assert lost <= storm.at_risk[name]
    assert all(not far.link.unacknowledged for far in storm.room.far.values())


def test_a_wiped_memory_is_told_to_the_director() -> None:
    storm = RefereesStorm()
    far = storm.room.far_of(SEATS[0])
    for _ in range(3):
        storm.press(far)
    storm.room.settle()
    storm.wipe_and_come_back_with_the_same_boot(far)
    storm.room.live(5)
    storm.press(far)
    storm.room.live(5)
    assert taken(storm)[far.name] == ["0", "1", "2", "3"]
    assert alarms(storm) == ["its memory was reset: its events are numbered anew"]
