"""The demo's scene as rich draws it, side by side on one screen."""

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bidwire.demo.scene import Scene
from laws.seats import Seat
from protocol.payloads import PublicCall, TableState

_NAMES = {
    Seat.NORTH: "North",
    Seat.EAST: "East",
    Seat.SOUTH: "South",
    Seat.WEST: "West",
}
TABLE_WIDTH = 30
"""Columns of the table's panel: with two displays of 20 beside it, 80 in all."""

_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RED = frozenset("HD")


def picture(scene: Scene) -> RenderableType:
    """The four displays, the auction, the trick and the rulings."""
    top = Table.grid(padding=(0, 1))
    top.add_row(_displays(scene), _table(scene.table))
    return Group(_title(scene), top, _rulings(scene), _desk(scene))


def _title(scene: Scene) -> RenderableType:
    text = Text(f"Bidwire · Laws of {scene.edition}", style="bold")
    if scene.table is not None:
        dealer = _NAMES[scene.table.dealer] if scene.table.dealer else ""
        vulnerable = "-".join(scene.table.vulnerable) or "none"
        text.append(f" · board {scene.table.board}, dealer {dealer}")
        text.append(f", vulnerable {vulnerable}")
    if scene.last_happening:
        text.append(f" · {scene.done}. {scene.last_happening}", style="cyan")
    return text


def _displays(scene: Scene) -> RenderableType:
    """West and North above, South and East below: clockwise, as they sit."""
    grid = Table.grid(padding=0)
    grid.add_row(_display(scene, Seat.WEST), _display(scene, Seat.NORTH))
    grid.add_row(_display(scene, Seat.SOUTH), _display(scene, Seat.EAST))
    return grid


def _display(scene: Scene, seat: Seat) -> RenderableType:
    screen = scene.screens.get(seat)
    lines = screen.lines if screen else (" " * scene.columns,) * scene.rows
    footer = None
    if screen is not None and screen.pages > 1:
        footer = f"page {screen.page} of {screen.pages}"
    turn = screen is not None and screen.ask in {"call", "card", "choice"}
    return Panel(
        Text("\n".join(lines), style="black on green" if turn else "white on blue"),
        title=_NAMES[seat],
        subtitle=footer,
        border_style="green" if turn else "dim",
        width=scene.columns + 4,
        height=scene.rows + 2,
    )


def _table(state: TableState | None) -> RenderableType:
    if state is None:
        return Panel("The table opens …", width=TABLE_WIDTH)
    parts: list[RenderableType] = [_auction(state)]
    if state.contract is not None:
        contract = state.contract
        parts.append(
            Text.assemble(
                "Contract ",
                _pretty(f"{contract.level}{contract.denomination}"),
                f"{contract.risk} by {_NAMES[contract.declarer]}",
            )
        )
        trick = Text("Trick ")
        for played in state.trick or state.last_trick:
            trick.append(f" {played.hand} ")
            trick.append(_pretty(played.card, suit_first=True))
        parts.append(trick)
        won = " · ".join(f"{side} {tricks}" for side, tricks in state.tricks.items())
        parts.append(Text(f"Tricks  {won}"))
    return Panel(Group(*parts), title="The table", width=TABLE_WIDTH)


def _auction(state: TableState) -> RenderableType:
    grid = Table.grid(padding=(0, 1), expand=True)
    order = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    for seat in order:
        grid.add_column(_NAMES[seat], justify="center")
    grid.add_row(*(Text(_NAMES[seat], style="bold") for seat in order))
    row: dict[Seat, Text] = {}
    for made in state.auction:
        if made.seat in row or (row and order.index(made.seat) < _last(row, order)):
            grid.add_row(*(row.get(seat, Text("")) for seat in order))
            row = {}
        row[made.seat] = _call(made)
    if row:
        grid.add_row(*(row.get(seat, Text("")) for seat in order))
    return grid


def _last(row: dict[Seat, Text], order: tuple[Seat, ...]) -> int:
    return max(order.index(seat) for seat in row)


def _call(made: PublicCall) -> Text:
    text = _pretty(made.call)
    if made.alerted:
        text.append("!")
    return text


def _pretty(token: str, *, suit_first: bool = False) -> Text:
    """A call or a card with the symbol of its suit."""
    if token in {"P", "X", "XX"}:
        return Text({"P": "pass"}.get(token, token))
    suit, rest = (token[0], token[1:]) if suit_first else (token[1:], token[0])
    symbol = Text(_SUITS.get(suit, suit), style="red" if suit in _RED else "")
    return Text.assemble(symbol, rest) if suit_first else Text.assemble(rest, symbol)


def _rulings(scene: Scene) -> RenderableType:
    lines = [Text(published.text) for published in scene.rulings.values()]
    body = Group(*lines) if lines else Text("none so far", style="dim")
    return Panel(body, title="Rulings", border_style="yellow" if lines else "dim")


def _desk(scene: Scene) -> RenderableType:
    """What the Director knows and the table does not."""
    lines: list[str] = []
    if scene.desk is not None and scene.result is None:
        lines += [suspicion(entry) for entry in scene.desk.suspicions]
    body = "\n".join(lines) or "nothing that the table does not know"
    return Panel(
        Text(body, style="" if lines else "dim"),
        title="The Director's desk",
        border_style="red" if lines else "dim",
    )


def suspicion(entry: dict[str, Any]) -> str:
    """A revoke that the table is told of only when play has ended."""
    seat = _NAMES[Seat(entry["seat"])]
    return (
        f"{seat} revoked at trick {entry['trick']} with {entry['card']},"
        f" {entry['state']} (Law {entry['law']}). The table is told when play ends."
    )


def outcome(scene: Scene) -> RenderableType:
    """The result before and after the transfer, and the score."""
    result = scene.result
    if result is None or result.contract is None:
        return Text("The board has no result.")
    declarer = result.contract.declarer
    side = declarer.side
    contract = result.contract
    title = f"{contract.level}{contract.denomination}{contract.risk} by {declarer}"
    table = Table(title=title)
    for heading in ("", f"tricks of {side}", f"tricks of {side.other}", "score NS"):
        table.add_column(heading, justify="right" if heading else "left")
    played = result.tricks[side]
    table.add_row(
        "as played", str(played), str(13 - played), _points(scene.score_as_played())
    )
    if result.declarer_tricks is not None:
        after = result.declarer_tricks
        table.add_row(
            "after rulings", str(after), str(13 - after), _points(result.score_ns)
        )
    return table


def _points(points: int | None) -> str:
    return "" if points is None else f"{points:+d}"
