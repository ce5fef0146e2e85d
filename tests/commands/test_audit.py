import json
from functools import cache

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.figures.audit import Audit, AuditRequest, audit, judge_figure, judge_figures
from certify.figures.evaluate import evaluate_each
from certify.intake.read import read_catalog
from certify.model.analysis import Analysis, MainAnalysis
from certify.model.catalog import Catalog
from certify.model.comparison import Agreement, FigureJudgement
from certify.model.game import Strategy
from certify.model.source import PublishedFigure, Quantity, Reading
from tests.documented_games import GAMES
from tests.last_digit import move_last_digit


@cache
def load_published() -> tuple[Catalog, dict[str, Analysis]]:
    catalog, _ = read_catalog(library.paytables())
    figures = [figure for figures in catalog.published.values() for figure in figures]
    named = {figure.target for figure in figures} | {
        figure.reading.target for figure in figures if figure.reading
    }
    tables = [table for game in catalog.games.values() for table in game.paytables]
    return catalog, evaluate_each(catalog, [table for table in tables if table.target in named])[0]


def figures() -> list[PublishedFigure]:
    catalog, _ = load_published()
    return [item for game in GAMES for item in catalog.published[game] if item.house_way is None]


def test_every_figure_moved_by_one_unit_in_its_last_digit_is_caught() -> None:
    catalog, analyses = load_published()
    game = catalog.games[GAMES[0]]
    passed = []
    for figure in figures():
        for by in (-1, 1):
            moved = replace(figure, printed=move_last_digit(figure.printed, by))
            judgement = judge_figure(moved, analyses)
            result = Audit(
                game=game, figures=(judgement,), discrepancies=(), inputs=(), engine_version=""
            )
            if not result.failures:
                passed.append((figure.id, moved.printed, judgement.agreement))
    assert passed == []


def test_figures_that_need_another_reading_are_the_known_nine() -> None:
    result = audit(AuditRequest(game="commission-free-pai-gow-express"))
    by_reading = {
        figure.figure.reading
        for figure in result.figures
        if figure.agreement is Agreement.AGREES_UNDER_READING
    }
    assert result.totals[Agreement.AGREES_UNDER_READING] == 9
    assert by_reading == {
        Reading(decimals=9),
        Reading(target="commission-free-pai-gow-express/dynasty-bonus/3"),
    }
    assert result.failures == ()


def test_figure_of_what_is_not_evaluated_is_not_computable() -> None:
    judgement = judge_figure(figures()[0], {})
    assert judgement.agreement is Agreement.NOT_COMPUTABLE
    assert judgement.recomputed is None
    assert judgement.reason == "Its paytable was not evaluated."


def test_figure_declared_as_not_computable_keeps_its_reason() -> None:
    _, analyses = load_published()
    figure = replace(
        figures()[0],
        quantity=Quantity.NOT_COMPUTABLE,
        reading=None,
        reason="No seed is stated.",
    )
    judgement = judge_figure(figure, analyses)
    assert judgement.agreement is Agreement.NOT_COMPUTABLE
    assert judgement.reason == "No seed is stated."


@pytest.mark.parametrize(
    ("agreement", "reason", "reading", "fails"),
    [
        (Agreement.AGREES, None, None, False),
        (Agreement.AGREES, None, Reading(decimals=9), True),
        (Agreement.AGREES_UNDER_READING, None, Reading(decimals=9), False),
        (Agreement.DIFFERS, "Known.", None, True),
        (Agreement.NOT_COMPUTABLE, "Known.", None, False),
        (Agreement.NOT_COMPUTABLE, None, None, True),
        (Agreement.NOT_COMPUTABLE, "Known.", Reading(decimals=9), True),
    ],
)
def test_what_fails_an_audit(
    agreement: Agreement, reason: str | None, reading: Reading | None, fails: bool
) -> None:
    figure = replace(figures()[0], reason=reason, reading=reading)
    judgement = FigureJudgement(figure=figure, agreement=agreement, recomputed=None)
    judged = Audit(
        game=load_published()[0].games[GAMES[0]],
        figures=(judgement,),
        discrepancies=(),
        inputs=(),
        engine_version="0",
    )
    assert judged.failures == ((judgement,) if fails else ())


def test_command_prints_json_and_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "dealer-open-pai-gow", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["totals"] == {
        "agrees": 31, "differs": 0, "agrees_under_reading": 0, "not_computable": 0,
    }  # fmt: skip
    assert found["figures"][0]["printed"] == "4.35%"
    assert found["figures"][0]["recomputed_at_printed_precision"] == "4.35%"
    assert not any("reading" in figure for figure in found["figures"])


def test_a_figure_for_another_play_of_the_main_wager_is_left_out() -> None:
    catalog, analyses = load_published()
    game = catalog.games["pai-gow-mania"]
    target = "pai-gow-mania/main/commission-5-percent"
    some = next(iter(analyses.values()))
    for way, strategy, count in (
        ("foxwoods", Strategy.HOUSE_WAY, 4),
        ("foxwoods", Strategy.OPTIMAL, 0),
        ("trump-plaza", Strategy.HOUSE_WAY, 0),
    ):
        main = MainAnalysis(outcomes={}, house_way=way, strategy=strategy, dealer_rule_hands=())
        counted = {target: replace(some, main=main)}
        judged = judge_figures(catalog, game, counted)
        assert sum(judged_rule.figure.target == target for judged_rule in judged) == count


def test_details_are_every_figure_and_the_whole_of_a_discrepancy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", "commission-free-pai-gow-express"]) == 0
    short = capsys.readouterr().out
    assert run(["audit", "commission-free-pai-gow-express", "--details"]) == 0
    whole = capsys.readouterr().out
    assert "274 printed figures: 265 agree, 0 differ, 9 agree under another " in short
    assert sum(" agrees " in line for line in whole.splitlines()) == 274
    assert " agrees " not in short
    assert "  Effect: " in whole
    assert "  Effect: " not in short
