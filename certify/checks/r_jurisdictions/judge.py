"""Apply the rules and the checklist of a jurisdiction to a submission.

A rule names its test, an entry of `TESTS`. The test receives the filing and the text of the rule
that is in force, and returns a verdict. Only an official text can be satisfied or give an error.
With any other text, a contradiction is to be settled, and agreement stays open until the text in
force is confirmed.

`check` validates the parameters of a text against `TESTS`. The order of the entries is that of
`certify rule --tests`, of the reference, and of the schema's list.

An item of the checklist names its facts as data and is done only if all of them hold. No item is
done by default.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from certify.checks.framework import Context, Fault
from certify.checks.r_jurisdictions import amounts, documents, jackpots, payout_limits
from certify.checks.r_jurisdictions.rule_test import JUDGE, RuleTest, RuleVerdict, not_applicable
from certify.formatting import edge_in_words, join_words
from certify.model.analysis import Analysis
from certify.model.comparison import RuleJudgement, Standing
from certify.model.finding import Finding, Severity
from certify.model.game import Wager
from certify.model.jurisdiction import AppliesTo, Bearer, ChecklistItem, Rule, RuleVersion
from certify.model.paytable import Paytable
from certify.model.submission import ChecklistLine, Filing, ItemState
from certify.model.topic import Procedure, Topic
from certify.words.procedures import PROCEDURES

MODULES = (amounts, payout_limits, jackpots, documents)
"""Those that declare tests, in the order in which the tests are listed."""

TESTS: Mapping[str, RuleTest] = {
    test.name: test
    for module in MODULES
    for test in vars(module).values()
    if isinstance(test, RuleTest)
}
"""Every test by its name."""


CONFIRM = "Confirm the text in force before filing."

AGAINST = (Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""Verdicts in which the text of a rule contradicts the submission."""


class JudgedRule(Struct, frozen=True, kw_only=True):
    """A rule with its printed verdict and its faults."""

    judgement: RuleJudgement
    severity: Severity
    faults: tuple[Fault, ...]


def judge(filed: Filing) -> tuple[JudgedRule, ...]:
    """Return the verdict on every rule of the jurisdiction in its text in force on the date."""
    return tuple(_judge_rule(filed, rule) for rule in filed.jurisdiction.rules)


def against_filing(context: Context) -> Iterator[Finding]:
    """Yield the faults of rules that are not satisfied; none without a submission.

    What a text that is not official speaks against is to be settled: a warning at most.
    """
    for judged in judge(context.filing) if context.filing is not None else ():
        rule, version = judged.judgement.rule, judged.judgement.version
        test = TESTS.get(rule.test or "")
        if test is None or test.code is None or judged.judgement.standing not in AGAINST:
            continue
        by = f"{rule.id}: {version.citation}" if version else rule.id
        if version is not None and not version.official:
            by = f"{by}; no official text was read"
        severity = test.code.severity if test.by_code else judged.severity
        for fault in judged.faults:
            message = f"{fault.message} ({by})"
            yield context.finding(test.code, replace(fault, message=message, severity=severity))


def _judge_rule(filed: Filing, rule: Rule) -> JudgedRule:
    version = rule.find_version(filed.as_of)
    verdict = _verdict(filed, rule, version)
    test = TESTS.get(rule.test or "")
    return JudgedRule(
        judgement=RuleJudgement(
            rule=rule,
            version=version,
            standing=verdict.standing,
            detail=verdict.detail,
            section=test.section if test and verdict.standing is Standing.SATISFIED else "",
            notice=verdict.notice,
        ),
        severity=rule.rate_severity(version),
        faults=verdict.faults,
    )


def _verdict(filed: Filing, rule: Rule, version: RuleVersion | None) -> RuleVerdict:
    if other := find_difference(filed, rule.applies_to):
        return not_applicable(other)
    if version is None:
        day = filed.as_of.isoformat()
        return RuleVerdict(
            standing=Standing.UNVERIFIED, detail=f"No text known here was in force on {day}."
        )
    if rule.test is None:
        return RuleVerdict(standing=Standing.BY_PEOPLE, detail=JUDGE)
    verdict = TESTS[rule.test].judge(filed, version)
    return verdict if version.official else _soften_verdict(verdict)


