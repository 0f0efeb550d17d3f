"""Results: the ranking, the travellers, and files for others.

Who only looks sees what the event makes public, by its policy, and gets no files: these
hold the hands of boards that other tables have yet to play.
"""

import asyncio
import logging
from collections.abc import Sequence
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from desk.catalogue import noted
from desk.gate import Asked, Page
from desk.rights import Right
from desk.told import told
from desk.tools import Plan, ToolError
from protocol.payloads import TableResult

LOG = logging.getLogger(__name__)

HERE = "/results"

SCORINGS = {
    "matchpoints": noted("Matchpoints"),
    "cross-imps": noted("Cross-IMPs"),
    "butler": noted("Butler"),
    "teams": noted("Teams"),
    "total-points": noted("Total points"),
}
"""The methods by their names."""

UNITS = {"matchpoints": "MP", "teams": "VP", "total-points": noted("points")}
"""What contestants are ranked by; IMPs where nothing else is said."""

FORMS = (noted("CSV, travellers"), noted("CSV, ranking"))
"""Titles of exports that are words, as ``desk.tools`` has them."""

PENALTY_UNITS = {"percent": "%", "imps": "IMP", "vps": "VP"}


def seen(asked: Asked, plan: Plan) -> list[TableResult]:
    """The results that the user may see, by table and playing."""
    room = asked.context.room
    knows = asked.may(Right.KNOW)
    latest = asked.context.clock() - plan.delay_s
    return [
        room.results[key]
        for key in sorted(room.results)
        if knows or room.results_at[key] <= latest
    ]


async def show(asked: Asked) -> Response:
    """The page, as it is now; of one round when it is asked for."""
    tools = asked.context.tools
    plan = tools.plan() if tools is not None else Plan()
    results = seen(asked, plan)
    number = _round(asked)
    scores, wrong = None, None
    if tools is not None and results:
        try:
            known = {0, *(result.round for result in results)}
            scores = await asyncio.get_running_loop().run_in_executor(
                asked.context.scoring,
                tools.score,
                results,
                number if number in known else 0,
            )
        except ToolError as error:
            LOG.warning("the results cannot be scored: %s", error)
            wrong = error.remark
    return asked.render(
        "results.html",
        scores=scores,
        wrong=wrong,
        has_tools=tools is not None,
        exports=tools.exports if tools is not None else (),
        rounds=sorted({result.round for result in results if result.round}),
        number=number,
        delay=round(plan.delay_s / 60),
        scorings=SCORINGS,
        unit=UNITS.get(scores.scoring, "IMP") if scores is not None else "",
        penalty_units=PENALTY_UNITS,
        to_come=_to_come(results, plan),
    )


def _round(asked: Asked) -> int:
    text = asked.request.query_params.get("round", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0


def _to_come(results: Sequence[TableResult], plan: Plan) -> int:
    """Playings that the plan has and that have no result yet."""
    had = {(result.table, result.round, result.board) for result in results}
    planned = {
        (table, each.round, each.board)
        for table, boards in plan.tables.items()
        for each in boards
    }
    return len(planned - had)


async def download(asked: Asked) -> Response:
    """The results as a file."""
    tools, name = asked.context.tools, asked.request.path_params["form"]
    exports = {each.name: each for each in tools.exports} if tools is not None else {}
    export = exports.get(name)
    if export is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    results = list(asked.context.room.results.values())
    try:
        content = await asyncio.get_running_loop().run_in_executor(
            asked.context.writing, export.write, results
        )
    except ToolError as error:
        reason = told(error.remark, asked.words.language)
        asked.notice(
            "wrong", asked.words.text("No file could be made: {reason}", reason=reason)
        )
        return RedirectResponse(HERE, HTTPStatus.SEE_OTHER)
    file = f"{asked.context.options.event}{export.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(content, media_type=export.media_type, headers=headers)


PAGES = (
    Page(
        path=HERE,
        name="results",
        endpoint=show,
        right=Right.LOOK,
        label=noted("Results"),
    ),
    Page(
        path="/results/files/{form}",
        name="results-file",
        endpoint=download,
        right=Right.KNOW,
    ),
)
