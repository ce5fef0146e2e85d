"""A submission in its printed form, with round figures instead of counts for its main wager.

The paytables' counts, the examples, the views and both documents are the filing's own.
"""

import re
from pathlib import Path

from msgspec.structs import replace

from certify import __version__, library
from certify.checks.r_jurisdictions.judge import judge
from certify.engine.main.evaluate import assumptions
from certify.figures.evaluate import evaluate_each, resolve_house_way
from certify.filing.documents import (
    VIEWS,
    Part,
    build_examples,
    build_submission,
    count_filing,
    frequencies,
)
from certify.filing.order import build_filing, with_register_status
from certify.model.submission import Filing, Order, Status, Submission
from certify.report.compose import compose
from tests.report.conftest import layout_analysis


def build_without_counts(filing: Filing) -> Submission:
    """Build a submission without counting its main wager."""
    game, option = filing.game, filing.option
    way = resolve_house_way(filing.catalog, game, filing.order.house_way)
    said = assumptions(option, game=game, house_way=way, strategy=game.strategy)
    main = replace(layout_analysis(option, filing), assumptions=said)
    analyses = evaluate_each(filing.catalog, filing.paytables)[0]
    analyses[main.target] = main
    filing = replace(filing, analyses=analyses, examples=build_examples(filing, way))
    options = [option for wager in game.wagers for option in wager.options]
    return Submission(
        **filing.parts,
        way=way,
        frequencies=frequencies(filing),
        figures=(),
        rules=tuple(each.judgement for each in judge(filing)),
        crosschecks=(),
        checklist=(),
        findings=(),
        engine_version=__version__,
        evidence_sha256="0" * 64,
        status=Status.UNSIGNED,
        comparison=(main,),
        other_options=tuple(layout_analysis(item, filing) for item in options if item != option),
    )


def count_submission(game: str, state: str, terms: Path | None = None) -> Submission:
    filing = build_filing(Order(game=game, jurisdiction=state, terms=terms))
    counted = count_filing(with_register_status(filing))
    return build_submission(counted, status=Status.UNSIGNED)


_PAGES: dict[tuple[int, str], tuple[Submission, str]] = {}
"""The latest composed parts; each keeps its submission, so that no other one gets its id."""

KEPT = 60


def compose_part(submission: Submission, part: Part) -> str:
    """Compose a part as certify's own templates print it, once for each submission."""
    key = (id(submission), part)
    if key not in _PAGES:
        view = VIEWS[part](submission) | {"report_id": f"{submission.report_id}.{part}"}
        page = compose(f"{part}.html.j2", view, templates=library.templates())
        _PAGES[key] = (submission, page)
        if len(_PAGES) > KEPT:
            del _PAGES[next(iter(_PAGES))]
    return _PAGES[key][1]


def read_part(submission: Submission, part: Part) -> str:
    """Return what a reader sees of a part: its text without tags and styles."""
    page = compose_part(submission, part)
    page = re.sub(r"<(style|title)\b.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", page).split())
