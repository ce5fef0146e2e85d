"""The facts that an item of a checklist can rest on: each is looked for in what is filed.

An item names its facts as data, and is done only if all of them hold; nothing is done by default.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from certify.checks.jurisdiction.documents import CLAUSES
from certify.model.filed import Filing
from certify.model.source import Procedure, settled_by

BY_RULE = "rule"
"""Stands among the facts of an item that is done only if the test of its rule is satisfied."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: ``words`` say what is stated, ``holds`` whether it is.

    ``terms``: the terms of the table can state it.
    """

    words: str
    holds: Callable[[Filing], bool]
    terms: bool = False


def _section(name: str, filed: Filing) -> bool:
    return name in filed.jurisdiction.sections


def _rules_of_play(filed: Filing) -> bool:
    """Whether the game is described, its round told, and the section on the main wager printed."""
    told = {section.id for section in filed.game.sections if section.statements}
    return {"description", "round"} <= told and _section("main", filed)


def _payout_schedule(filed: Filing) -> bool:
    """Whether the pays of the main wager and of every filed paytable are printed."""
    return _section("main", filed) and (_section("bonus", filed) or not filed.paytables)


def _percentages(filed: Filing) -> bool:
    """Whether every filed record was counted: its edge, or what is fixed beside its meters."""
    targets = [option.target for option in filed.options]
    targets += [table.target for table in filed.paytables]
    counted = [filed.analyses.get(target) for target in targets]
    return all(
        analysis is not None
        and (analysis.house_edge is not None or analysis.progressive is not None)
        for analysis in counted
    )


def _envy_effects(filed: Filing) -> bool:
    """Whether the effect of every filed envy table was counted; so where there is none."""
    envious = [filed.analyses.get(table.target) for table in filed.paytables if table.envy]
    return all(analysis is not None and analysis.envy is not None for analysis in envious)


def _supplier_name(filed: Filing) -> bool:
    return filed.terms.supplier is not None or filed.game.supplier is not None


def _of_supplier(name: str, filed: Filing) -> bool:
    supplier = filed.terms.supplier
    return supplier is not None and getattr(supplier, name) is not None


def _settled(procedure: Procedure, filed: Filing) -> bool:
    """Whether the terms or a printed statement settle a procedure, or nothing has to be settled."""
    if procedure.of_set_hands and filed.game.hands.shape.front == 0:
        return True
    if not _section(procedure.section, filed):
        return False
    sections = [each for each in filed.game.sections if each.id == procedure.section]
    statements = [statement for section in sections for statement in section.statements]
    if _section(CLAUSES, filed):
        statements += filed.jurisdiction.clauses
    stated = settled_by(filed.printed(statements))
    return procedure in dict(filed.terms.procedures) or procedure in stated


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
    "rules_of_play": Fact("the description of the game and of its round", _rules_of_play),
    "names": Fact("the section on names", partial(_section, "names")),
    "payout_schedule": Fact("the pays of every wager that is filed", _payout_schedule),
    "rack_card_text": Fact("the text of layout and rack card", partial(_section, "rack_card")),
    "theoretical_percentages": Fact("the exact return of every record that is filed", _percentages),
    "envy_effects": Fact("the effect of every envy table", _envy_effects),
    "confidential_mathematics": Fact(
        "that the mathematics is filed apart", lambda filed: filed.jurisdiction.confidential
    ),
    "supplier": Fact("the supplier's name", _supplier_name, terms=True),
    "supplier_address": Fact(
        "the supplier's address", partial(_of_supplier, "address"), terms=True
    ),
    "supplier_contact": Fact(
        "the contact for the regulator's questions", partial(_of_supplier, "contact"), terms=True
    ),
    "supplier_licence": Fact(
        "the supplier's license", partial(_of_supplier, "licence"), terms=True
    ),
    "wager_maxima": Fact(
        "the maximum of every wager",
        lambda filed: all(filed.terms.largest(wager) is not None for wager in filed.wagers),
        terms=True,
    ),
    "wager_minima": Fact(
        "the minimum of every wager",
        lambda filed: all(filed.terms.least(wager) is not None for wager in filed.wagers),
        terms=True,
    ),
    "aggregate_limits": Fact(
        "the aggregate payout limits, or that there are none",
        lambda filed: filed.terms.aggregate_limits is not None,
        terms=True,
    ),
    "laboratory_letter": Fact(
        "the laboratory's letter, which is to be attached",
        lambda filed: filed.provenance.letter is not None,
    ),
    **{
        str(procedure): Fact(PROCEDURE_WORDS[procedure], partial(_settled, procedure), terms=True)
        for procedure in Procedure
    },
}
"""Every fact that an item may name, beside `BY_RULE`."""
