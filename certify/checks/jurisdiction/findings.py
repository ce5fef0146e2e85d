"""Findings of a filing: one function for each code, over the rules that its jurisdiction has."""

from collections.abc import Iterator

from certify.checks.context import Context
from certify.checks.jurisdiction.judge import judge
from certify.checks.pages import rule_pack as pages
from certify.model.audit import Standing
from certify.model.finding import Code, Finding, Severity
from certify.model.jurisdiction import Confidence


def wager_above_limit(context: Context) -> Iterator[Finding]:
    """R001: no wager is above the largest that is allowed."""
    yield from _of(context, pages.R001, "largest_wager")


def too_many_games(context: Context) -> Iterator[Finding]:
    """R002: no more games are offered on one hand than are allowed."""
    yield from _of(context, pages.R002, "games_per_hand")


def limit_too_low(context: Context) -> Iterator[Finding]:
    """R003: no aggregate payout limit is below the least one."""
    yield from _of(
        context, pages.R003, "aggregate_limit_floor", "payout_cap_floor", "fixed_payout_floor"
    )


def limit_on_low_odds(context: Context) -> Iterator[Finding]:
    """R004: no aggregate payout limit is put on low odds."""
    yield from _of(context, pages.R004, "no_aggregate_below_50")


def limit_combines(context: Context) -> Iterator[Finding]:
    """R005: no aggregate payout limit combines prizes."""
    yield from _of(context, pages.R005, "not_combined")


def meter_not_stated(context: Context) -> Iterator[Finding]:
    """R006: seed, increment and reserve of every filed meter are stated."""
    yield from _of(context, pages.R006, "progressive_statement")


def links_unlike(context: Context) -> Iterator[Finding]:
    """R007: linked meters are won by the same hands with the same probability."""
    yield from _of(context, pages.R007, "linked_equal_probability")


def meter_lowered(context: Context) -> Iterator[Finding]:
    """R008: a meter is lowered for the permitted reasons only."""
    yield from _of(context, pages.R008, "meter_reduction_reasons")


def too_many_players(context: Context) -> Iterator[Finding]:
    """R009: no more players sit at the table than are allowed."""
    yield from _of(context, pages.R009, "players_at_table")


def sentence_missing(context: Context) -> Iterator[Finding]:
    """R010: every standing sentence is printed."""
    yield from _of(context, pages.R010, "shuffler_sentence", "side_bet_sentence")


def name_taken(context: Context) -> Iterator[Finding]:
    """R011: no other approved game has this name."""
    yield from _of(context, pages.R011, "unique_name")


def example_missing(context: Context) -> Iterator[Finding]:
    """R012: every wager has a worked example of each way to end."""
    yield from _of(context, pages.R012, "worked_examples")


def no_rack_card(context: Context) -> Iterator[Finding]:
    """R013: layout and rack-card text are printed from the filed records."""
    yield from _of(context, pages.R013, "posted_text")


def content_changed(context: Context) -> Iterator[Finding]:
    """R014: the content under an approved id has not changed, whatever the rule's own weight."""
    yield from _of(context, pages.R014, "variation_filing", severity=Severity.ERROR)


def pay_stated_as_for(context: Context) -> Iterator[Finding]:
    """R020: no pay is stated as "for" unless it is approved so."""
    yield from _of(context, pages.R020, "pays_to_one")


def _of(
    context: Context, code: Code, *tests: str, severity: Severity | None = None
) -> Iterator[Finding]:
    """Yield the places at which a rule with one of these tests is not satisfied.

    What a text that is not known word for word speaks against is to be settled: a warning at most.
    """
    if context.filing is None:
        return
    for one in judge(context.filing):
        rule, version = one.judgement.rule, one.judgement.version
        if rule.test not in tests or one.judgement.standing not in AGAINST:
            continue
        by = f"{rule.id}: {version.citation}" if version else rule.id
        if version is not None and version.confidence is not Confidence.VERIFIED_TEXT:
            by = f"{by}; known by a secondary text"
        for fault in one.faults:
            yield context.finding(
                code,
                fault.key,
                fault.pointer,
                f"{fault.message} ({by})",
                REMEDIES[code.id],
                severity=severity or one.severity,
            )


AGAINST = (Standing.NOT_SATISFIED, Standing.TO_BE_SETTLED)
"""The standings in which the text of a rule speaks against what is filed."""

REMEDIES = {
    "R001": "Lower the maximum wager.",
    "R002": "File fewer wagers together, or lower the maximum wager of some.",
    "R003": "Raise the limit, or lower the maximum wager.",
    "R004": "Take the wager out of the limit.",
    "R005": "State a limit for each wager.",
    "R006": "State seed, increment and reserve of the meter.",
    "R007": "Link only meters that are won by the same hands.",
    "R008": "Remove the reason.",
    "R009": "Lower the number of players.",
    "R010": "Add the clause to the jurisdiction, with `rule`, and its section.",
    "R011": "Choose another name, or correct the register.",
    "R012": "Report the gap: the documents should show it.",
    "R013": "Add `rack_card` to the sections of the jurisdiction.",
    "R014": "Restore the content that was filed, and give the new one another id.",
    "R020": "State the pay as “to”, one less than “for”.",
}
"""How to mend what each code finds, in one sentence."""
