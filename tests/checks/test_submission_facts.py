"""Each line that says "satisfied" or "done" rests on a fact: without it the line says otherwise.

Every game is filed in both states with everything stated that can be; then one fact at a time is
taken away, or replaced by one that speaks against the rule.
"""

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from certify.checks.r_jurisdictions.documents import what_can_be_shown
from certify.checks.r_jurisdictions.judge import BLANKS, BY_RULE, FACTS, build_checklist, judge
from certify.checks.r_jurisdictions.payout_limits import top_odds
from certify.model.analysis import Analysis, EnvyAnalysis
from certify.model.approval import FilingStanding, PaytableStanding
from certify.model.comparison import RuleJudgement, Standing
from certify.model.explanation import Example, Settlement
from certify.model.game import Game
from certify.model.jurisdiction import (
    AggregateLimit,
    Application,
    Bearer,
    ChecklistItem,
    MeterReduction,
    Party,
    Terms,
)
from certify.model.main_wager import Outcome
from certify.model.paytable import Basis, FeeBand, FeeSchedule, Paytable
from certify.model.source import Banking, Statement
from certify.model.submission import ChecklistLine, Filing, ItemState, Letter, Order, Provenance
from certify.model.topic import Procedure, Topic
from tests.catalog import catalog
from tests.confidence import raise_confidence
from tests.register_status import build_consultation

TODAY = date(2026, 11, 21)
STATES = ("nevada", "wsgc")
MOST_GAMES = 6
"""WAC 230-15-040(1)(b): separate games on one hand."""


GAMES = tuple(catalog().games)


def change_paytables(filed: Filing, change: Callable[[Paytable], Paytable]) -> Filing:
    """Change every filed paytable, in the filing and in its game."""
    wagers = tuple(
        replace(wager, paytables=tuple(change(paytable) for paytable in wager.paytables))
        for wager in filed.game.wagers
    )
    return replace(
        filed,
        game=replace(filed.game, wagers=wagers),
        paytables=tuple(change(paytable) for paytable in filed.paytables),
    )


def stated_meters(table: Paytable) -> Paytable:
    if table.progressive is None:
        return table
    meters = tuple(
        replace(meter, seed_cents=100000, increment=Fraction(1, 5), reserve=Fraction(1, 50))
        for meter in table.progressive.meters
    )
    return replace(table, progressive=replace(table.progressive, meters=meters))


def build_analysis(target: str, table: Paytable | None = None) -> Analysis:
    """Return an analysis of no hand: these checks only need its presence."""
    game, wager, name = target.split("/")
    envy = EnvyAnalysis(
        paytable=(table.envy if table else None) or "",
        qualifying_wager_cents=500,
        wager_cents=500,
        rows=(),
        per_other_player=Fraction(0),
        house_edge_by_players={},
    )
    return Analysis(
        target=target,
        game=game,
        wager=wager,
        paytable=name,
        total=1,
        rows=(),
        hit_frequency=Fraction(0),
        assumptions=(),
        inputs=(),
        engine_version="none",
        house_edge=Fraction(0),
        envy=envy if table is not None and table.envy else None,
    )


def complete(game: str, jurisdiction: str, *, limited: bool = False) -> Filing:
    """File a game with everything stated; with ``limited`` every limit that may be is set."""
    declared, where = catalog().games[game], raise_confidence(catalog().jurisdictions[jurisdiction])
    offered = [wager for wager in declared.wagers if wager.options or wager.paytables][:MOST_GAMES]
    declared = replace(declared, wagers=tuple(offered))
    option = next(option for wager in offered for option in wager.options)
    tables = tuple(paytable for wager in offered for paytable in wager.paytables)
    bare = Filing(
        order=Order(game=game, jurisdiction=where.id, as_of=TODAY),
        game=declared,
        main=option,
        paytables=tables,
        analyses={
            option.target: build_analysis(option.target) for option in declared.options_with(option)
        }
        | {table.target: build_analysis(table.target, table) for table in tables},
        jurisdiction=where,
    )
    bare = change_paytables(bare, lambda table: replace(table, placeholder=None))
    filed = replace(change_paytables(bare, stated_meters), terms=terms(declared))
    if limited:
        high = [wager for wager in filed.wagers if (top_odds(filed, wager) or 0) >= 50]
        limits = tuple(AggregateLimit(cents=10**9, wagers=(item.id,)) for item in high)
        filed = replace(filed, terms=replace(filed.terms, aggregate_limits=limits))
    return replace(
        filed,
        examples=examples(filed),
        register=build_consultation(
            *(
                PaytableStanding(target=analysis, standing=FilingStanding.NEW)
                for analysis in filed.analyses
            )
        ),
        provenance=Provenance(letter=LETTER),
    )


