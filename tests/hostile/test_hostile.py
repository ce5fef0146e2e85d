"""Each project of fixtures/hostile: cloned, checked, evaluated, submitted, opened in the web app.

A watcher shows that nothing outside the clone and the user's own folders is executed, written or
read: a secret and a file of the user, programs in front of the PATH, a hostile configuration in the
HOME, and the system calls where strace is present.
"""

import asyncio
import contextlib
import io
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from starlette.applications import Starlette
from starlette.types import Message

from certify.desk.app import DEFECT, build_pages
from certify.desk.jobs import Desk
from tests.commands.pair_plus import GAME, pair_plus
from tests.homes import new_home
from tests.in_process import read_within

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "fixtures" / "hostile").glob("*.json"))
PAGE = ROOT / "docs" / "explanation" / "received-projects.md"
CERTIFY = Path(sys.executable).with_name("certify")
PRIVATE = "PRIVATE-8c1f4e"
VICTIM = "The user's own words.\n"
PROGRAMS = ("less", "more", "sh", "bash", "env", "python", "python3", "xdg-open", "gs")
PLUMBING = {"ls-files", "ls-tree", "merge-base"}
"""Commands of git that read the index or objects alone."""

ID = f"{GAME}.nevada.pair-plus-1.r1.0.2026-11-22"
FILED = f"/submissions/out/{ID}"
PAGES = (
    *("/", "/games.json", f"/games/{GAME}", f"/rules/{GAME}", "/register", "/register.json"),
    *(f"/submit?game={GAME}&jurisdiction=nevada", f"/verify?folder=out&id={ID}", FILED),
    *(f"{FILED}?file={ID}.{part}" for part in ("rules.pdf", "manifest.json", "zip")),
    f"{FILED}?file={ID}.laboratory/{ID}.laboratory.rules.pdf",
)
"""Pages of the web app that show the project, and downloads."""

CONTRACT = {0, 1, 2, 3, 4}
"""Exit codes of a command that neither failed inside nor was interrupted."""

CANARY = {"secret.json", "secret.txt", "victim.txt"}

LARGEST_FILE = 256 << 20
"""Bytes of a file that a command may write; a copy of a device does not end."""

CALLS = "execve,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,link,linkat"


