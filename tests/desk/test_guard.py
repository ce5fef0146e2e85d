"""The guard: requests from outside the web app's own pages get nothing and change nothing."""

import asyncio
import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from certify.desk.app import PAGES, application, build_pages
from certify.desk.guard import LARGEST
from certify.desk.jobs import Desk
from tests.desk.conftest import Client, Running

if TYPE_CHECKING:
    from starlette.types import Message

ACTS = sorted(
    route.path
    for module in PAGES
    for route in module.ROUTES
    if "POST" in (getattr(route, "methods", None) or ())
)
"""The addresses that change something."""


def test_the_token_of_the_entry_page_lets_a_browser_in(start: Running) -> None:
    client = Client(port=urlsplit(start.address).port or 0, folder=start.folder)
    assert client.get("/").status == 403
    assert client.get(f"/?token={start.token}").status == 403
    for wrong in ("", "wrong", "é", f"{start.token}x", start.token[:-1]):
        assert client.post("/", {"token": wrong}, {"Origin": "null"}).status == 403
    answer = client.post("/", {"token": start.token}, {"Origin": "null"})
    assert answer.status == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
    client.cookie = cookie.partition(";")[0]
    assert client.get("/").status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:1", "file://"])
def test_the_form_of_another_page_does_not_enter_with_the_token(
    start: Running, origin: str
) -> None:
    client = Client(port=urlsplit(start.address).port or 0, folder=start.folder)
    form = {"token": start.token}
    assert client.post("/", form, {"Origin": origin}).status == 403
    assert client.post("/", form, {"Origin": "null", "Host": "evil.example"}).status == 421
    assert client.post("/stop", form, {"Origin": "null"}).status == 403


def test_a_form_that_never_ends_is_not_read(start: Running) -> None:
    client = Client(port=urlsplit(start.address).port or 0, folder=start.folder)
    assert client.post("/", {"x": "x" * 10_000_000, "token": start.token}).status == 403


def test_a_connection_that_is_lost_in_a_form_is_no_defect() -> None:
    scope = {"type": "http", "method": "POST", "path": "/stop", "query_string": b"",
             "headers": [(b"content-type", b"application/x-www-form-urlencoded")]}  # fmt: skip
    sent: list[Message] = []

    async def receive() -> "Message":
        return {"type": "http.disconnect"}

    async def send(message: "Message") -> None:
        sent.append(message)

    asyncio.run(build_pages(Desk(port=0))(scope, receive, send))
    assert sent[0]["status"] == 400


def test_it_listens_on_loopback_only(start: Running) -> None:
    port = urlsplit(start.address).port or 0
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("This machine has no other address.")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((own, port))


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "", None]
)
def test_another_host_is_refused(desk: Client, host: str | None) -> None:
    named = None if host is None else host and host.replace(":1", f":{desk.port + 1}")
    assert desk.get("/", {"Host": named}).status in {400, 421}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost", None])
@pytest.mark.parametrize("path", ["/stop", *ACTS])
def test_a_form_of_another_origin_is_refused(desk: Client, path: str, origin: str | None) -> None:
    assert desk.post(path, {}, {"Origin": origin}).status == 403


@pytest.mark.parametrize("token", ["", "wrong", "é"])
@pytest.mark.parametrize("path", ["/stop", *ACTS])
def test_a_form_without_the_token_is_refused(desk: Client, path: str, token: str) -> None:
    assert desk.post(path, {"csrf": token}).status == 403


def test_a_visitor_without_the_cookie_sees_nothing(desk: Client) -> None:
    for path in ("/", "/static/desk.css", "/no-such-page"):
        for cookie in (None, "certify-desk=", desk.cookie + "x", desk.cookie[:-1]):
            assert desk.get(path, {"Cookie": cookie}).status == 403


def test_every_answer_carries_the_policy(desk: Client) -> None:
    for answer in (
        desk.get("/"),
        desk.get("/no-such-page"),
        desk.get("/static/htmx.min.js"),
        desk.get("/", {"Cookie": None}),
        desk.get("/", {"Host": "evil.example"}),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../certify.toml",
        "/static/..%2f..%2f..%2fcertify.toml",
        "/static/%2e%2e/certify.toml",
        "/static//etc/passwd",
        "/static/base.html.j2",
    ],
)
def test_nothing_but_the_named_files_is_served(desk: Client, path: str) -> None:
    assert desk.get(path).status == 404


def test_a_body_that_is_too_large_is_refused_before_it_is_read(desk: Client) -> None:
    headers = {"Origin": desk.origin, "Content-Length": str(LARGEST + 1)}
    assert desk.ask("POST", "/stop", headers=headers).status == 413


def test_an_unknown_page_says_so_and_prints_no_markup(desk: Client) -> None:
    answer = desk.get("/%3Cscript%3Ealert(1)%3C/script%3E")
    assert answer.status == 404
    assert "<script>alert" not in answer.text
    assert "There is no page" in answer.text


def test_the_button_stops_the_desk(start: Running) -> None:
    client = start.enter()
    assert "The web app is closed" in client.post("/stop", {}).text
    assert start.process.wait(20) == 0


def test_a_desk_that_nobody_asks_is_idle() -> None:
    desk = Desk(port=1)
    assert desk.idle() < 1
    desk.used -= 100
    assert desk.idle() >= 100


def test_what_is_secret_shows_in_no_text_of_the_desk() -> None:
    desk = Desk(port=1)
    assert not any(secret in repr(desk) for secret in (desk.entry, desk.session, desk.csrf))
    assert application(desk) is not None


def test_no_template_has_a_script_or_a_style_within() -> None:
    folder = Path(__file__).parents[2] / "templates" / "desk"
    for path in folder.glob("*.j2"):
        text = path.read_text(encoding="utf-8")
        assert "style=" not in text, path.name
        assert "<style" not in text, path.name
        assert not re.search(r"\son[a-z]+=", text), path.name
        assert text.count("<script") == text.count("<script src="), path.name
