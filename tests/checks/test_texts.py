"""Quantities in texts, and mutants of the built-in values that texts contradict."""

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from certify.checks.d_texts import lowest_hands, texts_against_values
from certify.checks.framework import Context
from certify.checks.p_paytables import hands_of_wagers
from certify.checks.quantities import Kind, find_numbers, find_quantities
from certify.checks.r_jurisdictions.packs import limits_in_texts
from certify.intake.read import read_catalog
from certify.review.check import check_unsaved
from tests.commands.ante_and_play import ante_and_play
from tests.marks import further

BUILT_IN = Path(__file__).parents[2] / "paytables"
FIELD = BUILT_IN.parent / "fixtures"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("A wager of $2.50 qualifies.", Kind.MONEY, 250),
        ("At least $40,000 is paid.", Kind.MONEY, 4_000_000),
        ("At most $1 million.", Kind.MONEY, 100_000_000),
        ("A win pays 3 to 2.", Kind.ODDS, "3 to 2"),
        ("It pays 6 for 2", Kind.ODDS, "3 for 1"),
        ("Paid 250:1.", Kind.ODDS, "250 to 1"),
        ("The odds are fifty to one or 50 to one.", Kind.ODDS, "50 to 1"),
        ("Even money on a win", Kind.ODDS, "1 to 1"),
        ("A commission of 2.5%", Kind.PERCENT, Fraction(1, 40)),
        ("commission 5 percent", Kind.PERCENT, Fraction(1, 20)),
        ("The first five cards", Kind.CARDS, 5),
        ("A 52-card deck", Kind.CARDS, 52),
        ("A shoe of six decks", Kind.DECKS, 6),
        ("The table seats up to seven players.", Kind.PLAYERS, 7),
        ("All percentages are shares of one meter.", Kind.METERS, 1),
        ("A Raise wager of two times the Ante", Kind.SIZE, 2),
        ("A raise of twice the Ante", Kind.SIZE, 2),
        ("A Play wager equal to the Ante", Kind.SIZE, 1),
        ("A-2-3-4-5 is the lowest straight.", Kind.WHEEL, "lowest"),
        ("Ace-to-five: the second highest straight.", Kind.WHEEL, "second highest"),
        ("The dealer has a queen-high pai gow.", Kind.HIGH, "queen"),
        ("A king-high pai gow or lower pushes.", Kind.HIGH, "king or lower"),
        ("The dealer qualifies with king high or better.", Kind.HIGH, "king or better"),
        ("The dealer has a pair of fives or any higher hand.", Kind.PAIR, "fives"),
        ("With two or more jacks the round is over.", Kind.HELD, "2 jacks"),
        ("It wins with a full house or better.", Kind.LOWEST, "full house"),
        ("It wins with a straight flush or better.", Kind.LOWEST, "straight flush"),
    ],
)
def test_quantities_are_read(text: str, kind: Kind, value: object) -> None:
    assert [(each.kind, each.value) for each in find_quantities(text)] == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "The spots are numbered 2 to 7; each wager is paid in turn.",
        "It pays one to three of the four hands.",
        "WAC 230-15-140 and 13:69F-11.20(d)",
        "Three players and two hands of the players",
    ],
)
def test_other_numbers_are_no_quantities(text: str) -> None:
    assert not list(find_quantities(text))


@pytest.mark.parametrize("digits", ["9" * 5_000, "1," * 3 + ",".join(["999"] * 2_000)])
@pytest.mark.parametrize(
    "text", ["It pays {}%.", "It pays 1.{}%.", "A win pays {} to 1.", "{} cards", "It costs ${}."]
)
def test_a_number_of_thousands_of_digits_is_none(text: str, digits: str) -> None:
    assert not list(find_quantities(text.format(digits)))
    assert find_numbers(text.format(digits)) <= {1}


