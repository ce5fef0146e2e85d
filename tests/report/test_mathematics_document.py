"""The mathematics report: its sections, and figures that agree with a second way."""

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import partial
from math import comb
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from certify import library
from certify.engine.bonus import evaluate as evaluate_paytable
from certify.errors import NotConfigured
from certify.figures.audit import judge_figures
from certify.figures.evaluate import evaluate_each
from certify.intake.read import read_catalog
from certify.model.analysis import CostlyHand, LimitAnalysis, RowAnalysis
from certify.model.comparison import (
    NOT_COVERED,
    Agreement,
    Comparison,
    CrossCheck,
    FigureJudgement,
)
from certify.model.game import Game, WagerKind
from certify.model.jurisdiction import AggregateLimit, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Basis, HandsOf, Meter, Overflow, Payout, Paytable, Progressive
from certify.model.progressive import ProgressiveAnalysis
from certify.model.source import Convention, PublishedFigure, Quantity
from certify.model.submission import Submission
from certify.model.topic import Procedure
from certify.report.mathematics.main_wager import metered_variance
from certify.report.wording import pay_amount
from tests.commands.submissions import compose_part
from tests.html_documents import find_problems, parse, read_text
from tests.report.conftest import Make

EXPRESS = "commission-free-pai-gow-express"
SECTIONS = [
    "Summary",
    "Contents and identification",
    "Assumptions and interpretations",
    "Method",
    "Main wager",
    "Bonus wagers",
    "Progressive wagers",
    "Volatility and exposure",
    "Verification",
    "Conclusion and signatures",
]
EDGES = "House edge by wager (range over the paytables of this submission)"
LOSSES = "Maximum exposure of the house on one wager in one round"


def render(submission: Submission) -> str:
    return compose_part(submission, "mathematics")


def parse_report(submission: Submission) -> ET.Element:
    return parse(render(submission))


def parse_memo(submission: Submission) -> ET.Element:
    return parse(compose_part(submission, "memo"))


def find_rows(root: ET.Element, caption: str) -> list[list[str]]:
    (table,) = (element for element in root.iter("table") if read_text(element[0]) == caption)
    return [[read_text(cell) for cell in row] for row in table.iter("tr")]


def find_table(root: ET.Element, anchor: str) -> list[list[str]]:
    (table,) = (element for element in root.iter("table") if element.get("id") == anchor)
    return [[read_text(cell) for cell in row] for row in table.iter("tr")]


def round_share(share: Fraction, places: int = 4) -> str:
    with localcontext() as context:
        context.prec = 40
        value = 100 * Decimal(share.numerator) / Decimal(share.denominator)
        text = str(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))
    return f"{text}%".replace("-", "−")


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_the_laboratorys_letter_is_named_by_its_whole_digest(make: Make) -> None:
    submission = make(EXPRESS, "nevada")
    letter = "0123456789abcdef" * 4
    named = replace(submission, terms=replace(submission.terms, laboratory_letter=letter))
    assert [
        code.get("class") for code in parse_report(named).iter("code") if read_text(code) == letter
    ] == ["one"]
    assert "laboratory’s letter" not in render(submission)


def test_the_sections_are_numbered_from_one(make: Make, game: str, jurisdiction: str) -> None:
    submission = make(game, jurisdiction)
    root = parse_report(submission)
    metered = any(paytable.progressive is not None for paytable in submission.paytables)
    titles = [section for section in SECTIONS if section != "Progressive wagers" or metered]
    numbered = [f"{number}. {title}" for number, title in enumerate(titles, 1)]
    assert [read_text(element) for element in root.iter("h2")] == numbered


def test_the_html_breaks_no_rule_of_conformance(make: Make, game: str, jurisdiction: str) -> None:
    assert find_problems(render(make(game, jurisdiction)), language="en-US") == []


def test_the_contents_lead_to_every_section(make: Make) -> None:
    root = parse_report(make("dealer-open-pai-gow", "nevada"))
    (nav,) = root.iter("nav")
    titles = [read_text(element) for element in nav.iter("a")]
    assert [title for title in titles if title[0].isdigit()] == [
        read_text(element) for element in root.iter("h2")
    ]
    targets = {element.get("id") for element in root.iter()}
    assert all((element.get("href") or "")[1:] in targets for element in nav.iter("a"))


def test_washington_is_marked_confidential_and_nevada_is_not(make: Make) -> None:
    assert "Confidential part" in render(make("mini-pai-gow", "wsgc"))
    assert "Confidential part" not in render(make("mini-pai-gow", "nevada"))


def test_the_master_table_sums_to_the_deck(make: Make, game: str) -> None:
    submission = make(game, "nevada")
    cards = submission.game.hands.shape.cards
    _, *rows, total = find_table(parse_report(submission), "table-hands")
    assert sum(number(row[2]) for row in rows) == number(total[2]) == comb(53, cards)
    names = {row[0]: row[1] for row in rows}
    assert names["Four of a kind"] == submission.catalog.events["four_of_a_kind"].text
    assert {"Pair", "Ace-high pai gow"} <= set(names)


def test_two_counts_are_made_by_hand(make: Make) -> None:
    """Nine-high pai gow: 2 choices of ranks, 4^7 suits less 4 (21 * 9 + 7 * 3 + 1) with a flush."""
    text = read_text(parse_report(make("emperors-challenge-exposed", "nevada")))
    assert "9-8-7-5-4-3-2 and 9-8-7-6-4-3-2" in text
    assert "21 × 9 with 5 of it, 7 × 3 with 6 of it, 1 × 1 with 7 of it" in text
    assert "together 211 in one suit and 844 in the four" in text
    assert "2 × (16,384 − 844) = 31,080" in text
    assert "any 2 of the other 48 cards. That is 1,128 hands." in text
    six = read_text(parse_report(make("mini-pai-gow", "nevada")))
    assert "any 1 of the other 48 cards. That is 48 hands." in six