LETTER = Letter(name="letter.pdf", sha256="0" * 64)


def terms(game: Game) -> Terms:
    each = tuple((wager.id, 500) for wager in game.wagers)
    return Terms(
        game=game.id,
        supplier=Party(name="Sample", address="1 Main Street", contact="Jo", licence="M 1"),
        procedures=tuple((procedure, "As the house does.") for procedure in Procedure),
        largest_wagers=each,
        least_wagers=each,
        aggregate_limits=(),
        links=(),
        meter_reductions=(MeterReduction.AMOUNT_WON,),
        players=6,
        tribal=False,
        application=Application.NEW_GAME,
        application_reason="Players ask for it.",
        code_options=tuple((wager.id, "58 Pa. Code, option 1") for wager in game.wagers),
        fees=FeeSchedule(bands=(FeeBand(from_cents=500, cents=50),), text="Before the deal."),
        laboratory_letter=LETTER.sha256,
    )


def examples(filed: Filing) -> tuple[Example, ...]:
    found = []
    for wager in filed.wagers:
        tables = filed.tables(wager)
        target = tables[0].target if tables else filed.option.target
        found += [example(target, kind) for kind in what_can_be_shown(filed, wager)]
        for table in tables:
            found += [
                replace(example(table.target, "push"), event=row.event)
                for row in table.rows
                if row.payout.basis is Basis.PUSH
            ]
    return tuple(found)


def example(target: str, kind: str) -> Example:
    return Example(target=target, kind=kind, player=None, dealer=None, event="")


Change = Callable[[Filing], Filing]


def replace_terms(**fields: Any) -> Change:  # noqa: ANN401 - fields of `Terms`
    return lambda filed: replace(filed, terms=replace(filed.terms, **fields))


def remove_section(*names: str) -> Change:
    def change(filed: Filing) -> Filing:
        left = tuple(section for section in filed.jurisdiction.sections if section not in names)
        return replace(filed, jurisdiction=replace(filed.jurisdiction, sections=left))

    return change


def remove_clauses(filed: Filing) -> Filing:
    return replace(filed, jurisdiction=replace(filed.jurisdiction, clauses=()))


def remove_reserve(filed: Filing) -> Filing:
    def change(table: Paytable) -> Paytable:
        if table.progressive is None:
            return table
        first, *others = table.progressive.meters
        meters = (replace(first, reserve=None), *others)
        return replace(table, progressive=replace(table.progressive, meters=meters))

    return change_paytables(filed, change)


def remove_round(filed: Filing) -> Filing:
    left = tuple(section for section in filed.game.sections if section.id != "round")
    return replace(filed, game=replace(filed.game, sections=left))


def remove_main_count(filed: Filing) -> Filing:
    left = {name: one for name, one in filed.analyses.items() if name != filed.option.target}
    return replace(filed, analyses=left)


def remove_envy_count(filed: Filing) -> Filing:
    return replace(
        filed, analyses={name: replace(one, envy=None) for name, one in filed.analyses.items()}
    )


def remove_supplier(filed: Filing) -> Filing:
    unnamed = replace(filed, game=replace(filed.game, supplier=None))
    return replace_terms(supplier=None)(unnamed)


def remove_from_supplier(name: str) -> Change:
    def change(filed: Filing) -> Filing:
        assert filed.terms.supplier is not None
        nothing: dict[str, Any] = {name: None}
        return replace_terms(supplier=replace(filed.terms.supplier, **nothing))(filed)

    return change


def remove_amounts(field: str, declared: str) -> Change:
    def change(filed: Filing) -> Filing:
        nothing: dict[str, Any] = {declared: None}
        wagers = tuple(replace(wager, **nothing) for wager in filed.game.wagers)
        silent = replace(filed, game=replace(filed.game, wagers=wagers))
        return replace_terms(**{field: ()})(silent)

    return change


