import io
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from certify.model.finding import Severity
from certify.review.report import ReportFormat
from certify.review.settings import find_settings
from tests.acceptance.command_line import OWN_DOCUMENT, ROOT, Certify, Ran, change, commit, git

GOOD = Path("paytables/mini-pai-gow/bonus/good.json")
BAD = Path("paytables/mini-pai-gow/bonus/bad.json")
COPY = "D005"
"""The finding of a paytable that pays the same as another one."""


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)

    assert run_command("init", ".").code == 0
    for path in (GOOD, BAD):
        target = f"mini-pai-gow/bonus/{path.stem}"
        assert run_command("new", "paytable", target, "--clause", "Our own").code == 0
    change(GOOD, "50 to 1", "40 to 1")
    return run_command


def codes(ran: Ran) -> list[str]:
    return [finding["code"] for finding in ran.json["findings"]]


def test_a_severity_decides_the_exit_code(call: Certify) -> None:
    assert call("check").code == 0
    assert call("check", "--fail-on", "warning").code == 0
    assert call("check", "--fail-on", "note").code == 1
    Path("certify.toml").write_text('[check]\nfail-on = "note"\n', encoding="utf-8")
    assert call("check").code == 1
    assert call("check", "--fail-on", "error").code == 0


def test_codes_are_selected_and_ignored_and_both_are_reported(call: Certify) -> None:
    assert codes(call("check", "--format", "json")) == [COPY]
    ignored = call("check", "--ignore", f"P004,{COPY}")
    assert ignored.out == (
        "Ignored by code: D005: 1.\n2 files checked: 0 errors, 0 warnings, 0 notes.\n"
    )
    selected = call("check", "--select", "D", "--select", "P004", "--format", "json")
    assert codes(selected) == [COPY]
    other = call("check", "--select", "P", "--format", "json")
    assert other.json["findings"] == []
    assert other.json["ignored"] == [
        {"why": "by code", "code": COPY, "file": BAD.as_posix(), "pointer": "/id"}
    ]
    assert call("check", "--ignore", "D", "--format", "gitlab").err == "Ignored by code: D005: 1.\n"


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_code_is_wrong_usage(option: str, call: Certify) -> None:
    ran = call("check", option, "D050")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: There is no finding code D050.\n  Fix: Did you mean D0")


@pytest.mark.parametrize(
    ("file", "table"), [("certify.toml", "check"), ("pyproject.toml", "tool.certify")]
)
def test_a_project_sets_what_is_reported(
    file: str, table: str, call: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        f'[{table}]\nformat = "json"\nignore = ["P004"]\n'
        f'[{table}.per-file-ignores]\n"paytables/*/bad.json" = ["{COPY}"]\n'
    )
    Path(file).write_text(text, encoding="utf-8")
    ran = call("check")
    assert (ran.code, codes(ran)) == (0, [])
    assert [item["why"] for item in ran.json["ignored"]] == ["for their file"]
    assert call("check", "nowhere.json").json["error"]["exit_code"] == 3
    monkeypatch.chdir("paytables/mini-pai-gow")
    assert codes(call("check")) == []
    assert find_settings().format is ReportFormat.JSON
    assert "2 files checked" in call("check", "--format", "text").out