def find_difference(filed: Filing, applies_to: AppliesTo | None) -> str:
    """Return the reason why a rule does not apply to a submission, or ""."""
    if applies_to is None:
        return ""
    game, shape = filed.game, filed.game.hands.shape
    if not applies_to.fits_name((game.name, *game.aliases)):
        return f"The rule concerns {join_words(applies_to.names)}."
    if applies_to.cards not in (None, shape.cards):
        return (
            f"The rule concerns hands of {applies_to.cards} cards; {game.name} deals {shape.cards}."
        )
    if applies_to.back not in (None, shape.back):
        return f"The rule concerns hands ranked by {applies_to.back} cards, not by {shape.back}."
    commission = any(option.commission is not None for option in filed.options)
    for required, holds, words in (
        (applies_to.divided, shape.is_divided, "divide hands in two"),
        (applies_to.commission, commission if filed.options else None, "take a commission"),
        (applies_to.dealer_exposed, game.dealer_exposed, "show the dealer's hand"),
        (
            applies_to.envy,
            any(table.envy is not None for table in filed.paytables),
            "pay prizes for other players' hands",
        ),
    ):
        if required not in (None, holds):
            return f"The rule concerns games that {'' if required else 'do not '}{words}."
    return ""


def _soften_verdict(verdict: RuleVerdict) -> RuleVerdict:
    """Return a verdict by a text that is not official: neither satisfied nor violated."""
    if verdict.standing is Standing.NOT_SATISFIED:
        return replace(verdict, standing=Standing.TO_BE_SETTLED)
    if verdict.standing is Standing.SATISFIED:
        detail = f"{verdict.detail} {CONFIRM}"
        return replace(verdict, standing=Standing.UNVERIFIED, detail=detail)
    return verdict


BY_RULE = "rule"
"""Fact that holds only if the test of the item's rule is satisfied."""


class Fact(Struct, frozen=True):
    """A fact with its description and test. ``terms``: the table terms can declare it.

    ``list_open`` names the parts of a fact that are not declared, where others are.
    """

    words: str
    holds: Callable[[Filing], bool]
    terms: bool = False
    list_open: Callable[[Filing], Sequence[str]] | None = None

    def describe(self, filed: Filing) -> str:
        """Return the description with the parts that a filing does not declare."""
        parts = self.list_open(filed) if self.list_open else ()
        return f"{self.words} (still open: {join_words(parts)})" if parts else self.words


def _section(name: str, filed: Filing) -> bool:
    return name in filed.jurisdiction.sections


def _rules_of_play(filed: Filing) -> bool:
    """Return True if the game is described, and with a main wager its round."""
    described = {section.id for section in filed.game.sections if section.statements}
    if filed.main is None:
        return "description" in described
    # Of undivided hands the order of play is printed from the declared terms.
    needed = {"description", "round"} if filed.game.hands.shape.is_divided else {"description"}
    return needed <= described and _section("main", filed)


def _percentages(filed: Filing) -> bool:
    """Return True if the edge or the fixed return of all that is filed was counted, as filed."""
    counted = [filed.analyses.get(record.target) for record in filed.records]
    return not filed.placeholders and all(
        each is not None and (each.house_edge is not None or each.progressive is not None)
        for each in counted
    )


def _payouts(filed: Filing) -> bool:
    """Return True if the pays of all that is filed are printed, and none is a placeholder."""
    bonus = _section("bonus", filed) or not filed.paytables
    return _section("main", filed) and bonus and not filed.placeholders


def _envy_effects(filed: Filing) -> bool:
    """Return True if the effect of every filed envy table was counted."""
    envious = [filed.analyses.get(table.target) for table in filed.paytables if table.envy]
    return all(analysis is not None and analysis.envy is not None for analysis in envious)


def _is_from_supplier(name: str, filed: Filing) -> bool:
    supplier = filed.terms.supplier
    return supplier is not None and getattr(supplier, name) is not None


def _has_applicant_address(filed: Filing) -> bool:
    """Return True if the party that applies has an address."""
    applying = filed.terms.applying
    return applying is not None and applying.address is not None


def _has_procedure(procedure: Procedure, filed: Filing) -> bool:
    """Return True if the rules of play answer the topic of a procedure, or need not."""
    return not filed.needs_procedure(procedure) or filed.is_settled(procedure)


def _without_amounts(filed: Filing) -> list[Paytable]:
    """Return the paytables with a meter of which an amount is not declared."""
    tables = filed.progressives
    return [table for table in tables if any(meter.missing_amounts for meter in table.meters)]


def _has_meter_terms(filed: Filing) -> bool:
    """Return True if the rules of play have no blank on progressive meters."""
    declared = filed.terms.links is not None and filed.terms.meter_reductions is not None
    return not filed.progressives or (declared and not _without_amounts(filed))


def _list_open_meter_terms(filed: Filing) -> list[str]:
    """Return the undeclared parts on meters; none unless another part is declared."""
    silent = _without_amounts(filed)
    ids = join_words(table.id for table in silent)
    parts = {
        f"the amounts of {ids}": not silent,
        "the links": filed.terms.links is not None,
        "the reasons": filed.terms.meter_reductions is not None,
    }
    is_begun = any(parts.values()) or len(silent) < len(filed.progressives)
    return [name for name, declared in parts.items() if is_begun and not declared]


