"""Who gets in, and what a browser may do: against the real server."""

import asyncio
import logging
import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from desk.login_limits import FREE
from desk.middleware import CONTENT_SECURITY
from desk.pages import PAGES
from desk.rights import may
from desk.role import Role
from desk.sessions import IDLE_S, LONGEST_S
from tests.desk.desks import (
    PASSWORD,
    USERS,
    Browser,
    RunningDesk,
    running_desk,
    token_of,
    users_file,
)

COOKIE = "bidwire-desk"


def cookie_of(browser: Browser) -> str:
    return browser.client.cookies[COOKIE]


class TestLogin:
    async def test_whoever_is_not_logged_in_is_asked_to(self, visitor: Browser) -> None:
        answer = await visitor.get("/?section=a")
        assert answer.status_code == 303
        assert answer.headers["location"] == "/login?next=%2F%3Fsection%3Da"
        assert 'type="password"' in (await visitor.get("/login")).text

    async def test_the_right_password_leads_to_where_one_wanted(
        self, visitor: Browser
    ) -> None:
        answer = await visitor.log_in(there="/?section=a")
        assert (answer.status_code, answer.headers["location"]) == (303, "/?section=a")
        room = await visitor.get("/?section=a")
        assert "Ana" in room.text
        assert (await visitor.get("/login")).headers["location"] == "/"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example",
            "\\\\evil.example",
            "javascript:alert(1)",
            "/\tx",
            "",
        ],
    )
    async def test_it_leads_nowhere_else(
        self, visitor: Browser, elsewhere: str
    ) -> None:
        answer = await visitor.log_in(there=elsewhere)
        assert answer.headers["location"] == "/"

    @pytest.mark.parametrize(
        ("name", "password"),
        [("Ana", "wrong horse"), ("Nobody", PASSWORD), ("", ""), ("Ana", "x" * 9999)],
    )
    async def test_a_wrong_name_or_password_is_told_alike(
        self, visitor: Browser, name: str, password: str
    ) -> None:
        answer = await visitor.log_in(name, password)
        assert answer.status_code == 403
        assert "The name or the password is wrong." in answer.text
        assert password not in answer.text or not password
        assert (await visitor.get("/")).status_code == 303

    async def test_the_id_of_the_login_is_a_new_one(self, visitor: Browser) -> None:
        """Else whoever planted the old one would be logged in too."""
        await visitor.get("/login")
        before = cookie_of(visitor)
        await visitor.log_in()
        assert cookie_of(visitor) != before
        async with Browser(visitor.url, {"cookie": f"{COOKIE}={before}"}) as other:
            assert (await other.get("/")).status_code == 303

    async def test_scripts_and_other_sites_do_not_get_the_cookie(
        self, visitor: Browser
    ) -> None:
        answer = await visitor.log_in()
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie

    async def test_under_tls_the_cookie_is_for_tls_only(
        self, alone: RunningDesk
    ) -> None:
        async with alone.browser(**{"x-forwarded-proto": "https"}) as browser:
            cookie = (await browser.get("/login")).headers["set-cookie"]
            assert cookie.startswith(f"__Host-{COOKIE}=")
            assert "; secure" in cookie.lower()

    async def test_logging_out_ends_it_for_good(self, visitor: Browser) -> None:
        await visitor.log_in()
        kept = cookie_of(visitor)
        answer = await visitor.send("/logout")
        assert answer.headers["location"] == "/login"
        async with Browser(visitor.url, {"cookie": f"{COOKIE}={kept}"}) as other:
            assert (await other.get("/")).status_code == 303

    async def test_it_ends_when_nobody_uses_it(
        self, alone: RunningDesk, visitor: Browser
    ) -> None:
        await visitor.log_in()
        alone.clock.now += IDLE_S
        assert (await visitor.get("/")).status_code == 200
        alone.clock.now += IDLE_S + 1
        assert (await visitor.get("/")).status_code == 303

    async def test_it_ends_after_a_day(
        self, alone: RunningDesk, visitor: Browser
    ) -> None:
        await visitor.log_in()
        for _ in range(int(LONGEST_S / IDLE_S)):
            alone.clock.now += IDLE_S
            assert (await visitor.get("/")).status_code == 200
        alone.clock.now += 1
        assert (await visitor.get("/")).status_code == 303

    async def test_it_ends_when_the_user_gets_another_password(
        self, tmp_path: Path, visitor: Browser
    ) -> None:
        await visitor.log_in()
        file = tmp_path / "users.json"
        changed = re.sub(
            r"\$argon2id\$[^\"]+", "$argon2id$changed", file.read_text("utf-8")
        )
        file.write_text(changed, encoding="utf-8")
        assert (await visitor.get("/")).status_code == 303

    async def test_passwords_are_tried_ever_more_slowly(
        self, alone: RunningDesk, visitor: Browser
    ) -> None:
        for _ in range(FREE):
            assert (await visitor.log_in("Ana", "wrong")).status_code == 403
        answer = await visitor.log_in()
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "2"
        assert "Try again in 2 seconds." in answer.text
        alone.clock.now += 2
        assert (await visitor.log_in()).status_code == 303