def test_the_nearest_settings_win(call: Certify, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("check").code == 0
    Path("pyproject.toml").write_text('[tool.certify]\nfail-on = "note"\n', encoding="utf-8")
    assert find_settings().fail_on is Severity.NOTE
    Path("certify.toml").write_text('[check]\nfail-on = "warning"\n', encoding="utf-8")
    assert find_settings().fail_on is Severity.WARNING
    monkeypatch.chdir("paytables")
    Path("pyproject.toml").write_text("[project]\n", encoding="utf-8")
    assert find_settings().fail_on is Severity.WARNING


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[check]\nignored = []\n", "unknown setting ignored"),
        ('[check]\nignore = "D005"\n', "ignore is not a list of codes"),
        ('[check]\nignore = ["X001"]\n', "There is no finding code X001"),
        ('[check]\nfail-on = "bad"\n', "fail-on is not one of error, warning, note"),
        ('[check]\nformat = "xml"\n', "format is not one of text, json, sarif"),
        ("[check]\nbaseline = 1\n", "baseline is not the name of a file"),
        ("check = 1\n", "check is not a table"),
        ('[check]\nper-file-ignores = ["D005"]\n', "per-file-ignores is not a table"),
    ],
)
def test_a_wrong_setting_is_wrong_configuration(text: str, words: str, call: Certify) -> None:
    Path("certify.toml").write_text(text, encoding="utf-8")
    ran = call("check")
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_baseline_holds_what_is_known(call: Certify) -> None:
    written = call("check", "--baseline", "known.json", "--write-baseline", "--fail-on", "note")
    assert (written.code, written.err) == (0, "1 finding written to known.json.\n")
    (known,) = json.loads(Path("known.json").read_bytes())["findings"]
    assert {name: known[name] for name in ("code", "file", "pointer")} == {
        "code": COPY, "file": BAD.as_posix(), "pointer": "/id",
    }  # fmt: skip
    change(BAD, "{\n", "{\n\n\n")
    again = call("check", "--baseline", "known.json", "--fail-on", "note", "--format", "json")
    assert (again.code, codes(again)) == (0, [])
    change(BAD, '"1000 to 1"', "1000.5")
    again = call("check", "--baseline", "known.json", "--format", "json")
    assert (again.code, codes(again)) == (1, ["J004"])
    Path("certify.toml").write_text('[check]\nbaseline = "known.json"\n', encoding="utf-8")
    assert codes(call("check", "--format", "json")) == ["J004"]


@pytest.mark.parametrize("text", ["[]", "{", '{"findings": [{}]}', '{"findings": 1}'])
def test_what_is_no_baseline_is_refused(text: str, call: Certify) -> None:
    Path("known.json").write_text(text, encoding="utf-8")
    ran = call("check", "--baseline", "known.json")
    assert (ran.code, "known.json is not a baseline" in ran.err) == (2, True)
    assert call("check", "--baseline", "nowhere.json").code == 2
    assert call("check", "--write-baseline").code == 2


@pytest.fixture
def repository(call: Certify) -> Certify:
    commit(first=True)
    return call


def test_only_changed_files_are_checked_with_the_full_verdict(repository: Certify) -> None:
    nothing = repository("check", "--changed-since", "HEAD", "--format", "json")
    assert (nothing.code, nothing.json["findings"], nothing.json["checked"]) == (0, [], 0)
    git("checkout", "--quiet", "-b", "work")
    change(GOOD, "40 to 1", "50 to 1")
    whole = repository("check", "--format", "json").json["findings"]
    assert [item["file"] for item in whole] == [BAD.as_posix(), GOOD.as_posix()]
    for _ in ("on disk", "committed"):
        ran = repository("check", "--changed-since", "trunk", "--format", "json").json
        assert ran["checked"] == 1
        assert ran["findings"] == [item for item in whole if item["file"] == GOOD.as_posix()]
        commit()
    new = GOOD.with_name("new.json")
    new.write_text("{", encoding="utf-8")
    ran = repository("check", "--changed-since", "HEAD", "--format", "json")
    assert (ran.code, {finding["file"] for finding in ran.json["findings"]}) == (
        1,
        {new.as_posix()},
    )


def test_dependents_of_a_removed_file_are_checked(repository: Certify) -> None:
    copy = ("--like", "dealer-open-pai-gow", *OWN_DOCUMENT)
    assert repository("new", "game", "ours", *copy).code == 0
    commit()
    next(Path("paytables/ours/chan-chu/envy").glob("*.json")).unlink()
    ran = repository("check", "--changed-since", "HEAD", "--format", "json")
    assert ran.code == 1
    assert "E001" in codes(ran)
    assert ran.json["checked"] == len(list(Path("paytables/ours").rglob("*.json")))


def test_an_unknown_commit_is_reported(
    repository: Certify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = repository("check", "--changed-since", "nowhere")
    assert (ran.code, "The changed files are unknown" in ran.err) == (2, True)
    assert repository("check", "--changed-since", "--version").code == 2
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / ".git").rename(tmp_path / "not-git")
    assert repository("check", "--changed-since", "HEAD").code == 2


