"""The terminals page: how each stands, which box is bound to it, how a tablet joins."""

import asyncio
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import msgspec

from protocol.payloads import (
    Assignments,
    AssignReply,
    AssignTerminal,
    LinkState,
    TerminalStatus,
)
from tests.desk.desks import Browser, RunningDesk, token_of
from tests.desk.event.events import TABLE
from tests.desk.rooms import Hall, terminal
from tests.desk.test_room_page import words

JOIN = "https://192.0.2.20:8471/join/a1-web?code=7KQX-93MT"


def status(table: str, *, join: str = "", **changes: Any) -> TerminalStatus:  # noqa: ANN401 - arguments of terminal
    base = terminal(table, **changes)
    return msgspec.structs.replace(base, join=join, at=1.7e9, heard_s=1.5)


async def see(
    desk_there: RunningDesk, hall: Hall, terminals: dict[str, TerminalStatus]
) -> None:
    """Let the desk learn of these terminals, and of the box that is bound to one."""
    await hall.birth()
    for name, each in terminals.items():
        await hall.status(name, each)
    await hall.bound(Assignments("s1", {"a1-box": "TC-0001"}))
    room = desk_there.context.room
    await desk_there.until(
        lambda: terminals.keys() <= room.terminals.keys() and bool(room.assignments)
    )


async def bind(browser: Browser, name: str, serial: str) -> httpx.Response:
    """Send the form that binds a box."""
    token = token_of(await browser.get("/terminals"))
    fields = {"form_token": token, "serial": serial}
    return await browser.client.post(f"/terminals/{name}/assign", data=fields)


async def test_before_a_daemon_is_heard_it_says_so(ana: Browser) -> None:
    page = (await ana.get("/terminals")).text
    assert "No terminal has been heard of yet." in page


