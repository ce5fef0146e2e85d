"""A running web app for all tests, a client for its socket, and windows of a browser."""

import datetime as dt
import html
import http.client
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode, urlsplit

import pytest

from certify.signatures.identity_folder import init_development
from tests.commands.pair_plus import GAME, pair_plus
from tests.desk import pictures
from tests.homes import new_home

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

ROOT = Path(__file__).parents[2]
TABLE = f"{GAME}/pair-plus/1"
ORDER = {"game": GAME, "jurisdiction": "nevada", "paytable": TABLE}
"""A game of three cards: its counts take no time."""

CHROMIUM = "/usr/bin/chromium"
REQUIRED = "CERTIFY_CHROMIUM"
LONGEST_DELAY = 500  # ms, of `hx-trigger`; a page sends nothing later than this after an action
OVERTAKEN = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx says of a request that typing on has overtaken."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def text(self) -> str:
        return self.data.decode(errors="replace")


@dataclass(kw_only=True)
class Client:
    """A client that sends the headers of a browser; ``None`` omits one."""

    port: int
    folder: Path
    cookie: str = ""
    csrf: str = field(default="", repr=False)
    home: Path = Path()
    signers: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        given = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie or None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, text in {**given, **(headers or {})}.items():
                if text is not None:
                    connection.putheader(name, text)
            if body:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body or None)
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(status=answer.status, headers=named, data=answer.read())
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str | None] | None = None) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(
        self,
        path: str,
        form: Mapping[str, str],
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send a form with its token, as a page of the web app does."""
        body = urlencode({"csrf": self.csrf, **form}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin}
        return self.ask("POST", path, body, {**kind, **(headers or {})})

    def raw(self, path: str, form: Mapping[str, str]) -> bytes:
        """Send a form whose answer is a file; return its bytes."""
        answer = self.post(path, form)
        assert answer.status == 200, answer.text
        return answer.data


@dataclass(frozen=True, kw_only=True)
class Running:
    """A running web app, its address, and the page that lets its owner in."""

    process: subprocess.Popen[str]
    folder: Path
    address: str
    page: Path

    @property
    def token(self) -> str:
        found = re.search(r'name="token" value="([^"]+)"', self.page.read_text(encoding="utf-8"))
        assert found is not None
        return found[1]

    def enter(self) -> Client:
        """Send the form of the entry page; return the client with its session."""
        client = Client(port=urlsplit(self.address).port or 0, folder=self.folder)
        answer = client.post("/", {"token": self.token}, {"Origin": "null"})
        assert answer.status == 200, answer.text
        client.cookie = answer.headers["set-cookie"].partition(";")[0]
        found = re.search(r'name="csrf" value="([^"]+)"', client.get("/register").text)
        client.csrf = found[1] if found else ""
        return client

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()


PARTS = (("name", ""), ("value", " selected"))


def read_form(answer: Answer) -> dict[str, str]:
    form = answer.text.partition('id="edit"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<input[^>]*? name="([^"]+)" value="([^"]*)"', form))
    for select in re.findall(r"<select.*?</select>", form, re.DOTALL):
        name, chosen = (re.search(rf'{at}="([^"]+)"{of}', select) for at, of in PARTS)
        assert name is not None
        assert chosen is not None
        fields[name[1]] = chosen[1]
    return {name: html.unescape(value) for name, value in fields.items()}


def run(folder: Path, *options: str, **environment: str) -> Running:
    (folder / "paytables").mkdir(parents=True, exist_ok=True)
    (folder / "certify.toml").write_text("", encoding="utf-8")
    silent = () if "BROWSER" in environment else ("--no-browser",)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.desk.program", "desk", *silent, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **environment},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    address, page = (process.stdout.readline().strip().rpartition(" ")[2] for _ in range(2))
    return Running(process=process, folder=folder, address=address, page=Path(page))


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Running]:
    """A new web app that has no session yet."""
    running = run(tmp_path / "project")
    yield running
    running.end()


@pytest.fixture(scope="session")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    running = run(tmp_path_factory.mktemp("desk") / "project")
    yield running.enter()
    running.end()


@pytest.fixture
def desk(_shared: Client) -> Iterator[Client]:
    """The shared web app; its project is emptied after each test."""
    yield _shared
    shutil.rmtree(_shared.folder / "paytables")
    (_shared.folder / "paytables").mkdir()


def send(
    client: Client, path: str, files: Mapping[str, tuple[str, bytes]], **fields: str
) -> Answer:
    """Send a form with files as a browser does."""
    mark = uuid.uuid4().hex
    body = io.BytesIO()
    for name, text in {"csrf": client.csrf, **fields}.items():
        body.write(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode())
        body.write(text.encode() + b"\r\n")
    for name, (called, data) in files.items():
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{called}"\r\n'
        body.write(head.encode() + b"Content-Type: application/pdf\r\n\r\n" + data + b"\r\n")
    body.write(f"--{mark}--\r\n".encode())
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}", "Origin": client.origin}
    return client.ask("POST", path, body.getvalue(), headers)


def approve(client: Client, target: str) -> None:
    entry = {"target": target, "jurisdiction": "nevada", "status": "approved"}
    letter = {"letter": ("letter.pdf", b"approved")}
    assert send(client, "/register", letter, **entry, date="2026-01-02").status == 303


def finish(client: Client, answer: Answer) -> Answer:
    """Follow a job to its end."""
    assert answer.status == 303, answer.text
    address = answer.headers["location"]
    while True:
        state = client.get(address)
        # A job may end while its page is written; the page then links to the result.
        if state.status != 200 or not ("<progress" in state.text or "Finished: " in state.text):
            break
        time.sleep(0.1)
    return client.get(state.headers["location"]) if state.status == 303 else state


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A web app in a new project, with two development keys.

    One for each module: what a module files and approves shows on pages that another looks at.
    """
    home = new_home(tmp_path_factory.mktemp("home"))
    today = dt.datetime.now(dt.UTC).date()
    for name in ("Test Only", "Test Only Laboratory"):
        init_development(home / "keys", name=name, today=today)
    folder = tmp_path_factory.mktemp("office") / "project"
    pair_plus(folder)
    running = run(folder, CERTIFY_HOME=str(home), SOFTHSM2_CONF=str(home / "softhsm2.conf"))
    client = running.enter()
    client.home = home
    client.signers = tuple(sorted((path.stem for path in (home / "keys").glob("*.p12")), key=len))
    yield client
    running.end()


@pytest.fixture(scope="module")
def _chromium() -> Iterator["Browser"]:
    """A browser for one module: its event loop would keep other modules from signing."""
    if not Path(CHROMIUM).exists() and os.environ.get(REQUIRED) != "required":
        pytest.skip(f"There is no {CHROMIUM}; {REQUIRED}=required demands it.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=0
        )
        yield browser
        browser.close()


def open_reader(client: Client, browser: "Browser") -> Iterator["Page"]:
    """Yield a page with the cookie of the web app that takes the scripts of `look_for_faults`."""
    # axe is put into the page, which the desk's policy forbids to everybody else.
    context = browser.new_context(
        base_url=client.origin, bypass_csp=True, viewport={"width": 1280, "height": 900}
    )
    name, _, value = client.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": client.origin}])
    page = context.new_page()
    page.set_default_timeout(0)
    page.on("dialog", lambda dialog: dialog.accept())  # a form with unsaved input asks
    yield page
    context.close()


SCREEN: "ViewportSize" = {"width": 1280, "height": 900}
PHONE: "ViewportSize" = {"width": 390, "height": 844}
SIDEWAYS = """() => [document.documentElement, ...document.querySelectorAll(".wide")]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.outerHTML.slice(0, 200))
"""
CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const fits = (each) => {
    if (each.localName === "input") return each.scrollWidth <= each.clientWidth;
    pen.font = getComputedStyle(each).font;
    const { width } = pen.measureText(each.selectedOptions[0]?.label ?? "");
    return width + 36 <= each.offsetWidth;  // 8 px on either side, and the arrow
  };
  return [...document.querySelectorAll("input, select")]
    .filter(each => each.checkVisibility() && !fits(each)).map(each => each.outerHTML);
}"""


def look_for_faults(page: "Page", name: str, part: str | None = None) -> None:
    """Fail on faults of accessibility and layout: on a light screen and on a dark phone.

    Only sizes differ between screen and phone, and only colors between light and dark.
    """
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    looks: tuple[tuple[ViewportSize, Literal["light", "dark"]], ...]
    looks = ((SCREEN, "light"), (PHONE, "dark"))
    for size, scheme in looks:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"innerWidth === {size['width']}")
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate(SIDEWAYS) == [], size
        if pictures.ALL:
            path = Path(pictures.ALL) / f"{name}-{size['width']}-{scheme}.png"
            page.screenshot(path=path, full_page=True)
        found = Axe().run(page, part, options={"runOnly": tags}).response["violations"]
        faults = [(fault["id"], fault["nodes"][0]["html"]) for fault in found]
        assert faults == [], (size, scheme)
        if size is SCREEN:
            assert page.evaluate(CUT) == []
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SCREEN)


@pytest.fixture
def window(desk: Client, _chromium: "Browser") -> Iterator["Page"]:
    """A window with the cookie of the web app; an error on its console fails the test.

    What the page still had to send is answered before the next test: it could be a draft.
    """
    context = _chromium.new_context(base_url=desk.origin, viewport={"width": 1280, "height": 900})
    name, _, value = desk.cookie.partition("=")
    context.add_cookies(
        [{"name": name, "value": value, "url": desk.origin, "sameSite": "Strict", "httpOnly": True}]
    )
    page = context.new_page()
    page.set_default_timeout(0)
    said: list[str] = []
    page.on(
        "console", lambda message: said.append(message.text) if message.type == "error" else None
    )
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.evaluate("delay => new Promise(done => setTimeout(done, delay))", LONGEST_DELAY)
    page.locator(".htmx-request").first.wait_for(state="detached")
    context.close()
    assert [error for error in said if not error.startswith(OVERTAKEN)] == []