class Received:
    """A clone of a hostile project, what lies around it, and the environment of its reader."""

    def __init__(self, case: dict[str, Any], folder: Path) -> None:
        self.case, self.folder = case, folder
        self.canary, self.home, self.programs = (
            folder / name for name in ("canary", "home", "programs")
        )
        self.project = folder / "clone"
        self.traces = 0
        for made in (self.canary, self.home, self.programs, self.home / ".config"):
            made.mkdir()
        self.own = new_home(self.home / ".config" / "certify")
        (self.canary / "secret.txt").write_text(f"{PRIVATE}\n")
        (self.canary / "secret.json").write_text(f"{PRIVATE}\n")
        (self.canary / "victim.txt").write_text(VICTIM)
        for name in PROGRAMS:
            self.write_program(self.programs / name)
        self.write_program(self.home / "run.sh")
        (self.home / ".gitconfig").write_text(
            f"[core]\n\tfsmonitor = {self.home}/run.sh\n\tpager = {self.home}/run.sh\n"
        )
        self.clone()

    def write_program(self, path: Path) -> None:
        path.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.canary}/executed\n')
        path.chmod(0o755)

    def clone(self) -> None:
        origin = self.folder / "origin"
        pair_plus(origin)
        self.write(origin, self.case.get("files", {}))
        self.link(origin, self.case.get("links", {}))
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(origin)]
        for command in (["init", "-q"], ["add", "-Af"], ["commit", "-qm", "Game"]):
            subprocess.run([*git, *command], check=True, env={"PATH": os.environ["PATH"]})
        subprocess.run(
            ["git", "clone", "-q", origin, self.project],
            check=True,
            env={"PATH": os.environ["PATH"]},
        )
        for name in self.case.get("removed", ()):
            path = self.project / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.write(self.project, self.case.get("unpacked", {}))
        self.link(self.project, self.case.get("unpacked_links", {}))
        for name in self.case.get("pipes", ()):
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.project / name).unlink(missing_ok=True)
            os.mkfifo(self.project / name)

    def fill(self, text: str) -> str:
        return text.replace("{canary}", str(self.canary)).replace("{project}", str(self.project))

    def link(self, folder: Path, links: dict[str, str]) -> None:
        for name, target in links.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.symlink_to(self.fill(target))

    def write(self, folder: Path, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = folder / name.removesuffix("+")
            path.parent.mkdir(parents=True, exist_ok=True)
            before = path.read_text() if name.endswith("+") else ""
            path.write_text(before + self.fill(text))
            path.chmod(0o755 if text.startswith("#!") else 0o644)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run certify in the clone, under the watcher."""
        environment = {
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "HOME": str(self.home),
            "CERTIFY_CACHE": os.environ["CERTIFY_CACHE"],
            "LANG": "C.UTF-8",
            **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
        }
        self.traces += 1
        trace = self.folder / f"trace.{self.traces}"
        watch = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-y",
            "-e",
            f"trace={CALLS}",
            "-o",
            str(trace),
        ]
        ran = subprocess.run(
            [*(watch if WATCHED else ()), str(CERTIFY), *arguments],
            cwd=self.project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            preexec_fn=limit_files,
        )
        shown = f"{arguments}\n{ran.stdout}\n{ran.stderr}"
        assert ran.returncode in CONTRACT, shown
        assert "Traceback" not in ran.stderr, shown
        assert PRIVATE not in ran.stdout + ran.stderr, shown
        if WATCHED:
            self.read_trace(trace)
        self.inspect(shown)
        return ran

    def read_trace(self, trace: Path) -> None:
        for line in trace.read_text(errors="replace").splitlines():
            if re.search(r"= -1 E[A-Z]+|unfinished|resumed", line):
                continue
            assert str(self.canary) not in line, line
            started = re.search(r'execve\("([^"]*)", \["[^"]*", "([^"]*)"', line)
            if started:
                program = Path(started[1])
                assert program.name != "git" or started[2] in PLUMBING, line
                assert self.folder not in program.parents, line

    def inspect(self, shown: str) -> None:
        assert not (self.canary / "executed").exists(), (self.canary / "executed").read_text()
        assert {path.name for path in self.canary.iterdir()} == CANARY, shown
        assert (self.canary / "victim.txt").read_text() == VICTIM, shown
        assert (self.canary / "secret.txt").read_text() == f"{PRIVATE}\n", shown


def limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


def can_watch() -> bool:
    """Return True if strace is present and may trace."""
    try:
        return not subprocess.run(
            ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=none", "true"],
            capture_output=True,
            check=False,
        ).returncode
    except OSError:
        return False


WATCHED = can_watch()


TOGETHER = (
    "baseline",
    "commit-list",
    "embedded-bare-repository",
    "folder-link",
    "git-alternates",
    "git-device",
    "git-links",
    "git-pipes",
    "nested-repository",
    "python-modules",
)
"""Cases that a submission does not refuse, and that fit into one project: printing takes long."""


def read_case(*names: str) -> dict[str, Any]:
    """Return a case, or several in one project."""
    merged: dict[str, Any] = {}
    for name in names:
        case = json.loads((ROOT / "fixtures" / "hostile" / f"{name}.json").read_bytes())
        for part in ("files", "links", "unpacked", "unpacked_links"):
            merged[part] = {**merged.get(part, {}), **case.get(part, {})}
        merged["pipes"] = [*merged.get("pipes", []), *case.get("pipes", [])]
        merged = {**case, **merged}
    return merged


SUBMITTED = [TOGETHER, *((path.stem,) for path in FILES if path.stem not in TOGETHER)]
"""The cases of each project that is submitted."""


@pytest.fixture
def received(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Received]:
    made = Received(read_case(*request.param), tmp_path)
    yield made
    made.inspect("at the end")


@pytest.mark.parametrize("received", [(path.stem,) for path in FILES], ids="+".join, indirect=True)
def test_nothing_acts_when_a_project_is_checked(received: Received) -> None:
    more = received.case.get("check", ())
    finds = received.case.get("finds")
    for scope in ((), ("--changed-since", "HEAD")):
        ran = received.run("check", *more, *scope)
        shown = ran.stdout + ran.stderr
        assert ran.returncode == received.case.get("refuses", ran.returncode), shown
        assert scope or finds is None or f" {finds}: " in ran.stdout, shown
        assert not scope or received.case.get("says", "") in ran.stderr, shown
    received.run("evaluate", GAME)
    for command in received.case.get("commands", ()):
        received.run(*command)


def test_every_case_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Cases")[2]
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([a-z-]+)`", " ".join(rows))) == [case.stem for case in FILES]


@pytest.mark.long
@pytest.mark.parametrize("received", SUBMITTED, ids="+".join, indirect=True)
def test_nothing_acts_when_a_project_is_submitted_and_opened(
    received: Received, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_pages(received, monkeypatch)
    more = received.case.get("submit", ())
    order = (GAME, "--jurisdiction", "nevada", "--paytable", "1", "--unsigned", "--accept-replaced")
    received.run("submit", *order, *more, "--out", "out")
    open_pages(received, monkeypatch)
    out = received.project / "out"
    for path in () if out.is_symlink() else out.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        assert PRIVATE.encode() not in path.read_bytes(), path
        if path.suffix == ".pdf":
            with pikepdf.open(path) as pdf:
                for name, attached in pdf.attachments.items():
                    assert PRIVATE.encode() not in attached.get_file().read_bytes(), (path, name)


def open_pages(received: Received, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open the pages of the web app that show the project, and download its files."""
    monkeypatch.setattr("certify.signatures.verify.run", read_within)
    monkeypatch.chdir(received.project)
    monkeypatch.setenv("CERTIFY_HOME", str(received.own))
    for address in PAGES:
        status, body = asyncio.run(ask(build_pages(Desk(port=0)), address))
        assert status < DEFECT, (address, body)
        assert PRIVATE.encode() not in body, address
        with (
            contextlib.suppress(zipfile.BadZipFile),
            zipfile.ZipFile(io.BytesIO(body)) as packed,
        ):
            assert all(PRIVATE.encode() not in packed.read(name) for name in packed.namelist())
    received.inspect("web app")


async def ask(app: Starlette, address: str) -> tuple[int, bytes]:
    said: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        said.append(message)

    path, _, query = address.partition("?")
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode()}
    await app({**scope, "headers": [], "root_path": ""}, receive, send)
    return said[0]["status"], b"".join(message.get("body", b"") for message in said)