class TestForms:
    @pytest.mark.parametrize("token", [None, "", "0" * 64, "ü"])
    async def test_a_form_of_another_site_does_nothing(
        self, visitor: Browser, token: str | None
    ) -> None:
        await visitor.log_in()
        fields = {} if token is None else {"form_token": token}
        answer = await visitor.client.post("/logout", data=fields)
        assert answer.status_code == 403
        assert "This form is out of date" in answer.text
        assert (await visitor.get("/")).status_code == 200

    async def test_the_token_of_another_browser_is_of_no_use(
        self, alone: RunningDesk, visitor: Browser
    ) -> None:
        await visitor.log_in()
        async with alone.browser() as other:
            await other.log_in("Bo")
            stolen = token_of(await other.get("/"))
        answer = await visitor.client.post("/logout", data={"form_token": stolen})
        assert answer.status_code == 403

    @pytest.mark.parametrize("there", ["//[", "http://[x", "//a\u2100b", "/\\x", "x"])
    async def test_after_logging_in_nobody_is_led_elsewhere(
        self, visitor: Browser, there: str
    ) -> None:
        assert (await visitor.get(f"/login?next={quote(there)}")).status_code == 200
        answer = await visitor.log_in(there=there)
        assert answer.headers["location"] == "/"

    async def test_logging_in_needs_a_token_too(self, visitor: Browser) -> None:
        fields = {"name": "Ana", "password": PASSWORD}
        assert (await visitor.client.post("/login", data=fields)).status_code == 403

    @pytest.mark.parametrize(
        ("named", "text", "charset"),
        [
            ('name="form_token"', "\\ud800", "raw_unicode_escape"),
            ('name="name"', "\\ud800", "raw_unicode_escape"),
            ('name="\\ud800"', "x", "raw_unicode_escape"),
            ('name="file"; filename="\\ud800.pbn"', "x", "raw_unicode_escape"),
            ('name="name"', "x", "undefined"),
        ],
    )
    async def test_half_a_character_is_not_understood(
        self, visitor: Browser, named: str, text: str, charset: str
    ) -> None:
        token = token_of(await visitor.get("/login"))
        parts = (
            f"--x\r\nContent-Disposition: form-data; {field}\r\n\r\n{value}\r\n"
            for field, value in (('name="form_token"', token), (named, text))
        )
        kind = f"multipart/form-data; boundary=x; charset={charset}"
        answer = await visitor.client.post(
            "/login",
            content="".join((*parts, "--x--\r\n")),
            headers={"content-type": kind},
        )
        assert answer.status_code == 400
        assert "does not understand" in answer.text

    async def test_a_form_that_does_not_come_to_its_end_is_given_up(
        self, visitor: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("desk.gate.FORM_S", 0.05)
        url = httpx.URL(visitor.url)
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(
            b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\nname="
        )
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
        writer.close()

    @pytest.mark.parametrize("is_declared", [True, False])
    async def test_a_form_has_only_so_many_bytes(
        self, visitor: Browser, is_declared: bool
    ) -> None:
        await visitor.log_in()
        body = b"x=" + b"y" * 100_000

        async def pieces() -> object:
            yield body

        answer = await visitor.client.post(
            "/logout",
            content=body if is_declared else pieces(),  # type: ignore[arg-type]
            headers={"content-type": "application/x-www-form-urlencoded"},
        )
        assert answer.status_code == 413
        assert "more than the desk takes" in answer.text


class TestAnswers:
    @pytest.mark.parametrize("path", ["/login", "/", "/static/desk.css", "/nowhere"])
    async def test_every_answer_is_shielded(self, visitor: Browser, path: str) -> None:
        headers = (await visitor.get(path)).headers
        assert headers["content-security-policy"] == CONTENT_SECURITY
        assert "unsafe" not in CONTENT_SECURITY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers

    async def test_pages_are_not_kept_by_the_browser(self, visitor: Browser) -> None:
        assert (await visitor.get("/login")).headers["cache-control"] == "no-store"
        static = await visitor.get("/static/desk.css")
        assert static.headers["cache-control"] == "max-age=31536000, immutable"

    async def test_no_page_has_a_script_or_a_style_in_it(
        self, visitor: Browser
    ) -> None:
        await visitor.log_in()
        for path in ("/", "/nowhere"):
            page = (await visitor.get(path)).text
            assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
            assert re.findall(r"<style|\bstyle=|\bon[a-z]+=", page) == []

    @pytest.mark.parametrize(
        ("host", "status"),
        [
            ("evil.example", 421),
            ("evil.example:8470", 421),
            ("", 421),
            ("localhost:1234", 200),
            ("LOCALHOST", 200),
            ("192.0.2.7:8470", 200),
            ("[2001:db8::1]:8470", 200),
            ("127.0.0.1.evil.example", 421),
            ("desk.club.example", 200),
        ],
    )
    async def test_a_foreign_name_is_not_the_desk(
        self, tmp_path: Path, host: str, status: int
    ) -> None:
        async with (
            running_desk(tmp_path, hosts=("desk.club.example",)) as desk,
            desk.browser(host=host) as browser,
        ):
            answer = await browser.get("/login")
            assert answer.status_code == status
            assert ("Add it to hosts" in answer.text) == (status == 421)

    @pytest.mark.parametrize(
        ("method", "path", "status", "told"),
        [
            ("GET", "/nowhere", 404, "There is no such page"),
            ("GET", "/logout", 405, "does not understand"),
            ("DELETE", "/", 405, "does not understand"),
            ("GET", "/static/../app.py", 404, "There is no such page"),
            ("GET", "/static/nothing.js", 404, "There is no such page"),
        ],
    )
    async def test_what_cannot_be_answered_is_told_on_a_page(
        self, visitor: Browser, method: str, path: str, status: int, told: str
    ) -> None:
        answer = await visitor.client.request(method, path)
        assert answer.status_code == status
        assert told in answer.text
        assert '<a href="/">' in answer.text

    async def test_the_log_has_no_secret(
        self, visitor: Browser, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.INFO):
            await visitor.log_in()
            await visitor.get("/?q=García")
            await visitor.get("/a%0Ab")
        lines = [r.getMessage() for r in caplog.records if r.name == "desk.requests"]
        assert any(re.match(r"127.0.0.1 GET / 200 \d+ ms Ana$", x) for x in lines)
        assert any("GET /a%0Ab 404" in line for line in lines)
        assert any(re.match(r"127.0.0.1 POST /login 303 \d+ ms", x) for x in lines)
        everything = "\n".join(
            r.getMessage() for r in caplog.records if not r.name.startswith("httpx")
        )
        for secret in (PASSWORD, cookie_of(visitor), "Garc"):
            assert secret not in everything

    async def test_a_page_speaks_the_language_of_the_browser_then_of_the_user(
        self, tmp_path: Path
    ) -> None:
        users_file(tmp_path, language="es")
        async with running_desk(tmp_path) as desk:
            english = {"accept-language": "en-GB,en;q=0.9,es;q=0.8"}
            async with desk.browser(**english) as browser:
                before = await browser.get("/login")
                await browser.log_in()
                after = await browser.get("/")
        assert '<html lang="en">' in before.text
        assert '<html lang="es">' in after.text
        assert "Cerrar sesión" in after.text


class TestRoles:
    """Each page by each role, against its right in the table."""

    @pytest.mark.parametrize("role", list(Role))
    async def test_a_page_is_for_the_roles_that_have_its_right(
        self, alone: RunningDesk, role: Role
    ) -> None:
        async with alone.browser() as browser:
            await browser.log_in(USERS[role])
            for page in PAGES:
                if page.right is not None:
                    answer = await ask(browser, page.method, page.path)
                    refused = answer.status_code == 403
                    assert refused != may(role, page.right), page.name
                    if refused:
                        assert "Your role may not do this." in answer.text

    async def test_without_a_login_there_is_only_the_login(
        self, visitor: Browser
    ) -> None:
        for page in PAGES:
            if page.right is not None:
                answer = await visitor.client.request(page.method, filled(page.path))
                assert answer.headers["location"].startswith("/login?next="), page.name
            else:
                assert page.name in {"login", "log-in", "log-out"}


def filled(path: str) -> str:
    return path.replace("{table}", "a1")


async def ask(browser: Browser, method: str, path: str) -> httpx.Response:
    """Ask for a page; of one that is kept open, its beginning."""
    if method == "POST":
        return await browser.send(f"{filled(path)}?expects=1&subject=1")
    async with browser.client.stream("GET", filled(path)) as answer:
        if "event-stream" not in answer.headers.get("content-type", ""):
            await answer.aread()
        return answer