def test_numbers_in_digits_and_words() -> None:
    assert find_numbers("twice, six, $5, 1,000 and 100 million") == {2, 6, 1000, 100_000_000}


@pytest.mark.parametrize(
    "library",
    [BUILT_IN, FIELD / "field/paytables", FIELD / "games", FIELD / "valid/library"],
    ids=lambda path: path.parent.name,
)
def test_no_false_alarm(library: Path) -> None:
    context = Context(read_catalog(library)[0])
    checks = (limits_in_texts, texts_against_values, lowest_hands, hands_of_wagers)
    assert [finding for check in checks for finding in check(context)] == []


LIMITS = [
    (path.name, rule, version, name)
    for path in sorted((BUILT_IN / "jurisdictions").glob("*.json"))
    for rule, declared in enumerate(json.loads(path.read_bytes())["rules"])
    for version, text in enumerate(declared["versions"])
    for name, value in text.get("parameters", {}).items()
    if not isinstance(value, bool) and value != 1
]


@pytest.mark.parametrize(("file", "rule", "version", "name"), LIMITS)
@pytest.mark.parametrize("change", [lambda value: value + 1, *further([lambda value: value * 10])])
def test_a_wrong_limit_of_a_jurisdiction_is_an_error(
    file: str, rule: int, version: int, name: str, change: Callable[[int], int]
) -> None:
    path = BUILT_IN / "jurisdictions" / file
    value = json.loads(path.read_bytes())
    limits = value["rules"][rule]["versions"][version]["parameters"]
    limits[name] = change(limits[name])
    assert _codes(path, value) == {"R027"}


@pytest.mark.parametrize(
    ("file", "pointer", "wrong", "code"),
    [
        ("pai-gow-mania/main/commission-5-percent.json", "commission.rate", "4%", "D022"),
        ("pai-gow-mania/main/commission-prepaid.json", "commission.rate", "15%", "D022"),
        ("mini-pai-gow/main/1.json", "win_pays", "2 to 1", "D022"),
        ("dealer-open-pai-gow/main/no-push.json", "win_pays", "1 to 2", "D022"),
        ("mini-pai-gow/bonus/wager.json", "minimum_cents", 1000, "D022"),
        ("mini-pai-gow/bonus/envy/community.json", "qualifying_wager_cents", 5, "D022"),
        ("mini-pai-gow/game.json", "players", 6, "D022"),
        ("pai-gow-mania/game.json", "deck.joker", False, "D022"),
        ("pai-gow-mania/three-card-bonus/fitzgeralds-2004.json", "hand", "dealer", "P017"),
    ],
)
def test_a_value_that_a_text_contradicts_is_found(
    file: str, pointer: str, wrong: object, code: str
) -> None:
    path = BUILT_IN / file
    value = json.loads(path.read_bytes())
    *above, last = pointer.split(".")
    inner = value
    for name in above:
        inner = inner[name]
    inner[last] = wrong
    assert code in _codes(path, value)


PAIRS_FROM_SIX = ["6", "7", "8", "9", "T", "J", "Q", "K", "A"]
HANDS = [
    ("mini-pai-gow/game.json", "wheel", "lowest", "second highest"),
    ("mini-pai-gow/main/1.json", "raise.size", "2", "2"),
    ("mini-pai-gow/main/1.json", "raise.qualifies.any.4.highest_pair", PAIRS_FROM_SIX, "fives"),
    ("mini-pai-gow/bonus/A.json", "rows.-1.event", "three_of_a_kind", "three of a kind"),
    ("mini-pai-gow/bonus/envy/community.json", "rows.-1.event", "flush", "flush"),
    (
        "emperors-challenge-exposed/main/king-high-or-less-push.json",
        "dealer_rules.0.when.pai_gow_high", [*"23456789TJQ"], "king",
    ),
    (
        "emperors-challenge-exposed/pai-gow-insurance-progressive/PT-BJS-EC-PGI-01.json",
        "progressive.meters", [{"level": "1"}, {"level": "2"}], "one meter",
    ),
    (
        "dealer-open-pai-gow/main/ace-high-push.json", "dealer_rules.0.when.jacks.min", 3,
        "two or more jacks",
    ),
    (
        "commission-free-pai-gow-express/main/1.json", "dealer_rules.0.when.pai_gow_high", "J",
        "queen-high pai gow",
    ),
    ("crazy-4-poker/main/standard.json", "raise.largest", "2", "2"),
    ("crazy-4-poker/main/standard.json", "raise.largest_when.any.0.highest_pair", "K", "aces"),
    ("ez-pai-gow/main/queen-high-push.json", "dealer_rules.0.when.pai_gow_high", "K", "queen"),
    ("caribbean-stud/main/united-states.json", "raise.size", "1", "1"),
    ("four-card-poker/main/standard.json", "raise.largest", "4", "4"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "pointer", "wrong", "named"), HANDS)
