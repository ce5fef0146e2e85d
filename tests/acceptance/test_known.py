import json
import os
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from certify import api
from certify.model.finding import name_rows
from certify.review import settings
from certify.storage import LOCK
from tests.acceptance.command_line import Certify, Ran, change

FOLDER = Path("paytables/mini-pai-gow/bonus")
TABLE = FOLDER / "ours.json"
OTHER = FOLDER / "other.json"
LATER = str(date.today() + timedelta(days=700))  # noqa: DTZ011 - the day of the command
ACCEPTED = """
[[check.accepted]]
code = "{code}"
file = "{file}"
row = "{row}"
reason = "The source prints both."
who = "R. Reviewer"
until = {until}
"""


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Certify) -> Certify:
    monkeypatch.chdir(tmp_path)
    assert run_command("init", ".").code == 0
    for path in (TABLE, OTHER):
        target = f"mini-pai-gow/bonus/{path.stem}"
        assert run_command("new", "paytable", target, "--clause", "Our own").code == 0
    change(OTHER, "50 to 1", "40 to 1")
    return run_command


def prints(ran: Ran) -> dict[str, str]:
    issues = ran.json
    return {
        f"{issue['check_name']} {issue['location']['path']} {issue['description']}": issue[
            "fingerprint"
        ]
        for issue in issues
    }


def accept(until: str = LATER, code: str = "D005", file: Path = TABLE) -> None:
    text = ACCEPTED.format(code=code, file=file.as_posix(), row="/id", until=until)
    Path("certify.toml").write_text(f'[check]\nfail-on = "note"\n{text}', encoding="utf-8")


def test_row_is_named_by_its_id() -> None:
    value = {"rows": [{"event": "flush"}, {"event": "a/b"}, {"event": "flush"}, 3], "x": ["main"]}
    names = {
        "": "",
        "/rows/0/pays": "/rows/flush/pays",
        "/rows/1": "/rows/a~1b",
        "/rows/2/pays": "/rows/flush#2/pays",
        "/rows/3": "/rows/3",
        "/rows/9/pays": "/rows/9/pays",
        "/x/0": "/x/main",
        "/none/0": "/none/0",
    }
    assert {pointer: name_rows(value, pointer) for pointer in names} == names


def test_fingerprint_stays_if_rows_move_and_is_the_same_from_every_folder(
    certify: Certify,
) -> None:
    change(TABLE, '"75 to 1"', '"750 to 1"')  # it rises
    first = certify("check", "--format", "gitlab")
    assert len({*prints(first).values()}) == len(first.json) >= 2
    rows = '"rows": [\n    '
    change(TABLE, rows, '"rows": [\n\n    {"event": "five_aces", "name": "Five", "pays": 1},')
    second = certify("check", "--format", "gitlab")
    change(TABLE, '{"event": "five_aces", "name": "Five", "pays": 1},', "")
    third = certify("check", "--format", "gitlab")
    assert prints(third) == prints(first)
    assert {*prints(second).values()} - {*prints(first).values()}
    for folder in ("paytables", "mini-pai-gow", "../.."):
        os.chdir(folder)
        assert prints(certify("check", "--format", "gitlab")) == prints(first), folder
    sarif = certify("check", "ours", "--format", "sarif")
    assert sarif.code == 3


def test_name_given_three_times_has_two_fingerprints(certify: Certify) -> None:
    change(TABLE, '"name": "ours"', '"name": "a", "name": "b", "name": "ours"')
    ran = certify("check", "--format", "gitlab")
    assert len({item["fingerprint"] for item in ran.json}) == len(ran.json) == 2
    before = {item["fingerprint"] for item in ran.json}
    change(TABLE, "{\n", "{\n\n\n")
    ran = certify("check", "--format", "gitlab")
    assert {item["fingerprint"] for item in ran.json} == before


