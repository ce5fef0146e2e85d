"""Every table that meets a band is found: held against all pays tried one by one."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import pytest
from msgspec.structs import replace

from certify.cli.design import solved_text
from certify.commands.solve.problem import EdgeBand, Question
from certify.commands.solve.solve import solve, write_solution
from certify.engine.hands.awards import row_counts
from certify.errors import NotConfigured, NotReadable
from certify.figures.targets import select
from certify.library import paytables
from certify.model.analysis import By, Kind, SolveResult, Unknown
from certify.model.finding import Unfit
from certify.model.paytable import Paytable

DYNASTY = "commission-free-pai-gow-express/dynasty-bonus/3"
MINI = "mini-pai-gow/bonus/A"
FOR_ONE = "emperors-challenge-exposed/emperors-treasure-progressive/PT-BJS-EC-ET-01"
TWO_METERS = "emperors-challenge-exposed/emperors-treasure-multi-level-progressive/PT-PRG-MLP-ET-01"


def build_unknown(name: str) -> Unknown:
    kind, _, event = name.rpartition(":")
    return Unknown(kind=Kind(kind) if kind else Kind.ROW, id=event)


def ask(
    target: str, low: str, high: str, opened: Mapping[str, range], **more: object
) -> SolveResult:
    bounds = {
        build_unknown(name): (values[0], values[-1]) for name, values in opened.items() if values
    }
    question = Question(
        target=target,
        edge=EdgeBand(low=Fraction(low) / 100, high=Fraction(high) / 100),
        unknowns=tuple(map(build_unknown, opened)),
        bounds=bounds,
        limit=more.pop("limit", 1000),  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )
    return solve(question)


def amounts(solved: SolveResult) -> list[tuple[int | None, ...]]:
    return [tuple(solution.amounts.values()) for solution in solved.solutions]


def load_paytable(target: str) -> dict[str, object]:
    value: dict[str, object] = json.loads((paytables() / f"{target}.json").read_bytes())
    return value


@cache
def count_rows(target: str, *, without: frozenset[str] = frozenset()) -> dict[str, int]:
    selection = select(target)
    record = selection.records[0][1]
    assert isinstance(record, Paytable)
    rows = tuple(row for row in record.rows if row.event not in without)
    total, counts = row_counts(
        replace(record, rows=rows), events=selection.catalog.events, hands=selection.game.hands
    )
    found = dict(zip((row.event for row in rows), counts, strict=True))
    return found | {"": total}


def compute_edge(
    target: str,
    pays: Mapping[str, int | None],
    *,
    meters: Mapping[str, int] | None = None,
    base_cents: int = 100,
) -> Fraction:
    without = frozenset(name for name, pay in pays.items() if pay is None)
    counts = count_rows(target, without=without)
    returned = Fraction(0)  # stakes that come back among it
    for row in load_paytable(target)["rows"]:  # type: ignore[attr-defined]
        event, printed = row["event"], row["pays"]
        if event in without or printed == "loss":
            continue
        if printed.endswith("%"):
            share = Fraction(int(printed[:-1]), 100) * (meters or {})[row["meter"]] / base_cents
            paid = share
        elif printed == "push":
            paid = Fraction(1)
        else:
            amount, basis, unit = printed.split()
            odds = Fraction(int(amount), int(unit))
            paid = Fraction(pays.get(event) or 0) if event in pays else odds
            paid += basis == "to"
        returned += counts[event] * paid
    return 1 - returned / counts[""]


def try_all(
    opened: Mapping[str, range],
    edge: Callable[[dict[str, int]], Fraction],
    low: str,
    high: str,
) -> set[tuple[int, ...]]:
    return {
        values
        for values in product(*opened.values())
        if Fraction(low) / 100
        <= edge(dict(zip(opened, values, strict=True)))
        <= Fraction(high) / 100
    }


@pytest.mark.parametrize(
    ("target", "low", "high", "opened"),
    [
        (
            DYNASTY,
            "6",
            "7.5",
            {"straight_flush": range(40, 48), "four_of_a_kind": range(18, 27),
             "full_house": range(3, 7), "straight": range(1, 4)},
        ),
        (MINI, "3", "9", {"flush": range(1, 9), "straight": range(1, 7)}),
    ],
)  # fmt: skip
def test_all_pays_to_one_are_found(
    target: str, low: str, high: str, opened: dict[str, range]
) -> None:
    linear = compute_edge(target, dict.fromkeys(opened, 0))
    slopes = {
        name: linear - compute_edge(target, dict.fromkeys(opened, 0) | {name: 1}) for name in opened
    }

    def edge(pays: dict[str, int]) -> Fraction:
        return linear - sum((slopes[name] * pay for name, pay in pays.items()), Fraction(0))

    wanted = try_all(opened, edge, low, high)
    solved = ask(target, low, high, opened)
    assert len(wanted) > 10
    assert set(amounts(solved)) == wanted
    assert solved.count == len(solved.solutions) == len(wanted)
    for solution in solved.solutions[::20]:
        pays = {name.id: amount for name, amount in solution.amounts.items()}
        assert solution.edge == solution.analysis.house_edge == compute_edge(target, pays)


def test_all_pays_for_one_are_found_with_a_meter() -> None:
    opened = {"four_of_a_kind": range(30, 80, 1), "full_house": range(1, 7)}
    meters = {"1": 5_000_000}
    known = {row["event"] for row in load_paytable(FOR_ONE)["rows"]}  # type: ignore[attr-defined]
    assert known >= opened.keys()
    present = compute_edge(FOR_ONE, {}, meters=meters)
    low, high = str(float(present * 100) - 1.0), str(float(present * 100) + 1.0)
    solved = ask(FOR_ONE, low, high, opened, meters=meters)
    wanted = try_all(opened, lambda pays: compute_edge(FOR_ONE, pays, meters=meters), low, high)
    assert len(wanted) > 5
    assert set(amounts(solved)) == wanted


def test_without_bounds_pays_lie_between_their_neighbors_and_never_rise() -> None:
    opened = dict.fromkeys(("full_house", "flush", "three_of_a_kind"), range(0))
    solved = ask(DYNASTY, "7", "8.5", opened)
    free = dict.fromkeys(opened, range(2, 26))  # a straight below pays 2, four of a kind above 25
    zero = compute_edge(DYNASTY, dict.fromkeys(opened, 0))
    slopes = [zero - compute_edge(DYNASTY, dict.fromkeys(opened, 0) | {name: 1}) for name in opened]
    wanted = {
        pays
        for pays in product(*free.values())
        if all(upper >= lower for upper, lower in pairwise(pays))
        and Fraction(7, 100)
        <= zero - sum(map(Fraction.__mul__, slopes, pays))
        <= Fraction(85, 1000)
    }
    assert wanted
    assert set(amounts(solved)) == wanted


def test_rows_may_be_left_out_and_their_hands_go_to_other_rows() -> None:
    opened = {"full_house": range(4, 7), "three_of_a_kind": range(2, 5), "straight": range(1, 3)}
    choices = [[None, *values] for values in opened.values()]
    wanted = {
        pays
        for pays in product(*choices)
        if Fraction(1, 10)
        <= compute_edge(DYNASTY, dict(zip(opened, pays, strict=True)))
        <= Fraction(3, 10)
    }
    solved = ask(DYNASTY, "10", "30", opened, may_omit=True, by=By.HIT_FREQUENCY)
    assert any(None in pays for pays in wanted)
    assert set(amounts(solved)) == wanted
    hits = [solution.analysis.hit_frequency for solution in solved.solutions]
    assert hits == sorted(hits, reverse=True)
    assert len(set(hits)) > 1


def test_prizes_count_for_every_other_player() -> None:
    opened = {"envy:straight_flush": range(1000, 3001, 500), "four_of_a_kind": range(22, 27)}
    counts, envy = (
        count_rows(DYNASTY),
        load_paytable("commission-free-pai-gow-express/dynasty-bonus/envy/3"),
    )
    prizes = {row["event"]: row["prize_cents"] for row in envy["rows"]}  # type: ignore[attr-defined]
    wanted = {}
    for prize, pay in product(*opened.values()):
        won = prizes | {"straight_flush": prize}
        value = sum(counts[event] * cents for event, cents in won.items())
        per_player = Fraction(value, counts[""] * 500)
        edge = compute_edge(DYNASTY, {"four_of_a_kind": pay}) - 3 * per_player
        if Fraction(4, 100) <= edge <= Fraction(5, 100):
            wanted[prize, pay] = edge
    solved = ask(DYNASTY, "4", "5", opened, players=4, step_cents=500)
    assert wanted
    assert {
        tuple(solution.amounts.values()): solution.edge for solution in solved.solutions
    } == wanted


def test_the_amount_on_a_meter_is_found() -> None:
    step = 100_000
    solved = ask(FOR_ONE, "10", "10.5", {"meter:1": range(0)}, step_cents=step)
    found = [cents for (cents,) in amounts(solved) if cents is not None]
    assert found
    assert sorted(found) == [
        cents
        for cents in range(step, max(found) + 5 * step, step)
        if Fraction(10, 100)
        <= compute_edge(FOR_ONE, {}, meters={"1": cents})
        <= Fraction(105, 1000)
    ]
    assert {solution.paytable.meters[0].seed_cents for solution in solved.solutions} == set(found)
    assert {solution.distance for solution in solved.solutions} == {
        0
    }  # no seed is stated to be far from


@pytest.mark.parametrize("by", By)
def test_solutions_are_ranked_by_recomputed_figures(by: By) -> None:
    opened = {"straight_flush": range(40, 60), "four_of_a_kind": range(20, 30)}
    solved = ask(DYNASTY, "7", "8", opened, by=by)

    def measure(place: int) -> Fraction:
        one = solved.solutions[place]
        flush, four = amounts(solved)[place]
        assert flush is not None
        assert four is not None
        pays = [8000, 2000, 1000, 400, 150, flush, four, 5, 4, 3, 2]
        ladders = (pays, [500000, 100000, 50000, 25000, 5000, 2000, 500])
        ratios = [[Fraction(*two) for two in pairwise(ladder)] for ladder in ladders]
        mean = 1 - compute_edge(DYNASTY, {"straight_flush": flush, "four_of_a_kind": four}) - 1
        counts = count_rows(DYNASTY)
        events = [row["event"] for row in load_paytable(DYNASTY)["rows"]]  # type: ignore[attr-defined]
        won = sum(counts[event] for event in events[:-1])
        squares = sum(counts[event] * pay**2 for event, pay in zip(events, pays, strict=False))
        figures = {
            By.DISTANCE: Fraction(abs(flush - 50), 50) + Fraction(abs(four - 25), 25),
            By.SMOOTHNESS: sum(
                (
                    (upper - lower) ** 2 / (upper * lower)
                    for ladder in ratios
                    for upper, lower in pairwise(ladder)
                ),
                Fraction(0),
            ),
            By.HIT_FREQUENCY: -Fraction(won, counts[""]),
            By.VOLATILITY: Fraction(squares + counts[""] - won, counts[""]) - mean**2,
        }
        assert one.distance == figures[By.DISTANCE]
        assert one.roughness == figures[By.SMOOTHNESS]
        assert one.analysis.variance == figures[By.VOLATILITY]
        return figures[by]

    measures = [measure(place) for place in range(len(solved.solutions))]
    assert measures == sorted(measures)
    few = ask(DYNASTY, "7", "8", opened, by=by, limit=3)
    assert amounts(few) == amounts(solved)[:3]
    assert few.count == solved.count


def test_bands_of_deviation_and_hits_keep_the_tables_that_meet_them() -> None:
    opened = {"flush": range(1, 9), "straight": range(1, 7)}
    counts = count_rows(MINI)

    def variance(pays: dict[str, int | None]) -> Fraction:
        """Return the variance from the counts: a losing hand pays −1."""
        printed = {row["event"]: row["pays"] for row in load_paytable(MINI)["rows"]}  # type: ignore[attr-defined]
        nets = {event: Fraction(int(text.split()[0])) for event, text in printed.items()}
        nets |= {event: Fraction(pay or 0) for event, pay in pays.items()}
        shares = {event: Fraction(counts[event], counts[""]) for event in nets}
        lost = 1 - sum(shares.values(), Fraction(0))
        mean = sum((nets[event] * shares[event] for event in nets), -lost)
        return sum((nets[event] ** 2 * shares[event] for event in nets), lost) - mean**2

    every = ask(MINI, "3", "9", opened)
    pairs = [dict(zip(opened, values, strict=True)) for values in amounts(every)]
    low, high = Fraction("3.9"), Fraction("3.94")
    meeting = [pays for pays in pairs if low**2 <= variance(pays) <= high**2]
    assert 0 < len(meeting) < len(pairs)
    limited = ask(MINI, "3", "9", opened, deviation="3.9..3.94")
    assert [dict(zip(opened, values, strict=True)) for values in amounts(limited)] == meeting
    assert (limited.count, limited.in_edge_band) == (len(meeting), len(pairs))
    # Every row pays: the hit frequency is the share of their hands, whatever they pay.
    hits = Fraction(sum(counts.values()) - counts[""], counts[""]) * 100
    around = f"{int(hits)}..{int(hits) + 1}"
    assert amounts(ask(MINI, "3", "9", opened, hits=around)) == amounts(every)
    none = ask(MINI, "3", "9", opened, hits="1..2")
    assert (none.count, none.in_edge_band, none.below) == (0, len(pairs), None)
    assert f"None of the {len(pairs)} tables" in solved_text(none)


@pytest.mark.parametrize("name", ["hits", "deviation"])
@pytest.mark.parametrize("text", ["4", "5..4", "-1..4", "x..4"])
def test_a_band_that_is_none_is_refused_by_its_name(name: str, text: str) -> None:
    with pytest.raises(NotReadable, match=f"^--{name}: "):
        ask(MINI, "3", "9", {"flush": range(0)}, **{name: text})


def test_where_nothing_meets_the_band_the_nearest_edges_are_reported() -> None:
    opened = {"four_of_a_kind": range(20, 31), "full_house": range(4, 7)}
    solved = ask(DYNASTY, "7.5", "7.50001", opened)
    edges = sorted(
        compute_edge(DYNASTY, {"four_of_a_kind": four, "full_house": full})
        for four in opened["four_of_a_kind"]
        for full in opened["full_house"]
    )
    assert solved.solutions == ()
    assert solved.below == max(edge for edge in edges if edge < Fraction(75, 1000))
    assert solved.above == min(edge for edge in edges if edge > Fraction(75, 1000))


def test_a_rule_of_the_state_excludes_solutions(tmp_path: Path) -> None:
    """Washington: no aggregate limit on a wager whose highest odds are below 50 to 1."""
    terms = tmp_path / "terms.json"
    limit = {"cents": 5_000_000, "wagers": ["bonus"]}
    terms.write_text(json.dumps({"$schema": "filing.schema.json", "aggregate_limits": [limit]}))
    opened = {
        "five_aces": range(48, 53),
        "royal_flush": range(40, 42),
        "straight_flush": range(30, 32),
        "four_of_a_kind": range(20, 22),
    }
    free = ask(MINI, "0", "60", opened)
    assert {pays[0] for pays in amounts(free)} == {48, 49, 50, 51, 52}
    ruled = ask(MINI, "0", "60", opened, jurisdiction="wsgc", terms=terms, as_of=date(2026, 11, 22))
    assert {pays[0] for pays in amounts(ruled)} == {50, 51, 52}
    assert ruled.count == free.count
    assert sum(ruled.left_out.values()) == len(
        [pays for pays in amounts(free) if pays[0] in (48, 49)]
    )
    assert all(reason.startswith("R004") for reason in ruled.left_out)


@pytest.mark.parametrize(
    ("target", "opened", "more", "words"),
    [
        (DYNASTY, {"four_of_kind": range(0)}, {}, "There is no row 'four_of_kind'"),
        (DYNASTY, {"envy:full_house": range(0)}, {}, "There is no envy prize 'full_house'"),
        (DYNASTY, {"meter:1": range(0)}, {}, "There is no meter '1'"),
        (DYNASTY.rpartition("/")[0], {"flush": range(0)}, {}, "is not a single bonus paytable"),
        ("mini-pai-gow/main", {"flush": range(0)}, {}, "is not a single bonus paytable"),
        (MINI, {"flush": range(0)}, {"players": 3}, "has no prizes"),
        (MINI, {"flush": range(0)}, {"terms": Path("x.json")}, "need a jurisdiction"),
        (TWO_METERS, {"meter:1": range(0)}, {}, "depends on meter"),
        (FOR_ONE, {"meter:1": range(0)}, {"meters": {"1": 5}}, "is both open and given"),
        (
            "emperors-challenge-exposed/emperors-treasure-dynamic-progressive/PT-PRG-EC-ET-D01",
            {"full_house": range(0)},
            {},
            "draws its pays",
        ),
        (
            DYNASTY,
            {"natural_seven_card_straight_flush": range(1, 9000),
             "royal_flush_with_suited_ace_queen": range(1, 9000),
             "joker_seven_card_straight_flush": range(1, 9000)},
            {},
            "too many choices",
        ),
        (DYNASTY, {"natural_seven_card_straight_flush": range(1, 10**8)}, {}, "More than 1,000"),
        (DYNASTY, {"envy:straight_flush": range(0)}, {"players": 1}, "has no effect"),
        (FOR_ONE, {"natural_seven_card_straight_flush": range(0)}, {}, "paid from meter 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused(
    target: str, opened: dict[str, range], more: dict[str, object], words: str
) -> None:
    with pytest.raises(NotConfigured, match=words):
        ask(target, "-40", "20", opened, **more)


@pytest.fixture
def own(project: Path) -> Path:
    """The folder of the project's tables of a wager."""
    return project / "paytables/commission-free-pai-gow-express/dynasty-bonus"