async def test_each_terminal_shows_how_it_stands(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    gone = msgspec.structs.replace(
        status("a2", link=LinkState.OFFLINE, battery=None), reason="no answer for 6 s"
    )
    boxes = {"a2-box": gone, "a10-box": status("a10"), "a1-box": status("a1")}
    boxes["a1-box"] = status("a1", battery=15)
    await see(desk_there, hall, boxes)
    page = (await ana.get("/terminals")).text
    found = re.findall(r'<li id="terminal-([^"]+)"', page)
    assert found == ["a1-box", "a2-box", "a10-box"]
    told = words(page)
    for expected in (
        "online 2",
        "offline 1",
        "a1-box Table a1, all four seats online",
        "Battery 15 % (low)",
        "Signal -61 dBm",
        "Switched on for 1 h 02 min",
        "Firmware 1.2",
        "Serial number TC-0001",
        "Bound to box TC-0001",
        "a2-box Table a2, all four seats offline: no answer for 6 s",
        "Bound to box any",
    ):
        assert expected in told
    assert re.search(r"Last heard \d\d:\d\d:\d\d ", told)


async def test_it_is_live(desk_there: RunningDesk, ana: Browser, hall: Hall) -> None:
    await see(desk_there, hall, {"a1-box": status("a1"), "a2-box": status("a2")})
    async with ana.live("/terminals/live") as live:
        whole = await live.update()
        assert whole["order"] == ["terminal-a1-box", "terminal-a2-box"]
        await hall.status("a2-box", status("a2", battery=3))
        update = await live.until(lambda u: bool(u.get("fragments")))
        assert update["fragments"].keys() == {"terminal-a2-box"}
        assert "3 % (low)" in words(update["fragments"]["terminal-a2-box"])


async def bound_by(hall: Hall, reason: str = "") -> AssignTerminal:
    """Answer the command to bind a box, as ``bidwire up`` would."""
    command = await hall.assigned()
    reply = AssignReply(command.id, command.by, not reason, reason)
    serials = {"a1-box": command.serial if not reason else "TC-0001"}
    await hall.bound(Assignments("s1", serials, (reply,)))
    return command


async def test_another_box_is_bound_and_the_answer_told(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1-box": status("a1")})
    task = asyncio.create_task(bind(ana, "a1-box", " BX-9 "))
    command = await bound_by(hall)
    assert (command.by, command.terminal, command.serial) == ("Ana", "a1-box", "BX-9")
    assert (await task).headers["location"] == "/terminals"
    told = words((await ana.get("/terminals")).text)
    assert "a1-box: box BX-9 takes its place." in told
    assert "Bound to box BX-9" in told


async def test_a_refusal_comes_with_its_reason(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1-box": status("a1")})
    task = asyncio.create_task(bind(ana, "a1-box", "BX-9"))
    await bound_by(hall, "terminals[0]: expected <another>")
    await task
    page = (await ana.get("/terminals")).text
    assert "a1-box: refused: terminals[0]: expected &lt;another&gt;" in page


async def test_what_cannot_be_a_serial_number_is_not_sent(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1-box": status("a1")})
    for serial in ("", "  ", "x" * 33):
        await bind(ana, "a1-box", serial)
        told = words((await ana.get("/terminals")).text)
        assert "a1-box: expected the serial number of a box, 1 to 32" in told
    assert (await bind(ana, "a9-box", "BX-9")).status_code == 404


async def test_a_tablet_joins_by_a_code(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(
        desk_there, hall, {"a1-web": status("a1", join=JOIN), "a2-box": status("a2")}
    )
    page = (await ana.get("/terminals")).text
    assert JOIN in page
    assert "Kind tablet or phone" in words(page)
    image = await ana.get("/terminals/a1-web/qr.svg")
    assert image.headers["content-type"] == "image/svg+xml"
    assert image.headers["cache-control"] == "no-store"
    assert ET.fromstring(image.text).tag.endswith("svg")  # noqa: S314 - our own
    assert "style" not in image.text
    assert (await ana.get("/terminals/a2-box/qr.svg")).status_code == 404
    assert (await ana.get("/terminals/a9-box/qr.svg")).status_code == 404
    sheet = (await ana.get("/terminals/codes")).text
    assert sheet.count('<img class="qr"') == 1
    assert "Table a1 a1-web, all four seats" in words(sheet)
    assert JOIN in sheet


async def test_the_sheet_of_codes_names_the_seats_before_a_tablet_has_joined(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    file = Path(desk_there.context.options.users_file).with_name("event.toml")
    text = file.read_text("utf-8").replace('seats = "NESW"', 'seats = "NS"', 1)
    other = TABLE[TABLE.index("[[terminals]]") :].format(n=1)
    other = other.replace("a1-box", "a1-two").replace("NESW", "EW")
    file.write_text(text + other.replace("USB1", "USB9"), encoding="utf-8")
    unheard = msgspec.structs.replace(status("a1", join=JOIN), hello=None)
    await see(desk_there, hall, {"a1-box": unheard, "a1-two": unheard})
    sheet = words((await ana.get("/terminals/codes")).text)
    assert "a1-box, North, South" in sheet
    assert "a1-two, East, West" in sheet


async def test_no_box_takes_the_place_of_a_tablet(
    desk_there: RunningDesk, ana: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1-web": status("a1", join=JOIN)})
    page = (await ana.get("/terminals")).text
    assert "a1-web" in page
    assert "Replace the box" not in page


async def test_who_only_looks_gets_no_code(
    desk_there: RunningDesk, reader: Browser, hall: Hall
) -> None:
    await see(desk_there, hall, {"a1-web": status("a1", join=JOIN)})
    page = (await reader.get("/terminals")).text
    assert "a1-web Table a1" in words(page)
    for secret in ("7KQX", "qr.svg", "/terminals/codes", "/assign"):
        assert secret not in page
    for path in ("/terminals/a1-web/qr.svg", "/terminals/codes"):
        assert (await reader.get(path)).status_code == 403
    assert (await bind(reader, "a1-web", "BX-9")).status_code == 403
    async with reader.live("/terminals/live") as live:
        assert "7KQX" not in str(await live.update())
