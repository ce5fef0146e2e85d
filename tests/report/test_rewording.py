"""Nothing decides by words: with every declared sentence reworded, only its own words change."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from certify import library
from certify.checks.r_jurisdictions.judge import build_checklist, judge
from certify.figures.audit import judge_figures
from certify.intake.read import read_catalog
from certify.model.submission import Provenance, Submission
from certify.report.compose import compose
from certify.report.evidence import results_json
from certify.report.mathematics.view import mathematics_view
from certify.report.rules.view import rules_view
from tests.documented_games import GAMES
from tests.marks import further
from tests.report.conftest import whole
from tests.rewording import find_sentence_names, mask, reword_folder, reword_templates

SMALL = "mini-pai-gow"
VIEWS = {"rules.html.j2": rules_view, "mathematics.html.j2": mathematics_view}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the declared data with every sentence in it reworded."""
    return reword_folder(library.paytables(), tmp_path_factory.mktemp("reworded") / "paytables")


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the templates, their own text reworded."""
    return reword_templates(library.templates(), tmp_path_factory.mktemp("reworded") / "templates")


def test_every_sentence_is_reworded(folder: Path) -> None:
    assert {
        "text",
        "effect",
        "title",
        "resolution",
        "name",
        "clause",
        "reason",
    } <= find_sentence_names()
    for path in folder.rglob("*.json"):
        declared = library.paytables() / path.relative_to(folder)
        pairs = zip(
            strings(json.loads(declared.read_text(encoding="utf-8"))),
            strings(json.loads(path.read_text(encoding="utf-8"))),
            strict=True,
        )
        for (name, before), (_, after) in pairs:
            has_letters = any(item.isascii() and item.isalpha() for item in before)
            assert (before != after) == (name in find_sentence_names() and has_letters), (
                path,
                name,
                before,
            )


def strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - a JSON value
    """Yield every text of a JSON value with the name of its property, in order."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from strings(inner, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner, name)
    else:
        yield name, str(value)


def judge_all(submission: Submission, folder: Path) -> Submission:
    """Return a submission with its rules, its checklist and its published figures judged."""
    rules = tuple(each.judgement for each in judge(submission))
    figures = judge_figures(read_catalog(folder)[0], submission.game, submission.analyses)
    checklist = build_checklist(submission, rules)
    # Which records are certify's own is printed, and is no matter of wording.
    return replace(
        submission,
        rules=rules,
        checklist=checklist,
        figures=figures,
        provenance=Provenance(),
    )


def list_verdicts(submission: Submission) -> list[object]:
    """Return every verdict of a submission and every value of its figures, without sentences."""
    return [
        *((rule.rule.id, rule.standing, bool(rule.notice)) for rule in submission.rules),
        *((line.item.id, line.state) for line in submission.checklist),
        *((figure.figure.id, figure.agreement, figure.recomputed) for figure in submission.figures),
        *(
            (name, text)
            for name, text in strings(results_json(submission.analyses.values()))
            if name not in {*find_sentence_names(), "sha256"}
        ),
    ]


@pytest.mark.parametrize("game", [SMALL, *further(game for game in GAMES if game != SMALL)])
def test_figures_verdicts_and_pages_stay(
    game: str, jurisdiction: str, folder: Path, templates: Path
) -> None:
    before = judge_all(whole(game, jurisdiction), library.paytables())
    after = judge_all(whole(game, jurisdiction, (), folder), folder)
    assert list_verdicts(before) == list_verdicts(after)
    for name, view in VIEWS.items():
        page = compose(name, view(before), templates=library.templates())
        turned = compose(name, view(after), templates=templates)
        assert page != turned
        assert mask(page).split("\n") == mask(turned).split("\n")