def remove_procedure(procedure: Procedure) -> Change:
    def silent(one: Statement) -> Statement:
        return replace(one, topic=None) if one.replaced_by is procedure else one

    def change(filed: Filing) -> Filing:
        sections = tuple(
            replace(section, statements=tuple(silent(each) for each in section.statements))
            for section in filed.game.sections
        )
        clauses = tuple(silent(clause) for clause in filed.jurisdiction.clauses)
        left = tuple(item for item in filed.terms.procedures if item[0] is not procedure)
        return replace(
            filed,
            game=replace(filed.game, sections=sections),
            jurisdiction=replace(filed.jurisdiction, clauses=clauses),
            terms=replace(filed.terms, procedures=left),
        )

    return change


def seven_games(filed: Filing) -> Filing:
    bonus = next(wager for wager in filed.game.wagers if wager.paytables)
    names = [f"copy-{place}" for place in range(MOST_GAMES)]
    tables = tuple(replace(bonus.paytables[0], wager=name) for name in names)
    copies = tuple(replace(bonus, id=table.wager, paytables=(table,)) for table in tables)
    return replace(
        filed,
        game=replace(filed.game, wagers=(*filed.game.wagers, *copies)),
        paytables=(*filed.paytables, *tables),
    )


def limit_on_even_money(filed: Filing) -> Filing:
    main = next(wager.id for wager in filed.game.wagers if wager.options)
    return replace_terms(aggregate_limits=(AggregateLimit(cents=10**9, wagers=(main,)),))(filed)


def limits_of_a_cent(filed: Filing) -> Filing:
    limits = tuple(
        replace(aggregate_limit, cents=1) for aggregate_limit in filed.terms.aggregate_limits or ()
    )
    return replace_terms(aggregate_limits=limits)(filed)


def bank_by_players(filed: Filing) -> Filing:
    return replace(filed, game=replace(filed.game, banking=Banking.PLAYER_DEALER))


def remove_seats(filed: Filing) -> Filing:
    assumptions = tuple(each for each in filed.game.assumptions if each.topic is not Topic.SEATS)
    sections = tuple(
        replace(
            section,
            statements=tuple(each for each in section.statements if each.topic is not Topic.SEATS),
        )
        for section in filed.game.sections
    )
    game = replace(filed.game, assumptions=assumptions, sections=sections)
    return replace_terms(players=None)(replace(filed, game=game))


def exceed_limit(filed: Filing) -> Filing:
    (first, _), *others = filed.terms.largest_wagers
    return replace_terms(largest_wagers=((first, 40001), *others))(filed)


TAKEN_FROM_A_RULE: dict[str, Change] = {
    "largest_wager": exceed_limit,
    "games_per_hand": seven_games,
    "players_at_table": replace_terms(players=7),
    "aggregate_limit_floor": limits_of_a_cent,
    "no_aggregate_below_50": limit_on_even_money,
    "progressive_statement": remove_reserve,
    "meter_reduction_reasons": replace_terms(meter_reductions=None),
    "shuffler_sentence": remove_clauses,
    "side_bet_sentence": remove_clauses,
    "variation_filing": lambda filed: replace(filed, register=None),
    "worked_examples": lambda filed: replace(filed, examples=(filed.examples or ())[1:]),
    "laboratory_certification": lambda filed: replace(filed, provenance=Provenance()),
}
"""What is taken away from a filing in which a rule with this test is satisfied."""

TAKEN: dict[str, Change] = {
    "rules_of_play": remove_round,
    "names": remove_section("names"),
    "payout_schedule": remove_section("bonus"),
    "rack_card_text": remove_section("rack_card"),
    "theoretical_percentages": remove_main_count,
    "envy_effects": remove_envy_count,
    "confidential_mathematics": lambda filed: replace(
        filed, jurisdiction=replace(filed.jurisdiction, confidential=False)
    ),
    "supplier": remove_supplier,
    "supplier_address": remove_from_supplier("address"),
    "supplier_contact": remove_from_supplier("contact"),
    "supplier_licence": remove_from_supplier("licence"),
    "wager_maxima": remove_amounts("largest_wagers", "maximum_cents"),
    "wager_minima": remove_amounts("least_wagers", "minimum_cents"),
    "aggregate_limits": replace_terms(aggregate_limits=None),
    "meter_terms": replace_terms(links=None),
    "laboratory_letter": lambda filed: replace(filed, provenance=Provenance()),
    "players": remove_seats,
    "application": lambda filed: replace(
        filed, jurisdiction=replace(filed.jurisdiction, application=None)
    ),
    "application_kind": replace_terms(application=None),
    "application_reason": replace_terms(application_reason=None),
    "applicant_address": remove_from_supplier("address"),
    "code_options": replace_terms(code_options=()),
    "fees": replace_terms(fees=None),
    **{str(procedure): remove_procedure(procedure) for procedure in Procedure},
    "banking": lambda filed: remove_procedure(Procedure.BANKING)(bank_by_players(filed)),
}
"""What is taken away from a filing in which a fact of the checklist holds."""