def test_page_one_has_every_filed_wager_once(make: Make, game: str) -> None:
    submission = make(game, "wsgc")
    _, *rows = find_rows(parse_report(submission), EDGES)
    filed = [option.wager for option in submission.options]
    filed += [paytable.wager for paytable in submission.paytables]
    names = {wager.id: wager.name for wager in submission.game.wagers}
    assert [row[0] for row in rows] == [names[item] for item in dict.fromkeys(filed)]
    assert [number(row[1]) for row in rows] == [filed.count(item) for item in dict.fromkeys(filed)]


def test_paytables_with_the_same_rows_share_a_column(make: Make) -> None:
    root = parse_report(make("emperors-challenge-exposed", "nevada"))
    heads = [
        find_table(root, anchor)[0][4::2]
        for anchor in ("table-emperors-treasure", "table-emperors-treasure1")
    ]
    assert heads == [
        ["Payout, 01", "Payout, 02", "Payout, 03, 05 and 07"],
        ["Payout, 04", "Payout, 06", "Payout, 08"],
    ]


def test_each_par_table_adds_up(make: Make, game: str) -> None:
    """Combinations add to the total, and contributions to minus the house edge as printed."""
    submission = make(game, "nevada")
    tables = [
        [[read_text(cell) for cell in row] for row in table.iter("tr")]
        for table in parse_report(submission).iter("table")
        if read_text(table[0]).startswith("PAR table")
    ]
    assert sum(len(heads[4::2]) for heads, *_ in tables) > 0
    for _, *rows in tables:
        place = next(place for place, row in enumerate(rows) if row[0] == "Total")
        hands, total = rows[:place], rows[place]
        assert sum(number(row[1]) for row in hands) == number(total[1])
        for column in range(5, len(total), 2):
            if total[column]:
                printed = [Decimal(row[column].replace("−", "-")) for row in (*hands, total)]
                assert abs(sum(printed[:-1]) - printed[-1]) <= Decimal("0.00000001") * len(hands)


def test_a_top_award_is_never_rounded(make: Make) -> None:
    # A win less 5 % commission nets 0.95: rounded it would claim even money.
    submission = make("pai-gow-mania", "wsgc")
    target = "pai-gow-mania/main/commission-5-percent"
    analyses = {
        key: analysis
        for key, analysis in submission.analyses.items()
        if key == target or "/main/" not in key
    }
    _, main, *_ = find_rows(parse_report(replace(submission, analyses=analyses)), LOSSES)
    assert main[1:4] == ["0.95 to 1", "$400", "$380.00"]


def test_the_house_loses_a_whole_wager_whose_commission_is_posted(make: Make) -> None:
    # WAC 230-15-140 limits the wager: $400 win $400, and the $20 that are posted come back.
    _, main, *_ = find_rows(parse_report(make("pai-gow-mania", "wsgc")), LOSSES)
    assert main == [
        "Pai Gow, option commission-prepaid", "1 to 1", "$400", "$400.00", "$2,400.00",
    ]  # fmt: skip


