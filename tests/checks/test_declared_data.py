"""The declared data of the repository under every check that needs no count."""

from certify import library
from certify.checks.check import Context
from certify.checks.review import review
from certify.intake.read import read_catalog
from certify.model.finding import Severity


def test_declared_data_means_no_errors() -> None:
    catalog, _ = read_catalog(library.paytables())
    found = review(Context(catalog))
    assert [item for item in found if item.severity is Severity.ERROR] == []
