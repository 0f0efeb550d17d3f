"""``bidwire demo --play``: a person at a table of robots, with a real referee."""

import os
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bidwire.children import Child, RunFolder, run_until
from bidwire.demo.robots import BOARDS, TABLE, Hands, Robots, robot_of
from bidwire.stopping import run_stoppable
from broker import BrokerSettings, EmbeddedBroker
from desk.director import DirectorClient
from laws.board import Edition, format_deal, format_hand
from laws.cards import DECK
from laws.seats import SEATS, Seat
from protocol.topics import Role
from referee.settings import BoardSettings, Questions, RefereeSettings, TableSettings
from referee.settings import TerminalSettings as RefereeTerminal
from terminal.settings import WEB, DaemonSettings, Security, TerminalSettings
from terminal.simulator.reports import (
    decode_report,
)
from terminal.simulator.settings import SimulatedSettings, SimulatorSettings
from terminal.web.codes import new_code
from terminal.web.joining import join_address
from terminal.web.settings import WebSettings

EVENT, DAEMON, PERSON = "demo", "hall", "you"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What is to be played, and how.

    Attributes:
        edition: of the Laws.
        seats: where the person sits; robots sit elsewhere.
        listen: where the page is served.
        language: of the page and its prompts.
        speed: of the robots, so many times as fast.
        seed: of the deals, None for new ones.
        opens: whether a browser is opened.
    """

    edition: Edition
    seats: tuple[Seat, ...]
    listen: str
    language: str = "en"
    speed: float = 1.0
    seed: int | None = None
    opens: bool = True


def run_play(play: Play, say: Callable[[str], None]) -> None:
    """Open the table and play until all boards are over, or until Ctrl-C.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
    """
    run_stoppable(play_table(play, say))


def free_address() -> str:
    """An address of this machine alone that nobody serves at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return f"127.0.0.1:{probe.getsockname()[1]}"


def deals(seed: int | None) -> dict[int, Hands]:
    """The boards' hands, dealt at random."""
    random = Random(seed)  # noqa: S311 - a game among friends
    dealt = {}
    for number in range(1, BOARDS + 1):
        cards = list(DECK)
        random.shuffle(cards)
        dealt[number] = {
            seat: frozenset(cards[13 * i : 13 * i + 13]) for i, seat in enumerate(SEATS)
        }
    return dealt


def fragment(boards: dict[int, Hands], seats: tuple[Seat, ...]) -> str:
    """The person's hands as the page reads them; they go nowhere else."""
    return "&hands=" + ";".join(
        f"{number}{seat}:{format_hand(hands[seat])}"
        for number, hands in boards.items()
        for seat in seats
    )


async def play_table(play: Play, say: Callable[[str], None]) -> None:
    """Open the table and play until all boards are over, or cancelled."""
    boards = deals(play.seed)
    with RunFolder() as run:
        broker = EmbeddedBroker(run.path / "broker", event=EVENT, daemons=(DAEMON,))
        async with broker:
            daemon = _daemon(play, run.path, broker.settings(Role.DAEMON, DAEMON))
            referee = _referee(play, run.path, broker.settings(Role.REFEREE), boards)
            robots = Robots(play.speed, boards, say)
            children = [
                Child("referee", "referee", run.write_settings("referee", referee)),
                Child("daemon", "terminal", run.write_settings("daemon", daemon)),
            ]
            seats = [seat for seat in SEATS if seat not in play.seats]
            if seats:
                simulator = _simulator(run.path, seats)
                settings = run.write_settings("terminals", simulator)
                robots.child = Child("terminals", "terminal.simulator", settings)
                robots.child.on_line = lambda line: robots.take(decode_report(line))
                children.append(robots.child)
            director = DirectorClient(
                broker.settings(Role.DIRECTOR), EVENT, on_change=robots.hear
            )
            address = join_address(daemon, daemon.terminals[0])
            address += fragment(boards, play.seats)
            async with director:
                await director.connected()
                _announce(play, address, say)
                await run_until(robots.finished(), children)


def _announce(play: Play, address: str, say: Callable[[str], None]) -> None:
    names = ", ".join(seat.name.title() for seat in play.seats)
    say(f"You are {names}. Your table, with your cards (Ctrl-C ends it):\n")
    say(f"  {address}\n")
    say("Try a call out of turn, an insufficient bid, or a revoke.\n")
    if play.opens and has_display():
        webbrowser.open(address)


def has_display() -> bool:
    """Whether a browser can be shown to whoever started this."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _referee(
    play: Play, run: Path, broker: BrokerSettings, boards: dict[int, Hands]
) -> RefereeSettings:
    seats = [(PERSON, play.seats)]
    seats += [(robot_of(s), (s,)) for s in SEATS if s not in play.seats]
    return RefereeSettings(
        event=EVENT,
        broker=broker,
        journal=str(run / "journal.sqlite"),
        edition=play.edition,
        tables=(
            TableSettings(
                id=TABLE,
                terminals=tuple(
                    RefereeTerminal(
                        daemon=DAEMON, id=name, seats=served, language=play.language
                    )
                    for name, served in seats
                ),
                boards=tuple(
                    BoardSettings(
                        number=number, deal=format_deal(tuple(hands.values()))
                    )
                    for number, hands in boards.items()
                ),
            ),
        ),
        questions=Questions.ASSUME,
    )


def _daemon(play: Play, run: Path, broker: BrokerSettings) -> DaemonSettings:
    person = TerminalSettings(
        id=PERSON,
        port=WEB,
        table=TABLE,
        seats=play.seats,
        key=new_code(),
        language=play.language,
    )
    robots = (
        TerminalSettings(
            id=robot_of(seat),
            port=str(run / "terminals" / robot_of(seat)),
            table=TABLE,
            seats=(seat,),
            security=Security.OPEN,
        )
        for seat in SEATS
        if seat not in play.seats
    )
    return DaemonSettings(
        event=EVENT,
        daemon=DAEMON,
        broker=broker,
        terminals=(person, *robots),
        log_level="WARNING",
        web=WebSettings(codes=str(run / "codes.json"), listen=play.listen),
    )


def _simulator(run: Path, seats: list[Seat]) -> SimulatorSettings:
    return SimulatorSettings(
        run_directory=str(run / "terminals"),
        terminals=tuple(
            SimulatedSettings(
                id=robot_of(seat), table=TABLE, seats=(seat,), serial=robot_of(seat)
            )
            for seat in seats
        ),
    )
