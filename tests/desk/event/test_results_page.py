"""The results page: ranking, travellers and files, and who may see them when."""

import asyncio
import csv
import dataclasses
import io
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from bidwire.desk.tools import desk_tools
from desk.tools import Scores
from laws.seats import Side
from protocol.payloads import TableResult
from protocol.scores import (
    Adjustment,
    Artificial,
    Outcome,
    Penalty,
    PenaltyUnit,
    SideScore,
)
from protocol.topics import Role
from tests.brokers import RunningBroker
from tests.desk.desks import Browser, RunningDesk, running_desk, users_file
from tests.desk.event.events import result, write_event
from tests.desk.rooms import Hall
from tests.desk.test_room_page import words

ADJUSTED = Adjustment(
    ns=SideScore(artificial=Artificial.PLUS),
    ew=SideScore(artificial=Artificial.MINUS),
    reason="board <fouled>",
)
PENALTY = Penalty(Side.EAST_WEST, 10, PenaltyUnit.PERCENT, "late")


async def see(desk_there: RunningDesk, hall: Hall, *results: TableResult) -> None:
    """Let the desk learn of these results."""
    for each in results:
        await hall.played(each)
    room = desk_there.context.room
    await desk_there.until(lambda: len(room.results) == len(results))


PLAYED = (
    result("a1", 1, score_ns=420),
    result("a2", 1, score_ns=450, penalties=(PENALTY,)),
    result("a1", 2, contract=None, declarer_tricks=None, score_ns=0),
    result("a2", 2, adjustment=ADJUSTED),
)


async def test_before_a_board_is_over_it_says_so(ana: Browser) -> None:
    assert "No board has been played to its end" in (await ana.get("/results")).text


async def test_the_ranking_and_the_travellers(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, *PLAYED)
    page = (await ana.get("/results")).text
    told = words(page)
    for expected in (
        "Matchpoints. 4 results are still to come: places may change.",
        "North-South Place Pair Boards MP % 1 N2 2",
        "East-West Place Pair Boards MP Penalty % 1 E1 2",
        "Board 1 Table NS EW Contract Tricks Score NS MP EW MP NS % EW %",
        "a1 R1 N1 E1 4 spades South 10 +420 0 2 0.00 100.00",
        "a1 R1 N1 E1 Passed out 0",
        "Penalty: EW −10 % (late)",  # noqa: RUF001 - as printed
        "Penalties are taken off already.",
        "Adjusted: NS A+; EW A- (board &lt;fouled&gt;)",
    ):
        assert expected in told, told
    assert "<fouled>" not in page


