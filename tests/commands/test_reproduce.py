"""Reproduce: the PDF alone says what agrees, and which figure does not."""

import datetime as dt
import hashlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from certify import __version__, library
from certify.commands.reproduce.reproduce import Comparisons, compare, reproduce
from certify.commands.submit import WrittenSubmission
from certify.filing.evidence import (
    EVIDENCE,
    list_attachments,
    public_evidence,
)
from certify.signatures.identity_folder import init_development
from tests.acceptance.command_line import ROOT
from tests.marks import further
from tests.signatures.test_tampering import append_update

from .conftest import Pieces, World, build_pieces, find_file, order, replace_file, sheet
from .test_forged_evidence import find_failures, forge, put
from .test_statement import swap_evidence

Change = Callable[[dict[str, Any]], None]
MAIN = "mini-pai-gow/main/1"
TARGET = "mini-pai-gow/bonus/community"
SAME = (
    "Every figure agrees with what the document states, and printing it again gives the same bytes."
)


@pytest.fixture(scope="module")
def wsgc() -> Pieces:
    return build_pieces(order("wsgc"))


def test_a_fresh_submission_agrees_to_the_byte(
    made: WrittenSubmission, signing_home: World
) -> None:
    result = reproduce(find_file(made, ".mathematics.pdf").read_bytes(), trust=signing_home.trust)
    assert result.agreed
    assert [step.id for step in result.steps if not step.passed] == ["papers"]
    assert result.verdict == SAME
    details = {step.id: step.detail for step in result.steps}
    assert details["print"] == "The document was printed again: the same bytes."
    assert details[TARGET] == f"{TARGET}: 10 rows and every figure agree."


def one_hand_more(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["rows"][3]["combinations"] += 1


def no_prize(evidence: dict[str, Any]) -> None:
    del evidence["results"][1]["envy"]


def one_result_less(evidence: dict[str, Any]) -> None:
    del evidence["results"][1]


@pytest.mark.usefixtures("one_process")
def test_what_was_altered_before_signing_is_named(pieces: Pieces, signing_home: World) -> None:
    changes = (
        put("results", 0, "house_edge_percent", value="0.0000"),
        put("sources", "paytables--events.json", value="0" * 64),
        put("status", value="final"),
    )
    altered = forge(pieces, one_hand_more, *changes)
    result = reproduce(
        sheet(signing_home, list_attachments(pieces.filing, altered)), trust=signing_home.trust
    )
    assert not result.agreed
    assert result.verdict == (
        "Some of what the document states does not agree with what was recomputed."
    )
    edge = json.loads(pieces.evidence)["results"][0]["house_edge_percent"]
    found = find_failures(result.steps)
    assert found.pop("evidence").startswith(
        "The evidence, made again from what was recomputed, differs: "
        f"results/{MAIN}/house_edge_percent"
    )
    assert found == {
        "status": "The document calls itself final, and its signature does not bear that out.",
        "sources": "The digests of these embedded files differ: paytables--events.json.",
        MAIN: f'{MAIN}: these differ: house_edge_percent: states "0.0000", recomputed "{edge}".',
        TARGET: f"{TARGET}: these differ: "
        "rows/four_of_a_kind/combinations: states 19753, recomputed 19752.",
    }


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (no_prize, "envy: states nothing, recomputed"),
        (one_result_less, f"{TARGET}: stated or recomputed, not both."),
    ],
)
def test_what_was_left_out_is_named(
    pieces: Pieces, signing_home: World, change: Change, words: str
) -> None:
    pdf = sheet(signing_home, list_attachments(pieces.filing, forge(pieces, change)))
    assert words in find_failures(reproduce(pdf, trust=signing_home.trust).steps)[TARGET]


@pytest.mark.usefixtures("one_process")
def test_a_pay_that_was_altered_in_the_embedded_data_is_named(
    pieces: Pieces, signing_home: World
) -> None:
    name = "paytables--mini-pai-gow--bonus--community.json"
    files = list_attachments(pieces.filing, pieces.evidence)
    (table,) = (file.data for file in files if file.name == name)
    generous = table.replace(b'"1000 to 1"', b'"2000 to 1"')

    def state(evidence: dict[str, Any]) -> None:
        evidence["sources"][name] = hashlib.sha256(generous).hexdigest()

    files = replace_file(files, name, generous)
    files = replace_file(files, EVIDENCE, forge(pieces, state))
    found = find_failures(reproduce(sheet(signing_home, files), trust=signing_home.trust).steps)
    assert 'rows/five_aces/pays: states "1000 to 1", recomputed "2000 to 1"' in found[TARGET]


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
def test_pages_that_certify_does_not_print_from_the_evidence_are_reported(
    pieces: Pieces, signing_home: World
) -> None:
    result = reproduce(
        sheet(signing_home, list_attachments(pieces.filing, pieces.evidence)),
        trust=signing_home.trust,
    )
    assert not result.agreed
    assert result.verdict == (
        "Some of what the document states does not agree with what was recomputed."
    )
    found = find_failures(result.steps)
    assert found.pop("print") == (
        "The document was printed again: other bytes. It was made with the same certify "
        "and the same libraries as are here."
    )
    assert found == {"figures": "The figures on the pages: their text cannot be read."}


