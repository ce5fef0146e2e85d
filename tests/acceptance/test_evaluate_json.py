import json
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from math import comb, gcd
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.acceptance.command_line import ROOT, Certify
from tests.marks import further

SCHEMA = json.loads((Path(__file__).parent / "evaluate.schema.json").read_bytes())
VALIDATOR = Draft202012Validator(SCHEMA)
PAYTABLES = ROOT / "paytables"
GAMES = sorted(path.parent.name for path in PAYTABLES.glob("*/game.json"))
BONUS_WAGERS = sorted(
    f"{path.parent.parent.name}/{path.parent.name}"
    for path in PAYTABLES.glob("*/*/wager.json")
    if path.parent.name != "main" and len(list(path.parent.glob("*.json"))) > 1
)
SMALL = "mini-pai-gow"
SEVEN_CARD_DEALS = comb(53, 7) * comb(46, 7)
SIX_CARD_DEALS = comb(53, 6) * comb(47, 6)


def results(printed: dict[str, Any]) -> list[dict[str, Any]]:
    if "results" not in printed:
        return [printed]
    assert len(printed["results"]) > 1
    return list(printed["results"])


def find_fractions(value: object) -> list[str]:
    """Return every text of the form n/d anywhere in a JSON value."""
    if isinstance(value, str):
        head, _, tail = value.partition("/")
        return [value] if head.lstrip("-").isdigit() and tail.isdigit() else []
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, list):
        inner = value
    return [fraction for part in inner for fraction in find_fractions(part)]


def round_like(value: Fraction, like: str) -> str:
    """Return a fraction with as many decimals as a printed text, rounded half up, by `decimal`."""
    places = len(like.partition(".")[2])
    with localcontext() as context:
        context.prec = 200
        quotient = Decimal(value.numerator) / Decimal(value.denominator)
        found = quotient.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
        return f"{found or abs(found):f}"


def judge(one: dict[str, Any]) -> None:
    """Hold one object against the contract."""
    assert [error.message for error in VALIDATOR.iter_errors(one)] == []
    assert sum(row["combinations"] for row in one["rows"]) == one["total_combinations"]
    for text in find_fractions({key: one[key] for key in one if key != "assumptions"}):
        above, below = map(int, text.split("/"))
        assert gcd(above, below) == 1, text
    for row in one["rows"]:
        chance = Fraction(row["combinations"], one["total_combinations"])
        assert Fraction(row["probability"]) == chance
        assert row["probability_decimal"] == round_like(chance, row["probability_decimal"])
        if "meter_weight" in row:
            assert "house_edge" not in one
            assert 0 < Fraction(row["meter_weight"]) <= chance
            continue
        assert row["return_decimal"] == round_like(Fraction(row["return"]), row["return_decimal"])
    if "house_edge" not in one:
        judge_meters(one)
        return
    edge = Fraction(one["house_edge"])
    assert Fraction(one["return_to_player"]) == 1 - edge
    assert sum(Fraction(row["return"]) for row in one["rows"]) == -edge
    assert one["house_edge_percent"] == round_like(100 * edge, one["house_edge_percent"])
    for name in ("house_edge", "return_to_player", "hit_frequency", "variance"):
        decimal = one[f"{name}_decimal"]
        assert decimal == round_like(Fraction(one[name]), decimal)


def judge_meters(one: dict[str, Any]) -> None:
    """A meter's rows make its weight, and at its break-even amount the return is one unit."""
    paid = one["progressive"]
    meters = paid["meters"]
    weights = [Fraction(meter["probability_weight"]) for meter in meters]
    assert sum(weights) == sum(Fraction(row.get("meter_weight", "0/1")) for row in one["rows"])
    for meter, weight in zip(meters, weights, strict=True):
        dollars = (1 - Fraction(paid["fixed_return"])) / weight * paid["base_wager_cents"] / 100
        assert meter["break_even_meter"] == round_like(dollars, meter["break_even_meter"])


