"""The entry page: its token is in no argument and no address, and a second start opens the app."""

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from certify.desk import guard as entry
from certify.desk.guard import find_running, prove, write_page
from certify.errors import NotConfigured
from tests.desk.conftest import ROOT, Running, run
from tests.homes import new_home

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Ended = subprocess.CompletedProcess[str]

FOREGROUND = """#!/bin/sh
printf '%s\\n' "$@" >> "{seen}"
echo $$ > "{seen}.pid"
exec sleep 3600 > /dev/null
"""
"""A browser of the terminal: it ends only when its user leaves it."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return new_home(tmp_path / "home")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that stays in the foreground; its arguments are in the file ``seen``."""
    path = tmp_path_factory.mktemp("browser") / "browser"
    path.write_text(FOREGROUND.format(seen=path.parent / "seen"), encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture(scope="module")
def running(browser: Path) -> Iterator[Running]:
    home = new_home(browser.parent / "home")
    project = browser.parent / "project"
    app = run(project, CERTIFY_HOME=str(home), BROWSER=str(browser))
    yield app
    app.end()
    assert not app.page.exists()
    os.kill(int((browser.parent / "seen.pid").read_text(encoding="utf-8")), signal.SIGKILL)


def opened(browser: Path) -> list[str]:
    """Return the arguments of the browser once it has started."""
    seen = browser.parent / "seen"
    while not seen.with_suffix(".pid").exists():
        time.sleep(0.01)
    return seen.read_text(encoding="utf-8").splitlines()


def start_again(running: Running, *options: str, **environment: str) -> Ended:
    home = str(running.page.parents[1])
    return subprocess.run(
        [sys.executable, "-m", "certify", "desk", *options],
        cwd=running.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "CERTIFY_HOME": home, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="arguments are read in /proc")
def test_the_token_is_in_no_argument_and_the_server_answers(
    running: Running, browser: Path
) -> None:
    assert opened(browser) == [running.page.as_uri()]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert running.token.encode() not in path.read_bytes()
        except OSError:
            continue  # it has ended
    assert running.page.is_relative_to(browser.parent / "home")
    assert stat.S_IMODE(running.page.stat().st_mode) == 0o600
    assert stat.S_IMODE(running.page.parent.stat().st_mode) == 0o700
    assert urlsplit(running.address).query == ""
    assert running.enter().get("/").status == 200  # while the browser is in the foreground


def test_a_second_start_opens_the_running_app(running: Running, tmp_path: Path) -> None:
    first, other = running.enter(), tmp_path / "other"
    other.write_text(f'#!/bin/sh\nprintf "%s" "$@" > {tmp_path}/seen\n', encoding="utf-8")
    other.chmod(0o755)
    again = start_again(running, BROWSER=str(other))
    assert (again.returncode, again.stderr) == (0, "")
    assert running.address in again.stdout
    assert str(running.page) in again.stdout
    assert (tmp_path / "seen").read_text(encoding="utf-8") == running.page.as_uri()
    second = running.enter()
    assert [client.get("/").status for client in (first, second)] == [200, 200]


def test_an_app_that_was_killed_is_replaced(tmp_path: Path, home: Path) -> None:
    killed = run(tmp_path / "project", CERTIFY_HOME=str(home))
    token = killed.token
    killed.process.kill()
    killed.process.communicate()
    assert killed.page.exists()
    second = run(tmp_path / "project", CERTIFY_HOME=str(home))
    assert second.page == killed.page
    assert second.token != token
    assert second.enter().get("/register").status == 200
    second.end()
    assert not second.page.exists()


@pytest.mark.long
def test_other_projects_and_ports_have_their_own_app(tmp_path: Path, running: Running) -> None:
    home = str(running.page.parents[1])
    other = run(tmp_path / "other-project", CERTIFY_HOME=home)
    assert (other.address != running.address, other.page != running.page) == (True, True)
    other.end()
    with socket.socket() as free:
        free.bind((entry.LOOPBACK, 0))
        port = free.getsockname()[1]
    asked = run(running.folder, "--port", str(port), CERTIFY_HOME=home)
    assert asked.address == f"http://127.0.0.1:{port}"
    assert asked.enter().get("/register").status == 200
    asked.end()


@pytest.mark.long
def test_two_starts_at_once_end_without_an_error(tmp_path: Path, home: Path) -> None:
    with ThreadPoolExecutor() as pool:
        begun = [pool.submit(run, tmp_path / "project", CERTIFY_HOME=str(home)) for _ in range(2)]
        apps = [future.result() for future in begun]
    assert {app.page for app in apps} == {apps[0].page}
    text = apps[0].page.read_text(encoding="utf-8")
    assert any(f'"{app.address}/"' in text for app in apps)  # either may have come last
    if apps[0].address == apps[1].address:  # the one that found the other ends by itself
        while all(app.process.poll() is None for app in apps):
            time.sleep(0.05)
    for app in apps:
        app.end()
    assert [app.process.returncode for app in apps] == [0, 0]
    assert not apps[0].page.exists()


class Stranger(threading.Thread):
    """A server of another user on the port of an app that has ended."""

    def __init__(self, answer: bytes) -> None:
        super().__init__(daemon=True)
        self.listening = socket.create_server((entry.LOOPBACK, 0))
        self.port = self.listening.getsockname()[1]
        self.answer = answer
        self.heard = b""

    def run(self) -> None:
        connection, _ = self.listening.accept()
        with connection:
            self.heard = connection.recv(65536)
            connection.sendall(self.answer)


@pytest.mark.parametrize(
    "body", [b"", b"0" * 64, prove("another token", "nonce"), b"x" * 100_000, "é".encode()]
)
@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"", b"HTTP/1.1 500 no\r\n\r\n"])
def test_a_server_that_took_the_port_learns_nothing(
    tmp_path: Path, head: bytes, body: bytes
) -> None:
    stranger = Stranger(head + body)
    stranger.start()
    page = tmp_path / "page.html"
    write_page(page, f"http://127.0.0.1:{stranger.port}", "the-token")
    assert find_running(page) is None
    stranger.join(10)
    assert stranger.heard.startswith(b"GET /proof?")
    assert b"the-token" not in stranger.heard
    stranger.listening.close()