def question(*names: str, **more: object) -> Question:
    names = names or ("envy:straight_flush", "full_house")
    return Question(
        target=DYNASTY,
        edge=EdgeBand(low=Fraction(7, 100), high=Fraction(8, 100)),
        unknowns=tuple(map(build_unknown, names)),
        **more,  # type: ignore[arg-type]
    )


def test_a_written_solution_passes_the_check_and_has_its_edge(own: Path) -> None:
    from certify.figures.evaluate import Settings, evaluate
    from certify.review.check import check

    solution = solve(question()).solutions[0]
    files = write_solution(question(), solution, own / "our-1.json")
    assert [path.relative_to(own).as_posix() for path in files] == [
        "envy/our-1.json",
        "our-1.json",
    ]
    assert [finding for finding in check(files).findings if finding.severity != "note"] == []
    (found,) = evaluate(select(f"{DYNASTY.rpartition('/')[0]}/our-1"), Settings())
    assert found.envy is not None
    assert found.envy.house_edge_by_players[6] == solution.edge
    value = json.loads(files[1].read_bytes())
    assert value["id"] == "our-1"
    assert "solved from 3" in value["source"]["clause"]
    with pytest.raises(NotConfigured, match="already exists"):
        write_solution(question(), solution, own / "our-1.json")