def judgements(filed: Filing) -> dict[str, RuleJudgement]:
    return {judged_rule.judgement.rule.id: judged_rule.judgement for judged_rule in judge(filed)}


def lines(filed: Filing) -> dict[str, ChecklistLine]:
    found = build_checklist(filed, tuple(judgements(filed).values()))
    return {item.item.id: item for item in found}


CASES = [
    pytest.param(game, state, limited, id=f"{game}-{state}{'-limited' if limited else ''}")
    for game in GAMES
    for state in STATES
    for limited in (False, True)
]


@pytest.mark.parametrize(("game", "jurisdiction", "limited"), CASES)
def test_a_satisfied_rule_is_not_without_its_fact(
    game: str, jurisdiction: str, *, limited: bool
) -> None:
    filed = complete(game, jurisdiction, limited=limited)
    satisfied = [
        verdict for verdict in judgements(filed).values() if verdict.standing is Standing.SATISFIED
    ]
    assert len(satisfied) >= 3
    for item in satisfied:
        less = TAKEN_FROM_A_RULE[item.rule.test or ""](filed)
        assert judgements(less)[item.rule.id].standing is not Standing.SATISFIED, item.rule.id


@pytest.mark.parametrize(("game", "jurisdiction", "limited"), CASES)
def test_a_done_item_is_open_without_any_of_its_facts(
    game: str, jurisdiction: str, *, limited: bool
) -> None:
    filed = complete(game, jurisdiction, limited=limited)
    done = [line for line in lines(filed).values() if line.state is ItemState.DONE]
    assert len(done) >= 9
    assert "theoretical_percentages" in {name for item in done for name in item.item.proof}
    envious = any(paytable.envy for paytable in filed.paytables)
    for item in done:
        assert item.item.proof, item.item.id
        for name in item.item.proof:
            if name == "envy_effects" and not envious:
                continue
            by_rule = item.judgement.rule.test if item.judgement is not None else None
            change = TAKEN_FROM_A_RULE[by_rule or ""] if name == BY_RULE else TAKEN[name]
            after = lines(change(filed))[item.item.id]
            assert after.state is ItemState.OPEN, (item.item.id, name)
            assert after.detail != item.detail


def test_every_fact_is_taken_away_somewhere() -> None:
    named = set()
    for game in GAMES:
        for jurisdiction in catalog().jurisdictions:
            for line in lines(complete(game, jurisdiction)).values():
                named |= set(line.item.proof) if line.state is ItemState.DONE else set()
    named |= {name for name in BLANKS["rules_of_play"] if "rules_of_play" in named}
    assert named - {BY_RULE} == set(FACTS) == set(TAKEN)


@pytest.mark.parametrize(
    "name", ["payout_schedule", "rack_card_text", "theoretical_percentages", BY_RULE]
)
def test_nothing_that_rests_on_placeholders_is_done(name: str) -> None:
    """Pai Gow Mania in Pennsylvania: percentages and cards of another casino were done."""
    filed = complete("pai-gow-mania", "maryland")
    placed = change_paytables(filed, lambda table: replace(table, placeholder="Of a casino."))
    if name == BY_RULE:
        before, after = (judgements(each)["MD-ODDS"].standing for each in (filed, placed))
        assert (before, after) == (Standing.SATISFIED, Standing.UNVERIFIED)
    else:
        assert FACTS[name].holds(filed)
        assert not FACTS[name].holds(placed)


@pytest.mark.parametrize("name", BLANKS["rules_of_play"])
def test_rules_of_play_with_a_blank_are_open(name: str) -> None:
    filed = complete("emperors-challenge-exposed", "nevada")
    pack = filed.jurisdiction
    item = ChecklistItem(id="asked", text="Asked", bearer=Bearer.OURS, proof=(name,))
    asking = replace(pack, checklist=(*pack.checklist, item))  # of what Nevada does not ask, too
    filed = replace(filed, jurisdiction=asking)
    assert lines(filed)["rules-of-play"].state is ItemState.DONE
    line = lines(TAKEN[name](filed))["rules-of-play"]
    assert line.state is ItemState.OPEN
    assert FACTS[name].words in line.detail


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("jurisdiction", STATES)
def test_a_missing_fact_is_open_and_its_field_is_named(game: str, jurisdiction: str) -> None:
    filed = replace(complete(game, jurisdiction), terms=Terms(), examples=None, analyses={})
    for line in lines(filed).values():
        if line.state is ItemState.OPEN:
            assert line.detail.endswith(".")
    named = lines(filed)
    assert named["irregularities"].state is ItemState.OPEN
    assert "To be stated in the terms: " in named["irregularities"].detail
    asked = "To be stated in the terms: the contact for the regulator's questions."
    assert named["contact"].detail == asked


