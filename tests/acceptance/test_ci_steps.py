"""The hook, the action and the template, their own steps run in a repository outside this one."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from certify.review.codes import FAMILIES
from tests.acceptance.command_line import ROOT, Certify
from tests.acceptance.pages import arguments
from tests.marks import further

GOOD = "paytables/mini-pai-gow/bonus/good.json"
BAD = "paytables/mini-pai-gow/bonus/bad.json"


def read(name: str) -> Any:  # noqa: ANN401 - a YAML value
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.temporary = folder / "temporary"
        tools = self.temporary / "certify/bin"
        tools.mkdir(parents=True)
        script = tools / "certify"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m certify "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(self.temporary),
        }

    def run(
        self, *command: str, environment: Mapping[str, str] | None = None, within: str = "."
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder / within,
            env=self.environment | dict(environment or {}),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def do(self, *command: str) -> None:
        ran = self.run(*command)
        assert ran.returncode == 0, ran.stderr

    def commit(self, code: int = 0) -> str:
        """Commit all changes, which must end with this code; return what git says."""
        self.do("git", "add", "--all")
        names = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
        ran = self.run("git", *names, "commit", "--quiet", "--message", "Change")
        assert ran.returncode == code, ran.stderr
        return ran.stdout + ran.stderr

    def spoil(self, name: str) -> tuple[int, int]:
        """Make the first pay of a paytable a number; return the line and column of it."""
        path = self.folder / name
        text = re.sub(r'"pays": "[0-9]+ to 1"', '"pays": 1.5', path.read_text("utf-8"), count=1)
        path.write_text(text, encoding="utf-8")
        before = text.partition("1.5")[0]
        return before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a repository with two paytables, which each test copies."""
    made = Repository(tmp_path_factory.mktemp("sample"))
    made.do("git", "init", "--quiet", "--initial-branch", "main")
    made.do("certify", "init", ".")
    for name in (GOOD, BAD):
        target = f"mini-pai-gow/bonus/{Path(name).stem}"
        made.do("certify", "new", "paytable", target, "--clause", "Our own")
    made.commit()
    return made.folder


@pytest.fixture
def repository(sample: Path, tmp_path: Path) -> Repository:
    found = Repository(tmp_path)
    shutil.copytree(sample, found.folder, dirs_exist_ok=True)
    return found


def test_hook_judges_the_whole_project_at_every_commit(repository: Repository) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert (hook["language"], hook["always_run"], hook["pass_filenames"]) == ("python", True, False)
    assert not {"files", "types", "types_or", "exclude"} & hook.keys()

    def run() -> subprocess.CompletedProcess[str]:
        return repository.run(*hook["entry"].split())

    assert run().returncode == 0
    line, column = repository.spoil(BAD)
    stopped = run()
    assert stopped.returncode == 1
    assert f"{BAD}:{line}:{column}: error J004" in stopped.stdout


FAULTS = {
    "J004": ("exponent", "bonus/2.json", "bonus/j.json"),
    "S001": ("no-source", "bonus/2.json", "bonus/s.json"),
    "D001": ("id", "bonus/2.json", "bonus/d.json"),
    "P003": ("twice", "bonus/2.json", "bonus/2.json"),
    "E001": ("misspelt", "bonus/2.json", "bonus/e.json"),
    "M001": ("push-that-loses", "main/standard.json", "main/standard.json"),
    "G001": ("level", "meters/M-1.json", "meters/M-1.json"),
    "H001": ("misspelt", "game.json", "game.json"),
    "F003": ("target", "published.json", "published.json"),
}
"""By code: its case, the file of the game in the case, and the file that receives it."""

