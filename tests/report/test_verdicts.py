import json

import pytest
from msgspec.structs import replace

from certify import library
from certify.figures.play import least_limits
from certify.filing.delivery import checklist
from certify.filing.order import build_filing
from certify.formatting import json_exact
from certify.model.submission import Order
from certify.report.evidence import judgements_json
from certify.report.mathematics.filed import filed_wagers
from certify.report.mathematics.risk import open_limits
from tests.report.conftest import whole
from tests.report.test_rewording import judge_all


def test_every_verdict_is_embedded() -> None:
    submission = judge_all(whole("dealer-open-pai-gow", "wsgc"), library.paytables())
    value = judgements_json(submission) | json.loads(checklist(submission).data)
    assert [requirement["rule"] for requirement in value["requirements"]] == [
        rule.rule.id for rule in submission.rules
    ]
    assert all(
        requirement["detail"] and requirement["standing"] for requirement in value["requirements"]
    )
    assert [(line["id"], line["state"]) for line in value["lines"]] == [
        (line.item.id, str(line.state)) for line in submission.checklist
    ]
    assert len(value["published_figures"]) == len(submission.figures) > 0
    for figure, one in zip(value["published_figures"], submission.figures, strict=True):
        assert (figure["id"], figure["printed"]) == (one.figure.id, one.figure.printed)
        assert figure["recomputed"] == (one.recomputed and json_exact(one.recomputed))
    edges = [item["house_edge"] for item in value["comparison"] + value["other_options"]]
    filed = (*submission.comparison, *submission.other_options)
    assert edges == [item.house_edge and json_exact(item.house_edge) for item in filed]
    assert sum(value["hands"].values()) == submission.frequencies.total


@pytest.mark.parametrize("game", ["emperors-challenge-exposed", "dealer-open-pai-gow"])
def test_every_figure_under_the_least_limit_is_embedded_exactly(game: str) -> None:
    """They were printed ("12.5574% at $5") and stood nowhere as exact values."""
    plain = whole(game, "wsgc")
    filing = build_filing(Order(game=game, jurisdiction="wsgc"))
    submission = replace(plain, least_limits=least_limits(replace(filing, analyses=plain.analyses)))
    embedded = json.dumps(judgements_json(submission))
    printed = [
        value
        for *_, least in open_limits(filed_wagers(submission), submission)
        if least is not None
        for figure in (least.edge, least.fixed)
        if figure is not None
        for value in (figure.low, figure.high)
        if value is not None
    ]
    assert len(printed) > 1
    for value in printed:
        assert f'"{json_exact(value)}"' in embedded
