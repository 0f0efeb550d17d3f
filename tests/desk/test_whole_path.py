"""What a Director does at the desk, with a real referee at a real broker."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest
import pytest_asyncio

from laws.board import RulingsPolicy
from laws.seats import Seat
from protocol.happenings import CallDirector
from referee.settings import PolicySettings
from tests.brokers import RunningBroker
from tests.desk.desks import Browser
from tests.desk.whole import WholeRoom, played_out, whole_room
from tests.referee.bench import DEAL
from tests.referee.situations import REVOKE

pytestmark = pytest.mark.broker

TABLE, CALLS, PLAY = "/tables/t1", "/calls", "/tables/t1/plays/1"

ENGLISH = re.compile(
    r"\b(?:the|and|of|is|was|not|must|by|at|with|turn|trick|tricks|board|table|seat|"
    r"call|calls|called|card|cards|waits|event|ruling|link|up|lost|serial)\b",
    re.IGNORECASE,
)

COMPARABLE = ("E 1C", "S decline", "N 1S", "E 2C")
"""East bids at North's turn; whether his new call is comparable holds the table."""


@pytest_asyncio.fixture
async def room(nats: RunningBroker, tmp_path: Path) -> AsyncIterator[WholeRoom]:
    async with whole_room(nats, tmp_path) as room:
        yield room


async def happened(room: WholeRoom, *lines: str) -> None:
    """These key presses reach the desk, one after the other."""
    for line in lines:
        await room.press(line)
        await room.seen(line)


def words(html: str) -> str:
    """What a screen reader would read, each element apart."""
    shown = re.sub(
        r'<(\w+)[^>]*aria-hidden="true"[^>]*>.*?</\1>', "", html, flags=re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())


def buttons(page: str) -> dict[str, tuple[str, str, str]]:
    """Address, field and value of the buttons that give a command, by their text."""
    found: dict[str, tuple[str, str, str]] = {}
    for tag, label in re.findall(r"<button([^>]*)>(.*?)</button>", page, re.DOTALL):
        at = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if "formaction" in at:
            name, value = at.get("name", ""), unescape(at.get("value", ""))
            found.setdefault(words(label), (unescape(at["formaction"]), name, value))
    return found


async def click(browser: Browser, page: str, label: str) -> str:
    """Click a button; returns what the page shows then."""
    address, name, value = buttons((await browser.get(page)).text)[label]
    answer = await browser.send(address, **{name: value, "back": page})
    assert answer.status_code == 303, answer.text
    return (await browser.get(page)).text


@pytest_asyncio.fixture
async def ana(room: WholeRoom) -> AsyncIterator[Browser]:
    async with room.desk.browser() as browser:
        await browser.log_in("Ana")
        yield browser


async def test_law_31_from_the_alarm_to_the_closed_ruling(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, *COMPARABLE)
    await room.press(CallDirector(Seat.SOUTH))
    desks = room.desk.context.room.desks
    await room.desk.until(lambda: bool(desks["t1"].calls))
    page = words((await ana.get(CALLS)).text)
    assert "South calls the Director" in page
    asked = "Is the new call of East (2C for 1C) comparable with the withdrawn call?"
    assert asked in page
    assert "The new call is comparable: nothing else follows" in page

    page = words(await click(ana, CALLS, "I am coming"))
    assert "Table t1: done." in page
    assert "South calls the Director" not in page

    page = words(await click(ana, TABLE, "No"))
    assert "Table t1: done." in page
    assert "West must pass at the next turn. (Law 31A2(b), 2017)" in page
    assert "Way to it 31A" in page
    assert "East reads" in page
    page = words(await click(ana, CALLS, "No"))  # 72C, which held nothing
    assert "Nothing waits for you" in page


async def test_withdrawn_calls_are_marked_for_the_eye_and_the_ear(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, *COMPARABLE)
    page = (await ana.get(TABLE)).text
    assert re.search(r"<del[^>]*>.*1.*♣.*</del>", page, re.DOTALL)
    assert "1 clubs withdrawn 2 clubs" in words(page)