def _list_unlimited(filed: Filing, amount: Callable[[Wager], int | None]) -> list[str]:
    """Return the names of the wagers without an amount, if others have one."""
    silent = [wager.name for wager in filed.wagers if amount(wager) is None]
    return silent if len(silent) < len(filed.wagers) else []


def _states_seats(filed: Filing) -> bool:
    """Return True if the game has a statement on the number of players, which is printed."""
    game = filed.game
    statements = [each for section in game.sections for each in section.statements]
    printed = filed.filter_statements([*statements, *game.definitions, *game.assumptions])
    return any(each.topic is Topic.SEATS and not each.open for each in printed)


FACTS: Mapping[str, Fact] = {
    "rules_of_play": Fact("the description of the game and of its round", _rules_of_play),
    "names": Fact("the section on names", partial(_section, "names")),
    "payout_schedule": Fact(
        "the pays of every wager that is filed, without placeholders", _payouts
    ),
    "rack_card_text": Fact(
        "the text of layout and rack card, without placeholders",
        lambda filed: _section("rack_card", filed) and not filed.placeholders,
    ),
    "theoretical_percentages": Fact(
        "the exact return of every record that is filed, without placeholders", _percentages
    ),
    "envy_effects": Fact("the effect of every envy table", _envy_effects),
    "confidential_mathematics": Fact(
        "that the mathematics is filed apart", lambda filed: filed.jurisdiction.confidential
    ),
    "supplier": Fact(
        "the supplier's name",
        lambda filed: filed.terms.supplier is not None or filed.game.supplier is not None,
        terms=True,
    ),
    "supplier_address": Fact(
        "the supplier's address", partial(_is_from_supplier, "address"), terms=True
    ),
    "supplier_contact": Fact(
        "the contact for the regulator's questions",
        partial(_is_from_supplier, "contact"),
        terms=True,
    ),
    "supplier_licence": Fact(
        "the supplier's license", partial(_is_from_supplier, "licence"), terms=True
    ),
    "wager_maxima": Fact(
        "the maximum of every wager",
        lambda filed: all(filed.terms.largest(wager) is not None for wager in filed.wagers),
        terms=True,
        list_open=lambda filed: _list_unlimited(filed, filed.terms.largest),
    ),
    "wager_minima": Fact(
        "the minimum of every wager",
        lambda filed: all(filed.terms.least(wager) is not None for wager in filed.wagers),
        terms=True,
        list_open=lambda filed: _list_unlimited(filed, filed.terms.least),
    ),
    "players": Fact(
        "the number of players at the table",
        lambda filed: filed.terms.players is not None or _states_seats(filed),
        terms=True,
    ),
    "aggregate_limits": Fact(
        "the aggregate payout limits, or that there are none",
        lambda filed: filed.terms.aggregate_limits is not None,
        terms=True,
    ),
    "meter_terms": Fact(
        "the amounts of every progressive meter, its links and the reasons to reduce it",
        _has_meter_terms,
        list_open=_list_open_meter_terms,
    ),
    "laboratory_letter": Fact(
        "the laboratory's letter",
        lambda filed: filed.provenance.letter is not None,
    ),
    "application": Fact(
        "the form of the application", lambda filed: filed.jurisdiction.application is not None
    ),
    "application_kind": Fact(
        "whether the game is new, a variation or a composite",
        lambda filed: filed.terms.application is not None,
        terms=True,
    ),
    "application_reason": Fact(
        "the reason for the request",
        lambda filed: filed.terms.application_reason is not None,
        terms=True,
    ),
    "applicant_address": Fact("the applicant with an address", _has_applicant_address, terms=True),
    "fees": Fact(
        "the collection fees by the size of the wager",
        lambda filed: filed.terms.fees is not None,
        terms=True,
    ),
    "code_options": Fact(
        "the option of the code for every wager",
        lambda filed: {wager.id for wager in filed.wagers} <= dict(filed.terms.code_options).keys(),
        terms=True,
    ),
    **{
        str(procedure): Fact(PROCEDURES[procedure], partial(_has_procedure, procedure), terms=True)
        for procedure in Procedure
    },
}
"""Every fact that an item may name, except `BY_RULE`."""

BLANKS: Mapping[str, tuple[str, ...]] = {
    "rules_of_play": (
        *("supplier", "payout_schedule", "wager_maxima", "wager_minima", "aggregate_limits"),
        "meter_terms",
        *map(str, Procedure),
    )
}
"""Facts without which a fact has blanks."""


