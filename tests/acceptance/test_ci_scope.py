import json
import os
from pathlib import Path

import pytest

from tests.acceptance.command_line import ROOT, Certify, Ran, change, commit, git

TABLE = Path("paytables/mini-pai-gow/bonus/ours.json")
BROKEN = '{"a": 1,,}'
UNFIT = '{"$schema": "paytable.schema.json", "id": "ours"}'


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)
    return run_command


def make_project(certify: Certify, folder: str = ".") -> Path:
    here = Path.cwd()
    assert certify("init", folder).code == 0
    os.chdir(folder)
    assert certify("new", "paytable", "mini-pai-gow/bonus/ours", "--clause", "Our own").code == 0
    os.chdir(here)
    return here / folder


def codes(ran: Ran) -> set[str]:
    return {each["code"] for each in ran.json["findings"]}


@pytest.mark.parametrize(("text", "code"), [(BROKEN, "J001"), (UNFIT, "S001")])
@pytest.mark.parametrize(
    "options",
    [("--select", "P"), ("--ignore", "J,S"), ("--ignore", "J001,S001,S002"), ("-q",)],
)
def test_unread_file_counts_under_any_selection(
    certify: Certify, options: tuple[str, ...], text: str, code: str
) -> None:
    make_project(certify)
    TABLE.write_text(text, encoding="utf-8")
    ran = certify("check", "--format", "json", *options)
    assert (ran.code, code in codes(ran)) == (1, True)
    assert code in certify("check", *options).out


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("paytables/stray.json", "D002"),
        ("paytables/mini-pai-gow/bonus/ours.json5", "D002"),
        ("paytables/mini-pai-gow/no-wager/1.json", "D003"),
        ("paytables/no-game/bonus/A.json", "D010"),
    ],
)
def test_misplaced_file_counts_under_any_selection(certify: Certify, name: str, code: str) -> None:
    make_project(certify)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    value = json.loads(TABLE.read_bytes())
    if name.count("/") == 3:
        _, value["game"], value["wager"], last = name.split("/")
        value["id"] = last.removesuffix(".json")
    Path(name).write_text(json.dumps(value), encoding="utf-8")
    ran = certify("check", "--format", "json", "--select", "P", "--ignore", "D")
    assert ran.code == 1, ran.out
    assert code in codes(ran)


@pytest.mark.parametrize(("text", "code"), [(BROKEN, "J001"), (UNFIT, "S001")])
def test_unread_file_counts_in_spite_of_ignored_codes(
    certify: Certify, text: str, code: str
) -> None:
    make_project(certify)
    TABLE.write_text(text, encoding="utf-8")
    Path("certify.toml").write_text(
        '[check]\nselect = ["P"]\nignore = ["J", "S"]\nbaseline = "known.json"\n'
        '[check.per-file-ignores]\n"paytables/*" = ["J", "S"]\n',
        encoding="utf-8",
    )
    written = certify("check", "--write-baseline")
    assert (written.code, written.err) == (1, f"0 findings written to {Path.cwd()}/known.json.\n")
    ran = certify("check", "--format", "json")
    assert (ran.code, code in codes(ran)) == (1, True)


def test_settings_are_those_of_the_project_of_the_file(certify: Certify) -> None:
    strict, lax = make_project(certify, "strict"), make_project(certify, "lax")
    (strict / "certify.toml").write_text('[check]\nfail-on = "note"\n', encoding="utf-8")
    (lax / "certify.toml").write_text('[check]\nignore = ["D005"]\n', encoding="utf-8")
    assert certify("check", "strict").code == 1
    assert certify("check", "lax").code == 0
    both = certify("check", "strict", "lax", "--format", "json")
    assert both.code == 1
    assert [each["file"] for each in both.json["findings"]] == [f"strict/{TABLE}"]
    assert [each["file"] for each in both.json["ignored"]] == [f"lax/{TABLE}"]
    assert certify("check", "--format", "json").out == both.out  # the projects below
    assert certify("check", ".", "--format", "json").out == both.out
    os.chdir("lax")
    assert certify("check", "../strict").code == 1
    assert certify("check", f"../strict/{TABLE}").code == 1


