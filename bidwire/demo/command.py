"""``bidwire demo`` as a person sees it."""

from importlib.resources import files
from importlib.util import find_spec

from rich.console import Console
from rich.live import Live

from bidwire.carrier import Carrier
from bidwire.demo.conductor import NO_PAUSE, TABLE, Conductor, Pace
from bidwire.demo.picture import outcome, picture
from bidwire.demo.scene import Scene
from bidwire.records import ScriptRecord
from bidwire.replay.plan import BoardPlan, plan_script
from bidwire.replay.room import Room
from bidwire.stopping import run_stoppable
from laws.board import Edition, Policies
from laws.script import parse_script

BOARD = files("bidwire") / "data" / "demo.table"
BOARD_NUMBER = 2
COLUMNS, ROWS = 20, 4


class NoVirtualBluetoothError(RuntimeError):
    """What virtual Bluetooth LE needs is not installed."""


def demo_plan(edition: Edition) -> BoardPlan:
    """The built-in board, by an edition of the Laws."""
    script = parse_script(f"edition {edition}\n" + BOARD.read_text(encoding="utf-8"))
    return plan_script(BOARD_NUMBER, ScriptRecord("demo.table", "2", 1, script))


def run_demo(
    edition: Edition, speed: float, *, pause: bool, carrier: Carrier = Carrier.SERIAL
) -> None:
    """Play the built-in board.

    On a terminal, with pauses, one screen is drawn over and over; otherwise each
    happening is told and the screen printed at every ruling.

    Raises:
        ChildError: a process refuses to start.
        EmbeddedBrokerError: the broker cannot be started.
        NoVirtualBluetoothError: the carrier is Bluetooth LE and bumble is missing.
    """
    if carrier is Carrier.BLE and find_spec("bumble") is None:
        raise NoVirtualBluetoothError(
            "Bluetooth LE without hardware needs bumble: pip install 'bidwire[sim]'"
        )
    console = Console()
    plan = demo_plan(edition)
    scene = Scene(plan, edition, COLUMNS, ROWS)
    room = Room(
        edition=edition,
        policies=Policies(),
        tables={TABLE: (plan,)},
        columns=COLUMNS,
        rows=ROWS,
        carrier=carrier,
    )
    if pause and console.is_terminal:
        with Live(console=console, get_renderable=lambda: picture(scene)) as live:
            conductor = Conductor(room, scene, Pace().faster(speed), live.refresh)
            run_stoppable(conductor.play())
    else:
        pace = Pace().faster(speed) if pause else NO_PAUSE
        run_stoppable(Conductor(room, scene, pace, _Teller(console, scene)).play())
    console.print(outcome(scene))


class _Teller:
    """Tells the demo line by line, with the screen where there is something to see."""

    def __init__(self, console: Console, scene: Scene) -> None:
        self._console = console
        self._scene = scene
        self._seen: tuple[object, ...] = ()

    def __call__(self) -> None:
        scene = self._scene
        if scene.last_happening:
            self._console.print(f"{scene.done:3}. {scene.last_happening}")
        news = (
            len(scene.rulings),
            len(scene.desk.suspicions) if scene.desk else 0,
            *((seat, screen.choices, screen.locks) for seat, screen in scene.special()),
        )
        if news != self._seen:
            self._console.print(picture(scene))
        self._seen = news
