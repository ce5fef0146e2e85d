"""What is embedded and not printed in full: every judgement of a filing, with its exact value."""

from certify import library
from certify.formatting import json_exact
from certify.report.evidence import judgements_json
from tests.report.conftest import whole
from tests.report.test_rewording import judged


def test_every_judgement_is_embedded() -> None:
    submission = judged(whole("dealer-open-pai-gow", "wsgc"), library.paytables())
    value = judgements_json(submission)
    assert [one["rule"] for one in value["requirements"]] == [
        one.rule.id for one in submission.rules
    ]
    assert all(one["detail"] and one["standing"] for one in value["requirements"])
    assert [(one["item"], one["state"]) for one in value["checklist"]] == [
        (one.item.id, str(one.state)) for one in submission.checklist
    ]
    assert len(value["published_figures"]) == len(submission.figures) > 0
    for figure, one in zip(value["published_figures"], submission.figures, strict=True):
        assert (figure["id"], figure["printed"]) == (one.figure.id, one.figure.printed)
        assert figure["recomputed"] == (one.recomputed and json_exact(one.recomputed))
    edges = [one["house_edge"] for one in value["comparison"] + value["other_options"]]
    filed = (*submission.comparison, *submission.other_options)
    assert edges == [one.house_edge and json_exact(one.house_edge) for one in filed]
    assert sum(value["hands"].values()) == submission.frequencies.total