@pytest.mark.parametrize("wager", BONUS_WAGERS)
def test_bonus_wager(wager: str, certify: Certify) -> None:
    ran = certify("evaluate", wager, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found = results(ran.json)
    declared = {
        f"{wager}/{path.stem}"
        for path in (PAYTABLES / wager).glob("*.json")
        if path.stem != "wager"
    }
    assert {item["target"] for item in found} == declared
    for item in found:
        judge(item)
        assert item["rows"][-1]["event"] == "all_other"
        assert f"paytables/{item['target']}.json" in {each["path"] for each in item["inputs"]}
        assert ("envy" in item) == ("envy" in declared_paytable(item["target"]))
        for row in (item.get("envy") or {}).get("house_edge_percent_by_players", {}).items():
            assert row[1] == envy_edge(item, int(row[0]), like=row[1])


def declared_paytable(target: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((PAYTABLES / f"{target}.json").read_bytes())
    return value


def envy_edge(one: dict[str, Any], players: int, *, like: str) -> str:
    """Return the edge in percent when every other player's hand may bring a prize."""
    share = Fraction(one["envy"]["per_other_player"])
    return round_like(100 * (Fraction(one["house_edge"]) - (players - 1) * share), like)


@pytest.mark.parametrize("game", [SMALL, *further(game for game in GAMES if game != SMALL)])
def test_main_wager(game: str, certify: Certify) -> None:
    ran = certify("evaluate", f"{game}/main", "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    for result in results(ran.json):
        judge(result)
        deals = SIX_CARD_DEALS if game == "mini-pai-gow" else SEVEN_CARD_DEALS
        assert result["total_combinations"] == deals
        for outcome, count in result["outcomes"].items():
            rows = [row for row in result["rows"] if row["event"].split("_")[0] == outcome]
            assert sum(row["combinations"] for row in rows) == count
        assert sum(result["outcomes"].values()) == deals
        assert ("element_of_risk" in result) == (game == "mini-pai-gow")
        assert f"paytables/house-ways/{result['house_way']}.json" in {
            each["path"] for each in result["inputs"]
        }


def test_seven_card_deals_are_the_published_number() -> None:
    assert SEVEN_CARD_DEALS == 8250459031214400


def test_a_limit_changes_only_its_figures(certify: Certify) -> None:
    """Appendix C at $200 under $10,000: hands above 50 to 1 are paid 50 to 1.

    32 * 4,950 + 72 * 950 + 196 * 700 + 1,128 * 200 + 26,020 * 50 = 1,890,600 of 154,143,080.
    """
    target = "emperors-challenge-exposed/emperors-treasure/PT-FLT-EC-ET-01"
    free = certify("evaluate", target, "--wager", "200", "--format", "json").json
    ran = certify("evaluate", target, "--wager", "200", "--limit", "10,000", "--format", "json")
    found = ran.json
    judge(found)
    limit = found.pop("limit")
    (spread,) = found.pop("volatility_with_limit")
    assert found == free
    (one,) = limit["amounts"]
    edge = Fraction(free["house_edge"]) + Fraction(1_890_600, 154_143_080)
    assert Fraction(one["house_edge"]) == edge
    assert one["house_edge_percent"] == "9.2273"
    assert limit["binds_above_wager_cents"] == "200/1"
    assert Fraction(spread["variance"]) < Fraction(free["variance"])


def test_a_limit_moves_the_break_even_of_a_meter_and_has_to_be_an_amount(
    certify: Certify,
) -> None:
    metered = "emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-01"
    found = certify("evaluate", metered, "--limit", "500", "--format", "json").json
    (one,) = found["limit"]["amounts"]
    assert "house_edge" not in one
    fixed = Fraction(found["progressive"]["fixed_return"])
    assert Fraction(one["fixed_return"]) == fixed - Fraction(1_128 * 500, 154_143_080)
    assert one["break_even_meters"]["1"] > found["progressive"]["break_even_meter"]
    ran = certify("evaluate", metered, "--limit", "nothing")
    assert (ran.code, "--limit: nothing is not an amount of dollars" in ran.err) == (2, True)