async def test_a_spanish_page_has_no_english_letters_suits_or_titles(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    users_file(Path(desk_there.context.options.users_file).parent, language="es")
    split = Adjustment(
        ns=SideScore(outcomes=(Outcome(140, 60, "2S+1 W"), Outcome(0, 40, "Pass"))),
        ew=SideScore(outcomes=(Outcome(-50, told="4H by N"),)),
    )
    await see(
        desk_there,
        hall,
        result("a1", 1, penalties=(PENALTY,)),
        result("a2", 1, adjustment=split),
    )
    told = words((await ana.get("/results")).text)
    for expected in (
        "Mesa NS EO Contrato Bazas Resultado NS MP EO MP NS % EO %",
        "Ajustado: NS +140 (2 picas +1 O) 60 %, +0 (todos pasan) 40 %; EO -50 (4H by",
        "Penalización: EO −10 % (late)",  # noqa: RUF001 - as printed
        "Las penalizaciones ya están descontadas.",
        "CSV, resultados por tablilla CSV, clasificación",
    ):
        assert expected in told, told


async def test_a_round_by_itself(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, *PLAYED, result("a1", 3), result("a2", 3))
    both = words((await ana.get("/results")).text)
    assert "Board 1" in both
    assert "Board 3" in both
    second = words((await ana.get("/results?round=2")).text)
    assert "Results: Round 2" in second
    assert "Board 1" not in second
    for odd in ("9", "x", "-1", "99999999999"):
        assert (await ana.get(f"/results?round={odd}")).status_code == 200


async def test_while_many_pages_wait_for_scores_one_is_scored_and_a_login_goes_on(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, *PLAYED)
    tools = desk_there.context.tools
    assert tools is not None
    begun, go_on, under_way = asyncio.Event(), threading.Event(), threading.Lock()
    loop = asyncio.get_running_loop()
    scores: list[Scores] = []

    def score(results: Sequence[TableResult], number: int) -> Scores:
        assert under_way.acquire(blocking=False), "two are scored at a time"
        loop.call_soon_threadsafe(begun.set)
        assert go_on.wait(20)
        scores.append(tools.score(results, number))
        under_way.release()
        return scores[-1]

    desk_there.context.tools = dataclasses.replace(tools, score=score)
    waiting = [asyncio.create_task(ana.get("/results")) for _ in range(40)]
    await begun.wait()
    async with desk_there.browser() as other:
        assert (await other.log_in("Bo")).headers["location"] == "/"
    assert not any(page.done() for page in waiting)
    go_on.set()
    pages = await asyncio.gather(*waiting)
    assert all("North-South" in page.text for page in pages)
    assert len(scores) == 40
    assert all(each is scores[0] for each in scores)


async def test_files_for_others(
    desk_there: RunningDesk, ana: Browser, hall: Hall, tmp_path: Path
) -> None:
    file = tmp_path / "desk" / "event.toml"
    text = file.read_text("utf-8").replace(
        "embedded = true",
        'host = "192.0.2.1"\n'
        + "".join(
            f'{role}_user = "{role}"\n{role}_password_file = "{role}"\n'
            for role in ("referee", "daemon", "director")
        ),
    )
    file.write_text(text, encoding="utf-8")
    await see(desk_there, hall, *PLAYED)
    page = (await ana.get("/results")).text
    assert "keep the files to yourself until they have" in page
    table = await ana.get("/results/files/csv")
    assert table.headers["content-disposition"] == 'attachment; filename="test.csv"'
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [(row["table"], row["board"], row["score_ns"]) for row in rows] == [
        ("a1", "1", "420"),
        ("a2", "1", "450"),
        ("a1", "2", "0"),
        ("a2", "2", "420"),
    ]
    told = json.loads((await ana.get("/results/files/json")).text)
    assert told["schema"] == "bidwire.results/1"
    assert (await ana.get("/results/files/pbn")).text.startswith("% PBN 2.1")
    usebio = await ana.get("/results/files/usebio")
    assert usebio.headers["content-type"] == "application/xml"
    assert "<TRAVELLER_LINE>" in usebio.text
    for nothing in ("table", "exe"):
        assert (await ana.get(f"/results/files/{nothing}")).status_code == 404


async def test_a_file_that_cannot_be_made_says_why(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    """With the embedded broker files come from the journal, which is not there yet."""
    await see(desk_there, hall, *PLAYED)
    answer = await ana.get("/results/files/pbn")
    assert answer.headers["location"] == "/results"
    assert "No file could be made: " in (await ana.get("/results")).text


async def test_who_only_looks_sees_scores_but_no_reason_and_no_file(
    desk_there: RunningDesk, reader: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, *PLAYED)
    page = (await reader.get("/results")).text
    told = words(page)
    assert "Adjusted: NS A+; EW A-" in told
    assert "Penalty: EW −10 %" in told  # noqa: RUF001 - as printed
    for secret in ("fouled", "late", "/results/files/"):
        assert secret not in page
    for form in ("pbn", "csv", "json"):
        assert (await reader.get(f"/results/files/{form}")).status_code == 403


async def test_who_only_looks_reads_no_names_of_files_of_the_server(
    desk_there: RunningDesk,
    ana: Browser,
    reader: Browser,
    hall: Hall,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await see(desk_there, hall, *PLAYED)
    file = Path(desk_there.context.options.users_file).with_name("event.toml")
    text = file.read_text("utf-8").replace("[event]", 'names = "none.toml"\n[event]')
    file.write_text(text, encoding="utf-8")
    assert "none.toml: No such file" in (await ana.get("/results")).text
    caplog.clear()
    page = (await reader.get("/results")).text
    assert "The results cannot be scored now." in words(page)
    assert "none.toml" not in page
    assert "none.toml: No such file" in caplog.text
    users_file(file.parent, language="es")
    page = (await reader.get("/results")).text
    assert "Los resultados no se pueden puntuar ahora." in words(page)
    assert "none.toml" not in page


@pytest.mark.usefixtures("hall")
async def test_who_only_looks_waits_as_long_as_the_event_says(
    nats: RunningBroker, tmp_path: Path, hall: Hall
) -> None:
    tools = desk_tools(write_event(tmp_path, 'publish = "delay 5"\n'))
    async with running_desk(
        tmp_path, lambda: nats.settings(Role.DIRECTOR), tools
    ) as desk:
        await desk.up()
        await see(desk, hall, *PLAYED)
        async with desk.browser() as ana, desk.browser() as cy:
            await ana.log_in("Ana")
            await cy.log_in("Cy")
            assert "Board 1" in words((await ana.get("/results")).text)
            told = words((await cy.get("/results")).text)
            assert "No board has been over for 5 minutes yet." in told
            desk.clock.now += 300
            told = words((await cy.get("/results")).text)
            assert "Board 1" in told
            assert "Shown 5 minutes after the end of a board." in told


async def test_a_desk_without_the_event_file_says_what_it_lacks(
    alone: RunningDesk,
) -> None:
    async with alone.browser() as browser:
        await browser.log_in()
        for page, told in (("/results", "also scores"), ("/event", "also loads deals")):
            assert f"`bidwire desk` {told}" in (await browser.get(page)).text
        assert (await browser.get("/results/files/pbn")).status_code == 404