def test_bands_are_twice_the_deviation_of_the_mean(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    _, _, first, *_ = find_table(parse_report(submission), "table-volatility")
    variance = submission.analyses[submission.paytables[0].target].variance
    assert variance is not None
    for rounds, printed in zip((10**3, 10**4, 10**5, 10**6), first[3:], strict=True):
        with localcontext() as context:
            context.prec = 40
            ratio = Decimal(variance.numerator) / Decimal(variance.denominator) / rounds
            half = 200 * ratio.sqrt()
        assert abs(Decimal(printed.removeprefix("±")) - half) <= Decimal("0.0005")


def test_strategies_and_options_are_compared(make: Make) -> None:
    root = parse_report(make("emperors-challenge-exposed", "nevada"))
    rows = find_table(root, "table-plays")
    assert [row[0] for row in rows[1:]] == [
        "optimal play",
        "house way",
    ]
    (main,) = (row for row in find_rows(root, EDGES) if row[0] == "Emperor's Challenge Wager")
    assert main[2:4] == [row[4] for row in rows[1:]]
    others = find_table(root, "table-options")
    assert [row[0] for row in others[1:]] == [
        "any-pai-gow-pays-1-to-2",
        "king-high-or-less-push",
    ]


def test_without_comparison_nothing_is_compared(make: Make) -> None:
    html = render(make("mini-pai-gow", "nevada", comparison=(), other_options=()))
    assert "by the player's strategy" not in html
    assert "The other options of the main wager" not in html


def test_the_use_of_the_house_way_names_rules_by_number(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    _, *rows, total = find_table(parse_report(submission), "table-house-way")
    assert len(rows) == len(submission.house_way.rules)
    assert all(re.fullmatch(r"H[0-9]+\.[0-9]+", row[0]) for row in rows)
    places = [tuple(map(int, row[0].removeprefix("H").split("."))) for row in rows]
    assert places == sorted(places)
    assert sum(number(row[2]) for row in rows) == number(total[2])


def test_a_progressive_has_no_single_return(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    root = parse_report(submission)
    _, _, row = find_rows(root, EDGES)
    (one,) = progressives(submission)
    (meter,) = one.meters
    assert row[2:6] == [
        "by meter",
        "by meter",
        round_share(one.fixed_return, 2),
        round_share(1000 * meter.weight, 2),
    ]
    heads, line = find_table(root, "table-meters-emperors-treasure-progressive")
    assert line[6] == f"${round(meter.break_even):,}"
    for head, edge in zip(heads[7:], line[7:], strict=True):
        dollars = number(head.removeprefix("Edge at $"))
        assert edge == round_share(1 - one.fixed_return - meter.weight * dollars, 2)
    assert "The total return cannot be stated until" in read_text(root)


def progressives(submission: Submission) -> list[ProgressiveAnalysis]:
    found = (analysis.progressive for analysis in submission.analyses.values())
    return [item for item in found if item is not None]


def test_all_meters_of_a_paytable_run_together(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-PRG-MLP-ET-03",))
    root = parse_report(submission)
    heads, first, *others = find_table(
        root, "table-meters-emperors-treasure-multi-level-progressive"
    )
    (one,) = progressives(submission)
    assert [row[3] for row in (first, *others)] == [meter.level for meter in one.meters]
    weight = sum(meter.weight for meter in one.meters)
    dollars = number(heads[-1].removeprefix("Edge at $"))
    assert first[-1] == round_share(1 - one.fixed_return - weight * dollars, 2)
    assert {row[-1] for row in others} == {""}


def with_meter(submission: Submission, meter: Meter) -> Submission:
    """Return the submission with this meter in its only paytable, and the figures of it."""
    (paytable,) = submission.paytables
    progressive = Progressive(base_wager_cents=100, meters=(meter,))
    declared = replace(paytable, progressive=progressive)
    counted = evaluate_paytable(
        declared, events=submission.catalog.events, hands=submission.game.hands
    )
    analyses = {**submission.analyses, declared.target: counted}
    return replace(replace_paytable(submission, declared), analyses=analyses)


def test_the_parts_of_the_long_run_are_printed(make: Make) -> None:
    """Of one dollar 12 cents go to a meter of $1,000 that only a win of the whole meter pays."""
    meter = Meter(level="1", seed_cents=100_000, increment=Fraction(12, 100))
    submission = with_meter(
        make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-PGI-03",)), meter
    )
    (one,) = progressives(submission)
    chance, root = one.meters[0].hit_probability, parse_report(submission)
    _, line = find_table(root, "table-long-run-pai-gow-insurance-progressive")
    parts = [one.fixed_return + 1000 * chance, one.fixed_return, Fraction(12, 100), 1000 * chance]
    assert line[1:6] == [round_share(part, 4) for part in (*parts, parts[0] + parts[2])]
    _, (*_, average, reserve) = find_table(root, "table-wins-pai-gow-insurance-progressive")
    assert average == f"${round(1000 + Fraction(12, 100) / chance):,}"
    assert reserve == "–"
    _, (_, tables, *amounts) = find_table(root, "table-control-sheet")
    assert (tables, amounts) == ("PT-BJS-EC-PGI-03", ["$1", "$1,000", "12%", "–", "–", "–"])
    assert "there is no single return" not in read_text(root)


def test_a_cap_without_a_rule_on_its_overflow_has_both_bounds(make: Make) -> None:
    meter = Meter(level="1", seed_cents=100_000, increment=Fraction(12, 100), cap_cents=101_000)
    submission = with_meter(
        make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-PGI-03",)), meter
    )
    (one,) = progressives(submission)
    root = parse_report(submission)
    _, line = find_table(root, "table-long-run-pai-gow-insurance-progressive")
    assert one.long_run is not None
    assert line[5] == " to ".join(round_share(bound, 4) for bound in one.long_run)
    assert "do not say where contributions above its maximum go" in read_text(root)


def test_a_meter_whose_amounts_are_declared_has_a_return_at_reset_and_its_overflow(
    make: Make,
) -> None:
    """Of a meter with a maximum that is also won in part there is no long run.

    Fixed return 51.2646% and a weight of 2.1798% for each $1,000 (Appendix D, paytable 1): $5,000
    add 10.899 points.
    """
    meter = Meter(
        level="1", seed_cents=500_000, increment=Fraction(12, 100), reserve=Fraction(4, 100),
        cap_cents=2_000_000, overflow=Overflow.NOT_ADDED,
    )  # fmt: skip
    submission = with_meter(
        make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-PGI-01",)), meter
    )
    root = parse_report(submission)
    _, line = find_table(root, "table-long-run-pai-gow-insurance-progressive")
    assert line[1:] == ["62.1636%", "51.2646%", "–", "–", "–", "–"]
    text = read_text(root)
    assert "declared amounts determine no long-run return" in text
    assert "no amount is stated" not in text
    _, *lines = find_table(root, "table-controls")
    for topic in ("Hidden meter", "Overflow above the limit"):
        assert dict(lines)[topic] == "As Table states."


def test_the_control_sheet_has_the_text_of_each_control_or_an_empty_field(make: Make) -> None:
    controls = [procedure for procedure in Procedure if procedure.needs_meter]
    bare = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-PGI-03",))
    terms = Terms(procedures=tuple((each, f"Text on {each}.") for each in controls))
    for submission, texts in (
        (bare, {""}),
        (replace(bare, terms=terms), {f"Text on {each}." for each in controls}),
    ):
        _, *lines = find_table(parse_report(submission), "table-controls")
        assert {text for _, text in lines} == texts
        assert len(lines) == len(controls) == 8


def replace_paytable(submission: Submission, changed: Paytable) -> Submission:
    wagers = tuple(
        replace(wager, paytables=(changed,)) if wager.id == changed.wager else wager
        for wager in submission.game.wagers
    )
    game = replace(submission.game, wagers=wagers)
    return replace(submission, game=game, paytables=(changed,))


def test_what_is_missing_is_a_sentence_and_no_empty_table(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    bare = replace(submission.catalog, discrepancies={})
    root = parse_report(replace(submission, catalog=bare))
    assert all(len(list(table.iter("tr"))) > 1 for table in root.iter("table"))
    text = read_text(root)
    for sentence in (
        "This submission has no verification count.",
        "No declared interpretation of the source changes a figure of this filing.",
    ):
        assert sentence in text
    memo = parse_memo(replace(submission, catalog=bare, rules=(), checklist=()))
    assert all(len(list(table.iter("tr"))) > 1 for table in memo.iter("table"))
    for sentence in (
        "No rule of this jurisdiction is on record.",
        "No checklist of this jurisdiction is on record.",
        "No doubt about the source is declared.",
        "No item of the checklist is open.",
    ):
        assert sentence in read_text(memo)


def test_a_submission_without_bonus_wagers_states_it(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    text = read_text(parse_report(replace(submission, paytables=())))
    assert "No bonus wager is filed." in text


def test_every_edge_has_its_second_count(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    target = submission.option.target
    main = submission.analyses[target].main
    assert main is not None
    win = Comparison(event="win", exact=Fraction(1, 4), other=Fraction(1, 4), agrees=True)
    kept = CrossCheck(
        target=target,
        method="exact",
        rounds=2000,
        comparisons=(win, replace(win, event="house_edge")),
        house_way="mini-pai-gow",
        strategy=main.strategy,
        digest="ab" * 32,
        counted=dt.date(2026, 1, 2),
    )
    hand = CrossCheck(
        target=submission.paytables[0].target,
        method="exact",
        rounds=22_957_480,
        comparisons=(
            Comparison(event="flush", exact=Fraction(1, 9), other=Fraction(1, 8), agrees=False),
        ),
    )
    root = parse_report(replace(submission, crosschecks=(kept, hand)))
    first, second = (submission.analyses[item.target].house_edge for item in (kept, hand))
    assert first is not None
    assert second is not None
    _, pairs, hands = find_table(root, "table-verification")
    name = f"{_main_name(submission)}, option {submission.option.id}, optimal play"
    assert pairs == [name, round_share(first), "pairs of hands", "2,000", "2 of 2", "–", "counted"]
    assert hands[1:] == [round_share(second), "hands", "22,957,480", "0 of 1", "–", "counted"]
    assert [row[-1] for row in find_rows(root, EDGES)[1:3]] == ["1 of 1", "0 of 4"]
    assert "Not counted a second time" not in read_text(root)


def test_the_command_names_the_file_as_it_is_delivered(make: Make) -> None:
    public = read_text(parse_memo(make("mini-pai-gow", "nevada")))
    name = "mini-pai-gow.nevada.1.r1.2026-11-21.mathematics.pdf"
    assert f"certify reproduce --figures-only \\ {name}" in public
    kept = read_text(parse_memo(make("mini-pai-gow", "wsgc")))
    assert "mini-pai-gow.wsgc.1.r1.2026-11-21.confidential.mathematics.pdf" in kept


def test_what_was_not_counted_a_second_time_is_open_with_its_command(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    check = CrossCheck(
        target=submission.option.target,
        method="not counted",
        rounds=0,
        comparisons=(),
        house_way="mini-pai-gow",
        strategy=submission.game.strategy,
    )
    root = parse_report(replace(submission, crosschecks=(check,)))
    assert find_table(root, "table-verification")[1][2] == "not counted a second time"
    text = read_text(root)
    assert "Some wagers have no verification count" in text
    assert "This submission has no verification count." in text
    assert "no paytable or option filed was counted a second time" in text
    assert "verified by an independent program" not in text
    memo = read_text(parse_memo(replace(submission, crosschecks=(check,))))
    assert "certify crosscheck mini-pai-gow/main --store" in memo
    never = replace(submission, crosschecks=(replace(check, method=NOT_COVERED),))
    memo = read_text(parse_memo(never))
    assert "certify crosscheck" not in memo
    assert "certify compare COUNTS.csv mini-pai-gow/main" in memo


def _main_name(submission: Submission) -> str:
    return next(wager.name for wager in submission.game.wagers if wager.kind is WagerKind.MAIN)


def publish(
    record: Paytable | MainWager,
    quantity: Quantity,
    printed: str,
    *,
    name: str = "f",
    event: str | None = None,
) -> FigureJudgement:
    """Return a figure that the record's own source prints, and that agrees."""
    figure = PublishedFigure(
        id=name,
        target=record.target,
        quantity=quantity,
        event=event,
        printed=printed,
        convention=Convention.PLAIN,
        source=record.source,
    )
    return FigureJudgement(
        figure=figure, agreement=Agreement.AGREES, recomputed=Fraction(1), reason=""
    )


def test_printed_figures_keep_their_verdict_and_reason(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    judged = replace(
        publish(submission.paytables[0], Quantity.HOUSE_EDGE, "4.35%"),
        agreement=Agreement.DIFFERS,
        recomputed=Fraction(43489, 1_000_000),
        reason="Because.",
    )
    root = parse_report(replace(submission, figures=(judged,)))
    _, row = find_table(root, "table-unmet")
    assert row == ["Bonus, paytable A: House edge", "4.35%", "4.3489%", "Because."]
    _, summary = find_table(root, "table-published")
    assert summary[1:] == ["1", "4.35%", "1", "0"]


def test_what_a_published_figure_does_not_settle_is_named(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "wsgc")
    option, (table, *_) = submission.option, submission.paytables
    catalog, row = submission.catalog, table.rows[0]
    figures = (
        publish(table, Quantity.PROBABILITY, "0.01%", name="of-the-row", event=row.event),
        publish(option, Quantity.HOUSE_EDGE, "4.35%", name="of-the-option"),
    )
    readings = catalog.alternatives[submission.game.id]
    first, second, *others = readings.alternatives

    def printed(*met: tuple[str, ...]) -> Submission:
        declared = [
            replace(alternative, meets=meets)
            for alternative, meets in zip((first, second), met, strict=True)
        ]
        changed = replace(readings, alternatives=(*declared, *others))
        return replace(
            submission,
            figures=figures,
            catalog=replace(catalog, alternatives={**catalog.alternatives, readings.id: changed}),
        )

    assert "table-unsettled" not in render(printed((), ("another",)))
    _, *lines = find_table(
        parse_report(printed(("of-the-row",), ("of-the-option",))), "table-unsettled"
    )
    wagers = {wager.id: wager.name for wager in submission.game.wagers}
    assert lines == [
        [
            first.text,
            f"{wagers[table.wager]}, paytable {table.id}: Probability, {row.name}",
            "0.01%",
        ],
        [second.text, f"{wagers['main']}, option {option.id}: House edge", "4.35%"],
    ]


def test_the_exposure_is_at_the_largest_lawful_wager(make: Make) -> None:
    # WAC 230-15-140: $400; the top award of Chan Chu, of paytable 4, is 8,000 to 1: $3,200,000.
    submission = make("dealer-open-pai-gow", "wsgc")
    root = parse_report(submission)
    rows = find_rows(root, LOSSES)
    chan_chu = next(row for row in rows if row[0] == "Chan Chu, paytable 4")
    assert submission.game.players == 6
    assert chan_chu[1:] == ["8,000 to 1", "$400", "$3,200,000.00", "$19,200,000.00"]
    terms = replace(submission.terms, players=4)
    rows = find_rows(parse_report(replace(submission, terms=terms)), LOSSES)
    assert next(row for row in rows if row[0] == "Chan Chu, paytable 4")[4] == "$12,800,000.00"


def cents(text: str) -> int:
    return round(Fraction(text.replace("$", "").replace(",", "")) * 100)


def test_the_bound_of_a_round_adds_the_greatest_of_every_wager(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "wsgc")
    _, *rows, total = find_rows(parse_report(submission), LOSSES)
    awards: dict[str, Fraction] = {}
    for analysis in submission.analyses.values():
        assert analysis.top_award is not None
        awards[analysis.wager] = max(
            analysis.top_award, awards.get(analysis.wager, analysis.top_award)
        )
    prizes = [row for row in rows if "prizes of" in row[0]]
    assert len(rows) == len(awards) + len(prizes)
    assert [cents(row[3]) for row in rows if row not in prizes] == [
        40_000 * awards[wager.id] for wager in submission.game.wagers if wager.id in awards
    ]
    assert cents(total[4]) == sum(cents(row[4]) for row in rows)


def test_envy_is_earned_at_its_wager_and_priced_for_every_seat(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada", ("3",))
    root = parse_report(submission)
    (paytable,) = [paytable for paytable in submission.paytables if paytable.envy is not None]
    (table,) = [
        envy
        for wager in submission.game.wagers
        for envy in wager.envies
        if (wager.id, envy.id) == (paytable.wager, paytable.envy)
    ]
    most = max(row.prize_cents for row in table.rows)
    rows = find_rows(root, LOSSES)
    (prize,) = [row for row in rows if "prizes of" in row[0]]
    assert (cents(prize[1]), cents(prize[4])) == (most, 30 * most)
    qualifies = f"${table.qualifying_wager_cents // 100}"
    prizes = find_table(root, "table-prizes-figures-chan-chu")
    assert prizes[-2] == ["Minimum qualifying wager", qualifies]
    each = next(row for row in rows if "at $1 per wager" in row[0])
    assert cents(each[4]) > 0


def with_prizes_for(submission: Submission, **changes: object) -> Submission:
    """Return a submission whose tables of prizes are changed, with their figures."""
    wagers = tuple(
        replace(wager, envies=tuple(replace(envy, **changes) for envy in wager.envies))
        for wager in submission.game.wagers
    )
    game = replace(submission.game, wagers=wagers)
    catalog = replace(
        submission.catalog, games={**submission.catalog.games, submission.game.id: game}
    )
    counted = evaluate_each(catalog, submission.paytables)[0]
    analyses = {**submission.analyses, **counted}
    return replace(submission, game=game, catalog=catalog, analyses=analyses)


@pytest.mark.parametrize(
    ("own", "dealer", "phrase", "note"),
    [
        (True, True, "the player's own, the dealer's and other players' hands",
         "and with any number of players the player's own hand and the dealer's hand"),
        (True, False, "the player's own and other players' hands",
         "and with any number of players the player's own hand."),
        (False, True, "the dealer's and other players' hands",
         "and with any number of players the dealer's hand."),
        (False, False, "other players' hands", "who has made this wager too. Wager assumed"),
    ],
)  # fmt: skip
def test_the_hands_that_are_paid_a_prize_are_counted_and_named(
    make: Make, own: bool, dealer: bool, phrase: str, note: str
) -> None:
    """Six bettors are each paid for five others, and for the own hand and the dealer's."""
    hands = 5 + own + dealer
    plain = make("dealer-open-pai-gow", "nevada", ("3",))
    submission = with_prizes_for(plain, pays_on_own_hand=own, pays_on_dealer_hand=dealer)
    root = parse_report(submission)
    (prize,) = [row for row in find_rows(root, LOSSES) if "prizes of" in row[0]]
    assert cents(prize[4]) == 6 * hands * cents(prize[1])
    analysis = submission.analyses["dealer-open-pai-gow/chan-chu/3"]
    edge, envy = analysis.house_edge, analysis.envy
    assert edge is not None
    assert envy is not None
    assert envy.house_edge_by_players[6] == edge - hands * envy.per_other_player
    text = read_text(root)
    assert f"Prizes for {phrase} (" in text
    assert f"Prizes for {phrase} are left out." in text
    assert f"and the prizes for {phrase}" in text
    assert note in text
    (assumed,) = [each for each in analysis.assumptions if each.id == "envy-wager"]
    assert ("own hand" in assumed.text) is own
    assert ("the dealer's hand" in assumed.text) is dealer


def test_tables_of_prizes_for_different_hands_are_told_apart(make: Make) -> None:
    plain = make("dealer-open-pai-gow", "nevada")
    wagers = tuple(
        replace(
            wager,
            envies=tuple(
                replace(envy, hands_of=HandsOf.PLAYERS_DEALT_IN) if envy.id == "4" else envy
                for envy in wager.envies
            ),
        )
        for wager in plain.game.wagers
    )
    text = read_text(parse_report(replace(plain, game=replace(plain.game, wagers=wagers))))
    assert "Counts the hand of another player who has made this wager too (3 and 5)." in text
    assert "who is dealt in, with or without this wager (4)." in text


def test_a_wager_with_meters_is_priced_at_its_base_wager(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "wsgc", ("PT-PRG-EC-ET-D01",))
    row = find_rows(parse_report(submission), LOSSES)[2]
    name = "Emperor's Treasure Dynamic Progressive, PT-PRG-EC-ET-D01"
    assert row == [name, "2,000 for 1", "$1 base", "$1,999.00", "$11,994.00"]


def test_shares_of_a_meter_are_named_and_left_out_of_the_fixed_return(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",))
    rows = find_table(parse_report(submission), "table-emperors-treasure-progressive")
    pays = {row[0]: row[-2:] for row in rows}
    assert pays["7-Card Straight Flush, No Joker"] == ["100% of meter 1", "by meter"]
    assert "House edge" not in pays
    (one,) = progressives(submission)
    assert pays["Return of the fixed payouts"][-1] == round_share(one.fixed_return)


def test_a_negative_house_edge_is_explained_where_one_is_printed(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada", comparison=(), other_options=())
    note = "A negative house edge favors the player."
    assert note not in render(submission)
    analysis = submission.analyses[submission.option.target]
    better = replace(analysis, house_edge=Fraction(-1, 100), return_to_player=Fraction(101, 100))
    changed = replace(submission, analyses={**submission.analyses, analysis.target: better})
    assert render(changed).count(note) == 1


def test_assumptions_have_an_effect_and_conventions_follow_the_method(
    make: Make, game: str, jurisdiction: str
) -> None:
    submission = make(game, jurisdiction)
    root = parse_report(submission)
    assumed = find_table(root, "table-assumptions")[1:]
    held = find_table(root, "table-conventions")[1:]
    conventions = {row[0] for row in held}
    assert len(held) == len(conventions)
    texts = [row[0] for row in assumed]
    assert len(set(texts)) == len(texts)
    assert all(row[2] for row in assumed)
    stated = [each for analysis in submission.analyses.values() for each in analysis.assumptions]
    for item in stated:
        if submission.filter_statements([item]) and item.effect is None:
            # One rule of the deal for both kinds of wager; an award may be an assumption instead.
            if item.id not in {"deal", "award", "base-wheel"}:
                assert item.text in conventions
            assert item.text not in texts
    deals = [text for text in conventions if "every deal is equally likely" in text]
    assert len(deals) == len({paytable.cards for paytable in submission.paytables})


def test_a_convention_names_its_wagers_and_repeats_no_assumption(make: Make) -> None:
    root = parse_report(make("emperors-challenge-exposed", "nevada"))
    rows = find_table(root, "table-conventions")
    holds = {row[0]: row[1] for row in rows[1:]}
    (first,) = (wagers for text, wagers in holds.items() if "first row in printed order" in text)
    (highest,) = (wagers for text, wagers in holds.items() if "highest ranking hand" in text)
    assert highest == "Emperor's Treasure Dynamic Progressive"
    assert "Pai Gow Insurance" in first
    assert highest not in first
    # Section 3 has it for the Emperor's Treasure.
    assert "Emperor's Treasure," not in first
    assert not first.endswith("Emperor's Treasure")
    # Mini Pai Gow declares both as assumptions.
    mini = find_table(parse_report(make("mini-pai-gow", "nevada")), "table-conventions")
    assert not [row for row in mini if "A-2-3-4-5" in row[0] or "first row" in row[0]]


def test_the_sources_of_assumptions_are_titles(make: Make) -> None:
    root = parse_report(make("emperors-challenge-exposed", "nevada"))
    _, *rows = find_table(root, "table-assumptions")
    places = [row[2] for row in rows]
    assert any(
        place.startswith("Wizard of Odds, page on the Foxwoods house way: ") for place in places
    )
    assert not [place for place in places if "wizard-of-odds" in place]
    public = find_table(parse_report(make("dealer-open-pai-gow", "wsgc")), "table-assumptions")
    assert {"This submission"} == {row[2] for row in public if "submission" in row[2]}


def test_envy_speaks_of_other_players(make: Make) -> None:
    submission = make("dealer-open-pai-gow", "nevada")
    rows = find_table(parse_report(submission), "table-players-figures-chan-chu")
    assert rows[0][2:8] == ["0", "1", "2", "3", "4", "5"]
    for row in rows[1:]:
        envy = submission.analyses[f"dealer-open-pai-gow/chan-chu/{row[0]}"].envy
        assert envy is not None
        assert row[2:] == [round_share(edge) for edge in envy.house_edge_by_players.values()]
    text = read_text(parse_report(submission))
    assert "Counts the hand of another player who has made this wager too." in text
    dealt_in = read_text(parse_report(make("emperors-challenge-exposed", "nevada")))
    counted = "Counts the hand of another player who is dealt in, with or without this"
    assert counted in dealt_in
    assert "bettor" not in text
    assert "House edge, without envy" in text


@pytest.mark.parametrize("jurisdiction", ["nevada", "wsgc"])
@pytest.mark.parametrize("filed", [("community",), ("A",)])
def test_a_game_with_another_word_for_prizes_never_prints_envy(
    make: Make, jurisdiction: str, filed: tuple[str, ...]
) -> None:
    submission = make("mini-pai-gow", jurisdiction, filed)
    text = read_text(parse_report(submission))
    rules = render_rules(submission)
    assert "envy" not in f"{text} {rules}".lower()
    with_prizes = filed == ("community",)
    assert ("Prizes for another player's hand (Community Bonus)" in text) == with_prizes
    assert ("Community Bonus prizes" in rules) == with_prizes
    analyses = submission.analyses.values()
    stated = [assumption.text for analysis in analyses for assumption in analysis.assumptions]
    assert not [item for item in stated if "envy" in item.lower()]


def test_published_figures_name_the_document_that_prints_them(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    reference = submission.game.references[0]
    table = submission.paytables[0]
    cited = replace(table, source=replace(table.source, document=reference.id))
    judged = publish(cited, Quantity.COMBINATIONS, "48", event=table.rows[0].event)
    root = parse_report(replace(submission, figures=(judged,)))
    _, row = find_table(root, "table-published")
    assert row == [f"“{reference.title}” (Wizard of Odds)", "1", "–", "1", "1"]


def test_a_document_that_prints_figures_has_its_date_of_receipt(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    first, *others = submission.game.references
    dated = replace(first, received=dt.date(2026, 11, 2))
    game: Game = replace(submission.game, references=(dated, *others))
    table = submission.paytables[0]
    cited = replace(table, source=replace(table.source, document=first.id))
    judged = publish(cited, Quantity.COMBINATIONS, "48", event=table.rows[0].event)
    root = parse_report(replace(submission, game=game, figures=(judged,)))
    _, row = find_table(root, "table-published")
    assert row[0] == f"“{first.title}” (Wizard of Odds), received November 2, 2026"


def test_a_table_that_another_document_prints_is_vouched_for(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-02",))
    catalog, _ = read_catalog(library.paytables())
    judged = judge_figures(catalog, submission.game, submission.analyses)
    own = tuple(
        judged_rule for judged_rule in judged if judged_rule.figure.target in submission.analyses
    )
    root = parse_report(replace(submission, figures=own))
    _, *rows = find_table(root, "table-published")
    # Express prints 7.77% for its table 3 in the table of edges, Dealer Open for its table 4.
    assert [row[2] for row in rows] == ["7.77%", "7.77%"]
    assert all(row[3] == row[4] for row in rows)
    titles = {catalog.games[name].document.title for name in ("dealer-open-pai-gow", EXPRESS)}
    assert {row[0].partition("”")[0].lstrip("“") for row in rows} == titles


def test_charts_have_words_for_those_who_cannot_see_them(make: Make) -> None:
    root = parse_report(make("dealer-open-pai-gow", "nevada"))
    drawings = [element for element in root.iter() if str(element.tag).endswith("}svg")]
    assert len(drawings) == 1
    assert all(len(read_text(drawing[0])) > 20 for drawing in drawings)


def add_raise(submission: Submission) -> Submission:
    analysis = submission.analyses[submission.option.target]
    win, push, lose = analysis.rows

    def ended(
        row: RowAnalysis, name: str, *, raised: bool = False, qualified: bool = False
    ) -> RowAnalysis:
        assert row.reason is not None
        reason = replace(row.reason, raised=raised, qualified=qualified)
        return replace(row, event=reason.key, name=name, reason=reason)

    rows = (
        ended(win, "Both hands won"),
        ended(win, "Both hands won, Double Down in action", raised=True, qualified=True),
        ended(win, "Both hands won, Double Down pushes", raised=True),
        ended(push, "One hand won, one lost or tied"),
        ended(lose, "Both hands lost or tied"),
        ended(lose, "Both hands lost or tied, Double Down in action", raised=True, qualified=True),
    )
    assert analysis.main is not None
    main = replace(analysis.main, average_wager=Fraction(5, 4), element_of_risk=Fraction(1, 50))
    changed = replace(analysis, rows=rows, main=main, top_award=Fraction(2))
    return replace(submission, analyses={**submission.analyses, analysis.target: changed})


def test_a_second_wager_is_named_wherever_it_counts(make: Make) -> None:
    root = parse_report(add_raise(make("mini-pai-gow", "nevada")))
    rows = find_table(root, "table-outcomes-1")
    assert [row[:2] for row in rows[1:-1]] == [
        ["Both hands won, no Double Down made", "1 to 1"],
        ["Both hands won, Double Down in action", "1 to 1 on both wagers"],
        ["Both hands won, Double Down pushes", "1 to 1"],
        ["One hand won, one lost or tied, no Double Down made", "Push"],
        ["Both hands lost or tied, no Double Down made", "Loss"],
        ["Both hands lost or tied, Double Down in action", "Loss of both wagers"],
    ]
    _, main, *_ = find_rows(root, LOSSES)
    assert main[1] == "2 to 1 (with Double Down)"
    text = read_text(root)
    assert "With Double Down in action the net result of both wagers counts;" in text
    assert "The average wager is 1.250000 units" in text
    assert "the house keeps 2.0000% (element of risk)" in text


def test_dynamic_pays_are_stated_to_raise_the_printed_pays(make: Make) -> None:
    submission = make("emperors-challenge-exposed", "nevada", ("PT-PRG-EC-ET-D01",))
    root = parse_report(submission)
    assert "In a round 1 to 3 of these hands are drawn" in read_text(root)
    (paytable,) = submission.paytables
    drawn = [row for row in paytable.rows if row.dynamic]
    rows = find_table(root, "table-draw-PT-PRG-EC-ET-D01")[1:]
    assert [row[0] for row in rows] == [row.name for row in drawn]
    for row, declared in zip(rows, drawn, strict=True):
        assert row[2] == " · ".join(pay_amount(item) for item in declared.dynamic)
    fixed = render(make("emperors-challenge-exposed", "nevada", ("PT-BJS-EC-ET-01",)))
    assert "those of the default payouts" not in fixed


def with_paytable(submission: Submission, **changes: object) -> Submission:
    """Return a submission whose only paytable is changed, with its figures."""
    (filed,) = submission.paytables
    paytable = replace(filed, **changes)
    wagers = tuple(
        replace(
            wager,
            paytables=tuple(
                paytable if each.target == paytable.target else each for each in wager.paytables
            ),
        )
        for wager in submission.game.wagers
    )
    game = replace(submission.game, wagers=wagers)
    catalog = replace(
        submission.catalog, games={**submission.catalog.games, submission.game.id: game}
    )
    counted = evaluate_each(catalog, [paytable])[0]
    analyses = {**submission.analyses, **counted}
    return replace(submission, game=game, catalog=catalog, paytables=(paytable,), analyses=analyses)


def test_a_draw_without_a_meter_has_its_table_and_its_range(make: Make) -> None:
    """The rows that a meter pays are left out; the draw of the others is the same."""
    metered = make("emperors-challenge-exposed", "nevada", ("PT-PRG-EC-ET-D01",))
    (filed,) = metered.paytables
    rows = tuple(row for row in filed.rows if row.payout.basis is not Basis.METER)
    submission = with_paytable(metered, rows=rows, progressive=None)
    root = parse_report(submission)
    table = find_table(root, "table-draw-PT-PRG-EC-ET-D01")[1:]
    assert [row[0] for row in table] == [row.name for row in rows if row.dynamic]
    text = read_text(root)
    assert "In a round 1 to 3 of these hands are drawn" in text
    assert "the default payouts; for the range of the draw, see section 6." in text
    assert "Where payouts are drawn" not in read_text(parse_report(metered))


def test_each_payout_of_a_table_that_mixes_bases_has_its_own(make: Make) -> None:
    plain = make("emperors-challenge-exposed", "nevada", ("PT-FLT-EC-ET-01",))
    (filed,) = plain.paytables
    first, *others = filed.rows
    rows = (replace(first, payout=Payout(basis=Basis.FOR, amount=Fraction(6_000))), *others)
    limit = AggregateLimit(cents=1_000_000, wagers=("emperors-treasure",))
    least = LimitAnalysis(limits=(limit,), binds_above_cents=None, amounts=())
    changed = with_paytable(plain, rows=rows)
    mixed = parse_report(replace(changed, least_limits={filed.target: least}))
    cells = [row[4:5] for row in find_table(mixed, "table-emperors-treasure")]
    second = others[0].payout.amount
    assert cells[1:3] == [["6,000 for 1"], [f"{int(second):,} to 1"]]
    assert "“To 1”: the wager is returned in addition. “For 1”: it is not" in read_text(mixed)
    highest = find_table(mixed, "table-open-limits")
    assert "6000 for 1" in [row[1].replace(",", "") for row in highest]
    assert "a to 1 or a for 1 is the highest payout at odds" in read_text(mixed)
    one = parse_report(plain)
    assert find_table(one, "table-emperors-treasure")[2][4] == f"{int(second):,}"
    assert "Payouts are to 1: the wager is returned in addition." in read_text(one)
    assert "for 1" not in read_text(one).split("Bonus wagers", 2)[-1].split("Verification")[0]


def test_the_unit_of_a_wager_with_a_raise_is_named(make: Make) -> None:
    raised = make("mini-pai-gow", "nevada")
    text = read_text(parse_report(raised))
    (name,) = [wager.name for wager in raised.game.wagers if wager.options]
    assert raised.option.raise_ is not None
    second = raised.option.raise_.name
    assert "Return over a number of rounds, per unit of the wager named" in text
    assert f"{name}: the results include {second}, and the unit is the {name}." in text
    plain = read_text(parse_report(make("pai-gow-mania", "nevada")))
    assert "Return over a number of rounds, as a share of what is wagered" in plain
    assert "the results include" not in plain


def test_meters_and_envy_are_mentioned_where_they_are_filed(make: Make) -> None:
    text = read_text(parse_report(make("pai-gow-mania", "nevada")))
    for words in ("section 7 adds", "other players' hands (", "taken at its base"):
        assert words not in text
    whole = read_text(parse_report(make("emperors-challenge-exposed", "wsgc")))
    for words in (
        "section 7 adds them",
        "Prizes for other players' hands (envy) are left out; section 6 adds them.",
        "taken at its base",
        "Prizes for other players' hands are left out.",
        "also where rules limit the games on one hand",
    ):
        assert words in whole


def test_options_that_the_player_chooses_among_are_filed_together(make: Make) -> None:
    submission = make("pai-gow-mania", "nevada")
    options = [option for wager in submission.game.wagers for option in wager.options]
    (prepaid,) = [option for option in options if option.commission and option.commission.prepaid]
    assert set(submission.options) == set(options)
    assert submission.other_options == ()
    root = parse_report(submission)
    text = read_text(root)
    assert prepaid in submission.options
    assert all(find_table(root, f"table-outcomes-{option.id}") for option in options)
    assert "figures are per unit of wager and commission together." in text
    assert "The source of the game gives no house way. Publication of this one: Wizard" in text
    assert "The player chooses among the options at the table; they are filed together." in text
    names = tuple(option.id for option in options)
    assert set(make("pai-gow-mania", "nevada", names).options) == set(options)
    with pytest.raises(NotConfigured, match="one option of the main wager, but 2 are named"):
        make("dealer-open-pai-gow", "nevada", ("ace-high-push", "no-push"))
    rules = render_rules(submission)
    assert "The player chooses before the deal" in rules
    assert rules.count("of the wager") >= 1
    assert "of the wager is posted in advance" in rules
    assert "is taken from winnings" in rules
    assert rules.count("Las Vegas Fitzgeralds, 19 May 2004") >= 2


def render_rules(submission: Submission) -> str:
    rules = compose_part(submission, "rules")
    return re.sub("\\s+", " ", re.sub("<[^>]*>", "", rules.partition("<body")[2]))


def test_the_player_of_the_main_wager_is_a_sentence(make: Make) -> None:
    text = read_text(parse_report(make("emperors-challenge-exposed", "nevada")))
    assert "The player plays optimally, having seen the dealer's set hand." in text


def test_fronts_are_printed_as_cards_are(make: Make) -> None:
    submission = make("mini-pai-gow", "nevada")
    (analysis, *rest) = submission.comparison
    assert analysis.main is not None
    hand = CostlyHand(
        cards=("As", "Td"), house_front="A-T", best_front="Jk-K", cost=Fraction(1, 10)
    )
    main = replace(analysis.main, costly_hands=(hand,))
    root = parse_report(replace(submission, comparison=(replace(analysis, main=main), *rest)))
    assert find_table(root, "table-costly")[1] == ["A♠ 10♦", "A-10", "Joker-K", "10.00%"]


def test_deviation_of_a_progressive_is_that_of_its_results() -> None:
    # With 8 units on the meter: a quarter of the hands is paid half of it and wins 3 units, a
    # quarter wins 1, half loses 1. Mean 1/2, second moment 9/4 + 1/4 + 1/2, variance 11/4.
    quarter = Fraction(1, 4)
    row = partial(RowAnalysis, event="e", name="e", pays="", combinations=1)
    rows = (
        row(probability=quarter, contribution=-quarter, weight=quarter / 2),
        row(probability=quarter, contribution=quarter),
        row(probability=2 * quarter, contribution=-2 * quarter),
    )
    assert metered_variance(rows, Fraction(8)) == Fraction(11, 4)


def test_a_declared_digest_of_the_source_is_printed_only_if_the_paper_has_it(make: Make) -> None:
    submission = make(EXPRESS, "nevada")
    digest = "0123456789abcdef" * 4
    document = replace(submission.game.document, sha256=digest)
    declared = replace(submission, game=replace(submission.game, document=document))

    def printed(found: str) -> bool:
        papers = {document.id: found}
        provenance = replace(declared.provenance, papers=papers)
        return digest in read_text(parse_report(replace(declared, provenance=provenance)))

    assert [printed(found) for found in ("", digest)] == [False, True]
