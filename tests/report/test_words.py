from enum import StrEnum

import pytest

from certify import library
from certify.model.comparison import Agreement, Standing
from certify.model.game import Strategy
from certify.model.jurisdiction import Bearer, Confidence, Scope
from certify.model.paytable import Award, HandOf, HandsOf, Overflow, Rounding
from certify.model.source import Banking, Figure, Quantity
from certify.model.vocabulary import AfterFold, Category, Paid
from certify.report.wording import name_in_print, names

KINDS: dict[str, type[StrEnum]] = {
    "overflow": Overflow,
    "rounding": Rounding,
    "strategy": Strategy,
    "set_hand": Category,
    "figure": Figure,
    "quantity": Quantity,
    "standing": Standing,
    "bearer": Bearer,
    "known": Confidence,
    "scope": Scope,
    "hand": HandOf,
    "award": Award,
    "hands_of": HandsOf,
    "agreement": Agreement,
    "agreements": Agreement,
    "bank": Banking,
    "banking": Banking,
    "paid": Paid,
    "after_fold": AfterFold,
    "bonus_after_fold": AfterFold,
}


@pytest.mark.parametrize(("kind", "ids"), KINDS.items())
def test_each_id_of_a_kind_has_words(kind: str, ids: type[StrEnum]) -> None:
    assert set(names(kind)) == set(ids)
    assert all(name_in_print(kind, name).strip() for name in ids)


def test_each_section_has_a_template_and_each_kind_of_words_a_use() -> None:
    templates = library.templates()
    for part in ("rules", "mathematics"):
        for section in names(part):
            assert (templates / part / f"{section}.html.j2").is_file()
    assert set(names("undivided")) <= set(names("rules"))
    assert set(names("unranked")) <= set(names("rules"))
    assert set(names("undivided_examples")) <= set(names("examples"))
    # A royal flush is the highest straight flush of undivided hands.
    assert set(names("category")) == set(Category) - {Category.ROYAL_FLUSH}
    assert names("category_meaning").keys() == names("category").keys()
    assert set(library.words("names")) == {
        *KINDS,
        "application",
        "prized_hands",
        "enclosures",
        "rules",
        "undivided",
        "undivided_examples",
        "unranked",
        "category",
        "category_meaning",
        "counted",
        "mathematics",
        "examples",
        "foul_against_push",
        "result",
        "round_end",
        "row_paid",
    }
