import contextlib
import json
import shutil
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.framework import Context
from certify.checks.m_main_wagers import unfilable
from certify.checks.r_jurisdictions.judge import against_filing
from certify.checks.r_jurisdictions.terms import unfiled_in_rules
from certify.checks.review import review
from certify.engine.bonus import evaluate
from certify.figures.alternatives import find_invalid_alternatives
from certify.figures.evaluate import evaluate_each
from certify.figures.findings import differing, find_need, iter_findings
from certify.figures.play import audit_house_ways, refused_options
from certify.figures.provenance import missing_papers
from certify.filing.compare_records import Compared, compare_records
from certify.filing.order import build_filing
from certify.intake.files import read_terms
from certify.intake.read import read_catalog
from certify.intake.workspace import Workspace
from certify.model.analysis import Analysis, RowAnalysis
from certify.model.approval import FilingStanding, PaytableStanding
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement, Comparison, CrossCheck, Difference, FigureJudgement
from certify.model.explanation import Example
from certify.model.finding import Finding, Unfit
from certify.model.jurisdiction import TERMS, Terms
from certify.model.paytable import EarlierVersion
from certify.model.submission import Filing, Order
from certify.review.check import check
from certify.review.codes import CODES
from certify.review.request import check_artwork
from tests.register_status import build_consultation

FIXTURES = Path(__file__).parents[2] / "fixtures"
LIBRARY = FIXTURES / "valid" / "library"
SAMPLE = Order(game="sample-game", jurisdiction="sample-state")
CASES = sorted(path.parent for path in (FIXTURES / "invalid").glob("*/*/expected.json"))


def run_case(case: Path, folder: Path, *, valid: Path = LIBRARY) -> tuple[Finding, ...]:
    """Return the findings of a case: the valid library with the case's files laid over it."""
    library = lay_out(folder, case, valid=valid)
    if (case / "checked.json").is_file():
        found = _of_run(json.loads((case / "checked.json").read_bytes()), folder)
        return tuple(finding for finding in found if finding.code == case.parent.name)
    catalog, found = read_catalog(library)
    analyses = {
        target: _analysis(target, counts, catalog)
        for target, counts in _stated(case / "analyses.json", {}).items()
    }
    filing = _stated(case / "filing.json", None)
    if filing is not None:
        return _in_order((*found, *_of_filing(case, folder, filing, catalog)))
    if (case / "compared.json").is_file():
        compared = json.loads((case / "compared.json").read_bytes())
        return _in_order(tuple(_of_comparison(compared, catalog)))
    judgements = [_judgement(item, catalog) for item in _stated(case / "judgements.json", [])]
    terms = None
    if (case / "terms.json").is_file():
        opened = Workspace().open_file(Path(shutil.copy(case / "terms.json", folder)), catalog)
        catalog, terms = opened.catalog, opened.entry
        found += opened.findings
    found += review(
        Context(
            catalog,
            analyses,
            tuple(judgements),
            house_ways=audit_house_ways(catalog),
            terms=terms if isinstance(terms, Terms) else None,
            refusals=refused_options(catalog, catalog.documents),
            earlier_versions=_built_in(case / "built-in.json"),
        )
    )
    found += tuple(find_invalid_alternatives(catalog))
    found += tuple(missing_papers(catalog, library))
    if (case / "outside.json").is_file():
        outside = folder / "outside.json"
        shutil.copy(case / "outside.json", outside)
        found += Workspace().open_file(outside, catalog).findings
    return _in_order(found)


def _of_run(named: list[str], folder: Path) -> tuple[Finding, ...]:
    """Return the findings of a run over files and folders; it counts, unlike other cases."""
    (folder / "empty").mkdir(exist_ok=True)
    with contextlib.chdir(folder):
        checked = check(map(Path, named))
    return _in_order((*checked.findings, *checked.not_judged))


