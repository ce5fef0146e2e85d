"""Filings of a project: each declares its jurisdiction, revision, parties and amounts."""

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.checks.d_texts import texts_against_values
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.terms import unfiled_in_rules
from certify.cli.app import run
from certify.commands.submit import submit
from certify.errors import CertifyError, NotConfigured
from certify.figures.audit import judge_figures
from certify.figures.evaluate import Settings, evaluate
from certify.figures.targets import load_catalog, select_entries
from certify.filing import documents as build_module
from certify.filing.declaration import declare_filing, resolve_order
from certify.filing.documents import render_html
from certify.filing.embedded import LATER, list_layers
from certify.filing.evidence import is_internal, list_attachments
from certify.filing.order import (
    UNFILED,
    build_filing,
    filed_records,
    select_filed,
    with_register_status,
)
from certify.intake.read import read_catalog
from certify.model.comparison import Agreement
from certify.model.finding import Document, Unfit
from certify.model.game import Game, Strategy
from certify.model.submission import Filing, Order, Status
from certify.review.check import check

from .conftest import Pieces, build_pieces
from .submissions import build_without_counts, read_part
from .test_reproduce_shipped import collect_files, made_again, pages

EMPEROR = "emperors-challenge-exposed"
EXPRESS = "commission-free-pai-gow-express"
METER = "pai-gow-insurance-progressive"
PAYTABLE = "PT-BJS-EC-PGI-01"


def declare(name: str, jurisdiction: str, game: str = "mini-pai-gow", **stated: object) -> None:
    assert run(["new", "filing", name, "--game", game, "--jurisdiction", jurisdiction]) == 0
    path = Path("filings") / f"{name}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | stated))


def build(name: str) -> Filing:
    return build_filing(resolve_order(Order(game=name)))


def meter(**amounts: object) -> dict[str, Any]:
    return {"wager": METER, "paytable": PAYTABLE, "level": "1"} | amounts


@pytest.mark.usefixtures("project")
def test_a_seed_is_that_of_its_filing() -> None:
    declare("nv", "nevada", EMPEROR, meters=[meter(seed_cents=500000, increment="20%")])
    declare("wa", "wsgc", EMPEROR, meters=[meter(seed_cents=1000000)])
    declare("md", "maryland", EMPEROR)
    seeds = {}
    for name in ("nv", "wa", "md"):
        table = next(each for each in build(name).paytables if each.id == PAYTABLE)
        seeds[name] = (table.meters[0].seed_cents, table.meters[0].increment)
    assert [seed for seed, _ in seeds.values()] == [500000, 1000000, None]
    assert (float(seeds["nv"][1] or 0), seeds["wa"][1]) == (0.2, None)


@pytest.mark.usefixtures("project")
def test_a_revision_is_that_of_its_filing() -> None:
    declare("wa", "wsgc")
    declare("nj", "new-jersey")
    assert run(["new", "revision", "wa", "--text", "Rule 3.2 names the generator."]) == 0
    assert (build("wa").game.revision, build("nj").game.revision) == ("2", "1")
    assert ".wsgc.wa." in build("wa").report_id
    assert ".r2." in build("wa").report_id
    letter = read_part(build_without_counts(build("wa")), "letter")
    assert "This revision follows revision 1 of " in letter
    assert "Changes: Rule 3.2 names the generator." in letter
    assert "This revision follows" not in read_part(build_without_counts(build("nj")), "letter")
    listed = [(change.revision, change.text) for change in build("wa").game.changes]
    assert listed == [("1", "Initial submission."), ("2", "Rule 3.2 names the generator.")]
    assert build("nj").game.changes == ()


@pytest.mark.usefixtures("project")
def test_a_sentence_of_one_filing_is_not_printed_in_another() -> None:
    own = "The random number generator decides who is dealt first."
    declare("wa", "wsgc", sentences=[{"id": "dealing.first", "text": own}])
    declare("nj", "new-jersey")
    texts = {
        name: [each.text for section in build(name).game.sections for each in section.statements]
        for name in ("wa", "nj")
    }
    assert own in texts["wa"]
    assert own not in texts["nj"]
    assert len(texts["wa"]) == len(texts["nj"])