def test_other_prizes_stay_those_of_the_table(own: Path) -> None:
    asked = question("full_house", "flush")
    files = write_solution(asked, solve(asked).solutions[0], own / "our-2.json")
    assert [path.name for path in files] == ["our-2.json"]
    assert json.loads(files[0].read_bytes())["envy"] == "3"
    assert [path.name for path in (own / "envy").glob("our*")] == []


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("our 1.json", NotReadable, "is not an id"),
        ("our-1.txt", NotReadable, "not a JSON file"),
        ("deep/er/our-1.json", Unfit, "has errors"),
    ],
)
def test_no_file_remains_where_a_solution_cannot_be_written(
    own: Path, name: str, error: type[Exception], words: str
) -> None:
    solution = solve(question()).solutions[0]
    with pytest.raises(error, match=words):
        write_solution(question(), solution, own / name)
    assert list(own.rglob("*.json")) == []


@pytest.mark.usefixtures("own")
def test_nothing_is_written_among_the_data_that_come_with_certify() -> None:
    solution = solve(question()).solutions[0]
    path = paytables() / "commission-free-pai-gow-express/dynasty-bonus/our-1.json"
    with pytest.raises(NotConfigured, match="is in the library of certify"):
        write_solution(question(), solution, path)
    assert not path.exists()
