import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from certify import __version__
from certify.cli.app import run
from certify.commands import submit as submitting
from certify.commands.submit import submit
from certify.filing.order import build_filing, with_register_status
from certify.model.approval import ApprovalStatus
from certify.model.finding import Unfit
from certify.review.check import check
from tests.homes import new_home

from .conftest import GAME, ROOT, order

BONUS = "dealer-open-pai-gow/chan-chu/3"
MAIN = "mini-pai-gow/main/1"
ENTRY = f"entry nevada-1, 2026-01-02, made with certify {__version__}"
Edit = Callable[[dict[str, Any]], None]


def another_pay(value: dict[str, Any]) -> None:
    value["rows"][0]["pays"] = "7777 to 1"


def another_prize(value: dict[str, Any]) -> None:
    value["rows"][0]["prize_cents"] = value["rows"][0]["prize_cents"] + 100


def another_name(value: dict[str, Any]) -> None:
    value["name"] = f"{value['name']} as amended"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CERTIFY_HOME", str(new_home(tmp_path / "home")))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run(["init", "."]) == 0
    return folder


def put_on_record(target: str, status: str = "approved") -> None:
    words = ["register", "add", target, "--jurisdiction", "nevada", "--status", status]
    assert run([*words, "--date", "2026-01-02", "--letter", __file__]) == 0


def edit_file(project: Path, name: str, edit: Edit) -> Path:
    value = json.loads((ROOT / "paytables" / name).read_bytes())
    value["$schema"] = value["$schema"].rpartition("/")[2]
    edit(value)
    path = project / "paytables" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def changes_found(path: Path) -> list[str]:
    """Return the messages on changed content, without the library's file of a moved one."""
    found = [finding.message for finding in check((path,)).findings if finding.code == "R014"]
    return [message.rpartition(".json: ")[2] for message in found]


@pytest.mark.parametrize(
    ("target", "name", "edit"),
    [
        (BONUS, f"{BONUS}.json", another_pay),
        (BONUS, "dealer-open-pai-gow/chan-chu/envy/3.json", another_prize),
        (MAIN, f"{MAIN}.json", another_name),
        (MAIN, "house-ways/mini-pai-gow.json", another_name),
    ],
)
def test_check_finds_approved_content_that_changed_where_it_is_edited(
    project: Path, target: str, name: str, edit: Edit
) -> None:
    def found(path: Path) -> list[str]:
        return changes_found(path)

    unchanged = edit_file(project, name, lambda _: None)
    put_on_record(target)
    assert found(unchanged) == []
    path = edit_file(project, name, edit)
    message = f"{target} is approved in Nevada ({ENTRY}), but its content "
    assert found(path) == [f"{message}has changed."]
    assert found(project) == found(path)
    assert run(["check", str(path), "-q"]) == 1
    edit_file(project, name, lambda _: None)
    assert found(path) == []


@pytest.mark.parametrize(
    "status", [str(status) for status in ApprovalStatus if status != "superseded"]
)
def test_only_records_in_force_are_protected(project: Path, status: str) -> None:
    put_on_record(BONUS, status)
    path = edit_file(project, f"{BONUS}.json", another_pay)
    changed = any(finding.code == "R014" for finding in check((path,)).findings)
    assert changed is (status != "rejected")