NEWER = put("engine", "libraries", "weasyprint", value="69.0")


def change_version(evidence: dict[str, Any]) -> None:
    evidence["engine"]["version"] = "0.0.9"
    for result in evidence["results"]:
        result["engine"]["version"] = "0.0.9"


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (change_version, f"It was made with: certify 0.0.9 (here {__version__})."),
        *further([(NEWER, "It was made with: weasyprint 69.0 (here ")]),
    ],
)
def test_what_a_document_was_made_with_otherwise_is_named_and_is_no_pass(
    pieces: Pieces, signing_home: World, change: Change, words: str
) -> None:
    pdf = sheet(signing_home, list_attachments(pieces.filing, forge(pieces, change)))
    result = reproduce(pdf, trust=signing_home.trust)
    assert not result.agreed
    assert list(find_failures(result.steps)) == ["print", "figures"]
    assert words in find_failures(result.steps)["print"]
    assert reproduce(pdf, trust=signing_home.trust, figures_only=True).agreed


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
def test_the_public_part_is_tied_to_the_confidential_evidence(
    wsgc: Pieces, signing_home: World
) -> None:
    result = reproduce(signing_home.sign(wsgc.print_part("rules")), trust=signing_home.trust)
    assert [step.id for step in result.steps if not step.passed] == [
        "confidential",
        "marks",
        "papers",
    ]
    assert result.agreed
    details = {step.id: step.detail for step in result.steps}
    digest = hashlib.sha256(wsgc.evidence).hexdigest()
    assert details["confidential"] == (
        f"The document states the SHA-256 of the confidential evidence: {digest}. It was not "
        "compared. To compare it with the mathematics report, give both documents, or their "
        "folder, to `certify verify`."
    )
    assert details[TARGET] == f"{TARGET}: the edge agrees."
    public = json.loads(public_evidence(wsgc.evidence))
    public["results"][0]["house_edge"] = "1/10000"
    embedded = list_attachments(wsgc.filing, json.dumps(public).encode())
    found = find_failures(reproduce(sheet(signing_home, embedded), trust=signing_home.trust).steps)
    assert list(found) == [public["results"][0]["target"], "evidence"]


@pytest.mark.usefixtures("one_process")
def test_only_a_public_part_leaves_evidence_out(pieces: Pieces, signing_home: World) -> None:
    """Nevada's rules embed all of the evidence; a part of it would hide the interpretations."""
    assert not pieces.filing.jurisdiction.confidential
    part = public_evidence(pieces.evidence)
    pdf = sheet(signing_home, list_attachments(pieces.filing, part))
    found = find_failures(reproduce(pdf, trust=signing_home.trust).steps)
    assert found["recompute"] == (
        "The document embeds a part of the evidence, and must embed all of it."
    )


FIGURES_ONLY = (
    "FIGURES ONLY: {} with the evidence embedded in this file. This does not say who made the "
    "file, whether it was changed, or whether its pages state these figures."
)


@pytest.mark.usefixtures("one_process")
def test_figures_alone_need_no_signer_and_are_marked(
    pieces: Pieces, signing_home: World, tmp_path: Path
) -> None:
    """Unsigned, signed by a stranger, or signed: the figures agree, and nothing else is said."""
    stranger = init_development(tmp_path, name="Stranger", today=dt.datetime.now(dt.UTC).date())
    unsigned = pieces.print_part("rules")
    by_a_stranger = World(identity=stranger, folder=tmp_path).sign(unsigned)
    for pdf, signed in (
        (unsigned, False),
        (by_a_stranger, False),
        (signing_home.sign(unsigned), True),
    ):
        result = reproduce(pdf, trust=signing_home.trust, figures_only=True)
        assert result.agreed
        assert result.verdict == FIGURES_ONLY.format("Every figure agrees")
        passed = {step.id: step.passed for step in result.steps}
        assert (passed["signature"], passed["print"], passed[TARGET]) == (signed, False, True)
        assert [step.id for step in result.steps if not step.required][-1] == "print"


