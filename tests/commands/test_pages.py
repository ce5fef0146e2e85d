"""Pages that templates of the preparer made: `reproduce` reads their figures, and names both."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.cli.verification import _print
from certify.commands.reproduce import reproduce as reproducing
from certify.commands.reproduce.reproduce import compare_pages, reproduce
from certify.commands.reproduce.stated import Step
from certify.filing.documents import Part, render_html
from certify.filing.evidence import list_versions, part_label
from certify.model.submission import Change
from tests.in_process import print_each_once

from .conftest import GAME, ROOT, Pieces, World, build_pieces, order
from .test_forged_evidence import collect_files, find_failures

SUMMARY = "mathematics/summary.html.j2"
CONTROL = "parts/control.html.j2"
BY_PREPARER = "The figures agree; the pages were made by templates of the preparer: {}. Read them: "


@pytest.fixture(scope="module", autouse=True)
def printing(
    work_once: None,  # noqa: ARG001 - it is overridden
) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        print_each_once(patch)
        yield


def read_template(name: str) -> str:
    return (ROOT / "templates" / name).read_text(encoding="utf-8")


def cut(text: str, start: str, end: str, instead: str = "") -> str:
    """Replace the part of a text from ``start`` to ``end``."""
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    assert found
    return before + instead + found + after


def build_project(folder: Path, files: dict[str, str]) -> Pieces:
    """Return the pieces of a submission of a project with these files."""
    (folder / "paytables").mkdir(parents=True)
    (folder / "certify.toml").touch()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    layers = (ROOT / "paytables", folder / "paytables")
    return build_pieces(order(accept_replaced=True), layers=layers)


def compare_printed(made: Pieces, part: Part) -> dict[str, Step]:
    """Return the steps on the pages of a part, as the submission prints it."""
    label = part_label("forged", part)
    files = collect_files(made) | {label.name: label.data}
    pages = made.print_part(part)
    steps = compare_pages(made.submission, files, pages, engine=list_versions())
    return {step.id: step for step in steps}


def forge_summary(folder: Path) -> Pieces:
    """Return a submission whose templates print a false edge and leave out their own names."""
    summary = read_template(SUMMARY).replace("{{ form.span(edge) }}", "0.5000%")
    summary = cut(summary, "{% if replaced or added %}", "{% if summary.metered %}<p")
    control = cut(read_template(CONTROL), "{% if replaced %}", '<tr><th scope="row">Engine')
    files = {f"templates/{SUMMARY}": summary, f"templates/{CONTROL}": control}
    return build_project(folder, files)


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
def test_a_false_figure_of_a_template_is_named(
    tmp_path: Path, signing_home: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """Page 1 says 0.5000%, and nowhere that templates were replaced, but in the notice."""
    pdf = forge_summary(tmp_path / "project").print_part("mathematics")
    assert run_in_this_process(signing_home, pdf, tmp_path, quiet=True, accept_replaced=True) == 1
    answer = capsys.readouterr().out.replace("\n", " ")
    answer = " ".join(answer.split())
    assert "Some of what the document states does not agree with what was recomputed." in answer
    assert (
        "DIFFERS The figures on the pages: page 1 prints 0.5000% where certify's own templates "
        "print 0.0671%; page 1 prints 0.5000% where certify's own templates print 2.7006%; "
        "page 1 prints 0.5000% where certify's own templates print 12.1436%; the pages omit "
        f"templates/{SUMMARY}, which certify's own templates print on page 1;"
    ) in answer
    assert "Every figure" not in answer


def run_in_this_process(own: World, pdf: bytes, folder: Path, **options: bool) -> int:
    """Run `certify reproduce` on a document, signed."""
    path, root = folder / "document.pdf", folder / "root.pem"
    path.write_bytes(own.sign(pdf))
    root.write_text(own.identity.certificate.pem().decode(), encoding="ascii")
    chosen = [f"--{name.replace('_', '-')}" for name, given in options.items() if given]
    who = own.identity.certificate.fingerprint
    return run(["reproduce", str(path), "--signer", who, "--trust", str(root), *chosen])


LOGO = (
    "@page { @top-center { content: url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/"
    "svg' width='9' height='9'%3E%3Cpath d='M0 0h9v9z'/%3E%3C/svg%3E\") } }\n"
    "html { font-size: 11pt } h1 { color: #0b4f8a }\n"
)


@pytest.mark.long
@pytest.mark.usefixtures("one_process")
def test_pages_in_another_style_have_a_verdict_of_their_own(
    signing_home: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where they are not accepted, the step `templates` fails, as in the test below."""
    style = read_template("style.css").replace("font-size: 9.5pt;", "", 1) + LOGO
    restyled = build_project(tmp_path / "project", {"templates/style.css": style})
    pdf = restyled.print_part("memo")
    assert run_in_this_process(signing_home, pdf, tmp_path, quiet=True, accept_replaced=True) == 0
    answer = " ".join(capsys.readouterr().out.split())
    assert BY_PREPARER.format("templates/style.css") in answer
    assert "were compared, no shapes such as the bars of a chart." in answer
    assert "Every figure" not in answer


@pytest.mark.long
def test_a_figure_that_a_style_sheet_prints_is_named(tmp_path: Path) -> None:
    style = read_template("style.css") + "h2::after { content: ' House edge: 0.5000%' }"
    made = build_project(tmp_path, {"templates/style.css": style})
    steps = compare_printed(made, "memo")
    assert steps["print"].passed
    assert (
        "page 1 prints 0.5000%, which certify's own templates do not print there"
        in steps["figures"].detail
    )
    assert find_failures(tuple(steps.values())).keys() == {"figures", "templates"}


