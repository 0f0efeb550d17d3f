"""Whatever happens in whatever order: nothing is lost, doubled or left unnumbered."""

import itertools
from collections import defaultdict
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from laws.seats import Seat
from protocol.payloads import TerminalEvent
from protocol.store import MemoryStore
from tests.long import examples
from tests.terminal.rooms import Far, Room, terminal_settings

SEATS = (Seat.NORTH, Seat.EAST)


class Storm:
    """Moves a room by single steps and keeps account of the keys pressed."""

    def __init__(self) -> None:
        self.room = self.make_room()
        self.pressed: dict[str, list[str]] = defaultdict(list)
        self.at_risk: dict[str, set[str]] = defaultdict(set)
        """What a memory held when it was wiped, and nobody may have elsewhere."""
        self.wiped: set[str] = set()
        """Terminals that come with a boot that the referee may know."""
        self.boots = itertools.cycle((900, 100, 1900, 50, 2900))
        self.room.relay.broker_connected(self.room.now)
        for far in self.room.far.values():
            self.plug_in(far)
        self.room.settle()

    def make_room(self) -> Room:
        return Room(*(terminal_settings(seat) for seat in SEATS))

    def press(self, far: Far) -> None:
        if far.name in self.wiped and far.link._acked is None:
            return  # it has been shown nothing yet
        self.wiped.discard(far.name)
        label = f"{len(self.pressed[far.name])}"
        self.pressed[far.name].append(label)
        far.press(self.room.now, label)
        self.room.collect()

    def carry_up(self, far: Far) -> None:
        self.room.carry(far, down=False)

    def carry_down(self, far: Far) -> None:
        self.room.carry(far, up=False)

    def lose_up(self, far: Far) -> None:
        far.up.clear()

    def lose_down(self, far: Far) -> None:
        far.down.clear()

    def double_up(self, far: Far) -> None:
        far.up += bytes(far.up)

    def spoil_up(self, far: Far) -> None:
        if far.up:
            far.up[len(far.up) // 2] ^= 0x55

    def restart(self, far: Far) -> None:
        far.restart(self.room.now)
        self.room.collect()

    def wipe(self, far: Far) -> None:
        """It loses its memory, and draws a new boot as it must."""
        self._wipe(far, next(self.boots))

    def wipe_and_come_back_with_the_same_boot(self, far: Far) -> None:
        """As a terminal may that does not draw its first boot at random."""
        self.wiped.add(far.name)
        self._wipe(far, far.store.boot)

    def _wipe(self, far: Far, boot: int) -> None:
        self.at_risk[far.name] |= {str(e.event.data[0]) for e in far.store.entries()}
        far.store = MemoryStore(boot, volatile=False)
        far.switch_on()
        far.up.clear()
        if far.is_open:
            far.link.opened(self.room.now)
        self.room.collect()

    def unplug(self, far: Far) -> None:
        if far.is_open:
            self.room.lose_line(far)

    def plug_in(self, far: Far) -> None:
        if not far.is_open:
            self.room.open_line(far)

    def lose_broker(self, _far: Far) -> None:
        self.room.relay.broker_lost()

    def find_broker(self, _far: Far) -> None:
        self.room.relay.broker_connected(self.room.now)
        self.room.collect()

    def broker_forgets(self, _far: Far) -> None:
        """It may only lose what it has when it goes down itself."""
        self.room.inbox.clear()
        self.room.relay.broker_lost()

    def broker_doubles(self, _far: Far) -> None:
        self.room.inbox += self.room.inbox

    def broker_shuffles(self, _far: Far) -> None:
        self.room.inbox.reverse()

    def read(self, _far: Far) -> None:
        self.room.read()

    def wait(self, _far: Far) -> None:
        self.room.pass_time(1)

    def calm_down(self) -> None:
        """All is well for a minute: longer than the longest repeat."""
        self.room.relay.broker_connected(self.room.now)
        for far in self.room.far.values():
            self.plug_in(far)
        self.room.live(65)


STEPS: list[Callable[[Storm, Far], None]] = [
    Storm.press,
    Storm.press,
    Storm.carry_up,
    Storm.carry_up,
    Storm.carry_down,
    Storm.lose_up,
    Storm.lose_down,
    Storm.double_up,
    Storm.spoil_up,
    Storm.restart,
    Storm.unplug,
    Storm.plug_in,
    Storm.plug_in,
    Storm.lose_broker,
    Storm.find_broker,
    Storm.find_broker,
    Storm.broker_forgets,
    Storm.broker_doubles,
    Storm.broker_shuffles,
    Storm.read,
    Storm.read,
    Storm.wait,
]

WIPES: list[Callable[[Storm, Far], None]] = [
    Storm.wipe,
    Storm.wipe_and_come_back_with_the_same_boot,
    Storm.wipe_and_come_back_with_the_same_boot,
]

Story = list[tuple[Callable[[Storm, Far], None], Seat]]
"""What happens, and to whose terminal."""


def stories(
    steps: list[Callable[[Storm, Far], None]],
) -> st.SearchStrategy[Story]:
    """Stories made of such steps."""
    return st.lists(
        st.tuples(st.sampled_from(steps), st.sampled_from(SEATS)), max_size=60
    )


@settings(max_examples=examples(50))
@given(stories(STEPS))
def test_every_event_arrives_once_in_order_and_numbers_have_no_gap(
    story: Story,
) -> None:
    storm = Storm()
    for step, seat in story:
        step(storm, storm.room.far_of(seat))
    storm.calm_down()

    taken: dict[str, list[str]] = defaultdict(list)
    for event in storm.room.taken:
        assert isinstance(event, TerminalEvent)
        taken[f"t1-{event.seat.lower()}"].append(str(event.data[0]))
    assert taken == storm.pressed
    assert all(not far.link.unacknowledged for far in storm.room.far.values())

    meant: dict[int, set[object]] = defaultdict(set)
    for event in storm.room.events():
        assert isinstance(event, TerminalEvent)
        meant[event.k].add((event.serial, event.boot, event.n))
    assert sorted(meant) == list(range(len(meant)))
    assert all(len(events) == 1 for events in meant.values())


@settings(max_examples=examples(50))
@given(stories([*STEPS, *WIPES]))
def test_a_wiped_memory_loses_what_it_held_and_nothing_else(
    story: Story,
) -> None:
    storm = Storm()
    for step, seat in story:
        step(storm, storm.room.far_of(seat))
    storm.calm_down()

    taken: dict[str, list[str]] = defaultdict(list)
    for event in storm.room.taken:
        assert isinstance(event, TerminalEvent)
        taken[f"t1-{event.seat.lower()}"].append(str(event.data[0]))
    for name, pressed in storm.pressed.items():
        lost = set(pressed) - set(taken[name])
        assert taken[name] == [label for label in pressed if label not in lost]
        assert lost <= storm.at_risk[name]
    assert all(not far.link.unacknowledged for far in storm.room.far.values())


@given(st.lists(st.sampled_from(SEATS), max_size=20))
def test_the_order_of_the_table_is_that_of_arrival(seats: list[Seat]) -> None:
    """Also when the broker is away meanwhile and loses everything after it is back."""
    storm = Storm()
    for seat in seats:
        storm.press(storm.room.far_of(seat))
        storm.room.settle()
    storm.find_broker(storm.room.far_of(Seat.NORTH))
    storm.broker_forgets(storm.room.far_of(Seat.NORTH))
    storm.calm_down()
    order = [e.seat for e in storm.room.taken if isinstance(e, TerminalEvent)]
    assert order == seats
