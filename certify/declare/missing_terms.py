"""Items of a checklist that wait for terms of a filing, with the fields that declare them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from certify.checks.r_jurisdictions.judge import FACTS
from certify.declare.terms_form import LIMITS, LINKS, REDUCTIONS, list_meters
from certify.intake.decode import decode
from certify.model.game import Game
from certify.model.jurisdiction import FILING, Jurisdiction, Terms
from certify.model.submission import Filing, Order
from certify.model.topic import Procedure

FIELDS: Final = {
    "supplier": "supplier/name",
    **{f"supplier_{name}": f"supplier/{name}" for name in ("address", "contact", "licence")},
    **{str(procedure): f"procedures/{procedure}" for procedure in Procedure},
}
"""The fields that declare facts with other names."""

WAGERS: Final = {"wager_maxima": "largest_wagers", "wager_minima": "least_wagers"}
"""The facts that amounts of wagers state, and the part of the terms that has them."""

JUDGED_BY: Final = {
    "largest_wager": "largest_wagers",
    "aggregate_limit_floor": LIMITS,
    "fixed_payout_floor": LIMITS,
    "linked_equal_probability": LINKS,
    "meter_reduction_reasons": REDUCTIONS,
    "tribal": "tribal",
}
"""The part of the terms that the test of a rule judges a filing by."""


class Missing(Struct, frozen=True, kw_only=True):
    """An item of the checklist that waits for terms: its words, its rule, the fields."""

    text: str
    rule: str | None
    fields: tuple[str, ...]


def needs_terms(state: Jurisdiction, part: str) -> bool:
    """Return True if a rule of the jurisdiction is tested by this part of the terms."""
    return any(JUDGED_BY.get(rule.test or "") == part for rule in state.rules)


def missing(game: Game, state: Jurisdiction, value: Mapping[str, Any]) -> tuple[Missing, ...]:
    """Return the open items of the checklist for the whole game, in the checklist's order.

    ``value`` is valid terms, or an empty object.
    """
    terms: Terms = decode(FILING, dict(value)) if value else Terms()
    filed = Filing(
        order=Order(game=game.id, jurisdiction=state.id),
        game=game,
        main=next(iter(game.options), None),
        paytables=game.paytables,
        jurisdiction=state,
        terms=terms,
    )
    tests = {rule.id: rule.test or "" for rule in state.rules}
    waiting = []
    for item in state.checklist:
        fields = [name for fact in item.proof for name in _fact_fields(filed, fact)]
        if "rule" in item.proof:
            fields += _rule_fields(filed, JUDGED_BY.get(tests.get(item.rule or "", ""), ""))
        if fields:
            waiting.append(
                Missing(text=item.text, rule=item.rule, fields=tuple(dict.fromkeys(fields)))
            )
    return tuple(waiting)


def _fact_fields(filed: Filing, name: str) -> Iterator[str]:
    """Yield the fields that would declare a fact, if it is not declared."""
    fact = FACTS.get(name)
    if fact is None or not fact.terms or fact.holds(filed):
        return
    if name in WAGERS:
        yield from _amounts(filed, WAGERS[name])
    elif name == "applicant_address":
        yield f"{filed.terms.applicant}/address"
    else:
        yield FIELDS.get(name, name.removesuffix("_kind"))


def _rule_fields(filed: Filing, part: str) -> Iterator[str]:
    """Yield the empty fields that a rule test depends on."""
    meters = list_meters(filed.game)
    enough = {LINKS: len(meters) > 1, REDUCTIONS: bool(meters)}
    if part == "largest_wagers":
        yield from _amounts(filed, part)
    elif part and getattr(filed.terms, part) is None and enough.get(part, True):
        yield part


def _amounts(filed: Filing, part: str) -> Iterator[str]:
    """Yield the amounts that are not declared; the whole part if there are several."""
    amount_of = filed.terms.largest if part == "largest_wagers" else filed.terms.least
    names = [f"{part}/{wager.id}" for wager in filed.wagers if amount_of(wager) is None]
    yield from names if len(names) == 1 else [part][: len(names)]
