import re

import pytest

from tests.acceptance.command_line import ROOT, Certify

COMMANDS = (
    ("evaluate", "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"),
    ("evaluate", "mini-pai-gow/bonus/community"),
    ("audit", "commission-free-pai-gow-express"),
    ("diff", "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B", "--as-of", "2026-11-22"),
    ("explain", "mini-pai-gow/bonus/A", "As Ks Qs 9s 4s Jk"),
    ("crosscheck", "mini-pai-gow/bonus/A"),
    ("check", "paytables/pai-gow-mania", "--notes"),
)
FIGURE = re.compile(r"[−+$]?[0-9][0-9,./%]*")


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_lines_fit_and_neither_word_nor_figure_is_broken(
    command: tuple[str, ...], width: int, certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = certify(*command).out
    monkeypatch.setenv("COLUMNS", str(width))
    fitted = certify(*command).out
    assert max(map(len, fitted.splitlines())) <= width
    if command[0] != "check":  # an excerpt is cut where its line is long
        assert set(FIGURE.findall(fitted)) == set(FIGURE.findall(whole))
        assert set(fitted.split()) - {"-" * count for count in range(width)} <= set(whole.split())


PRINTED = {
    "evaluate": ("mini-pai-gow/bonus/A",),
    "explain": ("mini-pai-gow/bonus/A", "As Ks Qs 9s 4s Jk"),
    "crosscheck": ("mini-pai-gow/bonus/A",),
    "check": tuple(
        f"fixtures/invalid/P004/{case}/library/sample-game/bonus/2.json"
        for case in ("rarer-pays-less", "rise")
    ),
}


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("command", PRINTED)
def test_output_equals_the_reviewed_output(
    command: str, width: int, certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`COLUMNS=80 certify …` writes the file again; read it before you commit it."""
    monkeypatch.setenv("COLUMNS", str(width))
    kept = ROOT / "tests" / "acceptance" / "printed" / f"{command}.{width}.txt"
    printed = certify(command, *PRINTED[command]).out
    assert printed.splitlines() == kept.read_text(encoding="utf-8").splitlines()
    assert max(map(len, printed.splitlines())) <= width


def test_a_table_that_is_too_wide_continues_below(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    text = certify("crosscheck", "mini-pai-gow/bonus/A").out
    first, second = text.split("\n\n")[1:]
    assert first.splitlines()[0].split()[0] == second.splitlines()[0].split()[0] == "Outcome"
    assert "Verdict" not in first
    assert second.splitlines()[2].startswith("five_aces ")


@pytest.mark.parametrize("command", [(), ("check",), ("keys",), ("new", "paytable")], ids=str)
def test_help_has_a_short_flag_and_is_complete(
    command: tuple[str, ...], certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    said = certify(*command, "--help")
    assert (said.code, certify(*command, "-h").out) == (0, said.out)
    assert "..." not in said.out.replace("[ARGS]...", "").replace("PATH...", "")
    assert max(map(len, said.out.splitlines())) <= 80


def test_notes_are_counted_unless_listed(certify: Certify) -> None:
    folder = "paytables/pai-gow-mania"
    assert certify("check", folder).out.splitlines() == [
        "1 note not shown (D011: 1); --notes lists them.",
        "11 files checked: 0 errors, 0 warnings, 1 note.",
    ]
    assert ": note D011: " in certify("check", folder, "--notes").out
    assert ": note D011: " in certify("check", folder, "--fail-on", "note").out
    assert len(certify("check", folder, "--format", "json").json["findings"]) == 1
    quiet = certify("check", folder, "-q", "--ignore", "D011")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_color_is_for_terminals_and_the_user_decides(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("check", "paytables/pai-gow-mania", "--notes")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    plain = certify(*command).out
    assert "\x1b[" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    colored = certify(*command).out
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain
    assert "\x1b[" not in certify(*command, "--format", "junit").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert certify(*command).out == plain


@pytest.mark.parametrize(
    "command",
    [
        ("audit", "commission-free-pai-gow-express"),
        ("crosscheck", "mini-pai-gow/bonus/A"),
        ("check", "paytables/mini-pai-gow"),
    ],
    ids=" ".join,
)
def test_quiet_prints_only_what_is_wrong(command: tuple[str, ...], certify: Certify) -> None:
    whole, quiet = certify(*command), certify(*command, "-q")
    assert quiet.code == whole.code
    assert len(quiet.out) < len(whole.out)
    assert "agrees" not in quiet.out
    assert "checked:" not in quiet.out
    assert certify(*command, "-q", "--format", "json").out.startswith("{")


REPORTING = ("audit", "check", "compare", "crosscheck", "diff", "monitor", "reproduce", "submit")


@pytest.mark.parametrize(
    "command", [(item,) for item in (*REPORTING, "verify")] + [("register", "check")]
)
def test_every_command_that_judges_can_be_quiet(command: tuple[str, ...], certify: Certify) -> None:
    assert "-q, --quiet" in certify(*command, "--help").out


def test_audit_begins_with_its_totals(certify: Certify) -> None:
    for more in ((), ("--details",)):
        lines = certify("audit", "commission-free-pai-gow-express", *more).out.splitlines()
        assert re.match(r"[0-9]+ printed figures: [0-9]+ agree, ", lines[2])