def test_hands_sizes_and_meters_of_texts_are_compared(
    file: str, pointer: str, wrong: object, named: str, tmp_path: Path
) -> None:
    libraries = (BUILT_IN, FIELD / "field/paytables")
    declared = next(library / file for library in libraries if (library / file).is_file())
    game = file.partition("/")[0]
    folder = shutil.copytree(declared.parents[file.count("/") - 1], tmp_path / "own" / game)
    path = folder.parent / file
    value = json.loads(path.read_bytes())
    *above, last = pointer.split(".")
    inner = value
    for name in above:
        inner = inner[int(name) if name.lstrip("-").isdigit() else name]
    inner[last] = wrong
    path.write_text(json.dumps(value), encoding="utf-8")
    catalog, unread = read_catalog(*libraries, tmp_path / "own")
    assert unread == ()
    context = Context(catalog)
    checks = (texts_against_values, lowest_hands)
    found = [each.message for check in checks for each in check(context)]
    assert found, "no text contradicts it"
    assert all(named in message for message in found)


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("mini-pai-gow/bonus/A.json", "It wins with a flush or better.", "D027"),
        ("mini-pai-gow/bonus/envy/community.json", "A flush or better wins a prize.", "D027"),
        ("mini-pai-gow/bonus/envy/community.json", "A wager of $2 wins a prize.", "D022"),
        ("dealer-open-pai-gow/main/ace-high-push.json", "A king-high pai gow pushes.", "D022"),
        ("dealer-open-pai-gow/main/ace-high-push.json", "Three or more jacks lose.", "D022"),
    ],
)
def test_a_footnote_is_compared(file: str, text: str, code: str, tmp_path: Path) -> None:
    library = shutil.copytree(BUILT_IN, tmp_path / "paytables")
    path = library / file
    value = json.loads(path.read_bytes())
    value["source"] |= {"notes": [{"text": text}]}
    for name, hands in (
        ("bonus/wager", ("is two pair or better", "has a full house or better")),
        ("game", ("has a full house or better",)),
    ):
        rules = library / f"mini-pai-gow/{name}.json"
        said = rules.read_text(encoding="utf-8")
        for hand in hands:
            assert hand in said
            said = said.replace(hand, "is paid")
        rules.write_text(said, encoding="utf-8")
    path.write_text(json.dumps(value), encoding="utf-8")
    context = Context(read_catalog(library)[0])
    found = [each for check in (texts_against_values, lowest_hands) for each in check(context)]
    assert {each.code for each in found if each.file.endswith(file)} == {code}


def test_an_interpretation_is_compared(tmp_path: Path) -> None:
    library = shutil.copytree(BUILT_IN, tmp_path / "paytables")
    path = library / "dealer-open-pai-gow/game.json"
    value = json.loads(path.read_bytes())
    value["assumptions"][0]["text"] = "A pair of fives pushes, and a king-high pai gow loses."
    path.write_text(json.dumps(value), encoding="utf-8")
    (found,) = texts_against_values(Context(read_catalog(library)[0]))
    assert found.message.startswith("“king-high pai gow” is not among the declared values: ace")


