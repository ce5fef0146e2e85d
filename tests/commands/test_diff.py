import json
import shutil
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify import library
from certify.cli.app import run
from certify.commands import diff as redline
from certify.commands.diff import DiffRequest, diff, side
from certify.engine.house_way.audit import compare_house_ways, set_hand
from certify.errors import NotJudged, NotReadable
from certify.figures.findings import find_need
from certify.filing.evidence import build_evidence, list_attachments
from certify.filing.order import build_filing
from certify.intake.read import read_catalog
from certify.kernels.features import Shape
from certify.model.comparison import ChangeKind, Difference, RecordDifference
from certify.model.finding import Unfit
from certify.model.game import Deck, HandRules, HandShape, JokerRule, WheelRule
from certify.model.submission import Order, Status
from certify.printing.print_pdf import Attachment
from certify.report.compose import compose
from certify.report.diff_view import diff_view, format_difference, format_figure
from certify.worker import Limits

from .conftest import World, replace_file, sheet

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 21)
CHAN_CHU = "dealer-open-pai-gow/chan-chu"
EMPEROR = "emperors-challenge-exposed"


def compare_targets(before: str, after: str, as_of: date = TODAY) -> Difference:
    return diff(DiffRequest(before=before, after=after, as_of=as_of))


def only(found: Difference) -> RecordDifference:
    (one,) = found.records
    return one


