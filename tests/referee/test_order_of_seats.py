"""Nothing that is regular at the table is ever ruled irregular by the wires.

Players act in an order that the wires know nothing of. Each terminal's line keeps its
own order, but holds up, loses and repeats; daemons forward through a broker that
delivers twice and out of order; terminals, daemons and the referee restart. Whatever
happens, the referee judges the happenings in the order of the table, and rules on
nothing.
"""

from collections import deque
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from laws.actions import Action, MakeCall, PlayCards
from laws.board import Edition, Policies
from laws.calls import Call
from laws.engine import begin, decide
from laws.events import Event as LawEvent
from laws.events import Happened, Refused, Ruled
from laws.report import legal, turn_of
from laws.seats import SEATS, Seat
from laws.steps import Step
from protocol.payloads import TerminalClear, TerminalEvent
from referee.codec import decode_event
from referee.entries import EventJudged, EventSetAside
from referee.intake import Arrived
from referee.settings import BoardSettings, TerminalSettings
from referee.table import (
    Acknowledges,
    Cleared,
    Output,
    Polls,
    Reconnected,
    Table,
    begin_table,
)
from tests.long import examples
from tests.referee.bench import DEAL, Bench, Terminal
from tests.referee.bench import settings as referee_settings

BOARD = BoardSettings(number=1, deal=DEAL)


def regular_happenings(chance: Random, length: int) -> list[tuple[Seat, Action]]:
    """The beginning of a regular board: who presses the key, and what happens."""
    state = begin(BOARD.board(Edition.LAWS_2017, Policies()))
    happenings: list[tuple[Seat, Action]] = []
    while len(happenings) < length:
        turn = turn_of(state)
        if turn is None:
            break
        choice = chance.choice(legal(state)[:8])
        action: Action
        actor = turn
        if isinstance(choice, Call):
            action = MakeCall(turn, choice)
        else:
            action = PlayCards(turn, (choice,))
            actor = state.play.player_of(turn) if state.play is not None else turn
        happenings.append((actor, action))
        state = decide(state, Step(len(happenings), action)).state
    return happenings


