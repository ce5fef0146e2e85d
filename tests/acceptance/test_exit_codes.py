"""Exit codes, of submissions too."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from certify import __version__, library
from certify.errors import InvariantBroken
from tests.acceptance.command_line import ROOT, Certify
from tests.homes import new_home

TABLE = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
GAMES = (
    "commission-free-pai-gow-express, dealer-open-pai-gow, emperors-challenge-exposed, "
    "mini-pai-gow, pai-gow-mania"
)

WRONG = (
    (
        ("evaluate", "emperors-challenge-exposd"),
        "Error: There is no game 'emperors-challenge-exposd'.\n"
        "  Fix: Did you mean emperors-challenge-exposed?\n",
    ),
    (
        ("evaluate", "roulette"),
        f"Error: There is no game 'roulette'.\n  Fix: Use one of: {GAMES}.\n",
    ),
    (
        ("evaluate", "dealer-open-pai-gow/chan-chou"),
        "Error: There is no wager 'chan-chou'.\n  Fix: Did you mean chan-chu?\n",
    ),
    (
        ("evaluate", "dealer-open-pai-gow/chan-chu/6"),
        "Error: There is no paytable '6'.\n  Fix: Use one of: 1, 2, 3, 4, 5.\n",
    ),
    (
        ("evaluate", "nowhere.json"),
        "Error: There is no file nowhere.json.\n"
        "  Fix: Use the path of a paytable file, or a target id.\n",
    ),
    (
        ("evaluate", TABLE, "--meter", "1"),
        "Error: --meter 1 is not LEVEL=AMOUNT, or repeats a level.\n"
        "  Fix: Write for example --meter 1=25000 --meter 2=5000.\n",
    ),
    (
        ("evaluate", TABLE, "--meter", "1=500"),
        "Error: No paytable of this target has a meter '1'.\n  Fix: It has no meter.\n",
    ),
    (
        ("evaluate", TABLE, "--wager", "2.505"),
        "Error: --wager: 2.505 is not an amount of dollars.\n"
        "  Fix: Write for example 5, 2.50 or 25,000.\n",
    ),
    (
        ("evaluate", TABLE, "--players", "9"),
        "Error: players is 9, which is not a whole number from 1 to 8.\n"
        "  Fix: Write for example 1.\n",
    ),
    (
        ("reproduce", "nowhere.pdf", "--figures-only", "--signer", "Nobody"),
        "Error: --figures-only ignores the signature, so --signer has no effect.\n"
        "  Fix: Remove one of the two.\n",
    ),
    (
        ("submit", "mini-pai-gow", "--jurisdiction", "nevada", "--out", "out", "--token", "X"),
        "Error: --token and --key require --pkcs11-module.\n"
        "  Fix: Name the library of the token, or omit both.\n",
    ),
    (
        ("compare", "counts.csv", TABLE, "--picture", "p.svg"),
        "Error: --picture and --workbook are for house ways.\n  Fix: Omit them.\n",
    ),
    (
        ("compare", "house-ways", "mini-pai-gow", "--template"),
        "Error: --template is for counts of a laboratory.\n  Fix: Omit it.\n",
    ),
    (
        ("evaluate", "--fromat", "json", TABLE),
        "Usage: certify evaluate [OPTIONS] TARGET\n"
        "Try 'certify evaluate --help' for help.\n\n"
        "Error: No such option: --fromat (Possible options: --format)\n",
    ),
    (
        ("evalute", TABLE),
        "Usage: certify [OPTIONS] COMMAND [ARGS]...\n"
        "Try 'certify --help' for help.\n\n"
        "Error: No such command 'evalute'. Did you mean 'evaluate'?\n",
    ),
    (
        ("evaluate", "emperors-challenge-exposed/main", "--house-way", "foxwood"),
        "Error: Emperor's Challenge Exposed has no house way 'foxwood'.\n"
        "  Fix: Choose one of: foxwoods, trump-plaza, dealer-open-pai-gow.\n",
    ),
    (
        ("rule", "P04"),
        "Error: There is no finding code P04.\n  Fix: Did you mean P014, P004, S004?\n",
    ),
    (
        ("verify", "nowhere.pdf"),
        "Error: nowhere.pdf cannot be read: No such file or directory.\n"
        "  Fix: Check the name of the file.\n",
    ),
)


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=lambda item: " ".join(item)[:40])
def test_wrong_usage_exits_2_with_a_suggestion(
    arguments: tuple[str, ...], said: str, certify: Certify
) -> None:
    ran = certify(*arguments)
    assert (ran.err, ran.out, ran.code) == (said, "", 2)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("matrix", "mini-pai-gow", "--workbook", "m.xlsx"), "workbook"),
        (("register", "list", "--csv"), "csv"),
        (("register", "list", "--workbook", "w.xlsx"), "workbook"),
    ],
)
def test_another_form_of_the_output_is_refused_beside_json(
    arguments: tuple[str, ...], option: str, certify: Certify
) -> None:
    """The file was not written, without a word."""
    ran = certify(*arguments, "--format", "json")
    assert ran.err.startswith(f"Error: --{option} has no effect with --format json.\n")
    assert ran.code == 2


def test_wager_without_a_paytable_gives_the_reason(certify: Certify) -> None:
    ran = certify("evaluate", "dealer-open-pai-gow/jacks-beat")
    assert ran.code == 2
    assert ran.out == ""
    assert "Error: There is no paytable to evaluate. " in ran.err
    declared = json.loads(
        (ROOT / "paytables" / "dealer-open-pai-gow" / "jacks-beat" / "wager.json").read_bytes()
    )
    assert declared["absent"]["text"] in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("check", "nowhere.json"),
            "Error: There is no file nowhere.json, so nothing was checked.\n"
            "  Fix: Name paytable files, or folders that contain them.\n",
        ),
        (
            ("check", "docs/how-to"),
            "Error: No JSON file was found, so nothing was checked.\n"
            "  Fix: Name paytable files, or folders that contain them.\n",
        ),
    ],
)
def test_nothing_checked_exits_3(arguments: tuple[str, ...], said: str, certify: Certify) -> None:
    ran = certify(*arguments)
    assert (ran.err, ran.out, ran.code) == (said, "", 3)


def test_finding_exits_1_to_the_character(certify: Certify, tmp_path: Path) -> None:
    text = (ROOT / "paytables" / f"{TABLE}.json").read_text(encoding="utf-8")
    old = '"pays": "5000 to 1"'
    line = next(number for number, one in enumerate(text.split("\n"), 1) if old in one)
    excerpt = text.split("\n")[line - 1].replace(old, '"pays": 5000.5')
    column = excerpt.index("5000.5") + 1
    start = max(0, column - 61)
    path = tmp_path / "draft.json"
    path.write_text(text.replace(old, '"pays": 5000.5'), encoding="utf-8")
    ran = certify("check", path)
    number = str(line)
    assert ran.out == (
        f"{path}:{line}:{column}: error J004: `5000.5` has a fraction part or an "
        "exponent, but figures are exact.\n"
        f"  {number} | {excerpt[start : start + 100]}\n"
        f"  {' ' * len(number)} | {(' ' * (column - 1) + '^' * 6)[start : start + 100]}\n"
        '  Fix: Write an integer (money in cents), or text such as "3 to 2" or "0.5%".\n'
        "1 file checked: 1 error, 0 warnings, 0 notes.\n"
    )
    assert (ran.err, ran.code) == ("", 1)


@pytest.mark.parametrize("failure", [ZeroDivisionError("sums"), InvariantBroken("sums differ")])
def test_defect_exits_70_and_writes_what_to_send(
    failure: Exception,
    certify: Certify,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setenv("CERTIFY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("certify.commands.evaluate.count", broken)
    ran = certify("evaluate", TABLE)
    report = tmp_path / "home" / "defect.txt"
    assert (ran.out, ran.code) == ("", 70)
    assert ran.err == (
        "Error: this is a defect of certify, not of your files.\n"
        f"  Fix: send {report} to the maintainers of certify; no figure was produced.\n"
    )
    text = report.read_text(encoding="utf-8")
    assert f"arguments: evaluate {TABLE}" in text
    assert f"{type(failure).__name__}: {failure}" in text.splitlines()[-1]


def test_interrupt_exits_130(certify: Certify, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("certify.commands.evaluate.count", interrupted)
    ran = certify("evaluate", TABLE)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err == "Interrupted; no file was left incomplete.\n"


def digest_recount() -> str:
    """Return the digest of the recount as its documentation defines it."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "certify_recount").glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


