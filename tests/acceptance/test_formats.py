import json
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from math import comb, gcd
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from msgspec.structs import replace

from certify.cli import formats
from certify.cli.formats import RENDERERS, SHOWN
from certify.figures.second_counts import recount_paytables
from certify.model.comparison import CrossCheck
from certify.model.finding import Finding, Severity
from certify.review.report import LeftOut, Report, ReportFormat, build_report
from tests.acceptance.command_line import ROOT, Certify
from tests.marks import further

SCHEMA = json.loads((ROOT / "fixtures/sarif/sarif-2.1.0-rtm.5.json").read_bytes())
TABLE = "paytables/mini-pai-gow/bonus/A.json"
PAY = '"pays": "1000 to 1"'


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Return a paytable with one pay that is a number, on the line and column that it names."""
    text = (ROOT / TABLE).read_text(encoding="utf-8")
    path = tmp_path / "bad: one, with %.json"
    path.write_text(text.replace(PAY, '"pays": 1000.5', 1), encoding="utf-8")
    return path


def place(path: Path) -> tuple[int, int]:
    before = path.read_text(encoding="utf-8").partition("1000.5")[0]
    return before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1


def assert_fits_sarif(value: Any) -> None:  # noqa: ANN401 - a JSON value
    assert [iter_error.message for iter_error in Draft4Validator(SCHEMA).iter_errors(value)] == []


def parse_xml(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - what we printed ourselves


def annotations(text: str) -> list[tuple[str, dict[str, str], str]]:
    def plain(escaped: str) -> str:
        for code, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r")):
            escaped = escaped.replace(code, character)
        return escaped.replace("%25", "%")

    found = []
    for kind, properties, said in re.findall(r"^::(\w+) ([^:]*)::(.*)$", text, flags=re.MULTILINE):
        pairs = (part.split("=", 1) for part in properties.split(","))
        found.append((kind, {name: plain(value) for name, value in pairs}, plain(said)))
    return found


def test_bad_file_is_stopped_at_its_line_and_column_in_every_format(
    bad: Path, certify: Certify
) -> None:
    line, column = place(bad)
    ran = {
        output_format: certify("check", bad, "--format", output_format)
        for output_format in ReportFormat
    }
    assert {item.code for item in ran.values()} == {1}
    assert f"{bad}:{line}:{column}: error J004" in ran[ReportFormat.TEXT].out
    (finding,) = ran[ReportFormat.JSON].json["findings"]
    assert (finding["line"], finding["column"]) == (line, column)

    sarif = ran[ReportFormat.SARIF].json
    assert_fits_sarif(sarif)
    (result,) = sarif["runs"][0]["results"]
    where = result["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == bad.as_uri()
    assert where["region"] | {"snippet": ""} == {
        "startLine": line, "startColumn": column, "endColumn": column + 6, "snippet": "",
    }  # fmt: skip
    rule = sarif["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (result["ruleId"], rule["id"], result["level"]) == ("J004", "J004", "error")

    suite = parse_xml(ran[ReportFormat.JUNIT].out).find("testsuite")
    assert suite is not None
    case, failure = suite.find("testcase"), suite.find("testcase/failure")
    assert case is not None
    assert failure is not None
    assert (suite.get("failures"), case.get("line")) == ("1", str(line))
    assert (failure.text or "").startswith(f"{bad}:{line}:{column}: error J004")

    ((kind, properties, said),) = annotations(ran[ReportFormat.GITHUB].out)
    assert kind == "error"
    assert properties == {
        "file": str(bad), "line": str(line), "col": str(column), "endColumn": str(column + 6),
        "title": "certify J004",
    }  # fmt: skip
    assert said == f"{finding['message']}\n{finding['remedy']}"
    assert ran[ReportFormat.GITHUB].out.endswith("1 file checked: 1 error, 0 warnings, 0 notes.\n")

    (issue,) = ran[ReportFormat.GITLAB].json
    assert issue["location"]["path"] == str(bad)
    assert issue["location"]["positions"]["begin"] == {"line": line, "column": column}
    assert (issue["check_name"], issue["severity"]) == ("J004", "critical")
    assert re.fullmatch(r"[0-9a-f]{64}", issue["fingerprint"])


CLEAN: set[tuple[str, str]] = set()
CHANGED = {("C002", "note"), ("C003", "warning")}
COMMANDS = {
    ("check", TABLE): (TABLE, CLEAN),
    ("crosscheck", "mini-pai-gow/bonus/A"): (TABLE, CLEAN),
    ("audit", "commission-free-pai-gow-express"): (
        "paytables/commission-free-pai-gow-express/published.json",
        {("F001", "note")},
    ),
    ("diff", "mini-pai-gow/bonus/A", "mini-pai-gow/bonus/B"): (
        "paytables/mini-pai-gow/bonus/B.json",
        CHANGED,
    ),
    ("diff", "house-ways/foxwoods", "house-ways/trump-plaza"): (
        "paytables/house-ways/trump-plaza.json",
        CHANGED,
    ),
}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_findings_from_each_command_in_each_format(
    command: tuple[str, ...], certify: Certify
) -> None:
    file, found = COMMANDS[command]
    sarif = certify(*command, "--format", "sarif")
    assert sarif.code == 0
    assert_fits_sarif(sarif.json)
    run = sarif.json["runs"][0]
    assert [artifact["location"]["uri"] for artifact in run["artifacts"]] == [file]
    assert {(result["ruleId"], result["level"]) for result in run["results"]} == found
    issues = certify(*command, "--format", "gitlab").json
    prints = [result["partialFingerprints"]["certify/v2"] for result in run["results"]]
    assert [issue["fingerprint"] for issue in issues] == prints
    assert len(set(prints)) == len(prints)
    junit = parse_xml(certify(*command, "--format", "junit").out)
    cases = junit.findall("testsuite/testcase")
    assert len(cases) == max(len(prints), 1)
    assert junit.get("failures") == str(
        sum(result["level"] == "error" for result in run["results"])
    )
    github = certify(*command, "--format", "github").out
    assert re.search(r"^1 file checked: ", github, flags=re.MULTILINE)
    assert len(annotations(github)) == sum(
        min(sum(result["level"] == level for result in run["results"]), SHOWN)
        for level in ("error", "warning", "note")
    )


def test_a_second_derivation_that_differs_is_found_at_its_row(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(*arguments: Any, **named: Any) -> list[CrossCheck]:  # noqa: ANN401 - passed on
        (check,) = recount_paytables(*arguments, **named)
        first, *others = check.comparisons
        return [replace(check, comparisons=(replace(first, agrees=False), *others))]

    monkeypatch.setattr("certify.figures.crosscheck.recount_paytables", other)
    ran = certify("crosscheck", "mini-pai-gow/bonus/A", "--format", "json")
    assert (ran.code, ran.json["results"][0]["agrees"]) == (1, False)
    ran = certify("crosscheck", "mini-pai-gow/bonus/A", "--format", "github")
    ((kind, properties, said),) = annotations(ran.out)
    text = (ROOT / TABLE).read_text(encoding="utf-8").partition('{"event": "five_aces"')[0]
    assert (ran.code, kind, properties["file"]) == (1, "error", TABLE)
    assert properties["line"] == str(text.count("\n") + 1)
    assert said.startswith("mini-pai-gow/bonus/A, five_aces: ")


def test_the_reason_for_a_stop_is_printed_in_every_format(certify: Certify) -> None:
    said = "There is no file nowhere.json, so nothing was checked."
    sarif = certify("check", "nowhere.json", "--format", "sarif")
    assert_fits_sarif(sarif.json)
    (invocation,) = sarif.json["runs"][0]["invocations"]
    assert (sarif.code, invocation["exitCode"], invocation["executionSuccessful"]) == (3, 3, False)
    assert said in invocation["toolExecutionNotifications"][0]["message"]["text"]
    junit = certify("check", "nowhere.json", "--format=junit")
    error = parse_xml(junit.out).find("testsuite/testcase/error")
    assert error is not None
    assert error.get("message") == said
    github = certify("check", "nowhere.json", "--format", "github")
    assert github.out.startswith(f"::error title=certify::{said}%0A")
    (issue,) = certify("check", "nowhere.json", "--format", "gitlab").json
    assert (issue["description"], issue["severity"]) == (f"certify stopped: {said}", "blocker")


def test_sarif_holds_as_many_results_as_github_accepts_the_worst_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert formats.MOST_RESULTS == 25_000
    monkeypatch.setattr(formats, "MOST_RESULTS", 20)
    note = Finding(
        code="D005",
        severity=Severity.NOTE,
        file=TABLE,
        pointer="/id",
        row="/id",
        line=1,
        column=1,
        length=1,
        excerpt="",
        message="It is a copy.",
        remedy="Remove it.",
    )
    notes = [replace(note, line=line) for line in range(1, 22)]
    error = replace(note, code="P001", severity=Severity.ERROR)
    (run,) = json.loads(RENDERERS[ReportFormat.SARIF](build_report([*notes, error], (TABLE,))))[
        "runs"
    ]
    assert (len(run["results"]), run["results"][0]["ruleId"]) == (20, "P001")
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"].startswith("2 more findings are not listed")


def test_format_is_set_by_a_variable_unless_an_option_is_given(
    certify: Certify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CERTIFY_FORMAT", "gitlab")
    assert certify("check", TABLE).json == []
    assert certify("check", TABLE, "--format", "json").json == {"findings": [], "checked": 1}
    assert [each["check_name"] for each in certify("check", "nowhere.json").json] == ["certify"]
    assert certify("evaluate", "nowhere.json").out == ""
    monkeypatch.setenv("CERTIFY_FORMAT", "xml")
    ran = certify("check", TABLE)
    assert (ran.code, ran.out) == (2, "")
    assert "xml" in ran.err


def finding(number: int, severity: Severity, message: str = "It is wrong.") -> Finding:
    return Finding(
        code="P004",
        severity=severity,
        file=f"paytables/{number}.json",
        message=message,
        remedy="Mend it.",
    )


def test_github_shows_the_worst_and_always_the_totals() -> None:
    many = [finding(item, Severity.NOTE) for item in range(SHOWN + 5)]
    many += [finding(item, Severity.ERROR) for item in range(SHOWN + 2)]
    text = RENDERERS[ReportFormat.GITHUB](build_report(many, ("a", "b")))
    kinds = [kind for kind, _, _ in annotations(text)]
    assert kinds == ["error"] * SHOWN + ["notice"] * SHOWN
    # The log has the others as text.
    assert len(re.findall(r"^paytables/\d+\.json:1:1: (?:error|note) ", text, re.MULTILINE)) == 7
    assert text.splitlines()[-1] == (
        "2 files checked: 12 errors, 0 warnings, 15 notes. "
        "7 are not annotated: GitHub shows 10 of each kind."
    )


def test_one_run_writes_several_reports(certify: Certify, bad: Path, tmp_path: Path) -> None:
    outputs = {kind: tmp_path / f"report.{kind}" for kind in ReportFormat}
    named = [word for kind, path in outputs.items() for word in ("--output", f"{kind}={path}")]
    assert certify("check", bad, *named).code == 1
    for kind, path in outputs.items():
        assert path.read_text(encoding="utf-8") == certify("check", bad, "--format", kind).out
    # A run that stops leaves no report that could pass for its own.
    assert certify("check", "nowhere.json", *named).code == 3
    del outputs[ReportFormat.GITLAB]  # has no place for it
    for path in outputs.values():
        text = path.read_text(encoding="utf-8")
        assert "There is no file nowhere.json, so nothing was checked." in text


def test_findings_are_printed_though_a_report_cannot_be_written(
    certify: Certify, bad: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    ran = certify("check", bad, "--output", f"json={file / 'report.json'}")
    assert ran.code == 2
    assert "1 file checked: " in ran.out
    assert "A report of --output could not be written: " in ran.err


@pytest.mark.parametrize("output", ["sarif", "sarif=", "pdf=a.pdf", "=a"])
def test_an_output_without_format_or_file_is_refused(certify: Certify, output: str) -> None:
    ran = certify("check", TABLE, "--output", output)
    assert ran.code == 2
    assert f"--output {output} is not FORMAT=FILE." in ran.err


def test_junit_holds_what_xml_cannot() -> None:
    text = "/a \x00 and a \x1b, <b> & “c”"
    report = build_report([replace(finding(1, Severity.ERROR, text), pointer=text)], ())
    root = parse_xml(RENDERERS[ReportFormat.JUNIT](report))
    case, failure = root.find("testsuite/testcase"), root.find("testsuite/testcase/failure")
    assert case is not None
    assert failure is not None
    assert case.get("name") == "P004 /a \ufffd and a \ufffd, <b> & “c”"
    assert failure.get("message") == r"/a \u0000 and a \u001b, <b> & “c”"


@pytest.mark.parametrize(
    "output",
    [output_format for output_format in ReportFormat if output_format is not ReportFormat.GITLAB],
)
def test_ignored_findings_are_reported(output: ReportFormat) -> None:
    left_out = LeftOut(why="by code", findings=(finding(1, Severity.NOTE),))
    report = Report(findings=(), checked=("a",), left_out=(left_out,))
    text = RENDERERS[output](report)
    assert (
        '"why": "by code"' if output is ReportFormat.JSON else "Ignored by code: P004: 1."
    ) in text


EVALUATED = json.loads((Path(__file__).parent / "evaluate.schema.json").read_bytes())
VALIDATOR = Draft202012Validator(EVALUATED)
PAYTABLES = ROOT / "paytables"
GAMES = sorted(path.parent.name for path in PAYTABLES.glob("*/game.json"))
BONUS_WAGERS = sorted(
    f"{path.parent.parent.name}/{path.parent.name}"
    for path in PAYTABLES.glob("*/*/wager.json")
    if path.parent.name != "main" and len(list(path.parent.glob("*.json"))) > 1
)
SMALL = "mini-pai-gow"
SEVEN_CARD_DEALS = comb(53, 7) * comb(46, 7)
SIX_CARD_DEALS = comb(53, 6) * comb(47, 6)


def results(printed: dict[str, Any]) -> list[dict[str, Any]]:
    if "results" not in printed:
        return [printed]
    assert len(printed["results"]) > 1
    return list(printed["results"])


def find_fractions(value: object) -> list[str]:
    """Return every text of the form n/d anywhere in a JSON value."""
    if isinstance(value, str):
        head, _, tail = value.partition("/")
        return [value] if head.lstrip("-").isdigit() and tail.isdigit() else []
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, list):
        inner = value
    return [fraction for part in inner for fraction in find_fractions(part)]


def round_like(value: Fraction, like: str) -> str:
    """Return a fraction with as many decimals as a printed text, rounded half up, by `decimal`."""
    places = len(like.partition(".")[2])
    with localcontext() as context:
        context.prec = 200
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        found = quotient.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
        return f"{found or abs(found):f}"


def judge(one: dict[str, Any]) -> None:
    """Hold one object against the contract."""
    assert [error.message for error in VALIDATOR.iter_errors(one)] == []
    assert sum(row["combinations"] for row in one["rows"]) == one["total_combinations"]
    for text in find_fractions({key: one[key] for key in one if key != "assumptions"}):
        above, below = map(int, text.split("/"))
        assert gcd(above, below) == 1, text
    for row in one["rows"]:
        chance = Fraction(row["combinations"], one["total_combinations"])
        assert Fraction(row["probability"]) == chance
        assert row["probability_decimal"] == round_like(chance, row["probability_decimal"])
        if "meter_weight" in row:
            assert "house_edge" not in one
            assert 0 < Fraction(row["meter_weight"]) <= chance
            continue
        assert row["return_decimal"] == round_like(Fraction(row["return"]), row["return_decimal"])
    if "house_edge" not in one:
        judge_meters(one)
        return
    edge = Fraction(one["house_edge"])
    assert Fraction(one["return_to_player"]) == 1 - edge
    assert sum(Fraction(row["return"]) for row in one["rows"]) == -edge
    assert one["house_edge_percent"] == round_like(100 * edge, one["house_edge_percent"])
    for name in ("house_edge", "return_to_player", "hit_frequency", "variance"):
        decimal = one[f"{name}_decimal"]
        assert decimal == round_like(Fraction(one[name]), decimal)


def judge_meters(one: dict[str, Any]) -> None:
    """A meter's rows make its weight, and at its break-even amount the return is one unit."""
    paid = one["progressive"]
    meters = paid["meters"]
    weights = [Fraction(meter["probability_weight"]) for meter in meters]
    assert sum(weights) == sum(Fraction(row.get("meter_weight", "0/1")) for row in one["rows"])
    for meter, weight in zip(meters, weights, strict=True):
        dollars = (1 - Fraction(paid["fixed_return"])) / weight * paid["base_wager_cents"] / 100
        assert meter["break_even_meter"] == round_like(dollars, meter["break_even_meter"])