def test_house_edges_are_those_the_source_prints_and_their_difference_is_exact() -> None:
    # The source prints 4.35 % for pay table 1 and 8.00 % for pay table 3.
    figures = {
        figure.name: figure
        for figure in only(compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/3")).figures
    }
    edge = figures["House edge"]
    assert edge.before is not None
    assert edge.after is not None
    assert (round(edge.before * 10000), round(edge.after * 10000)) == (435, 800)
    assert edge.change == edge.after - edge.before
    cost = figures["Cost per $100 wagered"]
    assert cost.change == edge.change * 10000
    assert [format_figure(value, cost.unit) for value in (cost.before, cost.after)] == [
        "$4.35",
        "$8.00",
    ]
    assert format_difference(cost.change, cost.unit) == "+$3.65"
    assert figures["Prizes per other player"].before is None
    assert figures["Prizes per other player"].change is None


def test_rows_added_removed_and_changed() -> None:
    found = only(compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/3"))
    rows = {row.event: row for row in found.rows if row.table == "rows"}
    five_aces = rows["five_aces"]
    assert (five_aces.kind, five_aces.before, five_aces.after) == (
        ChangeKind.CHANGED, "500 to 1", "250 to 1",
    )  # fmt: skip
    assert rows["royal_flush"].before == rows["royal_flush"].after  # other hands, the same pay
    assert rows["royal_flush"].hands_after == 26020  # published: beside a row for a suited pair
    kinds = [row.kind for row in rows.values()]
    assert kinds.count(ChangeKind.REMOVED) == 4


def test_swapping_the_sides_turns_every_change_round() -> None:
    there = only(compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/2"))
    back = only(compare_targets(f"{CHAN_CHU}/2", f"{CHAN_CHU}/1"))
    turned = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}
    assert {(row.table, row.event, row.kind) for row in there.rows} == {
        (row.table, row.event, turned.get(row.kind, row.kind)) for row in back.rows
    }
    assert {figure.name: figure.change for figure in there.figures} == {
        figure.name: -figure.change if figure.change is not None else None
        for figure in back.figures
    }


def test_nothing_differs_and_needs_no_filing() -> None:
    found = compare_targets(CHAN_CHU, CHAN_CHU)
    assert len(found.records) == 5
    assert not found.has_changes
    assert [filing.needed for filing in found.filings] == [False] * len(found.filings)


def test_one_table_is_paired_with_its_match_of_several() -> None:
    found = compare_targets(f"{CHAN_CHU}/3", CHAN_CHU)
    kept = [record for record in found.records if record.before is not None]
    assert [(item.before, item.after) for item in kept] == [(f"{CHAN_CHU}/3", f"{CHAN_CHU}/3")]
    assert not any(item.rows for item in kept)
    assert len(found.records) == 5


def test_filing_is_needed_by_the_rule_in_force() -> None:
    needs = {
        filing.jurisdiction: filing
        for filing in compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/2").filings
    }
    assert (needs["nevada"].rule, needs["wsgc"].rule) == ("NV-VAR", "WA-FILE")
    assert all(need.needed for need in needs.values())
    state = replace(read_catalog(*library.layers())[0].jurisdictions["nevada"], rules=())
    unknown = find_need(
        compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/2"), state, date(2026, 11, 29)
    )
    assert (unknown.needed, unknown.rule) == (None, "")
    assert unknown.detail == "No rule on filing is declared for this jurisdiction."
    before = compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/2", date(2021, 6, 13))
    (wsgc,) = [filing for filing in before.filings if filing.jurisdiction == "wsgc"]
    assert (wsgc.needed, wsgc.rule) == (None, "")
    assert wsgc.detail == "No rule in force on 2021-06-13 is declared for this jurisdiction."


def test_a_copied_file_with_one_changed_pay(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    value = json.loads((ROOT / "paytables" / f"{CHAN_CHU}/1.json").read_text(encoding="utf-8"))
    row = next(row for row in value["rows"] if row["event"] == "five_aces")
    row["pays"] = "501 to 1"
    path.write_text(json.dumps(value), encoding="utf-8")
    found = only(compare_targets(f"{CHAN_CHU}/1", str(path)))
    assert [(row.event, row.before, row.after) for row in found.rows] == [
        ("five_aces", "500 to 1", "501 to 1")
    ]
    edge = next(figure for figure in found.figures if figure.name == "House edge")
    assert edge.change == -Fraction(1128, 154143080)  # 1,128 hands of five aces are published


def test_rows_in_another_order_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    value = json.loads((ROOT / "paytables" / f"{CHAN_CHU}/1.json").read_text(encoding="utf-8"))
    value["rows"][-1], value["rows"][-2] = value["rows"][-2], value["rows"][-1]
    path.write_text(json.dumps(value), encoding="utf-8")
    assert "Order of rows" in [
        fact.name for fact in only(compare_targets(f"{CHAN_CHU}/1", str(path))).facts
    ]


def test_a_game_against_its_folder_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "dealer-open-pai-gow"
    shutil.copytree(ROOT / "paytables" / "dealer-open-pai-gow", folder)
    (folder / "chan-chu" / "5.json").unlink()
    found = compare_targets("dealer-open-pai-gow", str(folder))
    gone = [record for record in found.records if record.after is None]
    assert [item.before for item in gone] == [f"{CHAN_CHU}/5"]
    assert [record.has_changes for record in found.records].count(True) == 1


def test_the_only_replacement_in_a_wager_is_compared_with_what_it_replaces(tmp_path: Path) -> None:
    folder = tmp_path / "dealer-open-pai-gow"
    shutil.copytree(ROOT / "paytables" / "dealer-open-pai-gow", folder)

    def replace_table(old: str, new: str) -> set[tuple[str | None, str | None]]:
        value = json.loads((folder / "chan-chu" / f"{old}.json").read_text(encoding="utf-8"))
        (folder / "chan-chu" / f"{old}.json").unlink()
        text = json.dumps(value | {"id": new, "name": new})
        (folder / "chan-chu" / f"{new}.json").write_text(text, encoding="utf-8")
        found = compare_targets("dealer-open-pai-gow", str(folder))
        pairs = {(record.before, record.after) for record in found.records}
        return {(before, after) for before, after in pairs if before != after}

    assert replace_table("5", "7") == {(f"{CHAN_CHU}/5", f"{CHAN_CHU}/7")}
    # With two, nothing says which replaces which.
    gone, new = ({f"{CHAN_CHU}/{name}" for name in names} for names in ("45", "78"))
    assert replace_table("4", "8") == {(old, None) for old in gone} | {(None, it) for it in new}


def test_options_of_the_main_wager_by_their_rules() -> None:
    game = "dealer-open-pai-gow/main"
    found = only(compare_targets(f"{game}/no-push", f"{game}/ace-high-push"))
    assert [(row.kind, row.after) for row in found.rows] == [(ChangeKind.ADDED, "push")]


@pytest.mark.parametrize(
    "sides",
    [
        ("mini-pai-gow/main/1", "pai-gow-mania/main/commission-5-percent"),
        (f"{EMPEROR}/main/king-high-or-less-push", f"{EMPEROR}/main/any-pai-gow-pays-1-to-2"),
        (f"{EMPEROR}/pai-gow-insurance/PT-FLT-EC-PGI-01", "mini-pai-gow/bonus/A"),
    ],
)
def test_declared_values_are_in_plain_words(sides: tuple[str, str]) -> None:
    """No id of a feature, an award or a tie is printed to compliance staff."""
    facts = only(compare_targets(*sides)).facts
    assert facts
    for fact in facts:
        assert "_" not in fact.name + fact.before + fact.after


def test_the_condition_of_a_raise_is_worded_as_in_the_rules() -> None:
    # The source: an equal wager, "when the dealer's hand is a pair of fives or higher".
    found = only(compare_targets("mini-pai-gow/main/1", "pai-gow-mania/main/commission-5-percent"))
    (said,) = [fact.before for fact in found.facts if fact.name == "Raise"]
    assert said.startswith("equal to the wager; in action if the dealer has three or more cards")
    assert said.endswith(" or a highest pair of fives or better")
    # Its own text: "If the dealer has a king-high pai gow or lower".
    sides = (f"{EMPEROR}/main/king-high-or-less-push", f"{EMPEROR}/main/ace-high-push")
    (said,) = [fact.before for fact in only(compare_targets(*sides)).facts if "king" in fact.name]
    assert said == "a king-high pai gow or lower"


def test_house_ways_differ_in_examples_as_each_sets_them() -> None:
    before, after = side("foxwoods").house_way, side("trump-plaza").house_way
    assert before is not None
    assert after is not None
    hands = HandRules(
        deck=Deck(),
        shape=HandShape(cards=7, back=5, front=2),
        joker=JokerRule.BUG,
        wheel=WheelRule.SECOND_HIGHEST,
    )
    found = compare_house_ways(before, after, hands=hands)
    shape = Shape(ranks=13, joker=True, hand=7, front=2)
    assert found.hands == 154143080
    assert found.different == sum(setting.hands for setting in found.settings)
    for setting in found.settings:
        for way, front, rule in (
            (before, setting.front_before, setting.rule_before),
            (after, setting.front_after, setting.rule_after),
        ):
            set_as = set_hand(way, shape, setting.example)
            assert sorted(card[0] for card in set_as.split.front) == sorted(
                card[0] for card in front
            )
            assert set_as.rule.id == rule


def test_house_way_and_paytable_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "foxwoods", f"{CHAN_CHU}/1"]) == 2
    assert "are of different kinds" in capsys.readouterr().err


def test_house_ways_of_other_sizes_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "foxwoods", "house-ways/mini-pai-gow"]) == 2
    assert "sets 1 of 6 cards" in capsys.readouterr().err