_BROUGHT = {
    Bearer.OURS: "In these documents.",
    Bearer.THEIRS: "To be supplied by the supplier or the casino.",
    Bearer.LABORATORY: "To be supplied by a laboratory.",
}
"""Text of an item without known details, by the party that supplies it."""

CONTESTED = (Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The verdicts on a rule that a text contradicts."""

UNNEEDED = "Nothing in this filing needs it."

TEXTS = ChecklistItem(
    id="texts-in-force",
    text="Text in force of each regulation of which no official text was read",
    bearer=Bearer.THEIRS,
)
"""The item that every filing has whose rules are not all known by an official text."""


HOUSE_WAY = ChecklistItem(
    id="house-way-in-use",
    text="Confirmation that no house way is in use with which the player has an advantage",
    bearer=Bearer.THEIRS,
)
"""The item of a filing whose rules leave such a house way to the casino."""


def build_checklist(
    filed: Filing,
    judged: Sequence[RuleJudgement],
    other_ways: Iterable[tuple[str, Analysis]] = (),
) -> tuple[ChecklistLine, ...]:
    """Return the checklist items with their states and what to supply.

    ``other_ways`` are the filed options by each other allowed house way, with its name.

    An item without a fact is open: nothing here can show that it is done.
    """
    judgements = {judgement.rule.id: judgement for judgement in judged}
    lines = [
        _line(filed, item, judgements.get(item.rule or ""))
        for item in filed.jurisdiction.checklist
        if not find_difference(filed, item.applies_to)
    ]
    texts = dict.fromkeys(filter(None, (judgement.unread_citation for judgement in judged)))
    if texts:
        detail = f"To be confirmed before filing: {'; '.join(texts)}."
        lines.append(ChecklistLine(item=TEXTS, state=ItemState.OPEN, detail=detail))
    against_house = [
        f"With the {way}, option {by_way.paytable}, {edge_in_words(by_way.house_edge)}."
        for way, by_way in other_ways
        if by_way.house_edge is not None and by_way.house_edge < 0
    ]
    if against_house:
        detail = " ".join(against_house)
        lines.append(ChecklistLine(item=HOUSE_WAY, state=ItemState.OPEN, detail=detail))
    return tuple(lines)


def _line(filed: Filing, item: ChecklistItem, judgement: RuleJudgement | None) -> ChecklistLine:
    """Return the line of an item; ``judgement`` is that of its rule.

    A rule that the filing does not meet leaves an item open, whether it is the proof or not.
    """
    contested = judgement is not None and judgement.standing in CONTESTED
    if BY_RULE not in item.proof and not contested:
        judgement = None
    if judgement is not None and judgement.standing is Standing.NOT_APPLICABLE:
        return ChecklistLine(
            item=item, state=ItemState.NOT_NEEDED, detail=judgement.detail, judgement=judgement
        )
    supplied = filed.terms.find_supplied(item.id)
    if supplied is not None and not item.proof:
        names = join_words(file.name for file in supplied.files)
        detail = f"Supplied with the filing{f': {names}' if names else ''}."
        return ChecklistLine(item=item, state=ItemState.DONE, detail=detail)
    needless = [each for each in Procedure if not filed.needs_procedure(each)]
    if item.proof and set(item.proof) <= set(needless):
        return ChecklistLine(item=item, state=ItemState.NOT_NEEDED, detail=UNNEEDED)
    needed = dict.fromkeys(chain(*((name, *BLANKS.get(name, ())) for name in item.proof)))
    absent = [name for name in needed if name in FACTS and not FACTS[name].holds(filed)]
    by_rule = BY_RULE not in item.proof or (
        judgement is not None and judgement.standing is Standing.SATISFIED
    )
    done = bool(item.proof) and not absent and by_rule and not contested
    parts = (
        *(_missing_facts(filed, absent, terms=terms) for terms in (True, False)),
        judgement.detail if judgement is not None else "",
        (item.detail or _BROUGHT[Bearer.OURS]) if done and judgement is None else "",
        _BROUGHT[item.bearer] if not item.proof else "",
    )
    return ChecklistLine(
        item=item,
        state=ItemState.DONE if done else ItemState.OPEN,
        detail=" ".join(part for part in parts if part),
        judgement=judgement,
    )


def _missing_facts(filed: Filing, absent: Sequence[str], *, terms: bool) -> str:
    """Return the missing facts that the terms can declare, or those that they cannot."""
    words = [FACTS[name].describe(filed) for name in absent if FACTS[name].terms is terms]
    if not words:
        return ""
    return f"{'To be stated in the terms' if terms else 'Missing'}: {join_words(words)}."