async def test_an_answer_to_a_question_of_before_is_not_taken_for_another(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, "N 1S")
    seen = (await ana.get(TABLE)).text
    expects = re.search(r"hands\?expects=(\d+)", seen)
    assert expects is not None
    await happened(room, "S 2C")
    address = f"{TABLE}/happen?expects={expects[1]}&play=1"
    await ana.send(address, line="W decline", back=TABLE)
    assert "Look again, and decide again." in (await ana.get(TABLE)).text


async def test_law_85_a_mis_keyed_call_is_corrected_with_its_reason(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, "N 1S")
    page = (await ana.get(f"{PLAY}/correct?line=1")).text
    assert "Line 1" in page
    expects = re.search(r"correct\?expects=(\d+)", page)
    assert expects is not None
    fields = {"line": "1", "seat": "N", "to": "1H", "reason": "mis-keyed"}
    await ana.send(f"{PLAY}/correct?expects={expects[1]}", back=TABLE, **fields)
    page = words((await ana.get(TABLE)).text)
    assert "Table t1: done." in page
    assert "1 hearts" in page
    logs = room.desk.context.room

    def is_told() -> bool:
        log = logs.log("t1", 1)
        said = "Director (Ana): director correct 1 N 1H: mis-keyed"
        return log is not None and any(line.text == said for line in log.lines)

    await room.desk.until(is_told)
    assert "director correct 1 N 1H: mis-keyed" in (await ana.get(TABLE)).text


async def test_the_hands_are_hidden_until_a_director_asks(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, "N 1S")
    assert "diagram" not in (await ana.get(TABLE)).text
    page = await click(ana, TABLE, "Show the hands")
    assert 'class="diagram"' in page
    assert "spades A K Q J" in words(page)
    async with room.desk.browser() as reader:
        await reader.log_in("Cy")
        page = (await reader.get(TABLE)).text
        assert "diagram" not in page
        assert "1 spades" in words(page)
        assert "Waits for the Director" not in page
        assert 'id="log"' not in page


async def test_law_82_a_ruling_is_overruled_with_its_reason(
    room: WholeRoom, ana: Browser
) -> None:
    await happened(room, "E 1C", "S decline")
    page = (await ana.get(TABLE)).text
    found = re.search(r'action="(/tables/t1/plays/1/overrule\?expects=\d+)"', page)
    assert found is not None
    await ana.send(found[1], ruling="1", reason="no call was made", back=TABLE)
    page = words((await ana.get(TABLE)).text)
    assert "Table t1: done." in page
    assert "undone" in page


async def test_a_proposed_ruling_waits_for_the_click(
    nats: RunningBroker, tmp_path: Path
) -> None:
    confirm = PolicySettings(rulings=RulingsPolicy.CONFIRM)
    async with whole_room(nats, tmp_path, policies=confirm) as room:
        await happened(room, "E 1C", "S decline")
        desks = room.desk.context.room.desks
        await room.desk.until(lambda: bool(desks["t1"].proposed))
        async with room.desk.browser() as browser:
            await browser.log_in("Bo")
            page = (await browser.get(CALLS)).text
            assert "Proposed ruling 1" in page
            assert "Reject" not in page  # an assistant may not
            page = words(await click(browser, CALLS, "Confirm"))
            assert "Nothing waits for you" in page