@pytest.mark.long
def test_the_same_figures_in_other_bytes_are_no_usual_verdict(pieces: Pieces) -> None:
    """As another version of a library would print them."""
    label = part_label("other", "memo")
    files = collect_files(pieces) | {label.name: label.data}
    pages = pieces.print_part("memo") + b"% another library\n"
    steps = compare_pages(pieces.submission, files, pages, engine=list_versions())
    assert [(step.id, step.passed) for step in steps] == [("print", False), ("figures", True)]


def test_words_of_a_project_print_nothing(tmp_path: Path, pieces: Pieces) -> None:
    """Only a library has words; a project's file of words is not read, and needs no notice."""
    words = read_template("words/names.json").replace("House edge", "House edge 0.5000%")
    assert words != read_template("words/names.json")
    made = build_project(tmp_path, {"templates/words/names.json": words})
    assert made.filing.provenance.records == {}
    for part in ("rules", "mathematics", "memo"):
        printed = render_html(made.submission, part)
        assert "0.5000%" not in printed
        assert len(printed) == len(render_html(pieces.submission, part))


@pytest.mark.long
def test_words_of_another_library_do_not_vouch_for_themselves(
    tmp_path: Path, signing_home: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recomputing process reads the words that certify ships, whatever the user's variable."""
    other = tmp_path / "library"
    for name in library.FOLDERS:
        shutil.copytree(ROOT / name, other / name)
    names = other / "templates" / "words" / "names.json"
    names.write_text(
        names.read_text(encoding="utf-8").replace("House edge", "House edge 0.5000%"),
        encoding="utf-8",
    )
    monkeypatch.setenv("CERTIFY_LIBRARY", str(other))
    library.words.cache_clear()
    try:
        made = build_pieces(order(accept_replaced=True))
        assert made.filing.provenance.records == {"templates/words/names.json": Change.REPLACES}
        result = reproduce(signing_home.sign(made.print_part("memo")), trust=signing_home.trust)
    finally:
        library.words.cache_clear()
    assert not result.agreed
    found = find_failures(result.steps)["evidence"]
    assert "provenance/records/templates/words/names.json" in found


@pytest.mark.long
def test_texts_of_the_preparer_are_listed_as_declared(tmp_path: Path) -> None:
    """A record of a project replaces one of certify and prints a figure that nothing counts."""
    path = ROOT / "paytables" / GAME / "game.json"
    game = json.loads(path.read_text(encoding="utf-8")) | {"supplier": "The 0.5000% Company"}
    made = build_project(tmp_path, {f"paytables/{GAME}/game.json": json.dumps(game)})
    steps = compare_printed(made, "letter")
    assert [*steps] == ["declared", "print"]
    assert steps["print"].detail == "The document was printed again: the same bytes."
    assert steps["declared"].verdict == (
        "Every counted figure agrees, and printing the document again gives the same bytes. Texts "
        f"of these files are printed as declared, with their numbers: paytables/{GAME}/game.json."
    )
    assert not steps["declared"].required
    assert "0.5000%" in render_html(made.submission, "letter")


# The verdict and the exit code, by the steps

PASSED = Step(id="print", passed=True, detail="printed")
FIGURES = Step(id="figures", passed=False, detail="page 1")
TEMPLATES = Step(id="templates", passed=False, detail="templates", verdict="by the preparer")
DECLARED = Step(id="declared", passed=False, required=False, detail="texts", verdict="as declared")
ACCEPTED = replace(TEMPLATES, required=False)
DIFFERING = "Some of what the document states does not agree with what was recomputed."
OTHERWISE = (
    "Every figure of the evidence agrees, but the document was printed again with other bytes."
)
SAME = (
    "Every figure agrees with what the document states, and printing it again gives the same bytes."
)


@pytest.mark.parametrize(
    ("steps", "verdict"),
    [
        ([PASSED], SAME),
        ([DECLARED, PASSED], "as declared"),
        ([PASSED, TEMPLATES], "by the preparer"),
        ([DECLARED, PASSED, TEMPLATES], "by the preparer"),
        ([PASSED, ACCEPTED], "by the preparer"),
        ([DECLARED, PASSED, FIGURES, ACCEPTED], DIFFERING),
        ([PASSED, FIGURES, TEMPLATES], DIFFERING),
        ([replace(PASSED, passed=False)], OTHERWISE),
        ([replace(PASSED, passed=False), FIGURES], DIFFERING),
    ],
)
def test_the_verdict_follows_from_the_steps(steps: list[Step], verdict: str) -> None:
    assert reproducing._summary(steps, figures_only=False) == verdict


def test_a_quiet_verify_still_names_the_templates(capsys: pytest.CaptureFixture[str]) -> None:
    check = {"id": "signature", "passed": True, "required": True, "detail": "signed"}
    answer = {"file": "a.pdf", "verdict": "The document is authentic.", "checks": [check]}
    _print(answer, quiet=True, apart=[])
    assert not capsys.readouterr().out
    _print(answer | {"records": {f"templates/{SUMMARY}": "replaces"}}, quiet=True, apart=[])
    assert " ".join(capsys.readouterr().out.split()) == (
        "a.pdf: The document is authentic. note The document declares that "
        f"templates/{SUMMARY} replaces the built-in one; `certify reproduce` compares the figures "
        "on the pages."
    )
