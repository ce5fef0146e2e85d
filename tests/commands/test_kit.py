import ast
import contextlib
import datetime as dt
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from msgspec.structs import replace

from certify.commands.submit import WrittenSubmission
from certify.figures.alternatives import with_alternatives
from certify.figures.evaluate import Settings, evaluate
from certify.figures.second_counts import is_covered
from certify.figures.targets import Selection
from certify.filing.evidence import build_evidence, build_kit
from certify.filing.order import build_filing
from certify.model.submission import Filing, Order, Status
from certify_recount.census import census
from certify_recount.hands import Deck, Value
from certify_recount.kit import run
from tests.marks import further

from .conftest import GAME, ROOT, Pieces, find_file

Change = Callable[[dict[str, Any]], None]
PROGRAMS = sorted(
    path for folder in ("templates/kit", "certify_recount") for path in (ROOT / folder).glob("*.py")
)


def reproduce(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run the reproducer as a laboratory does: no site packages, no environment, elsewhere.

    Without ``flags`` it leaves out the deals of the main wager, which take minutes.
    """
    return subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "reproduce.py"), *(flags or ("--quick",))],
        cwd=folder.parent,
        env={},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@cache
def count_once(cards: int, deck: Deck, features: tuple[str, ...]) -> Counter[tuple[Value, ...]]:
    return census(cards, deck, features)


def rejudge(folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run the same program in this process, which counts the hands of a deck once for all kits."""

    def count(
        cards: int, deck: Deck, features: Sequence[str], _: object = None
    ) -> Counter[tuple[Value, ...]]:
        return count_once(cards, deck, tuple(features))

    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr("certify_recount.counting.census", count)
        patch.setattr("certify_recount.kit_files.census", count)
        code = run([str(folder), *(flags or ("--quick",))], folder.parent)
    return subprocess.CompletedProcess((), code, out.getvalue(), err.getvalue())


@pytest.fixture
def kit(made: WrittenSubmission, tmp_path: Path) -> Path:
    with zipfile.ZipFile(find_file(made, ".kit.zip")) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    return folder


def renew_sums(folder: Path) -> None:
    """Write SHA256SUMS again to hide a change from the digests."""
    lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
    digests = [
        (hashlib.sha256((folder / name).read_bytes()).hexdigest(), name) for _, name in lines
    ]
    (folder / "SHA256SUMS").write_text("".join(f"{one}  {name}\n" for one, name in digests))


def edit(folder: Path, name: str, change: Change) -> None:
    value = json.loads((folder / name).read_bytes())
    change(value)
    (folder / name).write_text(json.dumps(value))


def test_the_reproducer_agrees_with_a_fresh_submission(kit: Path) -> None:
    ended = reproduce(kit)
    assert ended.stderr == ""
    lines = ended.stdout.splitlines()
    assert lines[-1].startswith("All ")
    assert lines[-1].endswith(" comparisons agree.")
    assert "agrees   census/6-cards.csv: 117 cells, 22957480 hands of 6 cards" in lines
    assert list_differences(ended.stdout) == []
    assert ended.returncode == 0


def test_the_files_that_the_report_embeds_are_judged_by_the_program_of_the_release(
    made: WrittenSubmission, tmp_path: Path
) -> None:
    with pikepdf.open(find_file(made, ".mathematics.pdf")) as report:
        for name, attached in report.attachments.items():
            (tmp_path / name).write_bytes(attached.get_file().read_bytes())
    command = [sys.executable, "-S", "-m", "certify_recount", str(tmp_path), "--quick"]
    ended = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    assert ended.stdout.splitlines()[-1].endswith(" comparisons agree.")
    assert ended.returncode == 0
    path = tmp_path / "paytables--mini-pai-gow--bonus--community.json"
    path.write_bytes(path.read_bytes() + b" ")
    ended = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    name = "paytables/mini-pai-gow/bonus/community.json"
    assert f"{name} is not the file that evidence.json lists" in ended.stdout
    assert ended.returncode == 1


def list_differences(printed: str) -> list[str]:
    """Return the lines about comparisons that do not agree."""
    lines, _, _ = printed.partition("\n\n")
    return [
        line for line in lines.splitlines() if not line.startswith("agrees") and "\t" not in line
    ]


def ways_of_checking(printed: str) -> dict[str, set[str]]:
    """Return the checks of each target's figures as filed, as ``--coverage`` lists them."""
    ways: dict[str, set[str]] = {}
    for line in printed.splitlines():
        if line.count("\t") == 2:
            target, path, how = line.split("\t")
            if not path.startswith("alternatives/"):
                ways.setdefault(target, set()).add(how)
    return ways


NUMBER = re.compile(r"-?\$?[\d,]+([./]\d+)?%?")


def numbers(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers(part, f"{path}/{key}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            named = part.get("event") or part.get("level") if isinstance(part, dict) else None
            yield from numbers(part, f"{path}/{place + 1}" + (f" {named}" if named else ""))
    elif NUMBER.fullmatch(str(value)):
        yield path[1:]


def assert_every_figure_is_named(kit: Path, printed: str, how: frozenset[str]) -> None:
    """Check that ``--coverage`` names each number of each result, and how it was checked."""
    evidence = json.loads((kit / "evidence.json").read_bytes())
    listed = [line.split("\t") for line in printed.splitlines() if line.count("\t") == 2]
    assert {one for *_, one in listed} <= how
    paths: dict[str, set[str]] = {}
    for target, path, _ in listed:
        paths.setdefault(target, set()).add(path)
    words = {"rounding", "inputs", "engine", "assumptions", "paytable", "game", "target"}
    for result in evidence["results"]:
        figures = {key: part for key, part in result.items() if key not in words}
        assert paths[result["target"]] == set(numbers(figures))


def test_the_coverage_names_every_figure(kit: Path, pieces: Pieces) -> None:
    ended = rejudge(kit, "--quick", "--coverage")
    how = {
        "counted", "derived", "left out by --quick",
        "it is derived by certify, and not here",
        "what a source prints, in addition to the figures above",
    }  # fmt: skip
    assert_every_figure_is_named(kit, ended.stdout, frozenset(how))
    evidence = json.loads((kit / "evidence.json").read_bytes())
    (played,) = (result for result in evidence["results"] if "outcomes" in result)
    assert is_covered(pieces.filing.catalog, played["target"])


def test_an_unknown_flag_is_refused(kit: Path) -> None:
    ended = reproduce(kit, "--fast")
    assert ended.returncode == 2
    assert ended.stderr == "usage: reproduce.py [--quick] [--readings] [--coverage] [FOLDER]\n"


def one_hand_more(evidence: dict[str, Any]) -> None:
    # Four of a kind in six cards: 13 C(49,2) natural, C(4,3) C(48,2) of three aces and the joker,
    # less the 48 that hold five aces: 15288 + 4512 - 48 = 19752.
    bonus = evidence["results"][1]
    bonus["rows"][3]["combinations"] += 1


def better_edge(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["house_edge_percent"] = "0.0001"


def other_prize(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["envy"]["per_other_player"] = "1/100"


def test_figures_of_pages_that_lie_are_named(kit: Path) -> None:
    """Every decimal of the parts that the pages print is 0.0001, and a verdict is added."""
    forged = 0

    def lie(part: Any) -> None:  # noqa: ANN401 - any JSON value
        nonlocal forged
        for key, value in [*(part.items() if isinstance(part, dict) else enumerate(part))]:
            if isinstance(value, dict | list):
                lie(value)
            elif isinstance(value, str) and re.fullmatch(r"-?\d+\.\d+", value):
                part[key] = "0.0001"
                forged += 1

    def change(evidence: dict[str, Any]) -> None:
        for part in ("judgements", "printed", "verification"):
            lie(evidence[part])
        evidence["laboratory_result"] = "certified by a laboratory"

    edit(kit, "evidence.json", change)
    renew_sums(kit)
    ended = rejudge(kit)
    assert ended.returncode == 1
    assert forged > 350
    assert "house_edge_percent: stated 0.0001, counted 2.7006" in ended.stdout
    assert "laboratory_result: certify writes no such part" in ended.stdout
    found = re.findall(r"stated 0\.0001, (?:counted|rounded)", ended.stdout)
    assert len(found) >= forged


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("judgements/hands/flush", "judgements/hands/flush: stated 1/7, derived 314944"),
        ("printed/mathematics/method/cards", "method/cards: stated 1/7, derived 6"),
        ("printed/mathematics/par_tables/0/net", "par_tables/1/net: stated 1/7, derived "),
        ("printed/mathematics/main_wager/options/0/net", "options/1/net: stated 1/7, derived "),
        ("printed/mathematics/main_wager/plays/1/win", "plays/2/win: stated 1/7, derived "),
        ("printed/mathematics/volatility/0/mean", "no result has it"),
        ("printed/mathematics/volatility/0/bands/0/square", "square: stated 1/7, derived "),
        ("printed/mathematics/exposure/losses/0/all_players", "all_players: stated 1/7, derived "),
        ("verification/second_counts/0/agreeing", "agreeing: stated 1/7, derived 9"),
    ],
)
def test_a_changed_figure_of_a_page_is_named(kit: Path, place: str, line: str) -> None:
    def change(evidence: dict[str, Any]) -> None:
        *parents, last = [int(part) if part.isdigit() else part for part in place.split("/")]
        inner: Any = evidence
        for part in parents:
            inner = inner[part]
        inner[last] = "1/7"

    edit(kit, "evidence.json", change)
    renew_sums(kit)
    ended = rejudge(kit)
    assert (ended.returncode, line in ended.stdout) == (1, True), ended.stdout


def test_the_coverage_names_every_figure_of_every_part(kit: Path) -> None:
    """Nothing is left out silently: what is neither counted nor derived is listed as such."""
    listed = {
        path
        for line in rejudge(kit, "--quick", "--coverage").stdout.splitlines()
        if line.count("\t") == 2
        for _, path, _ in [line.split("\t")]
    }
    evidence = json.loads((kit / "evidence.json").read_bytes())
    played = {"comparison", "other_options", "other_house_ways"}
    parts: dict[str, Any] = {key: evidence[key] for key in ("printed", "verification")}
    parts["judgements"] = {
        key: part for key, part in evidence["judgements"].items() if key not in played
    }
    assert set(numbers(parts)) <= listed
    assert len(evidence["judgements"]["comparison"]) == 2


def base_return(evidence: dict[str, Any]) -> None:
    evidence["results"][0]["house_edge"] = "0/1"


def better_reading(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["alternatives"][0]["figures"][0]["otherwise"] = "1/100"


def no_reading(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["alternatives"].pop(0)


def further_figure(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["rows"][0]["bonus_return"] = "1/2"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (one_hand_more, "rows/4 four_of_a_kind/combinations: stated 19753, counted 19752"),
        *further(
            [
                (better_edge, "house_edge_percent: stated 0.0001, counted "),
                (other_prize, "envy/per_other_player: stated 1/100, counted "),
                (better_reading, "alternatives/1/figures/1/otherwise: stated 1/100, counted "),
                (no_reading, "moves house_edge, house_edge_full_table: not stated"),
                (base_return, "house_edge: stated 0/1, counted "),
                (further_figure, "rows/1 five_aces/bonus_return: stated 1/2, counted nothing"),
            ]
        ),
    ],
)
def test_a_changed_figure_is_named(kit: Path, change: Change, line: str) -> None:
    edit(kit, "evidence.json", change)
    renew_sums(kit)
    ended = rejudge(kit)
    assert ended.returncode == 1
    assert line in ended.stdout
    assert "DIFFER" in ended.stdout.splitlines()[-1]


def test_a_changed_pay_is_named_although_all_digests_are_made_to_fit(kit: Path) -> None:
    name = "paytables/mini-pai-gow/bonus/community.json"

    def pay_more(table: dict[str, Any]) -> None:
        table["rows"][0]["pays"] = "2000 to 1"

    edit(kit, name, pay_more)

    def new_digest(evidence: dict[str, Any]) -> None:
        digest = hashlib.sha256((kit / name).read_bytes()).hexdigest()
        evidence["sources"][name.replace("/", "--")] = digest

    edit(kit, "evidence.json", new_digest)
    renew_sums(kit)
    ended = rejudge(kit)
    assert ended.returncode == 1
    assert "rows/1 five_aces/pays: stated 1000 to 1, counted 2000 to 1" in ended.stdout


def test_a_changed_cell_of_the_census_is_named(kit: Path) -> None:
    path = kit / "census" / "6-cards.csv"
    header, first, *rest = path.read_text().splitlines()
    fields = first.split(",")
    changed = ",".join([*fields[:-1], str(int(fields[-1]) + 1)])
    path.write_text("\n".join([header, changed, *rest]) + "\n")
    renew_sums(kit)
    ended = reproduce(kit)
    assert ended.returncode == 1
    assert "DIFFERS  census/6-cards.csv" in ended.stdout


def test_a_changed_file_is_named_by_its_digest(kit: Path) -> None:
    (kit / "README.txt").write_text("Everything is fine.\n")
    ended = rejudge(kit)
    assert ended.returncode == 1
    assert "README.txt is not the file that SHA256SUMS lists" in ended.stdout


def test_a_kit_that_cannot_be_read_ends_with_2(kit: Path) -> None:
    (kit / "evidence.json").write_text("{")
    assert reproduce(kit).returncode == 2


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_the_reproducer_imports_the_standard_library_only(program: Path) -> None:
    tree = ast.parse(program.read_text())
    names = {
        name.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    assert names <= {*sys.stdlib_module_names, "certify_recount"}


def test_the_kit_uses_none_of_the_code_that_computed_the_figures(kit: Path) -> None:
    """Its programs import nothing of certify (see above); the engine imports no such program."""
    held = {path.name: path.read_bytes() for path in kit.rglob("*.py")}
    assert held == {path.name: path.read_bytes() for path in PROGRAMS}
    engine = [
        path for part in ("engine", "kernels") for path in (ROOT / "certify" / part).rglob("*.py")
    ]
    assert len(engine) > len(PROGRAMS)
    loads = re.compile(r"^\s*(from|import)\b.*\bcertify_recount\b", re.MULTILINE)
    assert [path for path in engine if loads.search(path.read_text(encoding="utf-8"))] == []


def test_the_zip_is_the_same_every_time(pieces: Pieces, made: WrittenSubmission) -> None:
    again = build_kit(pieces.submission, pieces.evidence)
    assert again == find_file(made, ".kit.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(again)) as archive:
        entries = archive.infolist()
    revised = pieces.filing.game.revised
    assert {dt.datetime(*entry.date_time, tzinfo=dt.UTC).date() for entry in entries} == {revised}
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)


def test_sha256sum_reads_the_digests(kit: Path) -> None:
    program = shutil.which("sha256sum")
    if program is None:
        pytest.skip("sha256sum is not on the PATH")
    subprocess.run([program, "-c", "--quiet", "SHA256SUMS"], cwd=kit, check=True)


def unzip_kit(filing: Filing, folder: Path) -> Path:
    """Write the kit of a counted filing; return its folder."""
    data = build_kit(filing, build_evidence(filing, Status.UNSIGNED))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    return folder / f"{filing.report_id}.kit"


GAMES = [
    pytest.param(path.parent.name, marks=() if path.parent.name == GAME else pytest.mark.slow)
    for path in sorted(ROOT.glob("paytables/*/game.json"))
]


@pytest.mark.parametrize("game", GAMES)
def test_the_reproducer_agrees_for_every_paytable_of_every_game(game: str, tmp_path: Path) -> None:
    """And it counts of each what the mathematics report says that it counts."""
    order = Order(game=game, jurisdiction="nevada")
    filing = build_filing(order)
    records = tuple(
        (wager, paytable) for wager in filing.game.wagers for paytable in wager.paytables
    )
    selection = Selection(catalog=filing.catalog, game=filing.game, records=records)
    own = {analysis.target: analysis for analysis in evaluate(selection, Settings())}
    filing = replace(filing, analyses=with_alternatives(selection, Settings(), own))
    folder = unzip_kit(filing, tmp_path)
    ended = reproduce(folder, "--quick", "--coverage")
    assert list_differences(ended.stdout) == []
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("agrees   " + game) == len(records)
    ways = ways_of_checking(ended.stdout)
    for _, paytable in records:
        assert ways[paytable.target] == {"counted"}
        assert is_covered(filing.catalog, paytable.target)


def test_the_reproducer_counts_prizes_for_the_players_of_the_terms(tmp_path: Path) -> None:
    terms = tmp_path / "terms.json"
    terms.write_text('{"players": 4}')
    order = Order(game="dealer-open-pai-gow", jurisdiction="nevada", paytables=("3",), terms=terms)
    filing = build_filing(order)
    records = tuple(
        (wager, paytable) for wager in filing.wagers for paytable in filing.tables(wager)
    )
    selection = Selection(catalog=filing.catalog, game=filing.game, records=records)
    settings = Settings(terms=filing.terms)
    own = {analysis.target: analysis for analysis in evaluate(selection, settings)}
    filing = replace(filing, analyses=with_alternatives(selection, settings, own))
    ended = reproduce(unzip_kit(filing, tmp_path), "--quick")
    assert list_differences(ended.stdout) == []
    assert ended.returncode == 0, ended.stderr
    assert len(records) == 1


LIMITS = {
    "largest_wagers": {"emperors-treasure": 20000, "pai-gow-insurance": 10000},
    "aggregate_limits": [
        {"cents": 1000000, "wagers": ["emperors-treasure"]},
        {
            "cents": 2000000,
            "wagers": ["emperors-treasure", "pai-gow-insurance"],
            "scope": "table",
        },
        {"cents": 10000, "wagers": ["emperors-treasure-dynamic-progressive"]},
        {"cents": 150000, "wagers": ["emperors-treasure-progressive"], "scope": "table"},
        {"cents": 50000, "wagers": ["emperors-treasure-multi-level-progressive"]},
        {"cents": 800000, "wagers": ["ace-high-pai-gow-insurance"]},
        {"cents": 40000, "wagers": ["main"]},
    ],
}
LIMITED = (
    "PT-FLT-EC-ET-01",
    "PT-FLT-EC-PGI-01",
    "PT-PRG-EC-ET-D01",
    "PT-BJS-EC-ET-01",
    "PT-PRG-MLP-ET-01",
    "PT-FLT-AHPG-01",
)


@pytest.mark.slow
def test_the_reproducer_counts_payout_limits_again(tmp_path: Path) -> None:
    """Limits of a player's own, of a table and of two wagers; then one edge is changed."""
    terms = tmp_path / "terms.json"
    terms.write_text(json.dumps(LIMITS))
    order = Order(
        game="emperors-challenge-exposed",
        jurisdiction="nevada",
        paytables=LIMITED,
        terms=terms,
    )
    filing = build_filing(order)
    records = tuple(
        (wager, paytable)
        for wager in filing.game.wagers
        for paytable in wager.paytables
        if paytable in filing.paytables
    )
    selection = Selection(catalog=filing.catalog, game=filing.game, records=records)
    settings = Settings(terms=filing.terms)
    own = {analysis.target: analysis for analysis in evaluate(selection, settings)}
    filing = replace(filing, analyses=with_alternatives(selection, settings, own))
    found = filing.analyses.values()
    amounts = [item.limit.amounts for item in found if item.limit is not None]
    assert len([amount for amount in amounts if amount]) == len(LIMITED) - 1
    folder = unzip_kit(filing, tmp_path)
    ended = reproduce(folder)
    assert list_differences(ended.stdout) == []
    assert ended.returncode == 0, ended.stderr

    def lower(evidence: dict[str, Any]) -> None:
        limited = next(
            result for result in evidence["results"] if result["paytable"] == "PT-BJS-EC-ET-01"
        )
        limited["limit"]["amounts"][0]["least_fixed_return"] = "1/2"

    edit(folder, "evidence.json", lower)
    renew_sums(folder)
    assert "limit/amounts/1/least_fixed_return: stated 1/2" in reproduce(folder).stdout
