import importlib
import json
import os
import re
import signal
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest

from certify.cli import machine
from certify.commands.events import EventsRequest, find_events
from tests.acceptance.command_line import ROOT, Certify
from tests.marks import further

TABLE = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
MAIN = "mini-pai-gow/main"
LONG = "mini-pai-gow/main"

NO_NETWORK = """
import socket, sys
def refused(*_, **__):
    raise OSError("no network in this test")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
from certify.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def test_help_is_what_no_arguments_give(certify: Certify) -> None:
    assert certify().code == 2
    ran = certify("--help")
    assert ran.code == 0
    assert ran.out.startswith("Usage: certify [OPTIONS] COMMAND [ARGS]...\n")
    for command in ("check", "evaluate", "submit", "verify"):
        assert f"\n  {command} " in ran.out
    assert "docs" not in ran.out.split()


def test_exact_table_of_a_paytable(certify: Certify) -> None:
    # A second derivation of the counts: k of 26 cards of the colour, the others of the other 27.
    for cards, printed in ((7, "657,800"), (6, "6,216,210"), (5, "23,088,780"), (4, "43,728,750")):
        assert f"{comb(26, cards) * comb(27, 7 - cards):,}" == printed
    ran = certify("evaluate", "commission-free-pai-gow-express/red-black/1")
    assert (ran.code, ran.err) == (0, "")
    table = ran.out.partition("\n\nAssumptions\n")[0]
    assert table == (ROOT / "tests" / "acceptance" / "red-black.txt").read_text().rstrip("\n")


@pytest.mark.parametrize(
    "environment", [{"COLUMNS": "300"}, {"NO_COLOR": "1", "TERM": "dumb"}], ids=str
)
def test_output_depends_on_the_terminal_by_its_width_alone(
    environment: dict[str, str], spawn: Certify
) -> None:
    plain = spawn("evaluate", TABLE)
    assert spawn("evaluate", TABLE, environment=environment) == plain
    assert "\x1b" not in plain.out
    wrong = spawn("evalute", environment={**environment, "FORCE_COLOR": "1"})
    assert wrong.code == 2
    assert "Did you mean 'evaluate'?" in wrong.err
    assert "\x1b" not in wrong.err


@pytest.mark.parametrize("encoding", ["ascii", *further(["cp1252", "utf-8"])])
def test_json_is_whole_in_every_encoding(encoding: str, spawn: Certify) -> None:
    target = "commission-free-pai-gow-express/dynasty-bonus/1"
    ran = spawn("evaluate", target, "--format", "json", environment={"PYTHONIOENCODING": encoding})
    same = spawn("evaluate", target, "--format", "json")
    assert (ran.code, ran.json) == (0, same.json)


def test_text_survives_a_code_page_without_the_characters(spawn: Certify) -> None:
    ran = spawn("explain", TABLE, "As Ks Qs Js Ts 2c 2d", environment={"PYTHONIOENCODING": "ascii"})
    assert (ran.code, ran.err) == (0, "")


def test_nothing_reaches_for_the_network() -> None:
    for arguments in (("check", f"paytables/{TABLE}.json"), ("evaluate", TABLE), ("doctor",)):
        ended = subprocess.run(
            [sys.executable, "-c", NO_NETWORK, *arguments],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ended.returncode == 0, ended.stderr


def test_defect_report_that_cannot_be_written_is_shown(spawn: Certify, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder", encoding="utf-8")
    ran = spawn("keys", "init-dev", environment={"CERTIFY_HOME": str(blocked)})
    assert ran.code == 2
    assert ran.err.startswith("Error: Cannot write ")
    assert "Traceback" not in ran.err


def test_everything_declared_passes(certify: Certify) -> None:
    ran = certify("check", "paytables", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    assert set(ran.json) == {"findings", "checked"}
    assert ran.json["checked"] == len(list((ROOT / "paytables").rglob("*.json")))
    for finding in ran.json["findings"]:
        assert set(finding) == {
            "code", "severity", "file", "pointer", "row", "line", "column", "message", "remedy",
        }  # fmt: skip
        assert finding["severity"] != "error"
        assert "\\" not in finding["file"]


def test_several_paytables_are_one_line_each_without_details(certify: Certify) -> None:
    wager = "emperors-challenge-exposed/emperors-treasure"
    short = certify("evaluate", wager).out
    assert re.search(r"/PT-FLT-EC-ET-01 +8\.00\d\d%", short)  # published: 8.00%
    assert "Assumptions" not in short
    whole = certify("evaluate", wager, "--details").out
    tables = [*(ROOT / "paytables" / wager).glob("PT-*.json")]
    assert len(tables) == short.count("/PT-") == whole.count("Assumptions")
    # The effect of a limit is what was asked for.
    assert "Assumptions" in certify("evaluate", wager, "--limit", "20000", "--wager", "400").out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no terminals of this kind")
@pytest.mark.long
def test_interrupted_count_leaves_nothing_half_written(spawn: Certify, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    environment = {"CERTIFY_CACHE": str(cache), "NUMBA_CACHE_DIR": os.environ["NUMBA_CACHE_DIR"]}
    terminal, end = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "certify", "evaluate", LONG],
        cwd=ROOT,
        env={**{name: os.environ[name] for name in os.environ if name != "CI"}, **environment},
        stdout=subprocess.PIPE,
        stderr=end,
        # Shells start what runs in the background deaf to interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads
    ) as process:
        os.close(end)
        said = os.read(terminal, 1000)
        while b"%" not in said:
            said += os.read(terminal, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    said += read_rest(terminal)
    assert process.returncode == 130, said.decode()
    assert out == b""
    assert said.startswith(f"\rCounting {LONG}".encode())
    assert said.endswith(b"%\r\nInterrupted; no file was left incomplete.\r\n")
    assert b"Traceback" not in said
    for path in cache.rglob("*"):
        if path.is_file():
            assert path.suffix == ".json", path
            json.loads(path.read_bytes())
    ran = spawn("evaluate", LONG, "--format", "json", environment=environment)
    assert (ran.code, ran.json) == (0, spawn("evaluate", LONG, "--format", "json").json)


def read_rest(terminal: int) -> bytes:
    """Read the rest of the output; a terminal whose other end is closed is an error on Linux."""
    found = b""
    try:
        while more := os.read(terminal, 1000):
            found += more
    except OSError:
        pass
    os.close(terminal)
    return found


def test_command_shows_one_event_in_full_and_several_as_a_table(certify: Certify) -> None:
    one = certify("events", "five_aces", "--game", "mini-pai-gow")
    assert "48 of 22,957,480 hands, 1 in 478,281" in one.out
    several = certify("events", "--format", "json")
    assert len(several.json["events"]) == len(find_events(EventsRequest()).events)


def test_schema_is_printed_whole_and_an_unknown_one_is_reported(certify: Certify) -> None:
    assert "paytable" in certify("schema").out.splitlines()
    assert (
        certify("schema", "paytable").json["$id"]
        == "https://certify.invalid/schemas/paytable.schema.json"
    )
    ran = certify("schema", "paytabel")
    assert (ran.code, "Did you mean paytable" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("platform", "said", "unsaid"),
    [
        ("linux", "apt install", ("MSYS2", "WEASYPRINT_DLL_DIRECTORIES", "brew")),
        ("darwin", "brew install pango", ("MSYS2", "WEASYPRINT_DLL_DIRECTORIES", "apt")),
        ("win32", "pacman -S mingw-w64-ucrt-x86_64-pango", ("apt", "brew")),
        ("freebsd14", "install Pango", ("MSYS2", "WEASYPRINT_DLL_DIRECTORIES", "apt", "brew")),
    ],
)
def test_doctor_explains_how_to_install_pango_on_this_system_only(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    platform: str,
    said: str,
    unsaid: tuple[str, ...],
) -> None:
    known = importlib.import_module

    def without_pango(name: str) -> object:
        if name == "weasyprint":
            message = "cannot load library 'libpango-1.0-0'"
            raise OSError(message)
        return known(name)

    monkeypatch.setattr(importlib, "import_module", without_pango)
    monkeypatch.setattr(sys, "platform", platform)
    assert machine.doctor(None) == 2
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "weasyprint" in line)
    assert said in line
    assert not [word for word in unsaid if word in line]