def test_page_is_a_pdf_and_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [tmp_path / "one.pdf", tmp_path / "two.pdf"]
    for page in pages:
        arguments = ["diff", f"{CHAN_CHU}/1", f"{CHAN_CHU}/2", "--as-of", "2026-11-21"]
        assert run([*arguments, "--pdf", str(page), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out.partition("}\n{")[0] + "}")["changed"] is True
    assert pages[0].read_bytes().startswith(b"%PDF-")
    assert pages[0].read_bytes() == pages[1].read_bytes()


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("9.8.7", 'install --constraint constraints.txt "certify-9.8.7-py3-none-any.whl[all]"'),
        ("9.8.7.dev0", "Made by certify 9.8.7.dev0, build 0123456789ab (a development version)."),
    ],
)
def test_a_redline_names_its_build_and_how_to_install_a_release(version: str, line: str) -> None:
    difference = compare_targets(f"{CHAN_CHU}/1", f"{CHAN_CHU}/2")
    build = "0123456789abcdef"
    view = diff_view(difference, as_of=date(2026, 11, 21), engine_version=version, build=build)
    page = compose("diff.html.j2", view)
    assert line in page
    assert f"Made by certify {version}, build 0123456789ab" in page


def build_attachments(game: str) -> tuple[Attachment, ...]:
    filing = build_filing(Order(game=game, jurisdiction="wsgc"))
    return list_attachments(filing, build_evidence(filing, Status.FINAL))


def test_submissions_are_compared_by_what_they_embed(signing_home: World, tmp_path: Path) -> None:
    path = tmp_path / "old.pdf"
    path.write_bytes(sheet(signing_home, build_attachments("dealer-open-pai-gow")))
    found = compare_targets(str(path), "dealer-open-pai-gow")
    assert not [
        record for record in found.records if record.before and record.after and record.has_changes
    ]
    # The submission files one option of the main wager; the game declares two.
    assert [record.after for record in found.records if record.before is None] == [
        "dealer-open-pai-gow/main/no-push"
    ]


