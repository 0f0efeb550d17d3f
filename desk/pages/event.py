"""The event: how far its rounds are; the Director opens and ends them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from desk.catalogue import noted
from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import Outcome, give_each, number_of
from desk.live import live, version
from desk.parts import Parts
from desk.progress import RoundView, Stage, TableRound, rounds_of
from desk.rights import Right
from desk.tools import Plan
from laws.actions import RoundEnds
from laws.script import format_action
from protocol.payloads import Service

HERE = "/event"

OUTCOME = "outcome"
"""What became of the last command at several tables, among what a session keeps."""


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a command at several tables, under its heading."""

    heading: str
    outcomes: tuple[Outcome, ...]

    @property
    def done(self) -> int:
        """At how many tables it is done."""
        return sum(outcome.kind == "done" for outcome in self.outcomes)


def plan_of(asked: Asked) -> Plan:
    """The event's plan; an empty one where nobody has told it."""
    tools = asked.context.tools
    return tools.plan() if tools is not None else Plan()


def tell(asked: Asked, heading: str, outcomes: tuple[Outcome, ...]) -> Response:
    """Send the browser to the event, which tells what became of it."""
    if asked.session is not None:
        asked.session.kept[OUTCOME] = Told(heading, outcomes)
    return RedirectResponse(HERE, 303)


def _rounds(asked: Asked) -> list[RoundView]:
    return rounds_of(asked.context.room, plan_of(asked))


def _row(asked: Asked, view: RoundView) -> str:
    is_called = plan_of(asked).is_called or bool(view.count(Stage.WAITING))
    return asked.fragment(
        "event_round.html",
        round=view,
        is_called=is_called,
        form_token=asked.context.form_token(asked.cookie),
        here=HERE,
    )


def _rows(asked: Asked) -> dict[str, str]:
    return {f"round-{view.number}": _row(asked, view) for view in _rounds(asked)}


def _fixed(asked: Asked) -> dict[str, str]:
    rounds = _rounds(asked)
    return {"progress": asked.fragment("event_progress.html", rounds=rounds)}


async def show(asked: Asked) -> Response:
    """The page, as it is now."""
    session = asked.session
    outcome = session.kept.pop(OUTCOME, None) if session is not None else None
    return asked.render(
        "event.html",
        version=version(asked),
        outcome=outcome,
        loaded=session.kept.get("deals") if session is not None else None,
        reads_deals=asked.context.tools is not None,
        rounds=_rounds(asked),
        rows=_rows(asked),
    )


async def follow(asked: Asked) -> Response:
    """Its changes, as they come."""
    parts = Parts(asked, lambda: _fixed(asked), lambda: _rows(asked))
    return live(asked, parts.update)


async def open_round(asked: Asked) -> Response:
    """Open a round at the tables that are marked, or at all where it is to come."""
    number = number_of(asked, "round")
    order = Order(service=Service.ROUND, round=number)
    begun = {Stage.READY, Stage.PLAYING, Stage.FINISHED}
    orders = {
        each.table: [order]
        for each in _meant(asked, number, lambda at: at.stage not in begun)
    }
    outcomes = await give_each(asked, orders)
    heading = asked.words.text("Opening round {round}", round=number)
    return tell(asked, heading, outcomes)


async def end_round(asked: Asked) -> Response:
    """End a round at the tables that are marked, or at all.

    At a table that has boards of it to play the round goes on (Law 8B).
    """
    number = number_of(asked, "round")
    orders: dict[str, list[Order]] = {}
    outcomes: list[Outcome] = []
    for each in _meant(asked, number, lambda _: True):
        if each.stage is not Stage.FINISHED:
            told = asked.words.text(
                "Table {table} still has boards of this round to play: there it goes "
                "on (Law 8B).",
                table=each.table,
            )
            outcomes.append(Outcome(each.table, "look", told))
        elif plays := _plays(asked, each.table, number):
            line = format_action(RoundEnds())
            orders[each.table] = [Order(happening=line, play=p) for p in plays]
        else:
            told = asked.words.text(
                "Table {table} has played nothing in this round.", table=each.table
            )
            outcomes.append(Outcome(each.table, "look", told))
    outcomes += await give_each(asked, orders)
    order = {name: place for place, name in enumerate(asked.context.room.tables())}
    outcomes.sort(key=lambda outcome: order.get(outcome.table, 0))
    heading = asked.words.text("Ending round {round}", round=number)
    return tell(asked, heading, tuple(outcomes))


def _meant(
    asked: Asked, number: int, by_itself: Callable[[TableRound], bool]
) -> list[TableRound]:
    """The tables that a form means: those that are marked, or all that fit.

    Raises:
        HTTPException: there is no such round.
    """
    view = next((each for each in _rounds(asked) if each.number == number), None)
    if view is None:
        raise HTTPException(404)
    marked = {str(name) for name in asked.form.getlist("table")}
    desks: Mapping[str, object] = asked.context.room.desks
    return [
        each
        for each in view.tables
        if each.table in desks and (each.table in marked if marked else by_itself(each))
    ]


def _plays(asked: Asked, table: str, number: int) -> list[int]:
    """The playings of a table that belong to a round."""
    results = asked.context.room.results
    return sorted(
        play
        for (at, play), result in results.items()
        if at == table and result.round == number
    )


PAGES = (
    Page(
        path=HERE, name="event", endpoint=show, right=Right.LOOK, label=noted("Event")
    ),
    Page(path="/event/live", name="event-live", endpoint=follow, right=Right.LOOK),
    Page(
        path="/event/open",
        name="open-round",
        endpoint=open_round,
        right=Right.DIRECT,
        method="POST",
    ),
    Page(
        path="/event/end",
        name="end-round",
        endpoint=end_round,
        right=Right.DIRECT,
        method="POST",
    ),
)