def _in_order(found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(
        sorted(
            found, key=lambda finding: (finding.file, finding.line, finding.column, finding.code)
        )
    )


def _of_filing(
    case: Path, folder: Path, stated: dict[str, Any], catalog: Catalog
) -> tuple[Finding, ...]:
    """Return the findings of the rules of a jurisdiction, or the differences of the artwork."""
    if "artwork" in stated:
        shutil.copy(case / "artwork.txt", folder)
        return check_artwork(folder / "artwork.txt", stated["artwork"])
    path = folder / "terms.json"
    path.write_text(json.dumps(stated.get("terms", {})), encoding="utf-8")
    terms, document = read_terms(path)
    catalog = replace(catalog, documents={**catalog.documents, TERMS: document})
    game = catalog.games[stated["game"]]
    jurisdiction = catalog.jurisdictions[stated["jurisdiction"]]
    as_of = date.fromisoformat(stated["as_of"])
    tables = [paytable for wager in game.wagers for paytable in wager.paytables]
    filed = tuple(
        table
        for table in tables
        if "paytables" not in stated or table.target in stated["paytables"]
    )
    analyses = {
        table.target: evaluate(table, events=catalog.events, hands=game.hands)
        for table in tables
        if table.target in stated.get("count", ())
    }
    filing = Filing(
        order=Order(game=game.id, jurisdiction=jurisdiction.id, as_of=as_of),
        declared=catalog,
        game=game,
        main=next(option for wager in game.wagers for option in wager.options),
        paytables=filed,
        analyses=analyses,
        jurisdiction=jurisdiction,
        terms=terms,
        examples=tuple(_example(*example) for example in stated["examples"])
        if "examples" in stated
        else None,
        register=build_consultation(
            *(
                PaytableStanding(target=target, standing=FilingStanding(word), record="wsgc-1")
                for target, word in stated.get("standings", ())
            ),
            names=stated.get("names", ()),
        )
        if {"standings", "names"} & stated.keys()
        else None,
    )
    context = Context(catalog, analyses, filing=filing)
    return (*unfilable(context), *unfiled_in_rules(context), *against_filing(context))


def _of_comparison(stated: dict[str, Any], catalog: Catalog) -> Iterator[Finding]:
    if "derivations" in stated:
        yield from differing(
            catalog, [_derivation(derivation) for derivation in stated["derivations"]]
        )
        return
    tables = {
        table.target: table
        for game in catalog.games.values()
        for wager in game.wagers
        for table in wager.paytables
    }
    before, after = (tables[stated[side]] for side in ("before", "after"))
    found = Difference(
        before=before.target,
        after=after.target,
        records=(compare_records(Compared(record=before), Compared(record=after)),),
        house_way=None,
        filings=(),
    )
    if stated["filings"]:
        day, states = date.fromisoformat(stated["as_of"]), catalog.jurisdictions.values()
        found = replace(found, filings=tuple(find_need(found, state, day) for state in states))
    named = {"C002": not stated["filings"], "C003": stated["filings"]}
    for finding in iter_findings(found, catalog.documents, catalog.documents):
        if named[finding.code]:
            yield finding


def _derivation(value: dict[str, Any]) -> CrossCheck:
    return CrossCheck(
        target=value["target"],
        method=value["method"],
        rounds=value["rounds"],
        comparisons=tuple(
            Comparison(
                event=comparison["event"],
                exact=Fraction(comparison["exact"]),
                other=Fraction(comparison["other"]),
                agrees=comparison["exact"] == comparison["other"],
            )
            for comparison in value["comparisons"]
        ),
    )


def _example(target: str, kind: str) -> Example:
    return Example(target=target, kind=kind, player=None, dealer=None, event="")


def write_finding(finding: Finding) -> dict[str, Any]:
    """Return a finding as ``expected.json`` writes it."""
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "file": finding.file,
        "pointer": finding.pointer,
        "line": finding.line,
        "column": finding.column,
        "length": finding.length,
        "message": finding.message,
        "remedy": finding.remedy,
    }


def _stated(path: Path, nothing: Any) -> Any:  # noqa: ANN401 - JSON values
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else nothing


def _built_in(path: Path) -> dict[str, list[EarlierVersion]]:
    if not path.is_file():
        return {}
    value = json.loads(path.read_bytes())
    target = "/".join(value[part] for part in ("game", "wager", "id") if part in value)
    return {target: [EarlierVersion(f"the built-in paytable {value['id']}", value)]}


def _analysis(target: str, counts: dict[str, int] | None, catalog: Catalog) -> Analysis:
    game, wager, paytable = target.split("/")
    if counts is None:
        return evaluate_each(catalog)[0][target]
    total = sum(counts.values())
    return Analysis(
        target=target,
        game=game,
        wager=wager,
        paytable=paytable,
        total=total,
        rows=tuple(
            RowAnalysis(
                event=event,
                name=catalog.events[event].text,
                pays="",
                combinations=count,
                probability=Fraction(count, total),
                contribution=Fraction(0),
            )
            for event, count in counts.items()
        ),
        hit_frequency=Fraction(1),
        assumptions=(),
        inputs=(),
        engine_version="none",
    )


