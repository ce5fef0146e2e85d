"""Exit code 4: something that a run should have judged was not, and it is listed."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.acceptance.command_line import Certify, Ran, commit, git

OPTION = Path("paytables/harbor/main/1.json")
UNTIL = datetime.now(UTC).date() + timedelta(days=30)


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)
    return run_command


def make_game(certify: Certify, folder: str = ".") -> None:
    """Make a project with a copy of a game; a stored count of the library fits the copy."""
    here = Path.cwd()
    assert certify("init", folder).code == 0
    os.chdir(folder)
    arguments = [
        "--like",
        "mini-pai-gow",
        "--called",
        "Harbor",
        "--document",
        "Rules",
        "--supplier",
        "Acme",
        "--dated",
        "2026-11-01",
    ]
    assert certify("new", "game", "harbor", *arguments).code == 0
    os.chdir(here)


def change_pay() -> None:
    """Change the option so that no stored count fits it."""
    value = json.loads(OPTION.read_bytes())
    value["win_pays"] = "6 to 5"
    OPTION.write_text(json.dumps(value), encoding="utf-8")


def not_judged(ran: Ran) -> list[tuple[str, str]]:
    found = [each for each in ran.json["findings"] if each["code"].startswith("N")]
    return [(each["code"], each["file"]) for each in found]


def accept(code: str, file: str) -> None:
    stated = f"code = {code!r}\nfile = {file!r}\nreason = 'Judged by the laboratory.'\n"
    text = f"[[check.accepted]]\n{stated}who = 'Ada'\nuntil = {UNTIL}\n"
    Path("certify.toml").write_text(text, encoding="utf-8")


def test_a_wager_without_a_stored_count_is_exit_code_4(certify: Certify) -> None:
    make_game(certify)
    ran = certify("check", "--format", "json")
    assert (ran.code, not_judged(ran)) == (0, [])
    change_pay()
    entry = ("N002", OPTION.as_posix())
    ran = certify("check", "--format", "json")
    assert (ran.code, not_judged(ran)) == (4, [entry])
    assert certify("check").out.endswith(" 0 notes; 1 not judged.\n")
    for options in (("--ignore", "N"), ("--select", "P"), ("-q",)):
        ran = certify("check", "--format", "json", *options)
        assert (ran.code, not_judged(ran)) == (4, [entry]), options
    baseline = ("--baseline", "known.json")
    assert certify("check", *baseline, "--write-baseline").code == 4
    assert certify("check", "--allow-not-judged").code == 0
    accept(*entry)
    ran = certify("check", "--format", "json")
    assert (ran.code, not_judged(ran)) == (0, [])
    (left,) = [each for each in ran.json["ignored"] if each["code"] == "N002"]
    assert left["note"].startswith(f"Accepted by Ada until {UNTIL}: ")


def test_a_finding_comes_before_what_was_not_judged(certify: Certify) -> None:
    make_game(certify)
    change_pay()
    assert certify("check", "--fail-on", "warning").code == 1  # the text has other odds
    assert certify("check", "--fail-on", "warning", "--allow-not-judged").code == 1


def test_formats_for_ci_list_what_was_not_judged(certify: Certify) -> None:
    make_game(certify)
    change_pay()
    run = certify("check", "--format", "sarif").json["runs"][0]
    assert run["invocations"][0]["exitCode"] == 4
    assert "N002" in {each["ruleId"] for each in run["results"]}
    assert "::error file=paytables/harbor/main/1.json" in certify("check", "--format", "github").out
    assert 'name="N002 /"' in certify("check", "--format", "junit").out
    codes = {each["check_name"] for each in certify("check", "--format", "gitlab").json}
    assert "N002" in codes


def test_a_named_folder_without_files_is_not_judged(certify: Certify) -> None:
    make_game(certify)
    Path("b").mkdir()
    ran = certify("check", ".", "b", "--format", "json")
    assert (ran.code, not_judged(ran)) == (4, [("N001", "b")])
    assert certify("check", "b").code == 3


def test_a_submodule_without_content_is_not_judged(certify: Certify) -> None:
    for name in ("inner", "outer"):
        make_game(certify, name)
        os.chdir(name)
        commit(first=True)
        os.chdir("..")
    os.chdir("outer")
    git("submodule", "--quiet", "add", "../inner", "pt")
    commit()
    os.chdir("..")
    git("clone", "--quiet", "outer", "clone")
    for folder, named in (("clone", ()), (".", ("clone",))):
        os.chdir(folder)
        ran = certify("check", *named, "--format", "json")
        assert ran.code == 4
        (entry,) = [each for each in ran.json["findings"] if each["code"] == "N001"]
        assert entry["file"].endswith("pt")
        assert "git submodule update --init" in entry["remedy"]
        os.chdir("..")


def test_files_that_a_sparse_checkout_leaves_out_are_not_judged(certify: Certify) -> None:
    make_game(certify, "whole")
    os.chdir("whole")
    commit(first=True)
    git("sparse-checkout", "set", "--no-cone", "/*", "!/paytables/harbor/bonus/B.json")
    ran = certify("check", "--format", "json")
    assert ran.code == 4
    assert not_judged(ran) == [("N001", "paytables/harbor/bonus/B.json")]
    git("sparse-checkout", "disable")
    assert certify("check").code == 0


def test_a_repository_that_does_not_name_its_work_tree_is_not_judged(certify: Certify) -> None:
    """As after a moved work tree, or in a container that mounts the work tree alone."""
    make_game(certify, "whole")
    assert certify("check", "whole").code == 0
    Path("whole/.git").write_text("gitdir: /nowhere/worktrees/whole\n")
    for folder, named in ((".", ("whole",)), ("whole", ())):
        os.chdir(folder)
        ran = certify("check", *named, "--format", "json")
        assert ran.code == 4
        (entry,) = [each for each in ran.json["findings"] if each["code"] == "N001"]
        assert "git cannot list them" in entry["message"]


def test_unchanged_files_are_named_in_a_notice(certify: Certify) -> None:
    make_game(certify)
    commit(first=True)
    ran = certify("check", "--changed-since", "HEAD", "--format", "json")
    assert (ran.code, ran.json["checked"]) == (0, 0)
    assert ran.json["notices"] == ["Unchanged since HEAD, so not checked: 9 of 9 files."]


def test_a_report_never_replaces_a_declared_file(certify: Certify) -> None:
    make_game(certify)
    before = OPTION.read_bytes()
    ran = certify("check", "--output", f"json={OPTION}")
    assert (ran.code, OPTION.read_bytes()) == (2, before)
    assert "which a report never replaces" in ran.err
    Path("certify.toml").unlink()  # files of a game without a project are declared, too
    assert certify("check", "paytables", "--output", f"json={OPTION}").code == 2
    assert OPTION.read_bytes() == before


def test_a_cited_web_page_is_a_note(certify: Certify) -> None:
    make_game(certify)
    path = Path("paytables/harbor/game.json")
    value = json.loads(path.read_bytes())
    page = {"id": "page", "title": "Page", "publisher": "P", "file": "https://example.org/rules"}
    path.write_text(json.dumps(value | {"references": [page]}), encoding="utf-8")
    found = certify("check", "--format", "json").json["findings"]
    (note,) = [each for each in found if each["code"] == "D019"]
    assert note["severity"] == "note"
    assert note["message"].startswith("https://example.org/rules is a web page, ")


def test_settings_below_declared_data_are_named(certify: Certify) -> None:
    make_game(certify)
    settings = Path("paytables/harbor/certify.toml")
    settings.write_text('[check]\nfail-on = "warning"\nexclude = ["*"]\n', encoding="utf-8")
    ran = certify("check", "--format", "json")
    assert (ran.code, not_judged(ran)) == (4, [("N001", settings.as_posix())])
    assert ran.json["checked"] == 9


def test_a_bare_check_judges_the_projects_below_its_own(certify: Certify) -> None:
    make_game(certify, "team")
    make_game(certify)
    git("init", "--quiet")
    table = Path("team/paytables/harbor/bonus/A.json")
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace(" to 1", " two 1", 1), encoding="utf-8")
    named, bare = certify("check", ".", "--format", "json"), certify("check", "--format", "json")
    assert bare.json == named.json
    assert {each["file"] for each in bare.json["findings"] if each["code"] == "S005"} == {
        table.as_posix()
    }
    Path(".gitignore").write_text("team/\n", encoding="utf-8")
    assert certify("check").code == 0