def test_filings_are_counted_with_a_main_wager_where_there_is_one() -> None:
    filed = replace(complete("mini-pai-gow", "nevada"), register=None)
    bonus = len(filed.paytables)
    for main, number in ((filed.main, bonus + 1), (None, bonus)):
        details = [verdict.detail for verdict in judgements(replace(filed, main=main)).values()]
        (said,) = [detail for detail in details if "options of this submission" in detail]
        assert said.startswith(f"Each of the {number} paytables")


def test_a_standing_clause_settles_a_procedure_without_terms() -> None:
    filed = complete("emperors-challenge-exposed", "wsgc")
    silent = replace(filed, terms=replace(filed.terms, procedures=()))
    assert not FACTS["first_hand"].holds(silent)
    clause = replace(silent.jurisdiction.clauses[0], topic=Topic.FIRST_HAND)
    stated = replace(silent, jurisdiction=replace(silent.jurisdiction, clauses=(clause,)))
    assert FACTS["first_hand"].holds(stated)


def test_an_item_whose_rule_is_contradicted_is_open() -> None:
    """N.J.A.C. 13:69F-11.20(d): a maximum of what is paid is at least $40,000."""
    filed = complete("emperors-challenge-exposed", "new-jersey")
    assert lines(filed)["payout-limit"].state is ItemState.DONE
    low = AggregateLimit(cents=700_000, wagers=("emperors-treasure",))
    line = lines(replace(filed, terms=replace(filed.terms, aggregate_limits=(low,))))[
        "payout-limit"
    ]
    assert line.state is ItemState.OPEN
    assert "The payout limit of $7,000 is below $40,000." in line.detail


def test_what_is_missing_of_a_fact_is_named_where_a_part_is_stated() -> None:
    filed = complete("emperors-challenge-exposed", "nevada")
    (silent, *_), minimums = filed.wagers, FACTS["wager_minima"]
    stated = tuple(each for each in filed.terms.least_wagers if each[0] != silent.id)
    part = replace(filed, terms=replace(filed.terms, least_wagers=stated))
    assert minimums.describe(part) == f"{minimums.words} (still open: {silent.name})"
    empty = replace(filed, terms=replace(filed.terms, least_wagers=()))
    assert minimums.describe(empty) == minimums.words
    meters = FACTS["meter_terms"]
    part = replace(filed, terms=replace(filed.terms, links=None))
    assert meters.describe(part) == f"{meters.words} (still open: the links)"
    first = filed.progressives[0].target

    def take_seeds(table: Paytable) -> Paytable:
        found = table.progressive
        if found is None or table.target != first:
            return table
        kept = tuple(replace(meter, seed_cents=None) for meter in found.meters)
        return replace(table, progressive=replace(found, meters=kept))

    name = first.rpartition("/")[2]
    described = meters.describe(change_paytables(filed, take_seeds))
    assert described == f"{meters.words} (still open: the amounts of {name})"


def test_a_push_by_a_rule_on_the_dealers_hand_is_a_push() -> None:
    """An example of such a rule shows the push, whatever the kind of the example is called."""
    filed = complete("emperors-challenge-exposed", "nevada")
    target = filed.option.target
    ended = Settlement(
        outcome=Outcome.PUSH,
        pays="push",
        net=Fraction(0),
        comparisons=(),
        decided_by="push",
        text="",
    )

    def judged(shown: Settlement | None) -> list[str]:
        others = [
            each for each in filed.examples or () if (each.target, each.kind) != (target, "push")
        ]
        ruled = replace(example(target, "dealer_rule"), explained=shown)
        result = judge(replace(filed, examples=(*others, ruled)))
        return [
            fault.message
            for each in result
            for fault in each.faults
            if "has no worked example" in fault.message
        ]

    assert judged(None) == ["Emperor's Challenge Wager has no worked example of: push."]
    assert judged(ended) == []
