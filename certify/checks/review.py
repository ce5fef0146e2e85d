"""Every check, and the one function that runs them all."""

from collections.abc import Iterator, Mapping, Sequence

from certify.checks import (
    data_set,
    figures,
    games,
    house_ways,
    paytables,
    prizes,
    statements,
    wagers,
)
from certify.checks import terms as terms_of_a_table
from certify.checks.context import Check, Context
from certify.checks.jurisdiction import findings as filings
from certify.checks.jurisdiction import packs as rule_packs
from certify.checks.jurisdiction.facts import Filed
from certify.checks.pages.paytable import P014
from certify.errors import CertifyError
from certify.model.analysis import Analysis
from certify.model.audit import FigureJudgement
from certify.model.catalogue import Catalogue
from certify.model.finding import Finding, Severity
from certify.model.game import Game
from certify.model.house_way_audit import AuditedInGame
from certify.model.terms import Terms

HOUSE_WAY_CHECKS: tuple[Check, ...] = (
    house_ways.uncovered,
    house_ways.two_sections,
    house_ways.two_exceptions,
    house_ways.cannot_be_set,
    house_ways.foul,
    house_ways.malformed,
    house_ways.idle,
    house_ways.not_audited,
)
"""The judges that need the audit of a house way over every hand."""

FILING_CHECKS: tuple[Check, ...] = (
    filings.wager_above_limit,
    filings.too_many_games,
    filings.limit_too_low,
    filings.limit_on_low_odds,
    filings.limit_combines,
    filings.meter_not_stated,
    filings.links_unlike,
    filings.meter_lowered,
    filings.too_many_players,
    filings.sentence_missing,
    filings.name_taken,
    filings.example_missing,
    filings.no_rack_card,
    filings.content_changed,
    filings.pay_stated_as_for,
)
"""The judges of what is filed in a jurisdiction."""

PACK_CHECKS: tuple[Check, ...] = (
    rule_packs.parameters_fit,
    rule_packs.texts_follow,
    rule_packs.one_rule_for_a_test,
    rule_packs.unknown_rule,
)
"""The judges of the rule packs themselves; none of them needs a figure."""

CHECKS: tuple[Check, ...] = (
    data_set.id_twice,
    data_set.identical,
    data_set.paytable_or_reason,
    data_set.names_of_a_hand,
    data_set.unknown_document,
    data_set.unknown_target,
    data_set.id_of_two,
    statements.money_written,
    data_set.limits,
    data_set.hands_of_a_name,
    data_set.revisions,
    statements.owners_of_statements,
    paytables.unknown_event,
    paytables.never_paid,
    paytables.event_twice,
    paytables.pays_rise,
    paytables.basis_mixed,
    paytables.share_without_meter,
    paytables.dynamic_order,
    paytables.draw_fits,
    paytables.lowest_terms,
    paytables.hands_fit,
    paytables.kind_fits,
    paytables.empty_range,
    paytables.too_many_cards,
    paytables.uncountable,
    wagers.rule_named_otherwise,
    wagers.rule_twice,
    wagers.commission_range,
    wagers.rule_shadowed,
    games.main_wager_missing,
    games.hands_uncountable,
    wagers.house_way_missing,
    wagers.house_way_not_allowed,
    wagers.house_way_size,
    *HOUSE_WAY_CHECKS,
    prizes.envy_missing,
    prizes.envy_unused,
    prizes.envy_row_of_its_own,
    prizes.envy_prizes_rise,
    prizes.envy_exclusions,
    prizes.meter_missing,
    prizes.meter_unpaid,
    prizes.share_range,
    prizes.meter_terms,
    prizes.meter_increments,
    prizes.base_wager,
    figures.differs,
    figures.sums,
    figures.about_nothing,
    figures.incomplete,
    figures.form,
    figures.no_reason,
    *PACK_CHECKS,
    terms_of_a_table.unknown_in_terms,
    terms_of_a_table.contradictions,
    *FILING_CHECKS,
)
"""One judge for each code of meaning; a new code is a function and a line here."""


def review(
    catalogue: Catalogue,
    analyses: Mapping[str, Analysis],
    judgements: Sequence[FigureJudgement] = (),
    *,
    audited: Sequence[AuditedInGame] | None = None,
    filing: Filed | None = None,
    terms: Terms | None = None,
    game: Game | None = None,
    refusals: Mapping[str, CertifyError] | None = None,
) -> tuple[Finding, ...]:
    """Judge what the declared records mean.

    Args:
        catalogue: the records.
        analyses: the figures by target; what was not counted is not judged by its counts.
        judgements: the audit of the printed figures, as far as it was made.
        audited: the audits of house ways; None where they were not made.
        filing: what is filed in a jurisdiction, judged by its rules; None where nothing is.
        terms: the terms of a table on its own; those of a filing come with it.
        game: the game that these terms are to fit; None where they name it, or may fit any.
        refusals: why a target cannot be counted.

    Returns:
        Every finding, in the order of the files and their lines.
    """
    context = Context(
        catalogue=catalogue,
        analyses=analyses,
        judgements=tuple(judgements),
        house_ways=None if audited is None else tuple(audited),
        filing=filing,
        terms=terms if filing is None else filing.terms,
        game=game if filing is None else filing.game,
        refusals=refusals or {},
    )
    found = [finding for check in CHECKS for finding in check(context)]
    return tuple(
        sorted(_told_once(found), key=lambda one: (one.file, one.line, one.column, one.code))
    )


def _told_once(found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings; that a record cannot be counted only where no other error says why."""
    faulty = {one.file for one in found if one.severity is Severity.ERROR and one.code != P014.id}
    for one in found:
        if one.code != P014.id or faulty.isdisjoint({one.file, *one.related}):
            yield one