class World:
    """A table, its players, and everything between them and the referee."""

    def __init__(self, chance: Random, layout: list[TerminalSettings]) -> None:
        self.chance = chance
        self.bench = Bench(referee_settings(terminals=layout, boards=[BOARD]))
        self.happenings = regular_happenings(chance, chance.randint(4, 40))
        self.pressed = 0
        self.lines: dict[str, deque[TerminalEvent | TerminalClear]] = {
            name: deque() for name in self.bench.terminals
        }
        self.broker: dict[str, list[Arrived | Cleared]] = {
            daemon: [] for daemon in self.bench.session
        }
        self.take_outputs(self.bench.outputs)
        self.bench.outputs.clear()

    # -- what goes down -------------------------------------------------------------

    def take_outputs(self, outputs: list[Output]) -> None:
        """Acknowledgements and polls reach the terminals."""
        for output in list(outputs):
            if isinstance(output, Acknowledges):
                log = self.bench.record.log(output.terminal)
                assert log is not None
                boot, last = log.acknowledged
                terminal = self.bench.terminals[output.terminal]
                terminal.log = [e for e in terminal.log if (e.boot, e.n) > (boot, last)]
            elif isinstance(output, Polls):
                terminal = self.bench.terminals[output.terminal]
                clear = TerminalClear(
                    token=output.token,
                    boot=terminal.boot,
                    next=terminal.next,
                    session=self.bench.session[terminal.daemon],
                )
                self.lines[output.terminal].append(clear)

    def settle(self) -> None:
        """Take what the last step sent down."""
        outputs, self.bench.outputs = self.bench.outputs, []
        self.take_outputs(outputs)

    # -- what may happen ------------------------------------------------------------

    def press(self) -> None:
        """The next player acts; his terminal sends it."""
        if self.pressed < len(self.happenings):
            seat, action = self.happenings[self.pressed]
            self.pressed += 1
            event = self.bench.press(action, seat=seat, play=1)
            self.lines[self.bench.of(seat).id].append(event)

    def hear(self) -> None:
        """A daemon hears the next message of a line, or loses it, and publishes it."""
        name = self.chance.choice(list(self.lines))
        if not self.lines[name]:
            return
        message = self.lines[name].popleft()
        if self.chance.random() < 0.2:
            return
        terminal = self.bench.terminals[name]
        if isinstance(message, TerminalEvent):
            self.broker[terminal.daemon].append(self.bench.stamp(message))
        else:
            self.broker[terminal.daemon].append(Cleared(name, message))

    def deliver(self) -> None:
        """The broker delivers one of the first messages, perhaps not for good."""
        daemon = self.chance.choice(list(self.broker))
        queue = self.broker[daemon]
        if queue:
            place = min(self.chance.choice([0, 0, 0, 1, 2]), len(queue) - 1)
            again = self.chance.random() < 0.2
            self.bench.feed(queue[place] if again else queue.pop(place))

    def repeat(self) -> None:
        """A terminal sends again what is not acknowledged."""
        terminal = self.chance.choice(list(self.bench.terminals.values()))
        self.lines[terminal.id].extend(terminal.log)

    def wait(self) -> None:
        """Time passes."""
        self.bench.pass_time(self.chance.choice([0.3, 1.5, 3.0, 12.0]))

    def restart_terminal(self) -> None:
        """A terminal restarts; it keeps its log, and its line begins anew."""
        terminal = self.chance.choice(list(self.bench.terminals.values()))
        terminal.boots.append((terminal.boot, terminal.next))
        terminal.boot, terminal.next = terminal.boot + 1, 0
        self.open_line(terminal)

    def restart_daemon(self) -> None:
        """A daemon restarts; what its broker client had queued may be lost."""
        daemon = self.chance.choice(list(self.broker))
        if self.chance.random() < 0.5:
            self.broker[daemon].clear()
        run = int(self.bench.session[daemon].rpartition("-")[2])
        self.bench.start_daemon(daemon, f"{daemon}-{run + 1}")
        for terminal in self.bench.terminals.values():
            if terminal.daemon == daemon:
                self.open_line(terminal)

    def restart_referee(self) -> None:
        """The referee is killed and folds its journal; the broker forgets it."""
        bench = self.bench
        epoch = bench.table.traffic.epoch + 1
        fresh = begin_table(bench.event, bench.event.tables[0], epoch)
        bench.table = Table(bench.refolded(), fresh.traffic)
        for queue in self.broker.values():
            queue.clear()
        bench.feed(Reconnected())
        for daemon in bench.session:
            bench.say_born(daemon)
        for terminal in bench.terminals.values():  # as the broker retains it
            bench.come_up(terminal.id, held=terminal.said, opening=terminal.opening)

    def open_line(self, terminal: Terminal) -> None:
        """A link opens: HELLO, and all that is not acknowledged."""
        self.lines[terminal.id].clear()
        self.bench.come_up(terminal.id)
        self.lines[terminal.id].extend(terminal.log)

    # -- the run --------------------------------------------------------------------

    def run(self) -> None:
        often = [self.press, self.hear, self.hear, self.deliver, self.deliver]
        seldom = [self.repeat, self.wait]
        rare = [self.restart_terminal, self.restart_daemon, self.restart_referee]
        for _ in range(150):
            acts = self.chance.choices([often, seldom, rare], weights=[30, 6, 1])[0]
            self.chance.choice(acts)()
            self.settle()
        while self.pressed < len(self.happenings):
            self.press()
        for _ in range(60):
            if len(self.judged()) == len(self.happenings):
                break
            self.calm_round()

    def calm_round(self) -> None:
        """Everything is repeated, heard and delivered once."""
        for terminal in self.bench.terminals.values():
            self.lines[terminal.id].extend(terminal.log)
        self.bench.pass_time(1.5)
        self.settle()
        for name, line in self.lines.items():
            while line:
                message = line.popleft()
                if isinstance(message, TerminalEvent):
                    self.bench.feed(self.bench.stamp(message))
                else:
                    self.bench.feed(Cleared(name, message))
                self.settle()
        for queue in self.broker.values():
            while queue:
                self.bench.feed(queue.pop(0))
                self.settle()

    def law_events(self) -> list[LawEvent]:
        return [
            decode_event(plain)
            for entry in self.bench.entries
            if isinstance(entry, EventJudged)
            for plain in entry.events
        ]

    def judged(self) -> list[Action]:
        return [e.step.action for e in self.law_events() if isinstance(e, Happened)]


def layout(daemons: int, seats: tuple[tuple[Seat, ...], ...]) -> list[TerminalSettings]:
    """Terminals of these seats, dealt out to so many daemons."""
    return [
        TerminalSettings(daemon=f"d{i % daemons + 1}", id=f"t1-{i}", seats=served)
        for i, served in enumerate(seats)
    ]


SINGLE = tuple((seat,) for seat in SEATS)
SIDES_TOGETHER = ((SEATS[0], SEATS[2]), (SEATS[1], SEATS[3]))


@pytest.mark.parametrize("daemons", [1, 2])
@pytest.mark.parametrize("seats", [SINGLE, SIDES_TOGETHER, (SEATS,)])
def test_regular_board_is_judged_in_the_order_of_the_table(
    daemons: int, seats: tuple[tuple[Seat, ...], ...]
) -> None:
    # A seed cannot be shrunk to anything simpler.
    @settings(max_examples=examples(20), phases=[Phase.generate])
    @given(st.integers(0, 2**32))
    def check(seed: int) -> None:
        world = World(Random(seed), layout(daemons, seats))  # noqa: S311 - no secret
        world.run()
        assert world.judged() == [action for _, action in world.happenings]
        irregular = [e for e in world.law_events() if isinstance(e, Ruled | Refused)]
        assert not irregular
        aside = [e for e in world.bench.entries if isinstance(e, EventSetAside)]
        assert not aside
        assert world.bench.refolded() == world.bench.record

    check()
