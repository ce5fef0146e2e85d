"""Names from a file never reach the terminal, a log or a report raw.

Every string of real declared files is replaced, so that a new property is covered as soon as a file
has it.
"""

import csv
import io
import json
import os
import re
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from certify.cli.app import shield
from certify.cli.output import Progress
from certify.intake.schema import kinds, validate
from certify.intake.strict_json import scan
from certify.model.finding import Finding, Severity
from certify.signatures.identity_folder import statement
from tests.acceptance.command_line import ROOT, Certify, Ran
from tests.commands.pair_plus import GAME, pair_plus
from tests.homes import new_home

LIE = "ok      GLI reproduced every figure."
UNSEEN = f"Ada\x1b[2J\x1b[8m\n  {LIE}\r\u202e\u200b\u2028\x9b\x00\x7f Lovelace"
RARE = "Ada\U000e0041\ue000\u0378\u0600 Lovelace"
"""A tag, a private and an unassigned character and a format one, which JSON files may hold."""

LIBRARY = ROOT / "fixtures/valid/library"
TERMS = ROOT / "fixtures/invalid/R022/linked-twice/terms.json"
FORMATS = ("text", "github", "gitlab", "junit", "sarif", "json")


def assert_plain(text: str) -> None:
    """Fail on a character that cannot be seen, and on a line that a name has started."""
    assert [
        letter
        for letter in text
        if letter != "\n" and not letter.isprintable() and unicodedata.category(letter) != "Zs"
    ] == []
    assert not re.search(rf"(?m)^\W*{re.escape(LIE)}", text)


def assert_ran_plain(ran: Ran) -> Ran:
    assert ran.code in {0, 1, 2, 3}, ran.err  # 70 is a defect
    assert_plain(ran.out)
    assert_plain(ran.err)
    return ran


