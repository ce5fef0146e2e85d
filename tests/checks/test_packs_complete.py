"""Each rule of a pack is an item of its checklist, and each item says when it is done."""

import pytest

from certify.model.jurisdiction import Bearer, Jurisdiction
from tests.catalog import catalog

PACKS = sorted(catalog().jurisdictions.values(), key=lambda where: where.id)


@pytest.mark.parametrize("pack", PACKS, ids=lambda where: where.id)
def test_each_rule_is_an_item_with_a_citation(pack: Jurisdiction) -> None:
    """Eleven rules were in no checklist, the petition of New Jersey among them."""
    asked = {item.rule for item in pack.checklist}
    assert {rule.id for rule in pack.rules} <= asked
    assert all(text.citation for rule in pack.rules for text in rule.versions)


@pytest.mark.parametrize("pack", PACKS, ids=lambda where: where.id)
def test_an_item_is_asked_of_the_games_of_its_rule(pack: Jurisdiction) -> None:
    """An item of a rule for some games is not asked of the others."""
    rules = {rule.id: rule for rule in pack.rules}
    for item in pack.checklist:
        rule = rules.get(item.rule or "")
        if rule is not None and rule.test is None and rule.applies_to is not None:
            assert item.applies_to == rule.applies_to, item.id


@pytest.mark.parametrize("pack", PACKS, ids=lambda where: where.id)
def test_each_item_of_these_documents_says_when_it_is_done(pack: Jurisdiction) -> None:
    """What others supply is done when they supply it; the rest is done by a fact."""
    for item in pack.checklist:
        assert item.proof or item.bearer is not Bearer.OURS, item.id