@pytest.mark.usefixtures("project")
def test_an_edited_part_is_marked_and_the_mathematics_prints_its_source() -> None:
    stated = {"sentences": [{"id": "dealing.start.a", "text": "Four dice decide."}]}
    declare("nv", "nevada", "dealer-open-pai-gow", **stated)
    submission = build_without_counts(build("nv"))
    printed = read_part(submission, "rules").replace("&nbsp;", " ")
    assert "Four dice decide. † Edited, in place of: Rules of Play, opening" in " ".join(
        printed.split()
    )
    source = "The generator chooses a number from 1 to 7; spot 1 is the dealer."
    assert f"It replaces: “{source}”" in read_part(submission, "mathematics")


@pytest.mark.usefixtures("project")
def test_what_an_edited_sentence_replaces_is_the_source() -> None:
    """The effect of another reading is that of the sentence that is not printed."""
    catalog = load_catalog()
    first = next(each for each in catalog.games[EXPRESS].assumptions if each.effect)
    for text in ("Once.", "Twice."):
        value = {"sentences": [{"id": first.id, "text": text}]}
        catalog = declare_filing(catalog, EXPRESS, Document(path="filings/nv.json", value=value))
    edited = next(each for each in catalog.games[EXPRESS].assumptions if each.id == first.id)
    assert (edited.text, edited.source) == ("Twice.", first.source)
    assert (edited.original, edited.effect) == (first.text, f"It replaces: “{first.text}”")


@pytest.mark.usefixtures("project")
def test_an_amount_that_a_rule_contradicts_is_refused() -> None:
    amounts = {"wager": "bonus", "table": "community", "qualifying_wager_cents": 100}
    declare("nv", "nevada", envies=[amounts])
    with pytest.raises(Unfit) as refused:
        build("nv")
    assert {finding.code for finding in refused.value.findings} == {"D022"}
    assert "$1, is not in the text" in refused.value.findings[0].message


def test_a_filed_paytable_that_a_rule_contradicts_is_refused(project: Path) -> None:
    """The rules say that two pair wins, and the lowest row of the table is three of a kind."""
    value = json.loads((library.paytables() / "mini-pai-gow/bonus/A.json").read_bytes())
    assert value["rows"].pop()["event"] == "two_pair"
    path = project / "paytables/mini-pai-gow/bonus/D.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(value | {"id": "D", "name": "Paytable D"}))
    declare("nv", "nevada", paytables=["D"])
    with pytest.raises(Unfit) as refused:
        with_register_status(build("nv"))
    (finding,) = refused.value.findings
    assert (finding.code, finding.severity) == ("D027", "error")
    assert "two pair or better" in finding.message
    declare("wa", "wsgc", paytables=["A"])
    assert [table.id for table in with_register_status(build("wa")).paytables] == ["A"]


@pytest.mark.usefixtures("project")
def test_a_filing_names_what_is_filed() -> None:
    declare("wa", "wsgc", paytables=["B", "mini-pai-gow/bonus/C"], strategy="house-way")
    filing = build("wa")
    assert [table.id for table in filing.paytables] == ["B", "C"]
    assert filing.order.strategy == "house-way"


@pytest.mark.usefixtures("project")
def test_a_filing_is_refused_in_another_jurisdiction() -> None:
    declare("nj", "new-jersey")
    order = Order(game="mini-pai-gow", jurisdiction="nevada", terms=Path("filings/nj.json"))
    with pytest.raises(Unfit) as refused:
        build_filing(order)
    finding = refused.value.findings[0]
    assert (finding.code, finding.pointer) == ("R022", "/jurisdiction")
    assert finding.message == "The filing is for new-jersey, not for nevada."


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "asked", [{"jurisdiction": "nevada"}, {"paytables": ("B",)}, {"house_way": "foxwoods"}]
)
def test_an_option_does_not_overrule_a_filing(asked: dict[str, Any]) -> None:
    declare("nj", "new-jersey")
    with pytest.raises(NotConfigured, match="The filing nj declares"):
        resolve_order(Order(game="nj", **asked))


