import json
import shutil
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.commands.reproduce.reproduce import Comparisons, compare
from certify.errors import CountsDiffer, NotConfigured
from certify.figures.audit import judge_figure, judge_figures
from certify.figures.provenance import compute_mac, find_origin, find_program
from certify.figures.second_counts import refuse_differing, shares_compared
from certify.filing.documents import render_html, select_attachments
from certify.filing.evidence import part_label
from certify.filing.order import build_filing
from certify.formatting import percentage
from certify.intake.read import read_catalog
from certify.model.comparison import Agreement, CrossCheck, SecondCount
from certify.model.finding import Unfit
from certify.model.source import Convention, PublishedFigure, Quantity, Source
from certify.model.submission import Change, CountOrigin, ItemState, Status, Submission
from certify.report.mathematics.view import mathematics_view

from .conftest import GAME, ROOT, Pieces, World, build_pieces, order
from .test_forged_evidence import FIGURES, collect_files, find_failures, forge

PAYTABLES = ROOT / "paytables"
NEVADA = "jurisdictions/nevada.json"
PDF = b"%PDF-1.7\nthe letter of a laboratory\n"


def project(folder: Path, **files: Any) -> tuple[Path, Path]:  # noqa: ANN401 - JSON
    """Return the layers of a project that declares these files, by path with ``/``."""
    (folder / "certify.toml").touch()
    (folder / "paytables").mkdir()
    for name, value in files.items():
        path = folder / "paytables" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
    return PAYTABLES, folder / "paytables"