def test_submit_refuses_changed_content_before_it_counts(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = f"{GAME}/bonus/community"
    put_on_record(target)
    edit_file(project, f"{target}.json", lambda value: value["rows"][0].update(pays="41 to 1"))
    monkeypatch.setattr(submitting, "count_filing", lambda *_: pytest.fail("it was counted"))
    with pytest.raises(Unfit) as refused:
        submit(order(), signing=None, out=project / "out")
    (finding,) = refused.value.findings
    assert finding.code == "R014"
    assert f"{target} differs from entry nevada-1 of the register." in finding.message
    assert f"`certify new paytable {GAME}/bonus/NEW-ID --like community" in finding.remedy
    assert f"`certify diff {target} {GAME}/bonus/NEW-ID`" in finding.remedy
    # The approval of another state does not keep this one from a filing of its own.
    with pytest.raises(pytest.fail.Exception, match="it was counted"):
        submit(order("wsgc"), signing=None, out=project / "out")


@pytest.mark.usefixtures("project")
def test_the_register_of_the_project_is_consulted() -> None:
    put_on_record(f"{GAME}/bonus/community")
    filing = with_register_status(build_filing(order()))
    assert filing.register is not None
    assert filing.register.records == 1


RULES = "mini-pai-gow/game.json"


def reword_definition(value: dict[str, Any]) -> None:
    said = value["definitions"][0]
    said |= {"original": said["text"], "text": f"{said['text']} Reworded."}


def players(value: dict[str, Any]) -> None:
    value["players"] -= 1
    sentences = re.compile(r'"text": ("[^"]*)seven players([^"]*")')
    edited = r'"text": \1six players\2, "original": \1seven players\2'
    value.update(json.loads(sentences.sub(edited, json.dumps(value))))


def read_again(value: dict[str, Any]) -> None:
    value["definitions"][0]["source"] = {"document": GAME, "clause": "elsewhere"}


def rules_found(path: Path) -> list[str]:
    return [message for message in changes_found(path) if " of the rules of " in message]


@pytest.mark.parametrize(
    ("name", "edit"),
    [(RULES, reword_definition), (RULES, players), ("mini-pai-gow/bonus/wager.json", another_name)],
)
def test_approved_rules_change_by_a_new_revision(project: Path, name: str, edit: Edit) -> None:
    put_on_record(GAME)
    start = f"Revision 1 of the rules of {GAME} is approved in Nevada ({ENTRY})"
    path = edit_file(project, name, edit)
    (message,) = rules_found(path)
    assert message.startswith(start)
    assert rules_found(project) == [message]
    with pytest.raises(Unfit) as refused:
        submit(order(), signing=None, out=project / "out")
    assert refused.value.findings[0].message == message
    assert f"`certify new revision {GAME} --text" in refused.value.findings[0].remedy
    assert run(["register", "check"]) == 1

    before = json.loads((ROOT / "paytables" / RULES).read_bytes())
    words = ["new", "revision", GAME, "--text", "Reworded.", "--date", "2026-12-01"]
    assert run(words) == 0
    after = json.loads((project / "paytables" / RULES).read_bytes())
    assert (after["revision"], after["revised"]) == ("2", "2026-12-01")
    change = {"revision": "2", "date": "2026-12-01", "text": "Reworded."}
    assert after["changes"] == [*before["changes"], change]
    assert rules_found(project) == []
    assert run(["check", str(project / "paytables" / RULES), "-q"]) == 0


def test_where_rules_were_read_is_no_change(project: Path) -> None:
    put_on_record(GAME)
    assert rules_found(edit_file(project, RULES, read_again)) == []


def test_a_record_without_a_digest_of_the_rules_judges_none(project: Path) -> None:
    put_on_record(GAME)
    register = project / "register.json"
    value = json.loads(register.read_bytes())
    for approval in value["approvals"]:
        del approval["revision"], approval["rules_sha256"]
    register.write_text(json.dumps(value), encoding="utf-8")
    assert rules_found(edit_file(project, RULES, reword_definition)) == []


@pytest.mark.parametrize("listed", [True, False])
def test_a_revision_changes_nothing_else(project: Path, *, listed: bool) -> None:
    def edit(value: dict[str, Any]) -> None:
        value["revision"] = "1.0"
        value["changes"][0]["revision"] = "1.0"
        if not listed:
            del value["changes"]

    path = edit_file(project, RULES, edit)
    before = json.loads(path.read_bytes())
    words = ["new", "revision", GAME, "--text", "“Fold” is “surrender”.", "--date", "2026-12-01"]
    assert run(words) == 2  # revision 1.0 is no number
    assert run([*words, "--revision", "1.1"]) == 0
    assert run([*words, "--revision", "1.1"]) == 2  # it is there already
    after = json.loads(path.read_bytes())
    entry = {"revision": "1.1", "date": "2026-12-01", "text": "“Fold” is “surrender”."}
    first = {"revision": "1.0", "date": before["revised"], "text": "Initial submission."}
    changes = [*before.get("changes", [first]), entry]
    assert after == {**before, "revision": "1.1", "revised": "2026-12-01", "changes": changes}


def test_a_wager_joins_an_approved_game_in_its_next_revision(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_on_record(GAME)
    words = ["new", "wager", f"{GAME}/envy", "--called", "Envy", "--clause", "Sheet 2"]
    assert run(words) == 2
    printed = capsys.readouterr().err
    assert f"Revision 1 of the rules of {GAME} is approved in Nevada (entry nevada-1)." in printed
    assert f"`certify new revision {GAME} --text" in printed
    assert not list((project / "paytables").rglob("*.json"))
    assert run(["new", "revision", GAME, "--text", "A wager more."]) == 0
    assert run(words) == 0
