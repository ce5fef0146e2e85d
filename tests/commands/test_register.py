import json
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.errors import NotConfigured
from certify.filing import register_check
from certify.filing.declaration import game_digests
from certify.filing.register import list_standings, other_names
from certify.filing.registration import Entry, add, append_record, correct
from certify.intake import files as on_disk
from certify.intake.files import change_register, format_register, read_register
from certify.intake.read import read_catalog
from certify.model.approval import (
    Approval,
    ApprovalStatus,
    FilingStanding,
    Register,
    RegisteredPaytable,
)
from certify.model.catalog import Catalog
from certify.model.finding import Unfit
from certify.model.game import Game

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "register"
BROKEN = sorted((FIXTURES / "broken").glob("*/register.json"))
CHAN_CHU = "dealer-open-pai-gow/chan-chu/1"
DAY = date(2026, 11, 1)
HOLDING = """
import sys, filelock
with filelock.FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def record(number: int, status: ApprovalStatus = ApprovalStatus.APPROVED) -> Approval:
    return Approval(
        id=f"wsgc-{number}",
        game="dealer-open-pai-gow",
        game_name="Dealer Open Pai Gow",
        jurisdiction="wsgc",
        status=status,
        day=DAY,
        paytables=(RegisteredPaytable(wager="chan-chu", paytable="1", content_sha256="0" * 64),),
    )


def entry(status: ApprovalStatus, target: str = CHAN_CHU) -> Entry:
    letter = Path(__file__) if status is ApprovalStatus.APPROVED else None
    return Entry(target=target, jurisdiction="wsgc", status=status, day=DAY, letter=letter)


def statuses(path: Path) -> list[str]:
    return [str(approval.status) for approval in read_register(path)[0].approvals]


def test_later_approval_supersedes_the_earlier_record_without_removing_it(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.PENDING))
    add(path, entry(ApprovalStatus.APPROVED))
    add(path, entry(ApprovalStatus.PENDING))
    add(path, entry(ApprovalStatus.REJECTED))
    assert statuses(path) == ["superseded", "approved", "superseded", "rejected"]
    assert [approval.superseded_by for approval in read_register(path)[0].approvals] == [
        "wsgc-2", None, "wsgc-4", None,
    ]  # fmt: skip


def test_other_jurisdiction_and_other_paytable_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    add(path, replace(entry(ApprovalStatus.APPROVED), jurisdiction="nevada"))
    add(path, entry(ApprovalStatus.APPROVED, "dealer-open-pai-gow/chan-chu/2"))
    assert statuses(path) == ["approved"] * 3


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    register = append_record(Register(), record(1))
    path.write_bytes(format_register(register))
    assert read_register(path)[0] == register


def test_a_check_digests_the_files_of_a_game_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.PENDING, "dealer-open-pai-gow/chan-chu"))
    add(path, entry(ApprovalStatus.PENDING, "mini-pai-gow/main"))
    assert len(statuses(path)) > 5
    games: list[str] = []

    def digest(catalog: Catalog, game: Game) -> dict[str, str]:
        games.append(game.id)
        return game_digests(catalog, game)

    monkeypatch.setattr(register_check, "game_digests", digest)
    findings, _ = register_check.check_register(path, read_catalog(library.paytables())[0])
    assert findings == ()
    assert games == ["dealer-open-pai-gow", "mini-pai-gow"]


def test_standing_of_each_paytable(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    add(path, entry(ApprovalStatus.PENDING, "dealer-open-pai-gow/chan-chu/2"))
    add(path, entry(ApprovalStatus.REJECTED, "dealer-open-pai-gow/chan-chu/3"))
    catalog, _ = read_catalog(library.paytables())
    game = catalog.games["dealer-open-pai-gow"]
    records = next(wager for wager in game.wagers if wager.id == "chan-chu").paytables
    found = list_standings(
        read_register(path)[0],
        catalog=catalog,
        jurisdiction="wsgc",
        records=records,
        house_way=game.house_way,
    )
    assert [item.standing for item in found] == [
        FilingStanding.APPROVED, FilingStanding.PENDING, FilingStanding.NEW,
        FilingStanding.NEW, FilingStanding.NEW,
    ]  # fmt: skip


def own_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("schemas", "templates"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "paytables", folder / "paytables")
    monkeypatch.setenv("CERTIFY_LIBRARY", str(folder))
    return folder / "paytables"


def test_approved_id_with_other_content_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = own_library(tmp_path, monkeypatch)
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    table = declared / f"{CHAN_CHU}.json"
    value = json.loads(table.read_text(encoding="utf-8"))
    assert run(["register", "check", "--file", str(path)]) == 0
    value["source"]["clause"] = "Another clause"
    table.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 0
    value["rows"][0]["pays"] = "4999 to 1"
    table.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    shown = capsys.readouterr().out
    assert "but its content has changed" in shown
    assert "another version of certify" not in shown  # the entry is of this one
    entries = json.loads(path.read_bytes())
    entries["approvals"][0] |= {"build": "0" * 64, "version": "0.2.0"}
    path.write_text(json.dumps(entries), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{CHAN_CHU}.json did not change, another version of certify changed the files" in shown
    assert "Fix: Restore the filed content, and declare the new content under a new id." in shown
    catalog, _ = read_catalog(declared)
    game = catalog.games["dealer-open-pai-gow"]
    (found,) = list_standings(
        read_register(path)[0],
        catalog=catalog,
        jurisdiction="wsgc",
        records=next(wager for wager in game.wagers if wager.id == "chan-chu").paytables[:1],
        house_way=game.house_way,
    )
    assert found.standing is FilingStanding.CHANGED


def test_a_change_by_another_version_of_certify_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    value = json.loads(path.read_bytes())
    value["approvals"][0] |= {"content_sha256": "0" * 64, "version": "0.2.0", "build": "1" * 64}
    path.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "made with certify 0.2.0), but its content has changed. If no file of the project is gone,"
        in shown
    )
    assert "Restore" not in shown
    assert "install the version of certify that made the entry" in shown
    value["approvals"][0].pop("version")
    path.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    assert "made with an unknown version)" in " ".join(capsys.readouterr().out.split())


def test_an_entry_of_this_build_was_not_changed_by_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    value = json.loads(path.read_bytes())
    value["approvals"][0]["content_sha256"] = "0" * 64
    path.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "the entry was edited, or files of the project are gone" in shown
    assert "Restore the register and the files of the project from a backup" in shown
    assert "another version" not in shown


def test_rules_changed_by_another_version_of_certify_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.APPROVED))
    value = json.loads(path.read_bytes())
    value["approvals"][0] |= {"rules_sha256": "0" * 64, "version": "0.2.0", "build": "1" * 64}
    path.write_text(json.dumps(value), encoding="utf-8")
    assert run(["register", "check", "--file", str(path)]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "but the rules have changed. If no file of the project is gone, another version" in shown
    assert "Fix: Create a new revision" in shown


def test_names_of_other_games_in_force() -> None:
    other = replace(record(2), game="other-game", game_name="Other Game")
    register = Register(
        approvals=(record(1), other, replace(other, status=ApprovalStatus.REJECTED, game="third"))
    )
    assert other_names(register, game="dealer-open-pai-gow", jurisdiction="wsgc") == ("Other Game",)
    assert other_names(register, game="dealer-open-pai-gow", jurisdiction="nevada") == ()


def test_many_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "register.json"

    def write(number: int) -> None:
        change_register(
            path, lambda register: Register(approvals=(*register.approvals, record(number)))
        )

    writers = [Thread(target=write, args=(number,)) for number in range(12)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    register, _ = read_register(path)
    assert sorted(approval.id for approval in register.approvals) == sorted(
        f"wsgc-{number}" for number in range(12)
    )
    assert {path.name for path in tmp_path.iterdir()} == {"register.json"}


def test_changes_by_an_editor_meanwhile_are_preserved(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    path.write_bytes(format_register(Register(approvals=(record(1),))))
    saved: list[bool] = []

    def change(register: Register) -> Register:
        if not saved:
            saved.append(True)
            path.write_bytes(format_register(Register(approvals=(*register.approvals, record(2)))))
        return Register(approvals=(*register.approvals, record(3)))

    change_register(path, change)
    assert [approval.id for approval in read_register(path)[0].approvals] == [
        "wsgc-1",
        "wsgc-2",
        "wsgc-3",
    ]


def test_lock_of_another_program_is_waited_for_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "register.json"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path.with_name(".certify.lock"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        other.stdout.read(1)
        with monkeypatch.context() as patched:
            patched.setattr("certify.storage.WAIT", 0.05)
            with pytest.raises(NotConfigured, match="Another program is writing"):
                change_register(path, lambda register: register)
        assert not path.exists()
        other.kill()
    # The lock file of the program that was killed is still there, and keeps nobody away.
    change_register(path, lambda register: append_record(register, record(1)))
    assert statuses(path) == ["approved"]


def test_fixtures_of_broken_registers_are_there() -> None:
    assert len(BROKEN) >= 8


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.parent.name)
def test_broken_register_is_refused_at_its_line_and_column(path: Path) -> None:
    expected = json.loads((path.parent / "expected.json").read_text(encoding="utf-8"))
    before = path.read_bytes()
    with pytest.raises(Unfit) as caught:
        read_register(path)
    assert [
        {
            "code": finding.code,
            "line": finding.line,
            "column": finding.column,
            "message": finding.message,
        }
        for finding in caught.value.findings
    ] == expected
    with pytest.raises(Unfit):
        change_register(path, lambda register: register)
    assert path.read_bytes() == before


def test_valid_register_is_unchanged_by_reading_and_writing() -> None:
    path = FIXTURES / "valid" / "register.json"
    register, _ = read_register(path)
    assert (
        json.loads(format_register(register))["approvals"]
        == (json.loads(path.read_text(encoding="utf-8"))["approvals"])
    )


def test_change_that_would_break_the_register_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    with pytest.raises(Unfit):
        change_register(path, lambda _: Register(approvals=(record(1), record(1))))
    assert not path.exists()


def test_editor_that_never_stops_saving_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    calls = iter(range(10**6))

    def change(register: Register) -> Register:
        path.write_bytes(format_register(Register(approvals=(record(next(calls)),))))
        return register

    with pytest.raises(NotConfigured, match="keeps changing"):
        change_register(path, change)
    assert next(calls) == on_disk._ATTEMPTS


def test_unknown_target_and_empty_register(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "register.json")
    assert run(["register", "check", "--file", path]) == 3
    arguments = ["--jurisdiction", "wsgc", "--status", "pending", "--file", path]
    assert run(["register", "add", "dealer-open-pai-gow/chan-cho", *arguments]) == 2
    assert "Did you mean chan-chu" in capsys.readouterr().err
    assert run(["register", "add", "dealer-open-pai-gow/jacks-beat", *arguments]) == 2
    assert not Path(path).exists()


def test_an_approval_without_a_letter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "register.json"
    with pytest.raises(NotConfigured, match="An approval needs the regulator's letter"):
        add(path, replace(entry(ApprovalStatus.APPROVED), letter=None))
    assert not path.exists()
    pending = add(path, entry(ApprovalStatus.PENDING))[0]
    approved = ApprovalStatus.APPROVED
    with pytest.raises(NotConfigured, match="An approval needs the regulator's letter"):
        correct(path, pending.id, by="Jane", on=DAY, reason="x", status=approved)
    assert statuses(path) == ["pending"]


def test_a_correction_keeps_the_earlier_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "register.json"
    added = add(path, entry(ApprovalStatus.APPROVED))[0]
    words = [
        "correct",
        "wsgc-1",
        "--date",
        "2026-11-03",
        "--reason",
        "Misread.",
        "--by",
        "Jane Doe",
    ]
    assert run(["register", *words, "--file", str(path)]) == 0
    first, second = read_register(path)[0].approvals
    assert first == replace(added, status=ApprovalStatus.SUPERSEDED, superseded_by="wsgc-2")
    assert (second.status, second.day) == (ApprovalStatus.APPROVED, date(2026, 11, 3))
    assert second.paytables == first.paytables
    assert second.letter_sha256 == first.letter_sha256
    made = second.correction
    assert made is not None
    assert (made.entry, made.status) == ("wsgc-1", ApprovalStatus.APPROVED)
    assert (made.person, made.reason) == ("Jane Doe", "Misread.")
    assert run(["register", "show", "wsgc-2", "--file", str(path)]) == 0
    assert "wsgc-1, approved until then: Misread. (Jane Doe, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"entry": "wsgc-1"}, "no entry wsgc-1 in force"),
        ({"entry": "wsgc-7"}, "no entry wsgc-7 in force"),
        ({"by": ""}, "needs its author and a reason"),
        ({"reason": ""}, "needs its author and a reason"),
        ({"status": ApprovalStatus.REJECTED}, "says this already"),
    ],
)
def test_a_correction_that_corrects_nothing_is_refused(
    tmp_path: Path, change: dict[str, object], says: str
) -> None:
    path = tmp_path / "register.json"
    add(path, entry(ApprovalStatus.PENDING))
    add(path, entry(ApprovalStatus.REJECTED))
    before = path.read_bytes()
    stated = {"entry": "wsgc-2", "by": "Jane", "on": DAY, "reason": "x", "day": DAY}
    with pytest.raises(NotConfigured, match=says):
        correct(path, **(stated | change))  # type: ignore[arg-type]
    assert path.read_bytes() == before