def _judgement(value: dict[str, str], catalog: Catalog) -> FigureJudgement:
    figures = {item.id: item for item in catalog.published[value["game"]]}
    return FigureJudgement(
        figure=figures[value["figure"]],
        agreement=Agreement(value["agreement"]),
        recomputed=Fraction(value["recomputed"]),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_findings_of_a_bad_file_to_the_character(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    found = [write_finding(item) for item in run_case(case, tmp_path)]
    assert found == expected, f"If {case} is right now: make new-finding CODE={case.parent.name}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_bad_file_raises_only_its_code(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    also = {"J004"} if case.parent.name == "J013" else set()  # a hundred faults of one kind
    # A case about another game than documents describe has the warning of such games, too.
    codes = {
        item["code"] for item in expected if (item["code"], item["severity"]) != ("M009", "warning")
    }
    assert (codes or {"M009"}) == {case.parent.name} | also


LAID = [
    case for case in CASES if {path.name for path in case.iterdir()} == {"library", "expected.json"}
]
"""Cases that need nothing but files in their places, as a user has them."""


def lay_out(folder: Path, case: Path | None = None, *, valid: Path = LIBRARY) -> Path:
    laid = Path(shutil.copytree(valid, folder / "library"))
    if case is not None and (case / "library").is_dir():
        shutil.copytree(case / "library", laid, dirs_exist_ok=True, symlinks=True)
    return laid


@pytest.mark.parametrize("case", LAID, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_check_finds_the_same_in_a_folder_as_a_user_has_it(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, case)
    found = [write_finding(finding) for finding in check([Path("library")]).findings]
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    assert [finding for finding in expected if finding not in found] == []


COUNTED = ("D017", "D021", "H004", "H005", "H006", "H007", "H008", "H009")
"""Errors that only a count or an audit of the hands finds; it refuses the submission later."""

ELSEWHERE = ("library/one-hand/", "library/jurisdictions/codified-state.json")
"""Files that no submission of the sample game in the sample state rests on."""


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in LAID
        if case.parent.name not in COUNTED
        and any(
            finding["severity"] == "error" and not finding["file"].startswith(ELSEWHERE)
            for finding in json.loads((case / "expected.json").read_text(encoding="utf-8"))
        )
    ],
    ids=lambda case: f"{case.parent.name}-{case.name}",
)
def test_no_submission_is_made_of_a_bad_file(case: Path, tmp_path: Path) -> None:
    with pytest.raises(Unfit) as refused:
        build_filing(SAMPLE, lay_out(tmp_path, case))
    assert case.parent.name in {finding.code for finding in refused.value.findings}


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in CASES
        if (case / "terms.json").is_file() and '"error"' in (case / "expected.json").read_text()
    ],
    ids=lambda case: f"{case.parent.name}-{case.name}",
)
def test_no_submission_is_made_by_bad_terms(case: Path, tmp_path: Path) -> None:
    library = lay_out(tmp_path, case)
    with pytest.raises(Unfit) as refused:
        build_filing(replace(SAMPLE, terms=case / "terms.json"), library)
    # Terms of a game or a jurisdiction that is not declared are not those that are filed.
    code = "R022" if case.name in ("game", "jurisdiction") else case.parent.name
    assert code in {finding.code for finding in refused.value.findings}


def test_a_submission_is_made_of_the_valid_library(tmp_path: Path) -> None:
    assert build_filing(SAMPLE, lay_out(tmp_path)).jurisdiction.id == SAMPLE.jurisdiction


def test_every_code_has_a_bad_file() -> None:
    assert {case.parent.name for case in CASES} == {code.id for code in CODES}


def test_every_case_has_its_expectation() -> None:
    folders = {path for path in (FIXTURES / "invalid").glob("*/*") if path.is_dir()}
    assert folders == set(CASES)


def test_severity_of_a_code_is_the_worst_of_its_cases() -> None:
    order = ("error", "warning", "note")
    worst: dict[str, str] = {}
    for case in CASES:
        for load in json.loads((case / "expected.json").read_text(encoding="utf-8")):
            worst[load["code"]] = min(
                worst.get(load["code"], "note"), load["severity"], key=order.index
            )
    assert worst == {code.id: str(code.severity) for code in CODES}


def test_valid_library_has_no_findings() -> None:
    catalog, found = read_catalog(LIBRARY)
    assert (*found, *review(Context(catalog, house_ways=audit_house_ways(catalog)))) == ()
    assert len(catalog.documents) == len(list(LIBRARY.rglob("*.json")))


@pytest.mark.parametrize("path", sorted(LIBRARY.rglob("*.json")), ids=lambda path: path.stem)
def test_each_valid_file_alone_is_clean(path: Path) -> None:
    workspace = Workspace().find_workspace(path)
    assert workspace is not None
    context = workspace.load_context((path,))
    assert (context.faults, len(context.keys)) == ((), 1)