async def test_law_64c_a_revoke_is_judged_with_its_evidence(
    room: WholeRoom, ana: Browser
) -> None:
    await room.play(*played_out(*REVOKE))
    desks = room.desk.context.room.desks
    results = room.desk.context.room.results
    await room.desk.until(lambda: ("t1", 1) in results and bool(desks["t1"].evidence))
    page = (await ana.get(CALLS)).text
    assert "insufficiently compensated" in page
    assert '<table class="evidence">' in page
    expects = desks["t1"].number
    line, before = "director damage W yes", results["t1", 1].number
    await ana.send(f"{TABLE}/happen?expects={expects}&play=1", line=line, back=CALLS)
    # The board is over: its result, which has the question, comes behind the answer.
    await room.desk.until(lambda: results["t1", 1].number > before)
    page = (await ana.get(CALLS)).text
    assert "Table t1: done." in page
    assert "insufficiently compensated" not in page

    wrong = await ana.send(
        f"{PLAY}/adjust?expects={desks['t1'].number}", ns="assigned", ew="same"
    )
    assert wrong.status_code == 422
    assert "NS: write at least one outcome." in wrong.text
    fields = {
        "ns": "assigned",
        "ns-outcome-1": "1S+2 N",
        "ns-weight-1": "60",
        "ns-outcome-2": "1S+1 N",
        "ns-weight-2": "40",
        "ew": "A-",
        "reason": "Law 64C",
        "back": PLAY,
    }
    await ana.send(f"{PLAY}/adjust?expects={desks['t1'].number}", **fields)
    fields = {"side": "EW", "amount": "10", "unit": "percent", "reason": "late"}
    await room.desk.until(lambda: results["t1", 1].adjustment is not None)
    await ana.send(f"{PLAY}/penalty?expects={desks['t1'].number}", **fields, back=PLAY)
    await room.desk.until(lambda: bool(results["t1", 1].penalties))
    page = words((await ana.get(PLAY)).text)
    assert "NS +140 (1 spades +2 N) 60 %, +110 (1 spades +1 N) 40 % EW A-" in page
    assert "EW −10 % of a top" in page  # noqa: RUF001 - as printed


async def test_the_incident_report_has_all_that_a_committee_needs(
    room: WholeRoom, ana: Browser
) -> None:
    await room.play(*played_out(*REVOKE))
    known = room.desk.context.room
    await room.desk.until(
        lambda: ("t1", 1) in known.results and bool(known.desks["t1"].evidence)
    )
    number = known.desks["t1"].number
    await ana.send(f"{TABLE}/hands?expects={number}", play="1", back=TABLE)
    await room.desk.until(lambda: known.results["t1", 1].deal == DEAL)
    number = known.desks["t1"].number
    line = "director damage W no"
    await ana.send(f"{TABLE}/happen?expects={number}&play=1", line=line, back=TABLE)

    def is_told() -> bool:
        lines = [line for log in known.logs("t1") for line in log.lines]
        return any("director damage W no" in each.text for each in lines)

    await room.desk.until(is_told)
    report = words((await ana.get(f"{PLAY}/report")).text)
    for expected in (
        "Event test",
        "Board 1",
        "Dealer North",
        "North-South 7",
        "spades A K Q J",
        "West revoked",
        "Director (Ana): director damage W no",
        "Is the other side insufficiently compensated",
        "Double dummy, from before the revoke to trick 1",
        "Score before the transfer",
        "Score of North-South",
        "Made",
    ):
        assert expected in report
    printed = await ana.get(f"{PLAY}/report.pdf")
    if printed.status_code == 200:
        assert printed.headers["content-type"] == "application/pdf"
        assert printed.content.startswith(b"%PDF")
    else:
        assert "pip install 'bidwire[pdf]'" in unescape(printed.text)


async def test_a_director_reads_it_all_in_spanish(
    nats: RunningBroker, tmp_path: Path
) -> None:
    async with whole_room(nats, tmp_path, language="es") as room:
        await happened(room, *COMPARABLE)
        async with room.desk.browser() as browser:
            await browser.log_in("Ana")
            table = words((await browser.get(TABLE)).text)
            report = words((await browser.get(f"{PLAY}/report")).text)
            wrong = await browser.send(f"{PLAY}/penalty?expects=1", amount="x")
            pages = [table, report]
            pages += [
                words((await browser.get(page)).text)
                for page in ("/", CALLS, PLAY, "/event", "/terminals", "/results")
            ]
    for expected in (
        "Espera al Director",
        "comparable con el retirado",
        "Este cantó fuera de turno",
        "Lo que obliga ahora",
        "1 tréboles retirado",
    ):
        assert expected in table
    assert "Para el comité de apelaciones" in report
    assert ENGLISH.findall(" ".join(pages)) == []
    assert "Cantidad: se esperaba un número" in wrong.text