def test_notices_on_settings_name_the_project_of_several(certify: Certify) -> None:
    for folder in ("ours", "theirs"):
        make_project(certify, folder)
        Path(folder, "certify.toml").write_text(
            f'[check.per-file-ignores]\n"{folder}*" = ["D005"]\n', encoding="utf-8"
        )
    assert certify("check", "--format", "json").json["notices"] == [
        f"{folder}: per-file-ignores: {folder}* ignores nothing." for folder in ("ours", "theirs")
    ]
    os.chdir("ours")
    assert certify("check", "--format", "json").json["notices"] == [
        "per-file-ignores: ours* ignores nothing."
    ]


def test_baseline_of_a_project_fits_in_any_current_folder(certify: Certify) -> None:
    make_project(certify, "ours")
    os.chdir("ours")
    Path("certify.toml").write_text(
        '[check]\nfail-on = "note"\nbaseline = "known.json"\n', encoding="utf-8"
    )
    Path("known.json").write_text('{"findings": []}', encoding="utf-8")
    assert certify("check").code == 1
    assert certify("check", "--write-baseline").code == 0
    for folder in (".", "paytables", "mini-pai-gow", "../../.."):
        os.chdir(folder)
        assert certify("check").code == 0, folder


def test_one_baseline_hides_no_finding_of_another_project(certify: Certify) -> None:
    make_project(certify, "ours")
    make_project(certify, "theirs")
    strict = ("--baseline", "known.json", "--fail-on", "note")
    assert certify("check", "ours", *strict, "--write-baseline").code == 0
    assert certify("check", "ours", *strict).code == 0
    both = certify("check", "ours", "theirs", *strict, "--format", "json")
    assert (both.code, [each["file"] for each in both.json["findings"]]) == (1, [f"theirs/{TABLE}"])
    assert certify("check", "ours", "theirs", *strict, "--write-baseline").code == 0
    os.chdir("theirs")
    assert certify("check", "--baseline", "../known.json", "--fail-on", "note").code == 0


def test_entries_relative_to_another_folder_hide_nothing(certify: Certify) -> None:
    make_project(certify, "ours")
    entry = {"code": "D005", "file": TABLE.as_posix(), "pointer": "/id"}
    Path("known.json").write_text(json.dumps({"findings": [entry]}), encoding="utf-8")
    ran = certify("check", "ours", "--baseline", "known.json", "--fail-on", "note")
    assert ran.code == 1
    assert "relative to the folder of the baseline. Write it again with --write-bas" in ran.out


def test_files_without_a_project_are_reported_as_judged_alone(certify: Certify) -> None:
    make_project(certify)
    assert "Checked alone" not in certify("check").out
    Path("certify.toml").unlink()
    said = f"Checked alone, not as files of a project: {TABLE}. "
    ran = certify("check", "--format", "json")
    assert ran.code == 0
    assert ran.json["notices"][0].startswith(said)
    assert said in certify("check").out
    assert said in certify("check", "--format", "github").out
    assert said in certify("check", "--format", "gitlab").err
    assert f"<system-out>{said}" in certify("check", "--format", "junit").out
    sarif = certify("check", "--format", "sarif").json
    notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert said in notes[0]["message"]["text"]


def test_folder_around_a_project_means_its_declared_files(certify: Certify) -> None:
    make_project(certify)
    Path("register.json").write_text("not ours", encoding="utf-8")
    Path("register.json.lock").touch()
    Path("app.js").write_text("alert(1)", encoding="utf-8")
    Path("package.json").write_text('{"name": "site"}', encoding="utf-8")
    Path("node_modules/it").mkdir(parents=True)
    Path("node_modules/it/package.json").write_text("{}", encoding="utf-8")
    baseline = ("--baseline", "known.json")
    assert certify("check", ".", *baseline, "--write-baseline").code == 0
    ran = certify("check", ".", *baseline, "--format", "json")
    assert (ran.code, ran.json["checked"], codes(ran)) == (0, 1, set())
    # A file in the folder of declared data that was meant to be JSON is still reported.
    TABLE.with_suffix(".jsn").write_text("{}", encoding="utf-8")
    TABLE.with_name("app.js").write_text("alert(1)", encoding="utf-8")
    TABLE.with_name("register.json.lock").touch()
    ran = certify("check", ".", "--format", "json")
    assert [each["file"] for each in ran.json["findings"] if each["code"] == "D002"] == [
        TABLE.with_suffix(".jsn").as_posix()
    ]


