"""Commands that are given from several pages."""

from starlette.responses import Response

from desk.director import Order
from desk.gate import Asked, Page
from desk.giving import give, number_of
from desk.rights import Right
from protocol.payloads import Service


async def attend(asked: Asked) -> Response:
    """The Director has seen to a call or an alarm."""
    table = asked.request.path_params["table"]
    order = Order(service=Service.ATTEND, subject=number_of(asked, "subject"))
    return await give(asked, table, order, number_of(asked, "expects"))


PAGES = (
    Page(
        path="/tables/{table}/attend",
        name="attend",
        endpoint=attend,
        right=Right.DIRECT,
        method="POST",
    ),
)
