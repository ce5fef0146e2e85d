"""The facts that an item of a checklist can rest on: each is looked for in what is filed.

An item names its facts as data, and is done only if all of them hold; nothing is done by default.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from certify.checks.jurisdiction.documents import CLAUSES
from certify.checks.jurisdiction.facts import Filed
from certify.model.source import Procedure, Statement

BY_RULE = "rule"
"""Stands among the facts of an item that is done only if the test of its rule is satisfied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact: ``words`` say what is stated, ``holds`` whether it is.

    ``terms``: the terms of the table can state it.
    """

    words: str
    holds: Callable[[Filed], bool]
    terms: bool = False


def _rules_of_play(filed: Filed) -> bool:
    """Whether the game is described, its round told, and the section on the main wager printed."""
    told = {one.id for one in filed.game.sections if one.statements}
    return {"description", "round"} <= told and "main" in filed.jurisdiction.sections


def _section(name: str, filed: Filed) -> bool:
    return name in filed.jurisdiction.sections


def _payout_schedule(filed: Filed) -> bool:
    """Whether the pays of the main wager and of every filed paytable are printed."""
    sections = filed.jurisdiction.sections
    return "main" in sections and ("bonus" in sections or not filed.paytables)


def _percentages(filed: Filed) -> bool:
    """Whether every filed record was counted: its edge, or what is fixed beside its meters."""
    records = [one.target for one in filed.options]
    records += [one.target for one in filed.paytables]
    counted = [filed.analyses.get(one) for one in records]
    return all(
        one is not None and (one.house_edge is not None or one.progressive is not None)
        for one in counted
    )


def _envy_effects(filed: Filed) -> bool:
    """Whether the effect of every filed envy table was counted; so where there is none."""
    envious = [filed.analyses.get(one.target) for one in filed.paytables if one.envy]
    return all(one is not None and one.envy is not None for one in envious)


def _supplier_name(filed: Filed) -> bool:
    return filed.terms.supplier is not None or filed.game.supplier is not None


def _of_supplier(name: str, filed: Filed) -> bool:
    supplier = filed.terms.supplier
    return supplier is not None and getattr(supplier, name) is not None


def _settled(procedure: Procedure, filed: Filed) -> bool:
    """Whether the terms or a printed statement settle a procedure."""
    if procedure.section not in filed.jurisdiction.sections:
        return False
    printed = [
        one
        for section in filed.game.sections
        if section.id == procedure.section
        for one in section.statements
    ]
    if CLAUSES in filed.jurisdiction.sections:
        printed += filed.jurisdiction.clauses
    stated = procedure in dict(filed.terms.procedures)
    return stated or any(
        procedure in one.states for each in filed.printed(printed) for one in _with_parts(each)
    )


def _with_parts(statement: Statement) -> tuple[Statement, ...]:
    return (statement, *(inner for part in statement.parts for inner in _with_parts(part)))


PROCEDURE_WORDS = {
    Procedure.SHUFFLE: "how the cards are shuffled",
    Procedure.FIRST_HAND: "who is dealt first",
    Procedure.DEALING_ORDER: "the order in which hands are dealt",
    Procedure.REMAINING_CARDS: "what is done with the cards left over",
    Procedure.MISDEAL: "what makes a misdeal, and what becomes of the wagers",
    Procedure.EXPOSED_CARD: "what is done when a card is exposed",
    Procedure.FOUL: "what becomes of the wager on a foul hand",
    Procedure.DEALER_ERROR: "what is done when the dealer's hand is set wrong",
}
"""What each procedure settles, as the end of a sentence."""

FACTS: Mapping[str, Fact] = {
    "rules_of_play": Fact(
        words="the description of the game and of its round", holds=_rules_of_play
    ),
    "names": Fact(words="the section on names", holds=partial(_section, "names")),
    "payout_schedule": Fact(words="the pays of every wager that is filed", holds=_payout_schedule),
    "rack_card_text": Fact(
        words="the text of layout and rack card", holds=partial(_section, "rack_card")
    ),
    "theoretical_percentages": Fact(
        words="the exact return of every record that is filed", holds=_percentages
    ),
    "envy_effects": Fact(words="the effect of every envy table", holds=_envy_effects),
    "confidential_mathematics": Fact(
        words="that the mathematics is filed apart",
        holds=lambda filed: filed.jurisdiction.confidential,
    ),
    "supplier": Fact(words="the supplier's name", holds=_supplier_name, terms=True),
    "supplier_address": Fact(
        words="the supplier's address", holds=partial(_of_supplier, "address"), terms=True
    ),
    "supplier_contact": Fact(
        words="whom the regulator asks", holds=partial(_of_supplier, "contact"), terms=True
    ),
    "supplier_licence": Fact(
        words="the supplier's licence", holds=partial(_of_supplier, "licence"), terms=True
    ),
    "wager_maxima": Fact(
        words="the maximum of every wager",
        holds=lambda filed: all(filed.largest(one) is not None for one in filed.wagers),
        terms=True,
    ),
    "wager_minima": Fact(
        words="the minimum of every wager",
        holds=lambda filed: all(filed.least(one) is not None for one in filed.wagers),
        terms=True,
    ),
    "aggregate_limits": Fact(
        words="the aggregate payout limits, or that there are none",
        holds=lambda filed: filed.terms.aggregate_limits is not None,
        terms=True,
    ),
    "laboratory_letter": Fact(
        words="the digest of the laboratory's letter",
        holds=lambda filed: filed.terms.laboratory_letter is not None,
        terms=True,
    ),
    **{
        str(one): Fact(words=PROCEDURE_WORDS[one], holds=partial(_settled, one), terms=True)
        for one in Procedure
    },
}
"""Every fact that an item may name, beside `BY_RULE`."""