def load_record(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((PAYTABLES / name).read_text(encoding="utf-8"))
    return value


# The laboratory's letter


def write_terms(folder: Path, **terms: str) -> Path:
    path = folder / "table.json"
    path.write_text(json.dumps(terms), encoding="utf-8")
    return path


def laboratory(submission: Submission) -> tuple[ItemState, str]:
    (line,) = (line for line in submission.checklist if line.item.id == "laboratory")
    return line.state, line.detail


def test_a_digest_alone_is_a_letter_to_be_attached(tmp_path: Path) -> None:
    """The SHA-256 of the words "lab letter" made a certification that was "done"."""
    digest = sha256(b"lab letter").hexdigest()
    terms = write_terms(tmp_path, laboratory_letter=digest)
    for state in ("nevada", "wsgc"):
        made = build_pieces(order(state, terms=terms))
        status, detail = laboratory(made.submission)
        assert status is ItemState.OPEN
        assert detail.startswith(
            ("Attach the laboratory's letter", "Missing: the laboratory's letter")
        )
        assert "In these documents" not in detail


@pytest.mark.parametrize(
    ("state", "status"),
    # In Nevada the regulation that asks for it was not read from an official text.
    [("nevada", ItemState.OPEN), ("wsgc", ItemState.DONE)],
)
def test_a_letter_is_done_where_it_is_embedded(
    tmp_path: Path, state: str, status: ItemState
) -> None:
    (tmp_path / "letter.pdf").write_bytes(PDF)
    digest = sha256(PDF).hexdigest()
    terms = write_terms(tmp_path, laboratory_letter=digest, laboratory_letter_file="letter.pdf")
    made = build_pieces(order(state, terms=terms))
    assert laboratory(made.submission)[0] is status
    assert find_failures(compare(collect_files(made), None, FIGURES, None)) == {}
    attached = select_attachments(made.submission, "rules", made.evidence)
    rules = {file.name: file.data for file in (*attached, part_label("letter", "rules"))}
    # The rules are public in Washington; the letter states figures.
    assert rules.get("letter.pdf") == {"nevada": PDF, "wsgc": None}[state]
    steps = compare(rules, None, FIGURES, None)
    assert find_failures(steps) == {}
    assert ("letter" in [step.id for step in steps]) is ("letter.pdf" not in rules)
    swapped = collect_files(made) | {"letter.pdf": PDF + b"other"}
    assert "letter.pdf" in find_failures(compare(swapped, None, FIGURES, None))["sources"]


@pytest.mark.parametrize(
    ("data", "stated", "words"),
    [
        (None, PDF, "cannot be read"),
        (PDF, b"other", "has the SHA-256"),
        (b"lab letter", b"lab letter", "is not a PDF"),
    ],
)
def test_a_letter_that_is_not_there_or_another_one_is_refused(
    tmp_path: Path, data: bytes | None, stated: bytes, words: str
) -> None:
    if data is not None:
        (tmp_path / "letter.pdf").write_bytes(data)
    digest = sha256(stated).hexdigest()
    terms = write_terms(tmp_path, laboratory_letter=digest, laboratory_letter_file="letter.pdf")
    with pytest.raises(NotConfigured, match=words):
        build_filing(order(terms=terms))


@pytest.mark.parametrize("name", ["../letter.pdf", "/etc/letter.pdf", "a--b.pdf", "letter.txt"])
def test_a_letter_is_listed_with_the_terms(tmp_path: Path, name: str) -> None:
    terms = write_terms(tmp_path, laboratory_letter="0" * 64, laboratory_letter_file=name)
    with pytest.raises(Unfit):
        build_filing(order(terms=terms))


def test_every_done_item_names_its_place(pieces: Pieces) -> None:
    """Nothing is done by a digest: what others bring is open until it is embedded."""
    for line in pieces.submission.checklist:
        if line.item.bearer == "laboratory":
            assert line.state is not ItemState.DONE
    assert pieces.filing.provenance.letter is None


# Verification counts


def built_in_count() -> SecondCount:
    return read_catalog(PAYTABLES)[0].second_counts[GAME][0]


def test_a_count_is_the_users_only_with_the_users_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = built_in_count()
    assert find_origin(shipped, GAME) is CountOrigin.BUILT_IN
    first, *_ = shipped.rows
    other = replace(shipped, rows={**shipped.rows, first: shipped.rows[first] + 1})
    assert find_origin(other, GAME) is CountOrigin.DECLARED
    own = replace(other, mac=compute_mac(other))
    assert find_origin(own, GAME) is CountOrigin.THIS_USER
    for altered in (
        replace(own, mac="0" * 64),
        replace(own, rows=shipped.rows, digest="0" * 64),
        replace(own, house_edge=Fraction(0)),
        replace(own, target="mini-pai-gow/main/2"),
    ):
        assert find_origin(altered, GAME) is CountOrigin.DECLARED
    monkeypatch.setattr("certify.storage.secret", lambda _: b"another user's key".ljust(32))
    assert find_origin(own, GAME) is CountOrigin.DECLARED


def mark_counts(submission: Submission, *, is_declared: bool) -> Submission:
    checks = [replace(check, declared=is_declared) for check in submission.crosschecks]
    return replace(submission, crosschecks=tuple(checks))


def test_a_declared_count_is_never_called_counted_a_second_time(pieces: Pieces) -> None:
    """A project's file with the rows of the first count was signed as "counted twice"."""
    submission = pieces.submission
    assert all(check.is_verified for check in submission.crosschecks)
    page = render_html(mark_counts(submission, is_declared=True), "mathematics")
    assert "declared by the project, not made again" in page
    memo = render_html(mark_counts(submission, is_declared=True), "memo")
    assert "certify crosscheck mini-pai-gow/main --store" in memo
    view = mathematics_view(mark_counts(submission, is_declared=True))
    assert [line["checked"] for line in view["summary"]["wagers"]] == [0, 0]
    assert "declared by the project" not in render_html(submission, "mathematics")
    assert [line["checked"] for line in mathematics_view(submission)["summary"]["wagers"]] == [1, 1]


def test_the_program_of_a_count_is_what_certify_or_its_user_recorded() -> None:
    """A digest that a project adds to a built-in count, or to its own, proves nothing."""
    shipped = built_in_count()
    claimed = CrossCheck(
        target=shipped.target,
        method="exact",
        rounds=1,
        comparisons=(),
        digest=shipped.digest,
        recount="a" * 64,
    )
    assert find_program(claimed, CountOrigin.THIS_USER) == "a" * 64
    assert find_program(claimed, CountOrigin.BUILT_IN) == shipped.recount != "a" * 64
    assert find_program(claimed, CountOrigin.DECLARED) == ""
    sealed = replace(shipped, recount="a" * 64)
    sealed = replace(sealed, mac=compute_mac(sealed))
    assert find_origin(sealed, GAME) is CountOrigin.THIS_USER
    assert find_origin(replace(sealed, recount="b" * 64), GAME) is CountOrigin.BUILT_IN


def test_a_count_of_another_program_is_not_called_one_of_the_kit(pieces: Pieces) -> None:
    submission = pieces.submission

    def page(recount: str) -> str:
        checks = [replace(check, recount=recount) for check in submission.crosschecks]
        html = render_html(replace(submission, crosschecks=tuple(checks)), "mathematics")
        return " ".join(html.split())

    own, other, unknown = page(submission.recount_sha256), page("a" * 64), page("")
    assert "pairs of hands, other program" not in own
    assert "except those marked" not in own
    assert "were made by this program." in own
    assert "another program" not in own
    for text in (other, unknown):
        assert "pairs of hands, other program" in text
        assert "except those marked “other program”, were verified by an independent" in text
        assert "some of them by another program than that of the kit" in text
    assert f"were made by another program, SHA-256 <code>{'a' * 64}</code>." in other
    assert "do not state the digest of their program." in unknown
    assert "were made by this program" not in other + unknown


def test_a_count_that_a_project_copies_from_the_first_is_declared(
    pieces: Pieces, tmp_path: Path
) -> None:
    """The digest of a count needs no key: everybody can compute it."""
    layers = project(
        tmp_path,
        **{
            f"{GAME}/second-counts.json": {
                "counts": [
                    entry | {"version": "forged", "rows": {**entry["rows"], "other": 0}}
                    for entry in load_record(f"{GAME}/second-counts.json")["counts"]
                ]
            }
        },
    )
    filing = build_filing(order(), *layers)
    assert set(filing.provenance.counts.values()) == {CountOrigin.DECLARED}
    assert set(pieces.filing.provenance.counts.values()) == {CountOrigin.BUILT_IN}


def test_a_count_of_nothing_differs_and_is_no_defect() -> None:
    """``"rows": {"win": 0}`` passed `check` and ended `submit` with exit 70."""
    compared = shares_compared({"win": 1, "lose": 2}, {"win": 0})
    assert [each.agrees for each in compared] == [False, False]
    with pytest.raises(CountsDiffer):
        refuse_differing([CrossCheck(target="g", method="exact", rounds=0, comparisons=compared)])


def test_what_the_preparer_counted_is_only_stated_until_it_is_made_again(pieces: Pieces) -> None:
    def own(value: dict[str, Any]) -> None:
        counts = value["provenance"]["counts"]
        counts |= dict.fromkeys(counts, "this_user")

    steps = compare(collect_files(pieces, forge(pieces, own)), None, FIGURES, None)
    (step,) = (step for step in steps if step.id == "second-counts")
    assert (step.passed, step.required) == (False, False)
    assert "were not made again here" in step.detail


@pytest.mark.slow
def test_a_reader_makes_the_counts_again(pieces: Pieces) -> None:
    again = Comparisons(signer=None, pages=False, second_counts=True)
    steps = {step.id: step for step in compare(collect_files(pieces), None, again, None)}
    assert steps["second-counts"].passed
    assert steps["second-counts"].required


# Records that are not certify's own


def test_rules_that_a_project_replaces_make_a_marked_draft(
    tmp_path: Path,
) -> None:
    """A project shipped one of Nevada's rules, and the signed page said "Nevada" and no more."""
    value = load_record(NEVADA)
    value["name"] = "Nevada as we like it"
    layers = project(tmp_path, **{NEVADA: value})
    path = f"paytables/{NEVADA}"
    plain = build_pieces(order(), Status.DRAFT, layers=layers)
    assert plain.filing.provenance.records == {path: Change.REPLACES}
    assert plain.filing.unaccepted_records == (path,)
    rules, report = (render_html(plain.submission, part) for part in ("rules", "mathematics"))
    assert "Built-in records replaced" in rules
    assert "Built-in records replaced" in report
    assert f"Draft. It rests on records of {path} that are not those of certify" in rules
    assert "The preparer accepts" not in rules
    accepted = replace(plain.submission, order=order(accept_replaced=True), status=Status.FINAL)
    rules = render_html(accepted, "rules")
    assert f"The preparer accepts these records, which are not those of certify: {path}." in rules
    assert "Draft." not in rules
    assert find_failures(compare(collect_files(plain), None, FIGURES, None)) == {}


def test_a_final_document_on_unaccepted_rules_is_not_accepted(
    tmp_path: Path,
) -> None:
    layers = project(tmp_path, **{NEVADA: load_record(NEVADA) | {"name": "Our Nevada"}})
    made = build_pieces(order(), Status.FINAL, layers=layers)
    asked = Comparisons(signer="Somebody", pages=True)
    assert "status" in find_failures(compare(collect_files(made), None, asked, None))
    accepted = build_pieces(order(accept_replaced=True), Status.FINAL, layers=layers)
    assert find_failures(compare(collect_files(accepted), None, asked, None)) == {}


@pytest.mark.usefixtures("blank_pages")
def test_the_terminal_the_manifest_and_verify_name_what_is_replaced(
    tmp_path: Path,
    signing_home: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CERTIFY_HOME", str(signing_home.folder.parent))
    monkeypatch.chdir(tmp_path)
    project(tmp_path, **{NEVADA: load_record(NEVADA) | {"name": "Our Nevada"}})
    asked = ("submit", GAME, "--jurisdiction", "nevada", "--paytable", "community")
    assert run([*asked, "--out", "out"]) == 0
    printed = " ".join(capsys.readouterr().err.split())
    assert f"Library files replaced: paytables/{NEVADA}." in printed
    assert "--accept-replaced" in printed
    (manifest,) = (tmp_path / "out").glob("*.manifest.json")
    value = json.loads(manifest.read_text(encoding="utf-8"))
    assert value["provenance"]["records"] == {f"paytables/{NEVADA}": "replaces"}
    assert value["accept_replaced"] is False
    (document,) = (tmp_path / "out").glob("*.rules.pdf")
    assert run(["verify", str(document)]) == 0
    words = f"The document declares that paytables/{NEVADA} replaces the built-in one."
    assert words in " ".join(capsys.readouterr().out.split())


def test_every_kind_of_record_is_named(tmp_path: Path) -> None:
    game = load_record(f"{GAME}/game.json")
    layers = project(
        tmp_path,
        **{
            f"{GAME}/game.json": game | {"aliases": ["Another Mini"]},
            "house-ways/mini-pai-gow.json": load_record("house-ways/mini-pai-gow.json")
            | {"name": "Our way"},
            f"{GAME}/bonus/community.json": load_record(f"{GAME}/bonus/community.json")
            | {"name": "Ours"},
            "events.json": {
                "events": [
                    load_record("events.json")["events"][0] | {"id": "own_event", "name": "Own"}
                ]
            },
            "jurisdictions/ours.json": load_record(NEVADA) | {"id": "ours", "name": "Ours"},
        },
    )
    records = build_filing(order("ours"), *layers).provenance.records
    assert records == {
        "paytables/house-ways/mini-pai-gow.json": Change.REPLACES,
        "paytables/jurisdictions/ours.json": Change.ADDED,
        f"paytables/{GAME}/bonus/community.json": Change.REPLACES,
        f"paytables/{GAME}/game.json": Change.REPLACES,
    }


def test_a_library_with_other_templates_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "library"
    for name in library.FOLDERS:
        shutil.copytree(ROOT / name, other / name)
    summary = other / "templates" / "mathematics" / "summary.html.j2"
    summary.write_text(summary.read_text(encoding="utf-8") + "<p>Certified</p>", encoding="utf-8")
    monkeypatch.setenv("CERTIFY_LIBRARY", str(other))
    filing = build_filing(order())
    changed = "templates/mathematics/summary.html.j2"
    assert filing.provenance.records == {changed: Change.REPLACES}
    assert filing.unaccepted_records == (changed,)


def test_nothing_is_replaced_in_what_certify_ships(pieces: Pieces) -> None:
    assert pieces.filing.provenance.records == {}
    page = render_html(pieces.submission, "rules")
    assert "Built-in records replaced" not in page
    assert "The preparer accepts" not in page


# Papers


def cite_letter(tmp_path: Path, **paper: str) -> tuple[Path, Path]:
    game = load_record(f"{GAME}/game.json")
    reference = {
        "id": "letter-26-0001",
        "title": "Certification letter 26-0001",
        "publisher": "A Laboratory",
        "file": "letter.pdf",
    }
    figure = {
        "id": "edge",
        "target": f"{GAME}/bonus/community",
        "quantity": "total_combinations",
        "printed": "22,957,480",
        "convention": "plain",
        "source": {"document": "letter-26-0001", "clause": "1"},
    }
    return project(
        tmp_path,
        **{
            f"{GAME}/game.json": game | {"references": [reference | paper]},
            f"{GAME}/published.json": {"document": game["document"]["id"], "figures": [figure]},
        },
    )


def test_a_paper_whose_file_is_not_there_is_no_reference(tmp_path: Path) -> None:
    layers = cite_letter(tmp_path)
    without = build_pieces(order(), layers=layers)
    page = render_html(without.submission, "mathematics")
    assert "Certification letter 26-0001" not in page
    lines = mathematics_view(without.submission)["proof"]["lines"]
    assert [line["published"] for line in lines] == [0] * len(lines)


@pytest.mark.parametrize("folder", [f"paytables/{GAME}", "sources"])
def test_a_paper_that_is_there_is_named_with_its_digest(tmp_path: Path, folder: str) -> None:
    layers = cite_letter(tmp_path)
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / "letter.pdf").write_bytes(PDF)
    made = build_pieces(order(), layers=layers)
    page = render_html(made.submission, "mathematics")
    assert "Certification letter 26-0001" in page
    assert sha256(PDF).hexdigest() in page
    steps = compare(collect_files(made), None, FIGURES, None)
    assert find_failures(steps) == {}
    assert "papers" in [step.id for step in steps]


def test_another_paper_than_the_declared_one_is_no_reference(tmp_path: Path) -> None:
    layers = cite_letter(tmp_path, sha256="0" * 64)
    (layers[1] / GAME / "letter.pdf").write_bytes(PDF)
    assert "letter-26-0001" not in build_filing(order(), *layers).provenance.papers


def build_figure(pieces: Pieces, printed: str, **changes: Any) -> PublishedFigure:  # noqa: ANN401
    return PublishedFigure(
        id="edge",
        target=f"{GAME}/main/1",
        quantity=Quantity.HOUSE_EDGE,
        printed=printed,
        convention=Convention.PLAIN,
        source=Source(document=pieces.filing.game.document.id, clause="1"),
        **changes,
    )


def test_a_published_figure_is_met_on_the_line_of_its_play_alone(pieces: Pieces) -> None:
    """A published 2.7211% was counted as met on the line of the best play, 2.5126%."""
    filed, other = pieces.submission.comparison
    assert filed.house_edge is not None
    assert filed.house_edge != other.house_edge
    figure = build_figure(pieces, percentage(filed.house_edge, 4))
    judgement = judge_figure(figure, {filed.target: filed})
    assert judgement.agreement is Agreement.AGREES
    submission = replace(pieces.submission, figures=(judgement,))
    lines = {
        line["check"].strategy: (line["published"], line["met"])
        for line in mathematics_view(submission)["proof"]["lines"]
        if line["check"].target == filed.target
    }
    assert filed.main is not None
    assert other.main is not None
    assert lines == {filed.main.strategy: (1, 1), other.main.strategy: (0, 0)}


@pytest.mark.parametrize("house_way", [None, "mini-pai-gow", "foxwoods"])
def test_a_figure_is_judged_by_the_play_that_it_is_for(
    pieces: Pieces, house_way: str | None
) -> None:
    filed, other = pieces.submission.comparison
    assert filed.house_edge is not None
    figure = build_figure(pieces, percentage(filed.house_edge, 4), house_way=house_way)
    catalog = replace(pieces.filing.catalog, published={GAME: (figure,)})
    game = pieces.filing.game
    judged = [
        len(judge_figures(catalog, game, {played.target: played})) for played in (filed, other)
    ]
    assert judged == [0 if house_way == "foxwoods" else 1, 0]


def test_a_wager_is_counted_twice_only_as_it_is_played(pieces: Pieces) -> None:
    """A second count of the other play does not count for the play that is filed."""
    submission = pieces.submission
    filed = submission.comparison[0]
    assert filed.main is not None
    kept = [
        replace(check, comparisons=()) if check.strategy is filed.main.strategy else check
        for check in submission.crosschecks
    ]
    view = mathematics_view(replace(submission, crosschecks=tuple(kept)))
    assert [line["checked"] for line in view["summary"]["wagers"]] == [0, 1]