def test_the_process_with_limits_compares_a_submission(
    signing_home: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.pdf"
    path.write_bytes(sheet(signing_home, build_attachments("dealer-open-pai-gow")))
    request = DiffRequest(before=str(path), after=f"{CHAN_CHU}/2", as_of=date(2026, 11, 21))
    found = redline._difference(request)
    monkeypatch.delattr(redline, "_difference")
    assert redline.diff(request) == found


def test_errors_in_the_other_side_of_a_submission_are_listed(
    signing_home: World, tmp_path: Path
) -> None:
    path, other = tmp_path / "old.pdf", tmp_path / "paytable.json"
    path.write_bytes(sheet(signing_home, build_attachments("dealer-open-pai-gow")))
    other.write_text('{"$schema": "paytable.schema.json"}', encoding="utf-8")
    with pytest.raises(Unfit) as caught:
        compare_targets(str(path), str(other))
    assert {finding.file for finding in caught.value.findings} == {str(other)}


def test_comparing_a_submission_respects_limits(
    signing_home: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old.pdf"
    path.write_bytes(sheet(signing_home, build_attachments("dealer-open-pai-gow")))
    monkeypatch.setattr(redline, "LIMITS", Limits(seconds=900, mebibytes=16))
    with pytest.raises(NotJudged, match="Comparing the documents was stopped"):
        compare_targets(str(path), "dealer-open-pai-gow")


def test_submission_with_an_altered_source_is_refused(signing_home: World, tmp_path: Path) -> None:
    path = tmp_path / "old.pdf"
    files = build_attachments("dealer-open-pai-gow")
    table = next(file for file in files if file.name.endswith("chan-chu--1.json"))
    altered = table.data.replace(b"500 to 1", b"501 to 1")
    path.write_bytes(sheet(signing_home, replace_file(files, table.name, altered)))
    with pytest.raises(NotReadable, match="differ from its evidence: "):
        compare_targets(str(path), "dealer-open-pai-gow")


def test_two_versions_of_one_house_way(tmp_path: Path) -> None:
    path = tmp_path / "foxwoods.json"
    shutil.copy(ROOT / "paytables" / "house-ways" / "foxwoods.json", path)
    found = compare_targets("foxwoods", str(path))
    assert found.house_way is not None
    assert (found.house_way.different, found.has_changes) == (0, False)
    assert not any(filing.needed for filing in found.filings)


@pytest.mark.slow
def test_edges_of_pai_gow_under_foxwoods_and_trump_plaza() -> None:
    # Published: 2.7212 % by an exact cycle (Wizard of Odds, 2013); 2.73 % by simulation.
    found = diff(
        DiffRequest(before="foxwoods", after="trump-plaza", game="pai-gow-mania", as_of=TODAY)
    ).house_way
    assert found is not None
    edge = found.figures[0]
    assert edge.before is not None
    assert edge.after is not None
    assert round(edge.before * 10**6) == 27212
    assert abs(edge.after - Fraction(273, 10**4)) < Fraction(1, 10**4)


def test_a_main_wager_that_was_not_counted_is_not_called_unchanged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A game against itself: bonus wagers are counted, main wagers only with --main."""
    assert run(["diff", "mini-pai-gow", "mini-pai-gow"]) == 0
    text = capsys.readouterr().out
    assert "no figures (--main counts them): mini-pai-gow/main/1" in text
    found = compare_targets("mini-pai-gow", "mini-pai-gow")
    counted = {record.before: record.counted for record in found.records}
    assert counted.pop("mini-pai-gow/main/1") is False
    assert all(counted.values())
    view = diff_view(found, as_of=TODAY, engine_version="1", build="")
    assert set(view["unchanged"]) == set(counted)


def test_declared_values_of_an_uncounted_main_wager_are_compared() -> None:
    sides = ("dealer-open-pai-gow/main/no-push", "dealer-open-pai-gow/main/ace-high-push")
    found = only(compare_targets(*sides))
    assert (found.counted, found.has_changes) == (False, True)
    view = diff_view(compare_targets(*sides), as_of=TODAY, engine_version="1", build="")
    assert (view["unchanged"], view["uncounted"]) == ((), (" to ".join(sides),))