def test_a_server_that_says_nothing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "PATIENCE", 0.1)
    with socket.create_server((entry.LOOPBACK, 0)) as silent:
        page = tmp_path / "page.html"
        write_page(page, f"http://127.0.0.1:{silent.getsockname()[1]}", "the-token")
        assert find_running(page) is None


@pytest.mark.parametrize("text", [b"", b"\xff", b"<form>", b"x" * 5_000_000])
def test_a_page_that_is_no_page_is_replaced(tmp_path: Path, text: bytes) -> None:
    page = tmp_path / "page.html"
    page.touch(mode=0o600)
    page.write_bytes(text)
    assert find_running(page) is None


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_page_that_others_may_read_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    write_page(page, "http://127.0.0.1:1", "the-token")
    page.chmod(0o644)
    with pytest.raises(NotConfigured, match="not private"):
        find_running(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_browser_enters_by_the_page(
    start: Running,
    _chromium: "Browser",  # noqa: PT019 - the browser is the value
    script: bool,
) -> None:
    """The session lasts: the strict cookie is sent with the first page and with the next."""
    context = _chromium.new_context(java_script_enabled=script)
    window = context.new_page()
    window.set_default_timeout(0)
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    window.goto(start.page.as_uri())
    if not script:
        window.get_by_role("button", name="Open the web app").click()
    rules = window.get_by_role("link", name="Rules", exact=True)
    rules.or_(window.get_by_text("has not entered")).wait_for()
    assert rules.is_visible()
    rules.click()
    window.wait_for_url(f"{start.address}/rules")
    assert start.token not in "".join(asked)
    context.close()
