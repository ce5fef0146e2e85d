"""Paytables whose pays are not those for which approval is requested."""

from types import SimpleNamespace
from typing import cast

import pytest

from certify.checks.r_jurisdictions.judge import build_checklist
from certify.commands.submit import Signing, _status
from certify.figures.second_counts import is_covered
from certify.filing.order import build_filing
from certify.model.submission import Filing, ItemState, Order, Status
from certify.report.compose import compose
from certify.report.rules.view import rules_view
from tests.html_documents import parse, read_text
from tests.report.conftest import whole

SIGNING = cast("Signing", SimpleNamespace(identity=SimpleNamespace(development=False)))


def file(game: str) -> Filing:
    return build_filing(Order(game=game, jurisdiction="pennsylvania"))


@pytest.mark.parametrize(
    ("game", "status"), [("pai-gow-mania", Status.DRAFT), ("mini-pai-gow", Status.FINAL)]
)
def test_a_submission_with_a_placeholder_is_never_final(game: str, status: Status) -> None:
    assert _status(SIGNING, file(game)) is status


def test_payout_odds_that_are_placeholders_are_not_done() -> None:
    lines = {line.item.id: line for line in build_checklist(file("pai-gow-mania"), ())}
    assert lines["payout-schedule"].state is ItemState.OPEN
    assert "without placeholders" in lines["payout-schedule"].detail
    others = {line.item.id: line for line in build_checklist(file("mini-pai-gow"), ())}
    assert others["payout-schedule"].state is ItemState.DONE


def test_the_rules_of_play_mark_a_placeholder_and_ask_for_the_payouts() -> None:
    text = read_text(parse(compose("rules.html.j2", rules_view(whole("pai-gow-mania", "nevada")))))
    origin = "These are the payouts of one casino in 2004, as a web page lists them."
    assert text.count(f": Paytable fitzgeralds-2004. {origin}") == 2
    assert text.count("The payouts for which approval is requested replace these.") == 2


def test_pennsylvania_asks_for_a_regulation_of_a_new_game() -> None:
    lines = {line.item.id: line for line in build_checklist(file("pai-gow-mania"), ())}
    assert lines["petition"].state is ItemState.OPEN
    assert "chooses among the options of the code" in lines["rules-submission"].item.text


def test_an_independent_count_covers_a_paytable_with_a_placeholder() -> None:
    filed = file("pai-gow-mania")
    assert [is_covered(filed.catalog, table.target) for table in filed.placeholders] == [True] * 2