RECOUNT = f"certify_recount, SHA-256 {digest_recount()}"


def test_version(certify: Certify) -> None:
    ran = certify("--version")
    build = library.build_sha256()[:12]
    said = f"certify {__version__} (build {build})\n{RECOUNT}\n"
    assert (ran.code, ran.out, ran.err) == (0, said, "")


def test_version_is_printed_where_no_library_is_found(spawn: Certify, tmp_path: Path) -> None:
    ran = spawn("--version", environment={"CERTIFY_LIBRARY": str(tmp_path / "nowhere")})
    assert (ran.code, ran.out, ran.err) == (0, f"certify {__version__}\n{RECOUNT}\n", "")


GAME = "mini-pai-gow"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who has no keys yet."""
    home = new_home(tmp_path / "home of a new user")
    monkeypatch.setenv("CERTIFY_HOME", str(home))
    return home


@pytest.mark.usefixtures("home")
def test_without_an_identity_nothing_is_written(certify: Certify, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = certify("submit", GAME, "--jurisdiction", "nevada", "--out", out)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "Error: There is no identity to sign with.\n"
        "  Fix: Create one for drafts with `certify keys init-dev`, or use --unsigned.\n"
    )
    assert not out.exists()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("submit", GAME, "--jurisdiction", "nevda", "--unsigned", "--out", "x"),
            "Error: There is no jurisdiction 'nevda'.\n  Fix: Did you mean nevada?\n",
        ),
        (
            ("submit", "mini-pai-gaw", "--jurisdiction", "nevada", "--unsigned", "--out", "x"),
            "Error: There is no game 'mini-pai-gaw'.\n"
            "  Fix: Did you mean mini-pai-gow or dealer-open-pai-gow?\n",
        ),
        (
            ("submit", GAME, "--jurisdiction", "nevada", "--unsigned"),
            "Usage: certify submit [OPTIONS] [GAME]\n"
            "Try 'certify submit --help' for help.\n\n"
            "Error: Missing option '--out'.\n",
        ),
    ],
)
def test_wrong_order_is_refused(arguments: tuple[str, ...], said: str, certify: Certify) -> None:
    ran = certify(*arguments)
    assert (ran.err, ran.out, ran.code) == (said, "", 2)
    assert not (ROOT / "x").exists()


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
