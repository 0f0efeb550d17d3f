"""The robots of ``bidwire demo --play`` at their terminals: what they see and press."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bidwire.children import Child
from bidwire.demo.picture import suspicion
from bidwire.demo.robot import chosen_answer, chosen_call, chosen_card
from laws.cards import Card, Denomination
from laws.seats import Seat
from protocol.messages import Datum
from protocol.payloads import (
    Desk,
    Payload,
    PublicCard,
    RulingPublished,
    TableResult,
    TableState,
)
from terminal.simulator.reports import (
    PressCommand,
    Report,
    ScreenReport,
    encode_command,
)

TABLE = "t1"
BOARDS = 4
THINKS = 1.0
"""Seconds that a robot thinks."""

Hands = dict[Seat, frozenset[Card]]
"""The four hands of a board."""


def robot_of(seat: Seat) -> str:
    """The id of a robot's terminal."""
    return f"{TABLE}-{seat.value.lower()}"


@dataclass
class Robots:
    """The players that are no persons, and what is told of the table meanwhile."""

    speed: float
    boards: dict[int, Hands]
    say: Callable[[str], None]
    child: Child | None = None
    screens: dict[Seat, ScreenReport] = field(default_factory=dict)
    state: TableState | None = None
    tricks: dict[int, tuple[PublicCard, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._over = asyncio.Event()
        self._told: set[str] = set()
        self._acted: dict[Seat, tuple[int, int]] = {}
        self._thinking: dict[Seat, asyncio.TimerHandle] = {}

    async def finished(self) -> None:
        """Wait until all boards have their results."""
        await self._over.wait()

    def take(self, report: Report) -> None:
        """A robot's terminal shows or does something."""
        if isinstance(report, ScreenReport):
            self.screens[report.seat] = report
            self._look(report.seat)

    def hear(self, news: Payload) -> None:
        """The referee tells something."""
        match news:
            case TableState():
                self._see(news)
                for seat in tuple(self.screens):
                    self._look(seat)
            case RulingPublished():
                self._tell_once(f"Ruling: {news.text}")
            case Desk():
                for entry in news.suspicions:
                    self._tell_once(f"Director alone: {_of_desk(entry)}")
            case TableResult():
                self._tell_result(news)
            case _:
                pass

    def _tell_result(self, result: TableResult) -> None:
        said = "passed out"
        if result.contract is not None:
            c = result.contract
            said = f"{c.level}{c.denomination}{c.risk} by {c.declarer},"
            said += f" {result.declarer_tricks} tricks, NS {result.score_ns:+}"
        self._tell_once(f"Board {result.board}: {said}")
        if result.board == BOARDS:
            self._over.set()

    def _tell_once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self.say(text)

    def _see(self, state: TableState) -> None:
        if self.state is None or state.play != self.state.play:
            self.tricks.clear()
        self.state = state
        done = sum(state.tricks.values())
        self.tricks = {n: cards for n, cards in self.tricks.items() if n < done}
        if state.last_trick:
            self.tricks[done] = state.last_trick

    def _look(self, seat: Seat) -> None:
        """Let a robot think about what its screen asks, once for each display."""
        shown = self.screens[seat]
        if self._acted.get(seat) == (shown.epoch, shown.rev):
            return
        if seat in self._thinking:
            self._thinking.pop(seat).cancel()
        if next(self._keys(shown), None) is not None:
            loop = asyncio.get_running_loop()
            delay = THINKS / self.speed
            self._thinking[seat] = loop.call_later(delay, self._act, seat)

    def _act(self, seat: Seat) -> None:
        self._thinking.pop(seat, None)
        shown = self.screens[seat]
        for command in self._keys(shown):
            self._acted[seat] = (shown.epoch, shown.rev)
            if self.child is not None:
                self.child.send_line(encode_command(command).decode())

    def _keys(self, shown: ScreenReport) -> Iterator[PressCommand]:
        """The key that a robot presses now, none while it has nothing to do."""
        hand: Seat | None = None
        data: tuple[Datum, ...]
        state, seat = self.state, shown.seat
        if shown.choices:
            choice = chosen_answer(shown.choices)
            kind, data = choice.kind, choice.data
        elif (
            state is None or state.play != shown.play or shown.board not in self.boards
        ):
            return
        elif shown.ask == "call":
            cards = self.boards[shown.board][seat]
            call = chosen_call(cards, seat, state.auction, shown.locks)
            kind, data = "call", (call.value,)
        elif shown.ask == "card" and shown.hand is not None:
            left = self._left(shown.board, shown.hand)
            trump = (
                Denomination(state.contract.denomination) if state.contract else None
            )
            if not left or len(state.trick) == 4:
                return
            card = chosen_card(
                left, state.trick, trump.suit if trump else None, shown.locks
            )
            kind, hand, data = "card", shown.hand, (card.value,)
        else:
            return
        yield PressCommand(
            terminal=robot_of(seat), seat=seat, kind=kind, hand=hand, data=data
        )

    def _left(self, board: int, hand: Seat) -> frozenset[Card]:
        """What a hand has not played."""
        tricks = (*self.tricks.values(), self.state.trick if self.state else ())
        gone = {Card(p.card) for trick in tricks for p in trick if p.hand is hand}
        return self.boards[board][hand] - gone


def _of_desk(entry: dict[str, Any]) -> str:
    """What the table has not been told: a revoke, or a ruling in words."""
    return suspicion(entry) if "trick" in entry else str(entry.get("text", ""))