PARTY = ("--supplier", "Harbor Games", "--dated", "2026")
MISSING = {"item": "layout", "files": [{"name": "none.pdf", "sha256": "0" * 64}]}
FOUL = {"procedures": {"foul": "A hand that breaks the rules is set again by the dealer."}}


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("game", "jurisdiction", "stated", "found"),
    [
        ("dealer-open-pai-gow", "nevada", FOUL, "R022 /procedures/foul"),
        ("dealer-open-pai-gow", "nevada", {"paytables": ["ace-high-push", "no-push"]}, "R022 "),
        ("mini-pai-gow", "california", {}, "R029 "),
        ("mini-pai-gow", "nevada", {"laboratory_letter_file": "none.pdf"}, "R022 "),
        ("mini-pai-gow", "nevada", {"supplied": [MISSING]}, "R022 "),
    ],
)
def test_check_finds_what_submit_refuses_before_it_counts(
    game: str,
    jurisdiction: str,
    stated: dict[str, Any],
    found: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    declare("mine", jurisdiction, game, **stated)
    checked = check([Path("filings/mine.json")])
    errors = [f"{each.code} {each.pointer}" for each in checked.findings if each.is_error]
    assert errors == [found]
    monkeypatch.delattr("certify.commands.submit.count_filing")
    with pytest.raises(CertifyError):
        submit(Order(game="mine"), signing=None, out=Path("out"))
    assert checked.notices == (
        "Judged without the figures of the filing, which `certify submit` counts: "
        "filings/mine.json.",
    )


@pytest.mark.usefixtures("project")
def test_a_filing_is_checked_against_its_own_project(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its game is one that another project does not have."""
    new = ["new", "game", "harbor-pai-gow", "--like", "mini-pai-gow", "--called", "Harbor Pai Gow"]
    assert run([*new, "--document", "Harbor Pai Gow: Rules", "--clause", "Rules", *PARTY]) == 0
    declare("mine", "nevada", "harbor-pai-gow")
    path = Path("filings/mine.json").absolute()
    before = check([path]).findings
    (path.parent.parent.parent / "elsewhere").mkdir()
    monkeypatch.chdir(path.parent.parent.parent / "elsewhere")
    after = check([path]).findings
    assert [(each.code, each.message) for each in after] == [
        (each.code, each.message) for each in before
    ]


def test_a_game_needs_a_jurisdiction() -> None:
    with pytest.raises(NotConfigured, match="No jurisdiction is named"):
        resolve_order(Order(game="mini-pai-gow"))


@pytest.mark.usefixtures("project")
def test_terms_of_version_0_2_become_a_filing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "terms").mkdir()
    terms = {"$schema": "terms.schema.json", "game": "mini-pai-gow", "tribal": False}
    (project / "terms/mini.json").write_text(json.dumps(terms))
    assert run(["check", "terms/mini.json"]) == 0
    assert "R028" in capsys.readouterr().out
    copied = ["new", "filing", "nj", "--like", "terms/mini.json", "--jurisdiction", "new-jersey"]
    assert run(copied) == 0
    capsys.readouterr()
    assert run(["check"]) == 0
    assert "1 file checked: 0 errors, 0 warnings" in capsys.readouterr().out
    assert build("nj").terms.tribal is False


def test_a_letter_that_leads_out_of_the_project_is_not_copied(
    project: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path_factory.mktemp("secret") / "secret.pdf"
    secret.write_bytes(b"%PDF-")
    (project / "terms").mkdir()
    (project / "terms" / "letter.pdf").symlink_to(secret)
    terms = {"game": "mini-pai-gow", "laboratory_letter_file": "letter.pdf"}
    terms["laboratory_letter"] = hashlib.sha256(b"%PDF-").hexdigest()
    (project / "terms" / "mini.json").write_text(json.dumps(terms), encoding="utf-8")
    words = ["new", "filing", "nv", "--like", "terms/mini.json", "--jurisdiction", "nevada"]
    assert run(words) == 2
    assert "is a link that leads out of" in capsys.readouterr().err
    assert not (project / "filings").exists()


@pytest.mark.usefixtures("project")
def test_the_id_of_a_filing_is_the_name_of_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    declare("nj", "new-jersey")
    Path("filings/nj.json").rename("filings/pa.json")
    assert run(["check"]) == 1
    assert "`id` is nj, but the path of the file requires pa." in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_the_pages_of_a_filing_are_made_again(tmp_path: Path) -> None:
    party = {"name": "Sample Casino", "address": "1 Main Street", "licence": "C-7"}
    declare(
        "nv",
        "nevada",
        paytables=["community"],
        operator=party,
        applicant="operator",
        application="variation",
        application_reason="The casino asks for a higher minimum.",
        envies=[{"wager": "bonus", "table": "community", "qualifying_wager_cents": 800}],
        sentences=[
            {
                "id": "community",
                "text": "Community: a prize for a bonus wager of $8 or more.",
            },
            {
                "wager": "bonus",
                "id": "bonus.community-qualifies",
                "text": "A bonus wager of $8 or more qualifies for the community bonus.",
            },
        ],
    )
    assert run(["new", "revision", "nv", "--text", "The minimum is higher."]) == 0
    made = build_pieces(resolve_order(Order(game="nv")))
    attached = collect_files(list_attachments(made.filing, made.evidence, internal=True))
    assert made_again(attached, tmp_path / "again") == pages(made)
    letter, rules = (render_html(made.submission, part) for part in ("letter", "rules"))
    assert "Sample Casino, 1 Main Street; license: C-7" in letter
    assert "Reason for the request: The casino asks for a higher minimum." in letter
    assert "The minimum is higher." in rules
    assert "qualifies for the community bonus" in rules
    assert "$5 or more qualifies" not in rules
    printed = " ".join(rules.replace("&nbsp;", " ").split())
    assert "$8 or more qualifies for the community bonus. †" in printed
    assert "Edited, in place of: Overview; Rules of Play A" in printed
    mathematics = render_html(made.submission, "mathematics")
    assert "offered, a bonus wager of $5 or more qualifies for it.”" in mathematics


@pytest.mark.usefixtures("project")
def test_a_sentence_of_a_filing_is_compared_with_the_records() -> None:
    sentence = {"id": "qualifier", "text": "Qualifying dealer hand: a pair of sixes."}
    declare("nv", "nevada", sentences=[sentence])
    (found,) = texts_against_values(Context(build("nv").catalog))
    assert found.message == "“pair of sixes” is not among the declared values: fives."


# All filings of a project are submitted at once, and a refused one does not stop the others


ALL = ["submit", "--all", "--unsigned", "--out", "out"]


@pytest.mark.usefixtures("project", "blank_pages")
def test_each_filing_is_submitted_into_its_own_folder(capsys: pytest.CaptureFixture[str]) -> None:
    amounts = {"wager": "bonus", "table": "community", "qualifying_wager_cents": 100}
    declare("md", "maryland", paytables=["A"])
    declare("nv", "nevada", envies=[amounts])  # a rule says $5 (D022)
    declare("wa", "wsgc", paytables=["A"])
    capsys.readouterr()
    assert run(ALL) == 1
    said = capsys.readouterr()
    written, refused, last = said.out.splitlines()
    assert written.startswith("md: ")
    assert written.endswith(f" files in {Path('out/md')}")
    assert refused.startswith("nv: refused: ")
    assert last.startswith("wa: ")
    assert "D022" in said.err
    assert {path.name for path in Path("out").iterdir()} == {"md", "wa"}
    for name, state in (("md", "maryland"), ("wa", "wsgc")):
        (evidence,) = Path("out", name).glob("*.evidence.json")
        assert json.loads(evidence.read_text())["order"]["jurisdiction"] == state


@pytest.mark.usefixtures("project")
def test_all_filings_are_named_by_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ALL) == 2
    assert "The project has no filing." in capsys.readouterr().err
    assert run([*ALL, "nv"]) == 2
    assert "--all submits every filing." in capsys.readouterr().err
    assert run(["submit", "--unsigned", "--out", "out"]) == 2
    assert "No filing is named." in capsys.readouterr().err


# A filing of some paytables: no other one is in its files, its id, or what is made of them


INSURANCES = ("pai-gow-insurance/PT-FLT-EC-PGI-01", "ace-high-pai-gow-insurance/PT-FLT-AHPG-01")
MINI = "mini-pai-gow"
SUBSETS = [
    (MINI, ["A"], ["bonus/A"]),
    (MINI, [f"{MINI}/main/1"], []),
    (MINI, ["community", f"{MINI}/main/1"], ["bonus/community", "bonus/envy/community"]),
    (EXPRESS, [f"{EXPRESS}/dynasty-bonus/3"], ["dynasty-bonus/3", "dynasty-bonus/envy/3"]),
    (EMPEROR, [f"{EMPEROR}/{table}" for table in INSURANCES], sorted(INSURANCES)),
]


def build_order(game: str, *paytables: str) -> Filing:
    return build_filing(Order(game=game, jurisdiction="nevada", paytables=paytables))


def list_targets(game: Game) -> set[str]:
    """Return the targets of the wagers and paytables of a game, and of its envy tables."""
    envies = {f"{wager.target}/envy/{envy.id}" for wager in game.wagers for envy in wager.envies}
    wagers = {wager.target for wager in game.wagers}
    return {table.target for table in game.paytables} | envies | wagers


def rebuild(filing: Filing, files: Iterable[Document], folder: Path) -> Filing:
    """Return a filing as it is made again from these embedded files."""
    for document in files:
        path = folder / document.evidence_path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document.text, encoding="utf-8")
    codes = (*LATER, *UNFILED)
    return build_filing(filing.order, *list_layers(folder), ignored=codes, embedded=True)


def list_tables(filing: Filing) -> list[str]:
    """Return the files of paytables and envy tables in a filing, without those of wagers."""
    game = filing.game.id
    keys = [key.removeprefix(f"{game}/") for key in filing.catalog.documents
            if key.startswith(f"{game}/") and not key.startswith(f"{game}/main/")]  # fmt: skip
    return sorted(key for key in keys if "/" in key)


@pytest.mark.parametrize(("game", "named", "embedded"), SUBSETS)
def test_a_subset_has_the_files_of_its_paytables_alone(
    game: str, named: list[str], embedded: list[str], tmp_path: Path
) -> None:
    filing = build_order(game, *named)
    assert list_tables(filing) == embedded
    filed = {record.target for _, record in filed_records(filing).records}
    assert filed == {record.target for record in filing.records}
    unfiled = list_targets(build_order(game).game) - list_targets(filing.game)
    for document in filing.catalog.documents.values():
        words = () if is_internal(document.evidence_path) else re.split(r"[\"#]", document.text)
        assert unfiled.isdisjoint(words), document.path
    again = rebuild(filing, filing.catalog.documents.values(), tmp_path)
    assert (again.report_id, again.game) == (filing.report_id, filing.game)
    for name in ("alternatives", "published", "second_counts"):
        assert getattr(again.catalog, name) == getattr(filing.catalog, name)
    assert again.provenance.records == filing.provenance.records == {}
    assert {each.sha256 for each in again.documents} == {each.sha256 for each in filing.documents}


def test_no_sentence_of_a_built_in_game_names_what_is_not_filed() -> None:
    for game in read_catalog(library.paytables())[0].games.values():
        main = game.options[0].target
        tables = [wager.paytables[0].target for wager in game.wagers if wager.paytables]
        orders = [Order(game=game.id, paytables=(main, target)) for target in (main, *tables)]
        orders += [Order(game=game.id, house_way=way) for way in game.house_ways]
        for order in orders:
            filing = build_filing(replace(order, jurisdiction="nevada"))
            assert [*unfiled_in_rules(Context(filing.catalog, filing=filing))] == []


@pytest.mark.parametrize("place", ["assumptions", "resolution"])
def test_a_sentence_on_another_house_way_is_not_filed(place: str) -> None:
    filing = build_filing(
        Order(game=EXPRESS, jurisdiction="nevada", house_way="trump-plaza", paytables=("3",))
    )
    words, game = "The figures are for the Foxwoods house way.", filing.game
    catalog = filing.catalog
    if place == "assumptions":
        typed = replace(game.assumptions[0], text=words)
        game = replace(game, assumptions=(typed, *game.assumptions[1:]))
        catalog = replace(catalog, games={**catalog.games, game.id: game})
    else:
        first, *others = catalog.discrepancies[game.id]
        doubts = (replace(first, resolution=words), *others)
        catalog = replace(catalog, discrepancies={game.id: doubts})
    faults = [*unfiled_in_rules(Context(catalog, filing=filing))]
    assert [each.message for each in faults] == [
        "The sentence names Foxwoods house way, which is not filed."
    ]


@pytest.mark.parametrize("strategy", [*Strategy])
def test_an_assumption_on_another_strategy_is_not_printed(strategy: Strategy) -> None:
    for game in (EMPEROR, EXPRESS):
        filing = build_filing(Order(game=game, jurisdiction="nevada", strategy=strategy))
        printed = {each.id for each in filing.filter_statements(filing.game.assumptions)}
        assert not {f"strategy-{each}" for each in Strategy if each is not strategy} & printed


@pytest.mark.usefixtures("project")
def test_a_minimum_is_that_of_its_sentence() -> None:
    """The record declares $1, and the filing $5 in both places."""
    sentence = {"id": "bonus.minimum", "wager": "bonus", "text": "The minimum wager is $5."}
    declare("mine", "nevada", least_wagers={"bonus": 500}, sentences=[sentence])
    assert not any(each.is_error for each in check([Path("filings/mine.json")]).findings)
    declared = json.loads(Path("filings/mine.json").read_text())
    sentence["text"] = "The minimum wager is $6."
    Path("filings/mine.json").write_text(json.dumps(declared | {"sentences": [sentence]}))
    errors = [each for each in check([Path("filings/mine.json")]).findings if each.is_error]
    assert [(each.code, each.pointer) for each in errors] == [("R022", "/least_wagers/bonus")]


@pytest.mark.usefixtures("project")
def test_prizes_for_another_wager_are_not_compared_with_published_ones() -> None:
    """Chan Chu 3 is published with prizes from $5; tables 4 and 5 are not filed."""
    game, table = "dealer-open-pai-gow", "chan-chu/3"
    envy = "Envy: a fixed prize for a Chan Chu wager of $10 or more when another player wins."
    sentences = [
        {"id": "envy", "text": envy},
        {"id": "chan-chu.envy", "wager": "chan-chu", "text": "A wager of $10 or more is paid."},
    ]
    envies = [{"wager": "chan-chu", "table": "3", "qualifying_wager_cents": 1000}]
    filed = {"paytables": [f"{game}/{table}"], "envies": envies, "sentences": sentences}
    declare("mine", "nevada", game, **filed)
    assert not any(each.is_error for each in check([Path("filings/mine.json")]).findings)
    filing = build("mine")
    settings = Settings(terms=filing.terms)
    selection = select_entries(filing.catalog, filing.game, {f"{game}/{table}"})
    counted = {each.target: each for each in evaluate(selection, settings)}
    judged = judge_figures(filing.catalog, filing.game, counted)
    assert any(each.agreement is Agreement.AGREES for each in judged)
    assert not any(each.agreement is Agreement.DIFFERS for each in judged)


def test_an_older_filing_is_compared_without_what_is_not_filed(tmp_path: Path) -> None:
    """Builds until version 0.2 embedded the whole file of the game and every wager."""
    filing = build_order(EXPRESS, f"{EXPRESS}/dynasty-bonus/3")
    targets = list_targets(filing.declared.games[EXPRESS]) - filing.catalog.documents.keys()
    tables = {target for target in targets if target.count("/") > 1}
    files = [file for key, file in filing.declared.documents.items() if key not in tables]
    older = rebuild(filing, files, tmp_path)
    catalog = select_filed(older.catalog, older.game, older.paytables)
    assert {key: file.value for key, file in catalog.documents.items()} == {
        key: file.value for key, file in filing.catalog.documents.items()
    }


def test_an_option_that_is_named_in_full_is_filed_alone() -> None:
    alone = build_order(MINI, f"{MINI}/main/1")
    assert [record.target for record in alone.records] == [f"{MINI}/main/1"]
    assert ".main-alone." in alone.report_id
    whole = build_order(MINI, "1")
    assert whole.paytables == build_order(MINI).paytables
    assert {"A", "community"} <= {table.id for table in whole.paytables}


@pytest.mark.usefixtures("project")
def test_a_paytable_that_is_not_filed_changes_nothing() -> None:
    """The id of a filing depended on how many paytables its game has."""
    before = build_order(MINI, "A")
    assert run(["new", "paytable", f"{MINI}/bonus/Z", "--like", "A", "--clause", "Draft"]) == 0
    after = build_order(MINI, "A")
    assert after.report_id == before.report_id
    assert after.documents == before.documents
    assert after.provenance == before.provenance
    with pytest.raises(NotConfigured):
        build_order(MINI, "Y")


def test_a_published_figure_of_another_paytable_is_left_out(
    pieces: Pieces, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = (f"{MINI}/bonus/community", f"{MINI}/bonus/A")
    own, other = (SimpleNamespace(figure=SimpleNamespace(target=each)) for each in targets)
    monkeypatch.setattr(build_module, "judge_figures", lambda *_: (own, other))
    monkeypatch.setattr(build_module, "review_filing", lambda *_: ())
    made = build_module.build_submission(pieces.filing, status=Status.DRAFT)
    assert [each.figure.target for each in made.figures] == [targets[0]]
