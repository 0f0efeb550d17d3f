"""Commands that users give: his right, the referee's answer, what he is told."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked
from desk.linking import PATIENCE, NoAnswerError
from desk.rights import right_for


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
    if asked.user is None or not asked.may(right_for(order)):
        raise HTTPException(403)
    if table not in asked.context.room.desks:
        raise HTTPException(404)
    try:
        reply = await asked.context.link.give(
            table, order, by=asked.user.name, expects=expects
        )
    except NoAnswerError:
        asked.notice(
            "look",
            asked.words.text(
                "Table {table}: no answer within {seconds} seconds. The command may "
                "still be carried out: look before you give it again.",
                table=table,
                seconds=round(PATIENCE),
            ),
        )
        return asked.back()
    if reply.outdated:
        told = asked.words.text(
            "Table {table} has moved on since this page was drawn, so nothing was "
            "done. Look again, and decide again.",
            table=table,
        )
        asked.notice("look", told)
    elif not reply.done:
        told = asked.words.text(
            "Table {table}: refused: {reason}", table=table, reason=reply.reason
        )
        asked.notice("wrong", told)
    elif reply.reason:
        told = asked.words.text(
            "Table {table}: in the log, but {reason}", table=table, reason=reply.reason
        )
        asked.notice("look", told)
    else:
        asked.notice("done", asked.words.text("Table {table}: done.", table=table))
    return asked.back()


def number_of(asked: Asked, name: str) -> int:
    """A number that a form or its address carries.

    Raises:
        HTTPException: there is none.
    """
    text = asked.field(name) or asked.request.query_params.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 10):
        raise HTTPException(400)
    return int(text)