def test_paths_are_relative_to_the_checkout(
    certify: Certify, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    TABLE.write_text("{", encoding="utf-8")
    monkeypatch.chdir("paytables")

    def paths() -> set[str]:
        (issue,) = certify("check", TABLE.relative_to("paytables"), "--format", "gitlab").json
        sarif = certify("check", TABLE.relative_to("paytables"), "--format", "sarif").json
        place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        github = certify("check", TABLE.relative_to("paytables"), "--format", "github").out
        return {
            issue["location"]["path"],
            place["artifactLocation"]["uri"],
            github.partition("file=")[2].partition(",")[0],
        }

    assert paths() == {TABLE.as_posix()}
    (tmp_path.parent / ".git").mkdir()
    try:
        assert paths() == {f"{tmp_path.name}/{TABLE.as_posix()}"}
        monkeypatch.setenv("CI_PROJECT_DIR", str(tmp_path))
        assert paths() == {TABLE.as_posix()}
    finally:
        (tmp_path.parent / ".git").rmdir()


def test_baseline_retains_unchecked_findings_and_reports_removed_ones(certify: Certify) -> None:
    baseline = ("--baseline", "known.json")
    assert "1 finding written" in certify("check", *baseline, "--write-baseline").err
    change(OTHER, '"75 to 1"', '"750 to 1"')  # another fault in the other file
    ran = certify("check", OTHER, *baseline, "--write-baseline")
    known = json.loads(Path("known.json").read_bytes())["findings"]
    assert {each["file"] for each in known} >= {OTHER.as_posix()}
    assert certify("check", *baseline, "--fail-on", "note").code == 0
    change(OTHER, '"750 to 1"', '"75 to 1"')
    ran = certify("check", *baseline, "--format", "json")
    assert [each for each in ran.json["notices"] if "lists findings that are gone: " in each]
    assert "notices" not in certify("check", TABLE, *baseline, "--format", "json").json
    OTHER.unlink()
    assert "lists findings that are gone: " in certify("check", TABLE, *baseline).out
    certify("check", *baseline, "--write-baseline")
    known = json.loads(Path("known.json").read_bytes())["findings"]
    assert not [each for each in known if each["file"] == OTHER.as_posix()]


WRITE = ("check", "--baseline", "known.json", "--write-baseline")


def test_a_baseline_is_locked_from_reading_to_writing(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two commands that check different files would each drop the findings of the other."""
    certify(*WRITE)
    ours, tried = settings.read_baseline, []

    def read(path: Path) -> Counter[settings.Key]:
        tried.append(path)
        with pytest.raises(Timeout):
            FileLock(LOCK, is_singleton=False).acquire(timeout=0)
        return ours(path)

    monkeypatch.setattr(settings, "read_baseline", read)
    assert certify(*WRITE, OTHER).code == 0
    assert tried == [Path("known.json")]
    with FileLock(LOCK, timeout=0, is_singleton=False):
        pass


def test_a_baseline_that_an_editor_changes_meanwhile_is_not_replaced(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    certify(*WRITE)
    ours, theirs = settings.read_baseline, b'{"findings": []}'

    def read(path: Path) -> Counter[settings.Key]:
        listed = ours(path)
        path.write_bytes(theirs)
        return listed

    monkeypatch.setattr(settings, "read_baseline", read)
    ran = certify(*WRITE)
    assert (ran.code, "Another program changed known.json" in ran.err) == (2, True)
    assert Path("known.json").read_bytes() == theirs


def test_pattern_that_ignores_nothing_is_reported(certify: Certify) -> None:
    Path("certify.toml").write_text(
        '[check.per-file-ignores]\n"paytables/old/*" = ["D005"]\n', encoding="utf-8"
    )
    said = "per-file-ignores: paytables/old/* ignores nothing."
    assert said in certify("check").out
    assert said not in certify("check", TABLE).out


def test_accepted_finding_states_who_why_and_until(certify: Certify) -> None:
    accept()
    note = (
        f"Accepted by R. Reviewer until {LATER}: D005 in {TABLE.as_posix()} at /id. "
        "The source prints both."
    )
    ran = certify("check", "--format", "json")
    assert (ran.code, ran.json["findings"]) == (0, [])
    assert [(each["why"], each["note"]) for each in ran.json["ignored"]] == [("as accepted", note)]
    assert note in " ".join(certify("check").out.split())
    assert note in certify("check", "--format", "github").out
    assert note in certify("check", "--format", "gitlab").err.replace("\n", " ")
    sarif = certify("check", "--format", "sarif").json
    (said,) = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"] == note


def test_acceptance_that_expired_or_fits_nothing_is_reported(certify: Certify) -> None:
    accept("2020-01-31")
    ran = certify("check", "--format", "json")
    assert ran.code == 1
    assert ran.json["notices"] == [
        f"No longer accepted, since 2020-01-31: D005 in {TABLE.as_posix()} at /id."
    ]
    for code, named in (("P004", TABLE), ("D005", FOLDER / "gone.json")):
        accept(code=code, file=named)
        ran = certify("check", "--format", "json")
        assert (ran.code, len(ran.json["findings"])) == (1, 1)
        assert ran.json["notices"] == [
            f"Accepted, but not found: {code} in {named.as_posix()} at /id. Remove it."
        ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('code = "D005"', 'code = "J001"', "code of accepted is not a code that can be accepted"),
        ('code = "D005"', 'code = "D"', "code of accepted is not a code that can be accepted"),
        ('code = "D005"', 'code = "D555"', "There is no finding code D555"),
        (f"until = {LATER}", "until = 3000", "until of accepted is not a date"),
        (f"until = {LATER}", "until = 9999-12-31", "until of accepted is not a day up to 20"),
        ('who = "R. Reviewer"\n', "", "each a table with code, file, row, reason"),
        ('who = "R. Reviewer"', 'who = ""', "who of accepted is not a text"),
    ],
)
def test_acceptance_without_all_it_needs_is_refused(
    certify: Certify, old: str, new: str, words: str
) -> None:
    accept()
    change(Path("certify.toml"), old, new)
    ran = certify("check")
    assert (ran.code, words in ran.err) == (2, True)


def test_python_applies_the_settings_of_the_command(certify: Certify) -> None:
    accept()
    assert api.check().to_dict() == certify("check", "--format", "json").json
    assert [part.why for part in api.check().left_out] == ["as accepted"]
    Path("certify.toml").write_text("", encoding="utf-8")
    assert not api.check(fail_on="note").passed
    assert api.check(baseline="known.json", write_baseline=True).written
    assert api.check(fail_on="note", baseline="known.json").passed