def test_rows_that_return_the_stake_are_not_paid(tmp_path: Path) -> None:
    library = shutil.copytree(BUILT_IN, tmp_path / "paytables")
    path = library / "mini-pai-gow/bonus/A.json"
    value = json.loads(path.read_bytes())
    for pays, found in (("push", []), ("1 to 1", ["The lowest paid hand is pair."])):
        pair = {"event": "pair", "name": "Pair", "pays": pays}
        path.write_text(json.dumps(value | {"rows": [*value["rows"], pair]}), encoding="utf-8")
        faults = lowest_hands(Context(read_catalog(library)[0]))
        assert [each.message.partition(" A rule")[0] for each in faults] == found


def test_a_rule_of_the_game_on_one_wager_is_compared_with_it(tmp_path: Path) -> None:
    library = shutil.copytree(BUILT_IN, tmp_path / "paytables")
    path = library / "mini-pai-gow/game.json"
    value = json.loads(path.read_bytes())
    rule = value["sections"][0]["statements"][0] | {"id": "lowest", "topic": "outcome"}
    rule |= {"wager": "bonus", "text": "The bonus wins with a full house or better."}
    value["sections"][0]["statements"].append(rule)
    path.write_text(json.dumps(value), encoding="utf-8")
    assert list(lowest_hands(Context(read_catalog(library)[0]))) == []  # two pair is named, too
    own = library / "mini-pai-gow/bonus/wager.json"
    text = own.read_text(encoding="utf-8").replace("is two pair or better", "is paid")
    own.write_text(text, encoding="utf-8")
    found = {each.file for each in lowest_hands(Context(read_catalog(library)[0]))}
    tables = {path.stem for path in own.parent.glob("*.json") if path != own}
    assert {Path(file).stem for file in found} == tables


def test_parts_of_a_deal_may_add_up(tmp_path: Path) -> None:
    """Three cards and then four are the seven of the hand."""
    library = shutil.copytree(BUILT_IN, tmp_path / "paytables")
    path = library / "pai-gow-mania/game.json"
    text = "three and then four consecutive cards"
    assert text in path.read_text(encoding="utf-8")
    written = path.read_text(encoding="utf-8").replace(text, "three cards and then four cards")
    path.write_text(written, encoding="utf-8")
    context = Context(read_catalog(library)[0])
    assert list(texts_against_values(context)) == []


def _codes(path: Path, value: object) -> set[str]:
    data = json.dumps(value).encode()
    found = check_unsaved(path, data).findings
    return {finding.code for finding in found if finding.severity != "note"}


@pytest.mark.parametrize(
    ("text", "found"), [("A player may make a Play wager.", 0), ("Play is 2 times the ante.", 1)]
)
def test_a_size_is_compared_with_the_text_of_its_wager(
    text: str, found: int, tmp_path: Path
) -> None:
    """A companion wager equal to the ante says nothing of a raise of up to 3 times the ante."""
    path = ante_and_play(tmp_path) / "main" / "standard.json"
    value = json.loads(path.read_bytes())
    value["raise"] |= {"largest": "3", "text": text}
    pays = [{"id": "p", "name": "Trips", "when": {"of_a_kind": 3}, "pays": "9 to 1"}]
    words = {"text": "A Side Bet equal to the ante is made.", "source": value["source"]}
    value["companion"] = {"id": "side", "name": "Side Bet", "size": "1", "pays": pays} | words
    path.write_text(json.dumps(value), encoding="utf-8")
    catalog, unread = read_catalog(tmp_path / "paytables")
    assert unread == ()
    faults = [each.pointer for each in texts_against_values(Context(catalog))]
    assert faults == ["/raise/size", "/raise/largest"][: 2 * found]