def test_folder_without_a_project_means_every_json_file(certify: Certify) -> None:
    Path("drafts/node_modules").mkdir(parents=True)
    Path("drafts/one.json").write_text(BROKEN, encoding="utf-8")
    Path("drafts/one.json.lock").touch()
    Path("drafts/node_modules/two.json").write_text(BROKEN, encoding="utf-8")
    ran = certify("check", ".", "--format", "json")
    assert (ran.code, ran.json["checked"], codes(ran)) == (1, 1, {"J001"})


def test_changed_since_refuses_files_that_git_cannot_compare(certify: Certify) -> None:
    for name in ("inner", "outer", "other"):
        make_project(certify, name)
        os.chdir(name)
        commit(first=True)
        os.chdir("..")
    os.chdir("outer")
    git("submodule", "--quiet", "add", "../inner", "pt")
    commit()
    text = (Path("pt") / TABLE).read_text(encoding="utf-8")
    (Path("pt") / TABLE).write_text(text.replace(" to 1", " two 1", 1), encoding="utf-8")
    for named in ("pt", f"pt/{TABLE}", ".", "../other", f"../other/{TABLE}"):
        ran = certify("check", named, "--changed-since", "HEAD")
        assert (ran.code, ran.out) == (2, ""), named
        assert ran.err.startswith("Error: It is unknown whether "), named
    assert certify("check", "--changed-since", "HEAD").code == 2
    assert certify("check", "paytables", "--changed-since", "HEAD").code == 0
    os.chdir("pt")
    assert certify("check", "--changed-since", "HEAD").code == 1


@pytest.mark.parametrize("name", ["certify.toml", "pyproject.toml"])
def test_changed_settings_are_a_change_of_every_file(certify: Certify, name: str) -> None:
    make_project(certify)
    commit(first=True)
    since = ("check", "--changed-since", "HEAD", "--format", "json")
    assert certify(*since).json["checked"] == 0
    table = "check" if name == "certify.toml" else "tool.certify"
    Path(name).write_text(f'[{table}]\nfail-on = "note"\n', encoding="utf-8")
    ran = certify(*since)
    assert (ran.code, ran.json["checked"]) == (1, 1)
    commit()
    Path(name).unlink()
    Path("certify.toml").touch()
    assert certify(*since).json["checked"] == 1


def test_pipe_is_not_read(certify: Certify) -> None:
    os.mkfifo("x.json")
    ran = certify("check", "x.json", "--format", "json")
    assert (ran.code, codes(ran)) == (1, {"J011"})


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("utf-8-sig", "is in UTF-8 with a byte-order mark."),
        ("utf-16", "is in UTF-16."),
        ("utf-16-le", "is in UTF-16."),
        ("utf-16-be", "is in UTF-16."),
    ],
)
def test_encoding_of_settings_and_files_is_named(
    certify: Certify, encoding: str, words: str
) -> None:
    make_project(certify)
    TABLE.write_text(TABLE.read_text(encoding="utf-8"), encoding=encoding)
    ran = certify("check", "--format", "json")
    assert codes(ran) == {"J005" if encoding == "utf-8-sig" else "J006"}
    said = ran.json["findings"][0]["message"]
    assert ("byte-order mark" if encoding == "utf-8-sig" else "UTF-16") in said
    Path("certify.toml").write_text("[check]\n", encoding=encoding)
    ran = certify("check")
    assert (ran.code, words in " ".join(ran.err.split())) == (2, True)


def test_name_of_a_file_starts_no_line_of_the_log(certify: Certify) -> None:
    Path("x\n::error::y.json").write_text(BROKEN, encoding="utf-8")
    for output in ("text", "github"):
        out = certify("check", ".", "--format", output).out
        assert "J001" in out
        assert not any(line.startswith("::error::y") for line in out.splitlines())
    ran = certify("check", "no\n::error::such.json")
    assert not any(line.startswith("::error::") for line in (ran.out + ran.err).splitlines())


def test_family_is_suggested_in_capitals(certify: Certify) -> None:
    make_project(certify)
    assert "Did you mean S?" in certify("check", "--select", "s").err


