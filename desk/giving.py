"""Commands that users give: his right, the referee's answer, what he is told."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked
from desk.linking import PATIENCE, NoAnswerError
from desk.rights import right_for
from desk.told import told_reason

AT_ONCE = 20
"""Tables that are given commands at the same time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command at a table.

    Attributes:
        table: where it was given.
        kind: ``done``, ``look`` (again) or ``wrong``, as of a notice.
        text: in the user's language.
    """

    table: str
    kind: str
    text: str


async def give(asked: Asked, table: str, order: Order, expects: int) -> Response:
    """Give a command in the user's name, and send him back to his page.

    Args:
        asked: the form, which has passed the gate.
        table: where the command is given.
        order: what it asks for.
        expects: the journal number of the desk on the page that the form was on. When
            the table has moved on since, the user has to look again: another Director
            may have been quicker.

    Raises:
        HTTPException: the user may not give it, or there is no such table.
    """
    outcome = await outcome_of(asked, table, order, expects)
    asked.notice(outcome.kind, outcome.text)
    return asked.back()


async def outcome_of(asked: Asked, table: str, order: Order, expects: int) -> Outcome:
    """Give a command in the user's name; arguments and errors are those of ``give``."""
    if asked.user is None or not asked.may(right_for(order)):
        raise HTTPException(403)
    if table not in asked.context.room.desks:
        raise HTTPException(404)
    words = asked.words
    try:
        reply = await asked.context.link.give(
            table, order, by=asked.user.name, expects=expects
        )
    except NoAnswerError:
        told = words.text(
            "Table {table}: no answer within {seconds} seconds. The command may "
            "still be carried out: look before you give it again.",
            table=table,
            seconds=round(PATIENCE),
        )
        return Outcome(table, "look", told)
    if reply.outdated:
        told = words.text(
            "Table {table} has moved on since this page was drawn, so nothing was "
            "done. Look again, and decide again.",
            table=table,
        )
        return Outcome(table, "look", told)
    if not reply.done:
        told = words.text(
            "Table {table}: refused: {reason}",
            table=table,
            reason=told_reason(reply, words.language),
        )
        return Outcome(table, "wrong", told)
    if reply.reason:
        told = words.text(
            "Table {table}: in the log, but {reason}",
            table=table,
            reason=told_reason(reply, words.language),
        )
        return Outcome(table, "look", told)
    return Outcome(table, "done", words.text("Table {table}: done.", table=table))


async def give_each(
    asked: Asked, orders: Mapping[str, Sequence[Order]]
) -> tuple[Outcome, ...]:
    """Give commands at several tables, which do not hang on what is played there.

    Those of a table are given one after the other, until one is not done; what became
    of the last one is told.

    Args:
        asked: the form, which has passed the gate.
        orders: what is given at each table.

    Raises:
        HTTPException: the user may not give it, or there is no such table.
    """
    free = asyncio.Semaphore(AT_ONCE)

    async def at(table: str, given: Iterable[Order]) -> Outcome | None:
        outcome = None
        desk = asked.context.room.desks.get(table)
        async with free:
            for order in given:
                expects = desk.number if desk is not None else 0
                outcome = await outcome_of(asked, table, order, expects)
                if outcome.kind != "done":
                    break
        return outcome

    found = await asyncio.gather(*(at(table, given) for table, given in orders.items()))
    return tuple(outcome for outcome in found if outcome is not None)


def number_of(asked: Asked, name: str) -> int:
    """A number that a form or its address carries.

    Raises:
        HTTPException: there is none.
    """
    text = asked.field(name) or asked.request.query_params.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise HTTPException(400)
    return int(text)