@pytest.mark.parametrize("wager", BONUS_WAGERS)
def test_bonus_wager(wager: str, certify: Certify) -> None:
    ran = certify("evaluate", wager, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found = results(ran.json)
    declared = {
        f"{wager}/{path.stem}"
        for path in (PAYTABLES / wager).glob("*.json")
        if path.stem != "wager"
    }
    assert {item["target"] for item in found} == declared
    for item in found:
        judge(item)
        assert item["rows"][-1]["event"] == "all_other"
        assert f"paytables/{item['target']}.json" in {each["path"] for each in item["inputs"]}
        assert ("envy" in item) == ("envy" in declared_paytable(item["target"]))
        for row in (item.get("envy") or {}).get("house_edge_percent_by_players", {}).items():
            assert row[1] == envy_edge(item, int(row[0]), like=row[1])


def declared_paytable(target: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((PAYTABLES / f"{target}.json").read_bytes())
    return value


def envy_edge(one: dict[str, Any], players: int, *, like: str) -> str:
    """Return the edge in percent when every other player's hand may bring a prize."""
    share = Fraction(one["envy"]["per_other_player"])
    return round_like(100 * (Fraction(one["house_edge"]) - (players - 1) * share), like)


@pytest.mark.parametrize("game", [SMALL, *further(game for game in GAMES if game != SMALL)])
def test_main_wager(game: str, certify: Certify) -> None:
    ran = certify("evaluate", f"{game}/main", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    for result in results(ran.json):
        judge(result)
        deals = SIX_CARD_DEALS if game == "mini-pai-gow" else SEVEN_CARD_DEALS
        assert result["total_combinations"] == deals
        for outcome, count in result["outcomes"].items():
            rows = [row for row in result["rows"] if row["event"].split("_")[0] == outcome]
            assert sum(row["combinations"] for row in rows) == count
        assert sum(result["outcomes"].values()) == deals
        assert ("element_of_risk" in result) == (game == "mini-pai-gow")
        assert f"paytables/house-ways/{result['house_way']}.json" in {
            each["path"] for each in result["inputs"]
        }


def test_seven_card_deals_are_the_published_number() -> None:
    assert SEVEN_CARD_DEALS == 8250459031214400


def test_a_limit_changes_only_its_figures(certify: Certify) -> None:
    """Appendix C at $200 under $10,000: hands above 50 to 1 are paid 50 to 1.

    32 * 4,950 + 72 * 950 + 196 * 700 + 1,128 * 200 + 26,020 * 50 = 1,890,600 of 154,143,080.
    """
    target = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
    free = certify("evaluate", target, "--wager", "200", "--format", "json").json
    ran = certify("evaluate", target, "--wager", "200", "--limit", "10,000", "--format", "json")
    found = ran.json
    judge(found)
    limit = found.pop("limit")
    (spread,) = found.pop("volatility_with_limit")
    assert found == free
    (one,) = limit["amounts"]
    edge = Fraction(free["house_edge"]) + Fraction(1_890_600, 154_143_080)
    assert Fraction(one["house_edge"]) == edge
    assert one["house_edge_percent"] == "9.2273"
    assert limit["binds_above_wager_cents"] == "200/1"
    assert Fraction(spread["variance"]) < Fraction(free["variance"])


def test_a_limit_moves_the_break_even_of_a_meter_and_has_to_be_an_amount(
    certify: Certify,
) -> None:
    metered = "emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-01"
    found = certify("evaluate", metered, "--limit", "500", "--format", "json").json
    (one,) = found["limit"]["amounts"]
    assert "house_edge" not in one
    fixed = Fraction(found["progressive"]["fixed_return"])
    assert Fraction(one["fixed_return"]) == fixed - Fraction(1_128 * 500, 154_143_080)
    assert one["break_even_meters"]["1"] > found["progressive"]["break_even_meter"]
    ran = certify("evaluate", metered, "--limit", "nothing")
    assert (ran.code, "--limit: nothing is not an amount of dollars" in ran.err) == (2, True)