def test_excluded_and_ignored_files_are_skipped_in_folders_and_listed(certify: Certify) -> None:
    make_project(certify)
    commit(first=True)
    for name in ("draft", "scratch"):
        TABLE.with_name(f"{name}.json").write_text(BROKEN, encoding="utf-8")
    assert certify("check").code == 1
    Path(".gitignore").write_text("scratch.json\n", encoding="utf-8")
    Path("certify.toml").write_text(
        '[check]\nexclude = ["paytables/*/bonus/dra*.json"]\n', encoding="utf-8"
    )
    for named in ((), (".",), ("paytables",)):
        ran = certify("check", *named, "--format", "json")
        assert (ran.code, ran.json["checked"]) == (0, 1), named
        (said,) = [
            notice for notice in ran.json["notices"] if "Excluded, or ignored by git: " in notice
        ]
        assert "draft.json" in said
        assert "scratch.json" in said
    # A file that is named is meant, and so is a folder that is ignored as a whole.
    for name in ("draft", "scratch"):
        assert certify("check", TABLE.with_name(f"{name}.json")).code == 1
    Path(".gitignore").write_text("paytables\n", encoding="utf-8")
    git("rm", "-r", "--cached", "--quiet", "paytables")
    assert certify("check", "paytables", "--format", "json").json["checked"] == 2
    Path("certify.toml").write_text('[check]\nexclude = ["paytables"]\n', encoding="utf-8")
    assert certify("check").code == 3


def test_an_excluded_file_that_others_need_is_not_called_excluded(certify: Certify) -> None:
    make_project(certify)
    draft, idle = TABLE.with_name("C.json"), TABLE.with_name("idle.json")
    for path in (draft, idle):
        path.write_text(TABLE.read_text(encoding="utf-8"), encoding="utf-8")
        change(path, '"id": "ours"', f'"id": "{path.stem}"')
    change(draft, " to 1", " two 1")
    Path("certify.toml").write_text(
        '[check]\nexclude = ["paytables/*/bonus/C.json", "*/idle.json"]\n', encoding="utf-8"
    )
    own = TABLE.parents[1] / "published.json"
    value = json.loads((ROOT / own).read_bytes())
    value["$schema"] = "published.schema.json"
    own.write_text(json.dumps(value), encoding="utf-8")  # it has figures of C
    ran = certify("check", "--format", "json")
    errors = [each for each in ran.json["findings"] if each["severity"] == "error"]
    assert (ran.code, [each["file"] for each in errors]) == (1, [draft.as_posix()])
    assert ran.json["notices"] == [
        f"Excluded, or ignored by git, but checked files need them: {draft}.",
        f"Excluded, or ignored by git: {idle}.",
    ]


def test_judged_files_that_git_does_not_track_are_named(certify: Certify) -> None:
    make_project(certify)
    said = f"Judged, but not tracked by git, so a checkout lacks them: {TABLE}."
    assert "not tracked" not in certify("check").out  # there is no repository
    commit(first=True)
    assert "not tracked" not in certify("check").out
    git("rm", "--cached", "--quiet", str(TABLE))  # it stays on disk
    for named in ((), (".",), ("paytables",)):
        ran = certify("check", *named, "--format", "json")
        assert (ran.code, ran.json["notices"]) == (0, [said])
    Path("shared").mkdir()
    TABLE.rename("shared/ours.json")
    TABLE.symlink_to("../../../shared/ours.json")
    git("add", "shared")
    assert f"a checkout lacks them: {TABLE}." in certify("check").out  # the link is missing there
    git("add", "--all")
    assert "not tracked" not in certify("check").out
    folder = TABLE.parent
    folder.rename("bonus")
    folder.symlink_to("../../bonus")
    git("add", "--all")
    assert "not tracked" not in certify("check").out


def test_no_finding_points_into_the_library(certify: Certify) -> None:
    make_project(certify)
    game = Path("paytables/mini-pai-gow/game.json")
    value = json.loads((ROOT / game).read_bytes())
    value["$schema"] = "game.schema.json"
    value["deck"]["joker"] = False  # then the library's paytables have rows without a hand
    game.write_text(json.dumps(value), encoding="utf-8")
    findings = certify("check", "--format", "json").json["findings"]
    assert {finding["file"] for finding in findings} <= {game.as_posix(), TABLE.as_posix()}
    assert any(finding["message"].startswith("certify/paytables/") for finding in findings)