STATE = "jurisdictions/sample-state.json"
OTHERS = {"R027", "N002"}
"""Codes of a state's record, and of a main wager without a stored count."""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository with a fault of every family of codes."""
    made = Repository(tmp_path_factory.mktemp("faulty"))
    made.do("git", "init", "--quiet", "--initial-branch", "main")
    made.do("certify", "init", ".")
    declared, invalid = made.folder / "paytables", ROOT / "fixtures/invalid"
    shutil.copytree(ROOT / "fixtures/valid/library", declared, dirs_exist_ok=True)
    shutil.copy(invalid / "R027/dollars/library" / STATE, declared / STATE)
    for code, (case, name, target) in FAULTS.items():
        text = (invalid / code / case / "library/sample-game" / name).read_text(encoding="utf-8")
        if name != target:  # a paytable beside the others
            text = text.replace('"id": "2"', f'"id": "{Path(target).stem}"')
        (declared / "sample-game" / target).write_text(text, encoding="utf-8")
    made.do("git", "add", "--all")
    return made


@pytest.mark.parametrize("shipped", ["hook", "action", "template"])
def test_a_fault_of_every_family_is_named(faulty: Repository, shipped: str) -> None:
    codes = FAULTS.keys() | OTHERS
    # A file that differs from its filing is compared elsewhere, not by `check`.
    assert {code[0] for code in codes} == {*FAMILIES} - {"C"}
    if shipped == "hook":
        ran = faulty.run(*read(".pre-commit-hooks.yaml")[0]["entry"].split())
    elif shipped == "action":
        ran = act(faulty)
    else:
        job = read(".gitlab/certify.gitlab-ci.yml")["certify"]
        script = "\n".join(job["script"])
        ran = faulty.run("sh", "-ec", script, environment=job["variables"])
    assert ran.returncode == 1, ran.stderr
    named = re.findall(r"(?:: error |^::error .*=certify )([A-Z]\d{3}):", ran.stdout, re.MULTILINE)
    assert codes <= {*named}


def pre_commit(repository: Repository, number: int, **filled: str) -> None:
    page = (ROOT / "docs/how-to/check-in-ci.md").read_text(encoding="utf-8")
    found = re.findall(r"^    repos:\n(?:     .*\n)+", page, flags=re.MULTILINE)
    assert len(found) == 2
    text = found[number]
    for name, value in filled.items():
        text = text.replace(name, value)
    (repository.folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
    repository.environment |= {"PRE_COMMIT_HOME": str(repository.temporary / "pre-commit")}
    repository.do(sys.executable, "-m", "pre_commit", "install")


def assert_commits_are_judged(repository: Repository) -> None:
    """Require that pre-commit refuses a faulty file, and a change that breaks other files."""
    repository.commit()
    line, column = repository.spoil(BAD)
    assert f"{BAD}:{line}:{column}: error J004" in repository.commit(1)
    repository.do("git", "checkout", "--quiet", "HEAD", "--", BAD)
    wager = "paytables/mini-pai-gow/bonus"
    repository.do("git", "mv", GOOD, f"{wager}/renamed.json")
    assert "error D001" in repository.commit(1)
    repository.do("git", "mv", f"{wager}/renamed.json", GOOD)
    sample = ROOT / "fixtures/valid/library/sample-game/bonus/envy/e1.json"
    ours = {"id": "prizes", "game": "mini-pai-gow", "$schema": "envy.schema.json"}
    envy, table = (repository.folder / name for name in (f"{wager}/envy/prizes.json", GOOD))
    envy.parent.mkdir()
    envy.write_text(json.dumps(json.loads(sample.read_bytes()) | ours), encoding="utf-8")
    table.write_text(json.dumps(json.loads(table.read_bytes()) | {"envy": "prizes"}), "utf-8")
    repository.commit()
    envy.unlink()
    assert "error E001" in repository.commit(1)


@pytest.mark.long
def test_pre_commit_judges_every_commit(repository: Repository) -> None:
    pre_commit(repository, 1)
    assert_commits_are_judged(repository)


@pytest.mark.slow  # it installs all packages
def test_pre_commit_installs_the_hook_that_is_shipped(repository: Repository) -> None:
    revision = repository.run("git", "-C", str(ROOT), "rev-parse", "HEAD").stdout.strip()
    pre_commit(repository, 0, ADDRESS=str(ROOT), REVISION=revision)
    repository.environment["PYTHONPATH"] = ""
    assert_commits_are_judged(repository)


def assert_locked(commands: list[str], pip: str, checkout: str) -> None:
    """Require that the locked packages are installed by digest, and certify from its checkout."""
    assert commands == [
        f"{pip} --require-hashes -r {checkout}/requirements.lock",
        f"{pip} --no-build-isolation {checkout}",
    ]


SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
"""The shell of a step, as a runner starts it."""


def act(repository: Repository, **given: str) -> subprocess.CompletedProcess[str]:
    action = read("action.yml")
    values = {name: one["default"] for name, one in action["inputs"].items()} | given
    _, step = action["runs"]["steps"]
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda item: values[item[1]], value)
        for name, value in step["env"].items()
    }
    assert "${{" not in step["run"]  # an input is a value, never a part of the script
    assert step["working-directory"] == "${{ inputs.working-directory }}"
    within = values["working-directory"]
    return repository.run(*SHELL, step["run"], environment=environment, within=within)


def test_action_installs_the_lock_by_digest_into_a_separate_environment() -> None:
    install, _ = read("action.yml")["runs"]["steps"]
    assert install["env"] == {"ACTION_PATH": "${{ github.action_path }}"}
    environment, python, *commands = install["run"].replace('"', "").splitlines()
    assert environment == "python3 -m venv $RUNNER_TEMP/certify"
    assert python == "python=$RUNNER_TEMP/certify/bin/python"
    assert_locked(commands, "$python -m pip install --quiet --no-deps", "$ACTION_PATH")


@pytest.mark.slow  # it installs all packages
def test_action_runs_in_the_environment_that_it_installs(repository: Repository) -> None:
    shutil.rmtree(repository.temporary)
    install, _ = read("action.yml")["runs"]["steps"]
    repository.environment["PYTHONPATH"] = ""
    ran = repository.run(*SHELL, install["run"], environment={"ACTION_PATH": str(ROOT)})
    assert ran.returncode == 0, ran.stderr
    assert act(repository).returncode == 0
    repository.spoil(BAD)
    assert act(repository).returncode == 1


def test_action_annotates_a_bad_paytable(repository: Repository) -> None:
    assert act(repository).returncode == 0
    line, column = repository.spoil(BAD)
    ran = act(repository)
    assert ran.returncode == 1
    (annotation,) = re.findall(r"^::error .*$", ran.stdout, flags=re.MULTILINE)
    assert annotation.startswith(f"::error file={BAD},line={line},col={column},")
    assert act(repository, paths=GOOD).returncode == 0
    assert act(repository, **{"fail-on": "note"}, paths=GOOD).returncode == 1
    ran = act(repository, format="sarif", **{"output-file": "certify.sarif"})
    assert ran.returncode == 1
    assert annotation in ran.stdout
    sarif = json.loads((repository.folder / "certify.sarif").read_text(encoding="utf-8"))
    (region,) = [
        result["locations"][0]["physicalLocation"]["region"]
        for result in sarif["runs"][0]["results"]
        if result["level"] == "error"
    ]
    assert (region["startLine"], region["startColumn"]) == (line, column)


@pytest.mark.parametrize(
    "paths", [f"\n{GOOD}\n\n{BAD}", *further([f"{GOOD}\n{BAD}\n", f"{GOOD} {BAD}"])]
)
def test_action_reads_every_line_of_its_paths(repository: Repository, paths: str) -> None:
    assert json.loads(act(repository, paths=paths, format="json").stdout)["checked"] == 2
    repository.spoil(BAD)
    assert act(repository, paths=paths).returncode == 1


@pytest.mark.long
def test_action_takes_no_path_for_an_option_or_a_pattern(repository: Repository) -> None:
    repository.spoil(BAD)
    settings = (repository.folder / "certify.toml").read_bytes()
    for paths in (f"{BAD} --ignore=J,S", f"{BAD}\n--write-baseline\n--baseline=certify.toml"):
        assert act(repository, paths=paths).returncode == 1
    assert (repository.folder / "certify.toml").read_bytes() == settings
    (repository.folder / "two words.json").write_bytes((repository.folder / BAD).read_bytes())
    ran = act(repository, paths="two words.json", format="json")
    assert json.loads(ran.stdout)["checked"] == 1
    assert act(repository, paths="*.json").returncode == 3


def test_action_can_check_changed_files_only(repository: Repository) -> None:
    repository.spoil(BAD)
    repository.commit()
    assert act(repository).returncode == 1
    assert act(repository, **{"changed-since": "HEAD"}).returncode == 0
    repository.spoil(GOOD)
    ran = act(repository, **{"changed-since": "HEAD"})
    assert ran.returncode == 1
    assert re.findall(r"^::error file=([^,]+),", ran.stdout, flags=re.MULTILINE) == [GOOD]


@pytest.mark.long
def test_action_takes_a_folder_and_a_baseline(repository: Repository) -> None:
    line, column = repository.spoil(BAD)
    ran = act(repository, **{"working-directory": "paytables"}, paths=BAD.partition("/")[2])
    assert ran.returncode == 1
    assert f"::error file={BAD},line={line},col={column}," in ran.stdout
    repository.do("git", "checkout", "--quiet", "--", BAD)
    copy = repository.folder / "paytables/mini-pai-gow/bonus/copy.json"
    value = json.loads((repository.folder / GOOD).read_bytes())
    copy.write_text(json.dumps(value | {"id": "copy"}), encoding="utf-8")
    strict = {"fail-on": "note"}
    assert act(repository, **strict).returncode == 1
    repository.do("certify", "check", "--baseline", "known.json", "--write-baseline")
    assert act(repository, **strict, baseline="known.json").returncode == 0


def test_gitlab_job_writes_the_report_and_stops_a_bad_paytable(repository: Repository) -> None:
    job = read(".gitlab/certify.gitlab-ci.yml")["certify"]
    pip = "python -m pip install --quiet --no-deps"
    assert_locked(job["before_script"][2:], pip, "/tmp/certify")  # noqa: S108 - of a job's own container
    script = "\n".join(job["script"])

    def run(**variables: str) -> subprocess.CompletedProcess[str]:
        return repository.run("sh", "-ec", script, environment=job["variables"] | variables)

    assert run().returncode == 0
    line, column = repository.spoil(BAD)
    ran = run()
    assert ran.returncode == 1
    assert f"{BAD}:{line}:{column}: error J004" in ran.stdout
    report = repository.folder / job["artifacts"]["reports"]["codequality"]
    issues = json.loads(report.read_text(encoding="utf-8"))
    (issue,) = [issue for issue in issues if issue["severity"] == "critical"]
    assert issue["location"]["path"] == BAD
    assert issue["location"]["positions"]["begin"] == {"line": line, "column": column}
    assert run(CERTIFY_PATHS=GOOD).returncode == 0
    assert run(CERTIFY_PATHS=f"{GOOD}\n{BAD}").returncode == 1
    assert run(CERTIFY_PATHS="--help").returncode == 3  # a file that is not there
    repository.commit()
    assert run(CERTIFY_CHANGED_SINCE="HEAD").returncode == 0


@pytest.mark.long
def test_gitlab_job_clones_the_history_that_it_compares_with(
    repository: Repository, tmp_path: Path
) -> None:
    job = read(".gitlab/certify.gitlab-ci.yml")["certify"]
    first = repository.run("git", "rev-parse", "HEAD").stdout.strip()
    repository.spoil(BAD)
    repository.commit()
    for number in range(20):  # GitLab clones 20 commits by default
        (repository.folder / "number").write_text(str(number), encoding="utf-8")
        repository.commit()
    depth = int(job["variables"]["GIT_DEPTH"])
    limit = ("--depth", str(depth)) if depth else ()  # 0: the whole history
    copy = tmp_path / "clone"
    repository.do("git", "clone", "--quiet", *limit, repository.folder.as_uri(), str(copy))
    repository.folder = copy
    ran = repository.run(
        *("sh", "-ec", "\n".join(job["script"])),
        environment=job["variables"] | {"CERTIFY_CHANGED_SINCE": first},
    )
    assert (ran.returncode, f"{BAD}:" in ran.stdout) == (1, True), ran.stderr
    assert "-" not in job["image"], "the slim and alpine images have no git"


@pytest.mark.long
def test_every_command_and_setting_of_the_page_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify
) -> None:
    """A command that needs no shell runs in this process."""
    page = (ROOT / "docs/how-to/check-in-ci.md").read_text(encoding="utf-8")
    repository = Repository(tmp_path)
    person = {
        f"GIT_{role}_{part}": "somebody@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for part in ("NAME", "EMAIL")
    }
    commands = re.findall(r"^    ((?:certify|git|cd) .*)$", page, flags=re.MULTILINE)
    assert len(commands) > 20
    for command in commands:
        if command.startswith("cd "):
            repository.folder /= command.removeprefix("cd ")
            continue
        if command.startswith("certify ") and not {*"<>"} & {*command}:
            monkeypatch.chdir(repository.folder)
            ended = run_command(*arguments(command)[1:])
            code, said = ended.code, ended.out + ended.err
        else:
            ran = repository.run("bash", "-c", command, environment=person)
            code, said = ran.returncode, ran.stdout + ran.stderr
        # A copy warns until it cites its own document.
        assert code == int("--fail-on" in command), (command, said)
    (settings,) = re.findall(r"^    \[check\]\n(?:    .*\n|\n)+", page, flags=re.MULTILINE)
    (repository.folder / "certify.toml").write_text(
        "\n".join(line.strip() for line in settings.splitlines()), encoding="utf-8"
    )
    ran = repository.run("certify", "check")
    assert (ran.returncode, "Ignored as known: " in ran.stdout) == (0, True)