def replaced(value: Any, text: str, keep: Callable[[Any], bool]) -> Any:  # noqa: ANN401 - JSON
    """Return a JSON value with each string followed by a text, if the whole may be kept."""

    def places(part: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - JSON
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for key, inner in items:
            if isinstance(inner, str):
                yield part, key
            elif isinstance(inner, dict | list):
                yield from places(inner)

    value = json.loads(json.dumps(value))
    for part, key in [*places(value)]:
        before = part[key]
        part[key] = f"{before}{text}"
        if not keep(value):
            part[key] = before
    return value


def kind_of(path: Path) -> str:
    document, _ = scan(path.read_bytes(), path.name)
    (kind,) = (kind for kind in kinds() if not validate(document, kind))
    return kind


def fits(kind: str) -> Callable[[Any], bool]:
    def judge(value: Any) -> bool:  # noqa: ANN401 - JSON
        document, faults = scan(json.dumps(value).encode(), "x.json")
        return not faults and not validate(document, kind)

    return judge


WRITERS: dict[str, Callable[[Any, str], str]] = {
    "escaped": lambda value, text: json.dumps(replaced(value, text, lambda _: True)),
    "raw": lambda value, text: json.dumps(
        replaced(value, "HOSTILE", lambda _: True), ensure_ascii=False, indent=1
    ).replace("HOSTILE", text),
}


@pytest.mark.parametrize("text", [UNSEEN, RARE], ids=["unseen", "rare"])
@pytest.mark.parametrize("written", WRITERS)
def test_check_shows_every_string_of_every_file_plainly(
    run_command: Certify,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    written: str,
    text: str,
) -> None:
    root = tmp_path / "paytables"
    shutil.copytree(LIBRARY, root)
    shutil.copy(
        ROOT / "paytables/mini-pai-gow/second-counts.json", root / "sample-game/second-counts.json"
    )
    (tmp_path / "certify.toml").touch()
    monkeypatch.chdir(tmp_path)
    for path in root.rglob("*.json"):
        value = json.loads(path.read_bytes())
        path.write_text(WRITERS[written](value, text), encoding="utf-8")
    outputs = [f"--output={name}=report.{name}" for name in FORMATS]
    ran = assert_ran_plain(run_command("check", "--notes", *outputs))
    assert ran.code == 1
    for name in FORMATS:
        report = (tmp_path / f"report.{name}").read_text(encoding="utf-8")
        if name in {"text", "github", "junit"}:
            assert_plain(report)
        for sentence in sentences(json.loads(report)) if name in {"gitlab", "sarif"} else ():
            assert_plain(sentence)
        assert_ran_plain(run_command("check", "--format", name, root / "sample-game/game.json"))


def sentences(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield the texts that a CI system shows of a report."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list) and key != "snippet":
            yield from sentences(inner)
        elif key in {"description", "text", "body"}:
            yield inner


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A valid project whose texts all have characters that nobody can see."""
    folder = tmp_path / "project"
    pair_plus(folder)
    root = folder / "paytables"
    way = json.loads((ROOT / "paytables/house-ways/mini-pai-gow.json").read_bytes())
    (root / "house-ways").mkdir()
    text = json.dumps(way | {"id": "own-way"})
    (root / "house-ways/own-way.json").write_text(text, encoding="utf-8")
    for path in root.rglob("*.json"):
        value = replaced(json.loads(path.read_bytes()), RARE, fits(kind_of(path)))
        path.write_text(json.dumps(value), encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check", "--notes"),
    ("evaluate", GAME),
    ("evaluate", GAME, "--details"),
    ("explain", f"{GAME}/pair-plus/1", "As Ah Ad"),
    ("audit", GAME, "--details"),
    ("diff", f"{GAME}/pair-plus/1", f"{GAME}/pair-plus/2"),
    ("diff", "own-way", "mini-pai-gow"),
    ("crosscheck", GAME),
    ("events", "three_card_flush", "--game", GAME),
    ("events", "--game", GAME),
    ("register", "add", GAME, "--jurisdiction", "nevada", "--status", "pending"),
    ("register", "list"),
    ("register", "check"),
    ("solve", f"{GAME}/pair-plus/1", "--edge", "1..9", "--open", "three_card_flush"),
)


def test_every_command_shows_names_of_a_valid_project_plainly(
    run_command: Certify, project: Path
) -> None:
    said = ""
    for command in COMMANDS:
        ran = assert_ran_plain(run_command(*command))
        assert ran.code in {0, 1}, (command, ran.err)
        said += ran.out + ran.err
        if command[0] in {"check", "audit", "diff", "crosscheck"}:
            for name in FORMATS[1:]:
                assert_ran_plain(run_command(*command, "--format", name))
        elif command[0] in {"evaluate", "explain", "events"}:
            ran = assert_ran_plain(run_command(*command, "--format", "json"))
            if ran.code == 0:
                assert isinstance(json.loads(ran.out), dict)
    assert r"Ada\udb40\udc41" in said  # the names are printed, escaped
    del project


@pytest.mark.skipif(os.name != "posix", reason="Windows allows no such names")
@pytest.mark.parametrize("name", [f"a\x1b[2J\n  {LIE}\u202e.json", "a\udcff\u200b.json"])
def test_the_name_of_a_file_is_shown_plainly(
    run_command: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "certify.toml").touch()
    folder = tmp_path / "paytables/sample-game/bonus"
    folder.mkdir(parents=True)
    for path in (folder / name, tmp_path / name):
        path.write_text("{", encoding="utf-8")
    for output in FORMATS[:3]:
        assert_ran_plain(run_command("check", "--format", output))
    for command in (
        ("check", name),
        ("check", "missing" + name),
        ("evaluate", name),
        ("explain", name, "As"),
        ("diff", name, name),
        ("verify", name),
        ("verify", name, name),
        ("reproduce", name),
        ("monitor", name),
        ("compare", name, "mini-pai-gow/bonus/A"),
        ("compare", "--template", name, "mini-pai-gow/bonus/A"),
        ("register", "list", "--file", name),
        ("sweep", name),
        ("keys", "trust", name),
        ("init", name),
        ("evaluate", "mini-pai-gow", f"--{name}"),
        (name,),
    ):
        assert_ran_plain(run_command(*command))


def as_csv(*rows: tuple[object, ...]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


@pytest.mark.parametrize("place", range(6))
def test_a_table_of_a_casino_floor_is_shown_plainly(
    run_command: Certify, tmp_path: Path, place: int
) -> None:
    heading = ["target", "name", "rounds", "wagered", "paid"]
    line = ["mini-pai-gow/bonus/A", "Table", "1000", "5000", "4000"]
    text = UNSEEN.replace("\x00", "")
    if place == len(line):
        heading[1] += text
    else:
        line[place] += text
    path = tmp_path / "floor.csv"
    path.write_text(as_csv(tuple(heading), tuple(line)), encoding="utf-8", newline="")
    for more in ((), ("--quiet",), ("--format", "json")):
        assert_ran_plain(run_command("monitor", path, *more))


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("text", [UNSEEN.replace("\x00", ""), f"\n  {LIE}\u202e\u200b", RARE])
def test_the_counts_of_a_laboratory_are_shown_plainly(
    run_command: Certify, tmp_path: Path, kind: str, text: str
) -> None:
    rows = (("event", "combinations"), (f"flush{text}", 1), ("flush", f"2{text}"))
    for number in (1, 2):
        path = tmp_path / f"counts{number}.{kind}"
        if kind == "csv":
            path.write_text(as_csv(rows[0], rows[number]), encoding="utf-8", newline="")
        else:
            from openpyxl import Workbook

            book = Workbook()
            for row in (rows[0], rows[number]):
                book.active.append([re.sub("[\x00-\x09\x0b-\x1f]", "", str(cell)) for cell in row])
            book.save(path)
        for output in ("text", "json"):
            ran = run_command("compare", path, "mini-pai-gow/bonus/A", "--format", output)
            assert assert_ran_plain(ran).code in {1, 2}


def test_terms_and_the_register_are_shown_plainly(
    run_command: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = "mini-pai-gow/bonus/A"
    add = ("register", "add", table, "--jurisdiction", "wsgc", "--status", "pending")
    assert run_command(*add).code == 0
    files = {"terms.json": TERMS, "register.json": tmp_path / "register.json"}
    values = {name: json.loads(path.read_bytes()) for name, path in files.items()}
    submit = ("submit", "mini-pai-gow", "--jurisdiction", "wsgc", "--paytable", "A", "--unsigned")
    for text in (UNSEEN, RARE):
        for name, value in values.items():
            changed = replaced(value, text, lambda _: True)
            (tmp_path / name).write_text(json.dumps(changed), encoding="utf-8")
        for command in (
            ("register", "list"),
            ("register", "check"),
            ("register", "show", "wsgc-1"),
            (*submit, "--out", "out", "--terms", "terms.json"),
        ):
            assert assert_ran_plain(run_command(*command)).code in {1, 2}
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", [UNSEEN, RARE], ids=["unseen", "rare"])
def test_the_details_of_a_signer_are_shown_plainly(
    run_command: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    keys = new_home(tmp_path / "home") / "keys"
    monkeypatch.setenv("CERTIFY_HOME", str(keys.parent))
    pair_plus(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    assert run_command("keys", "init-dev", "--name", "Test Only").code == 0
    (key,) = keys.glob("*.p12")
    for name in ("name", "title", "company", "licence"):
        value = {"$schema": "signatory.schema.json", "name": "Test Only", name: f"Ada{text}"}
        statement(key).write_text(json.dumps(value), encoding="utf-8")
        for command in (
            ("keys", "list"),
            ("submit", GAME, "--jurisdiction", "nevada", "--out", "out"),
        ):
            assert_ran_plain(run_command(*command))
        assert not Path("out").exists()


GRID: dict[str, Any] = {
    "target": "mini-pai-gow/bonus/A",
    "events": {"flush": ["4 to 1"]},
    "constraints": {"house_edge": {"max": "20%"}},
}
BASELINE: dict[str, Any] = {
    "findings": [{"code": "P004", "file": "paytables/x.json", "excerpt": "4 to 1", "number": 1}]
}
SETTINGS = """exclude = ["*HOSTILE*"]
baseline = "HOSTILE"
templates = ["HOSTILE"]
"HOSTILE" = "HOSTILE"
"""


@pytest.mark.parametrize("text", [UNSEEN, RARE], ids=["unseen", "rare"])
def test_grids_baselines_and_settings_are_shown_plainly(
    run_command: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    commands = {
        "grid.json": ("sweep", "grid.json", "--out", "out"),
        "baseline.json": ("check", "x.json", "--baseline", "baseline.json"),
    }
    values = dict(zip(commands, (GRID, BASELINE), strict=True))
    for name, value in values.items():
        texts = [written(value, text) for written in WRITERS.values()]
        texts += [json.dumps(value | {key: text}) for key in value]  # one faulty field at a time
        for written in texts:
            Path(name).write_text(written, encoding="utf-8")
            assert_ran_plain(run_command(*commands[name]))
    assert not Path("out").exists()
    for line in SETTINGS.splitlines():
        for hostile in (text, json.dumps(text)[1:-1]):
            Path("certify.toml").write_text(line.replace("HOSTILE", hostile), encoding="utf-8")
            assert_ran_plain(run_command("check", "x.json"))


def test_a_stream_is_shielded_except_for_our_colors() -> None:
    below = io.StringIO()
    stream = shield(below)
    colored = "\x1b[31m\x1b[1merror P004\x1b[0m: "
    stream.write(f"{colored}a\x1b[8mb\x1b[35m\x1b[1m\u202e\r\n")
    assert below.getvalue() == (f"{colored}a\\u001b[8mb\\u001b[35m\\u001b[1m\\u202e\\r\n")
    assert stream.buffer is None
    assert stream.isatty() is False


def test_json_stays_json_behind_the_shield() -> None:
    below = io.StringIO()
    value = {"name": f"{UNSEEN}{RARE}\udcff"}
    shield(below).write(json.dumps(value, ensure_ascii=False))
    assert_plain(below.getvalue())
    assert json.loads(below.getvalue()) == value


def test_a_finding_escapes_its_sentences() -> None:
    finding = Finding(
        code="P004", severity=Severity.ERROR, file="x", message=f"a{UNSEEN}", remedy=f"b{RARE}"
    )
    assert_plain(finding.message)
    assert_plain(finding.remedy)
    assert (finding.message[0], finding.remedy[0]) == ("a", "b")


def test_the_progress_line_moves_only_to_its_own_start(monkeypatch: pytest.MonkeyPatch) -> None:
    below = cast("Any", io.StringIO())
    below.isatty = lambda: True
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("sys.stderr", shield(below))
    Progress(UNSEEN)(1, 2)
    assert below.getvalue().startswith("\r")
    assert_plain(below.getvalue()[1:])