@pytest.mark.usefixtures("one_process")
def test_figures_alone_are_those_that_the_file_shows_now(rules: bytes, signing_home: World) -> None:
    """If the signature fails, `--figures-only` judges the evidence that other programs show."""
    swapped = append_update(rules, swap_evidence)
    assert list(find_failures(reproduce(swapped, trust=signing_home.trust).steps)) == ["signature"]
    result = reproduce(swapped, trust=signing_home.trust, figures_only=True)
    assert list(find_failures(result.steps)) == [TARGET, "evidence"]
    assert result.verdict == FIGURES_ONLY.format("Some figures do not agree")


def test_what_python_compiles_is_no_part_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template, compiled = tmp_path / "rules.html.j2", tmp_path / "kit" / "__pycache__" / "hands.pyc"
    template.write_text("first")
    monkeypatch.setattr(library, "templates", lambda: tmp_path)
    before = library.build_sha256.__wrapped__()
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(b"of today")
    assert library.build_sha256.__wrapped__() == before
    template.write_text("second")
    assert library.build_sha256.__wrapped__() != before


# Each release has a stored filing, whose figures this build reproduces


CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASES = [match[1] for match in re.finditer(r"(?m)^## \[([0-9.]+)\] - [0-9]", CHANGELOG)]
"""The versions of the changelog, the newest first."""


def read_filing(version: str) -> bytes:
    return (ROOT / "fixtures" / "releases" / version / "mathematics.pdf").read_bytes()


def test_the_version_is_that_of_no_other_build() -> None:
    newest, _, stage = __version__.partition(".dev")
    assert stage.isdigit(), "a build after a release has a development version"
    assert tuple(map(int, newest.split("."))) > tuple(map(int, RELEASES[0].split(".")))


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("version", [RELEASES[0], *further(RELEASES[1:])])
def test_the_figures_of_each_release_are_reproduced(version: str) -> None:
    result = reproduce(read_filing(version), trust=(), figures_only=True)
    assert result.agreed, result.steps
    made = rf"Made by certify {version}, build [0-9a-f]{{12}}; this is certify {__version__}, build"
    assert re.match(made, result.verdict)
    assert "Every figure that both builds state agrees" in result.verdict
    passed = {step.id for step in result.steps if step.passed}
    assert passed >= {"sources", "mini-pai-gow/main/1", "mini-pai-gow/bonus/A", "evidence"}


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("version", RELEASES)
def test_the_build_is_named_first_where_the_root_of_the_signer_is_unknown(version: str) -> None:
    """The table of docs/reference/versioning.md has the first digits of each build."""
    page = (ROOT / "docs" / "reference" / "versioning.md").read_text(encoding="utf-8")
    build = re.search(rf"(?m)^\| {version} \|.*`([0-9a-f]{{12}})", page)
    assert build is not None
    result = reproduce(read_filing(version), trust=())
    assert not result.agreed
    stated = f"The file states that certify {version}, build {build[1]}, made it; this is certify "
    assert result.verdict.startswith(f"{stated}{__version__}, build ")
    assert [(step.id, step.required) for step in result.steps] == [
        ("signature", True), ("build", False)
    ]  # fmt: skip
    assert result.verdict.endswith(result.steps[0].detail)


def drop_rows(evidence: dict[str, Any]) -> None:
    evidence["results"][1]["rows"].pop(0)


def drop_count(evidence: dict[str, Any]) -> None:
    del evidence["results"][1]["rows"][0]["combinations"]


def drop_figures(evidence: dict[str, Any]) -> None:
    evidence["results"][1] = {"target": evidence["results"][1]["target"]}


def change_pay(evidence: dict[str, Any]) -> None:
    rows = evidence["results"][0]["rows"]
    row = next(row for row in rows if row["pays"] == "push")
    row["pays"] = "loss"


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (put("results", 0, "house_edge", value="1/200"), {"mini-pai-gow/main/1", "evidence"}),
        (put("judgements", "comparison", 0, "house_edge_percent", value="0.5000"), {"evidence"}),
        (change_pay, {"mini-pai-gow/main/1", "evidence"}),
        (drop_rows, {"mini-pai-gow/bonus/A"}),
        (drop_count, {"mini-pai-gow/bonus/A"}),
        (drop_figures, {"mini-pai-gow/bonus/A"}),
        (put("results", 0, "assumptions", 0, "text", value="Other words."), set()),
    ],
)
def test_a_figure_of_an_earlier_release_that_is_changed_is_found(
    change: Callable[[dict[str, Any]], None], failed: set[str]
) -> None:
    with pikepdf.open(io.BytesIO(read_filing(RELEASES[0]))) as pdf:
        files = {name: file.get_file().read_bytes() for name, file in pdf.attachments.items()}
    evidence = json.loads(files[EVIDENCE])
    change(evidence)
    files[EVIDENCE] = json.dumps(evidence).encode()
    steps = compare(files, None, Comparisons(signer=None, pages=False), None)
    assert {step.id for step in steps if step.required and not step.passed} == failed