@pytest.mark.parametrize("path", [BAD, BAD.with_name("new.json")])
def test_a_file_that_an_editor_holds_is_judged_at_its_place(
    path: Path, call: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BAD.read_text(encoding="utf-8").replace('"id": "bad"', f'"id": "{path.stem}"')
    before = sorted(Path().rglob("*"))

    def held(content: str) -> Ran:
        stdin = io.TextIOWrapper(io.BytesIO(content.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stdin)
        return call("check", "--stdin", "--path", path, "--format", "json")

    same = held(text)
    assert (same.code, codes(same), same.json["checked"]) == (0, [COPY], 1)
    assert codes(held(text.replace("50 to 1", "30 to 1"))) == []
    wrong = held(text.replace('"1000 to 1"', "1000.5"))
    assert (wrong.code, wrong.json["findings"][0]["file"]) == (1, path.as_posix())
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [("--stdin",), ("--path", "a.json"), ("--stdin", "--path", "a.json", "b.json")],
    ids=" ".join,
)
def test_standard_input_needs_a_path(arguments: tuple[str, ...], call: Certify) -> None:
    ran = call("check", *arguments)
    assert (ran.code, "--stdin requires --path" in ran.err) == (2, True)


# One rule: a file belongs to the nearest project, and the nearest settings above it apply
# How a run reaches a file changes nothing (docs/how-to/check-in-ci.md).


GAME = Path("paytables/mini-pai-gow")
TABLE = GAME / "bonus/ours.json"
STRICT = '[check]\nfail-on = "note"\n'
HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]["entry"]


def run_stdin(certify: Certify, path: Path) -> Ran:
    with pytest.MonkeyPatch.context() as patch:
        given = io.TextIOWrapper(io.BytesIO(path.read_bytes()), encoding="utf-8")
        patch.setattr(sys, "stdin", given)
        return certify("check", "--stdin", "--path", str(path))


FORMS: dict[str, Callable[[Certify, Path], Ran]] = {
    "bare": lambda certify, _: certify("check"),
    "here": lambda certify, _: certify("check", "."),
    "file": lambda certify, project: certify("check", str(project / TABLE)),
    "folder": lambda certify, project: certify("check", str(project / GAME)),
    "hook": lambda certify, _: certify(*shlex.split(HOOK)[1:]),
    "stdin": lambda certify, project: run_stdin(certify, project / TABLE),
}
LAYOUTS = {
    "root": (".", ()),
    "nested": ("team", (".",)),
    "linked": (".", ()),
    "submodule": ("sub", ()),
    "two projects": ("b", ("a",)),
}
"""The project with the note, from the root of the repository, and the projects without one."""


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)
    return run_command


def make(certify: Certify, layout: str) -> Path:
    """Make a repository in the current folder; return its project that has a note (D005)."""
    folder, others = LAYOUTS[layout]
    for name in (folder, *others):  # a project is not made inside another one
        assert certify("init", name).code == 0
        os.chdir(name)
        identifier = "ours" if name == folder else "theirs"
        target = f"mini-pai-gow/bonus/{identifier}"
        assert certify("new", "paytable", target, "--clause", "Our own").code == 0
        if name != folder:  # another pay, so that it is a copy of no other
            change(GAME / f"bonus/{identifier}.json", "1000 to 1", "999 to 1")
        Path("certify.toml").write_text("", encoding="utf-8")
        if layout == "submodule":
            commit(first=True)
        os.chdir(Path.cwd() if name == "." else "..")
    if layout == "linked":
        Path("shared").mkdir()
        shutil.move(GAME, "shared/mini-pai-gow")
        GAME.symlink_to("../shared/mini-pai-gow")
    commit(first=True)
    return Path(folder)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_verdict_depends_on_no_way_to_name_a_file(certify: Certify, layout: str) -> None:
    project = make(certify, layout)
    places = {"none": None, "root": Path(), "project": project, "below": project / GAME}
    verdicts = {"none": 0, "root": 1, "project": 1, "below": 4}
    found = {}
    for place, folder in places.items():
        settings = None if folder is None else folder / "certify.toml"
        before = settings.read_bytes() if settings and settings.is_file() else None
        if settings is not None:
            settings.write_text(STRICT, encoding="utf-8")
        for form, run in FORMS.items():
            ran = run(certify, project)
            found[place, form] = ran.code
            assert "1 note" in ran.out, (place, form, ran.out)
        if settings is not None and before is not None:
            settings.write_bytes(before)
        elif settings is not None:
            settings.unlink()
    assert found == {cell: verdicts[cell[0]] for cell in found}
