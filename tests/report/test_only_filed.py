"""Names, definitions and published figures are of what is filed; the edition is named."""

import pytest

from certify.report.mathematics.method import cited_figures
from tests.commands.submissions import read_part
from tests.report.conftest import whole

EXPRESS = "commission-free-pai-gow-express"
PROTECTION = f"{EXPRESS}/protection/1"


def test_the_rules_of_some_wagers_name_and_define_no_other() -> None:
    """A filing of two wagers defined the envy bonus of a third, and listed all names."""
    some = read_part(whole(EXPRESS, "wsgc", (PROTECTION,)), "rules")
    every = read_part(whole(EXPRESS, "wsgc"), "rules")
    for other in ("Dynasty", "Envy bonus", "Queen's Dragon:", "Red/Black"):
        assert other in every.replace("&#39;", "'")
        assert other not in some.replace("&#39;", "'")


def test_published_figures_of_other_paytables_are_not_listed() -> None:
    """19 pages of a filing of two wagers, 15 of all eleven: figures that were not evaluated."""
    some = whole(EXPRESS, "new-jersey", (PROTECTION,))
    assert {each.figure.target for each in cited_figures(some)} <= {
        record.target for record in some.records
    }


@pytest.mark.parametrize("state", ["pennsylvania", "nevada"])
def test_the_edition_of_the_source_is_named(state: str) -> None:
    """The source of Emperor's Challenge is headed Rules of Play, Nevada."""
    rules = read_part(whole("emperors-challenge-exposed", state), "rules")
    assert "in its edition for Nevada" in rules
