"""The recount of sampled hands and of meters, against the engine, and its processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import certify_recount
from certify.cli.app import run
from certify.engine.bonus import evaluate
from certify.engine.deck import load_deck
from certify.engine.main import counts
from certify.errors import NotJudged
from certify.intake.decode import decode
from certify.intake.read import read_catalog
from certify.kernels import concealed
from certify.kernels.optimal_plan import Plan, prepare
from certify.model.catalog import Catalog
from certify.model.game import Strategy
from certify.report.evidence import analysis_json
from certify_recount import kit, pairs
from certify_recount.classes import HandClass, iter_classes
from certify_recount.counting import Played, Recounter
from certify_recount.figures import differences, figures
from certify_recount.files import apply_terms
from certify_recount.meters import add_long_run
from certify_recount.players import Dealer
from certify_recount.sweeps import run_parts

# The recount of a sample of the player's hands of the full deck, against the engine. For a
# concealed dealer a whole recount in plain Python takes 23 minutes of processor time. The
# sample has every n-th multiset of ranks, with all its hands, against every hand of the dealer.


STEP, FIRST = 1_000, 7
WAYS = ("foxwoods", "trump-plaza", "dealer-open-pai-gow")
GAMES = ("commission-free-pai-gow-express", "pai-gow-mania")

PAYTABLES = Path(__file__).parents[2] / "paytables"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return read_catalog(PAYTABLES)[0]


def draw(classes: Sequence[HandClass]) -> set[tuple[int, int]]:
    """Return the ranks of the sample, four bits a rank, each with the jokers beside them."""
    plain = [each for each in classes if not each.flush]
    return {
        (sum(n << 4 * rank for rank, n in enumerate(each.counts)), each.jokers)
        for each in plain[FIRST::STEP]
    }


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_a_sample_of_hands_is_played_alike_against_a_concealed_dealer(
    name: str, way: str, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, house_way = catalog.games[name], catalog.house_ways[way]
    option = game.options[0]
    made = Recounter(
        {each.evidence_path: each.text.encode() for each in catalog.documents.values()}
    )
    plays = [made.play(Played(option.target, str(strategy), way)) for strategy in Strategy]
    question = plays[0].question
    rules = question.rules
    classes = list(iter_classes(rules))
    sample = draw(classes)
    hands = pairs.set_part((question, rules), classes)
    dealer = Dealer(question, classes, hands)
    work = pairs._Work(dealer, classes, hands, [play.decision for play in plays], None)
    tallies = pairs.count_part(work, (FIRST, STEP))
    counted = pairs.Counted(dealer.labels, tallies, {})
    recounted = {
        strategy: play.settle(counted, tally).counts
        for strategy, play, tally in zip(Strategy, plays, tallies, strict=True)
    }

    dealt = load_deck(game.hands).classes
    players = np.array([key in sample for key in zip(dealt.counts, dealt.joker, strict=True)])
    rows = np.flatnonzero(players[: dealt.rank_classes]).tolist()
    assert len(rows) == len(sample)
    others = comb(game.hands.deck.cards - rules.cards, rules.cards)

    def prepare_some(*arguments: Any) -> Plan:  # noqa: ANN401 - passed on
        plan = prepare(*arguments)
        return replace(plan, pairs=int(dealt.plain[players].sum()) * others)

    monkeypatch.setattr(concealed, "prepare", prepare_some)
    monkeypatch.setattr(concealed, "tasks", lambda _: [(row, row + 1) for row in rows])
    monkeypatch.setattr(counts, "cached_count", lambda _, count: count())
    ways = counts.Ways(house_way, house_way)
    for strategy in Strategy:
        outcomes = counts._per_hand(option, game, ways, strategy, None).outcomes
        found = {outcome.reason.key: outcome.deals for outcome in outcomes if outcome.deals}
        assert found == recounted[strategy]
        assert sum(found.values()) > 10**12


# The recount of meters in the long run, against the engine.


GAME = "emperors-challenge-exposed"
SHARES = f"{GAME}/emperors-treasure-progressive/PT-BJS-EC-ET-03"
LEVELS = f"{GAME}/emperors-treasure-multi-level-progressive/PT-PRG-MLP-ET-01"
JOKER_DECK = 53

FULL = {"seed_cents": 500_000, "increment": "12%", "reserve": "2.5%"}
CAPPED = FULL | {"cap_cents": 2_500_000}
SMALL = {"seed_cents": 25_000, "increment": "1/3%", "cap_cents": 25_100}


@pytest.mark.parametrize(
    ("target", "amounts", "long_run"),
    [
        (SHARES, [FULL], "long_run_return"),
        (SHARES, [CAPPED], "return_at_reset"),
        (SHARES, [{"seed_cents": 0, "increment": "0%", "reserve": "1%"}], "long_run_return"),
        (LEVELS, [FULL, FULL, FULL], "long_run_return"),
        (LEVELS, [CAPPED | {"overflow": "not_added"}, FULL, SMALL], "greatest_long_run_return"),
        (LEVELS, [CAPPED | {"overflow": "next_meter"}, FULL, FULL], "long_run_return"),
        (LEVELS, [CAPPED, FULL, {"seed_cents": 100}], "return_at_reset"),
        (LEVELS, [FULL, {}, FULL], "fixed_return"),
    ],
)
def test_the_recount_follows_meters_as_the_engine_does(
    catalog: Catalog, target: str, amounts: list[dict[str, Any]], long_run: str
) -> None:
    table = json.loads((PAYTABLES / f"{target}.json").read_text())
    meters = [{"level": str(n)} | each for n, each in enumerate(amounts, 1)]
    table["progressive"]["meters"] = meters
    game = catalog.games[GAME]
    paytable = next(
        paytable
        for wager in game.wagers
        for paytable in wager.paytables
        if paytable.target == target
    )
    paytable = replace(paytable, progressive=decode("progressive", table["progressive"]))
    analysis = evaluate(paytable, events=catalog.events, hands=game.hands, players=game.players)
    stated = analysis_json(analysis)
    recounted = figures(table, {row.event: row.combinations for row in analysis.rows})
    add_long_run(recounted, table, JOKER_DECK, game.players)
    figures_alone = {name: stated[name] for name in recounted}
    assert differences(figures_alone, recounted) == []
    assert long_run in recounted["progressive"]


def test_the_amounts_of_a_filing_are_in_the_files_that_are_recounted() -> None:
    """The meters and envy minimums of the terms replace those of the files of their wagers."""
    place, of_envy = f"paytables/{SHARES}.json", f"paytables/{GAME}/emperors-treasure/envy/E01.json"
    files = {path: (PAYTABLES.parent / path).read_bytes() for path in (place, of_envy)}
    terms = {
        "meters": [{"wager": "emperors-treasure-progressive", "paytable": "PT-BJS-EC-ET-03",
                    "level": "1"} | FULL],
        "envies": [{"wager": "emperors-treasure", "table": "E01", "qualifying_wager_cents": 1_500}],
    }  # fmt: skip
    changed = {path: json.loads(data) for path, data in apply_terms(files, terms).items()}
    (meter,) = changed[place]["progressive"]["meters"]
    assert {name: meter[name] for name in FULL} == FULL
    assert changed[of_envy]["qualifying_wager_cents"] == 1_500
    assert apply_terms(files, {}) == files


# Processes of a recount: they end without a word, whatever the signals of the caller do.


ROOT = Path(__file__).parents[2]
BEGIN = """
import os, time
from certify.__main__ import _catch_signals
from certify_recount.sweeps import run_parts

def double(given, part):
    return given * part

def sleep(given, part):
    print("here", flush=True)
    time.sleep(3600)

def fail(given, part):
    if part:
        raise ValueError(part)
    time.sleep(3600)

def die(given, part):
    os._exit(1)

_catch_signals(desk=False)
"""


def _catch_all() -> None:
    """Undo what a caller such as nohup ignores."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def begin(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-B", "-c", BEGIN + program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_catch_all,  # noqa: PLW1509 - no threads
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return its output; its children hold its streams, so one that is left is waited for, too."""
    return process.communicate()


def test_processes_end_without_a_word() -> None:
    process = begin(
        "for _ in range(8): assert [*run_parts(double, 2, [1, 2], processes=4)] == [2, 4]"
    )
    assert end(process) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize("group", [True, False], ids=["of its group", "of its own"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_processes_end_at_a_signal(number: signal.Signals, *, group: bool) -> None:
    """Also while one of them is busy and the others wait for work."""
    process = begin(
        "try:\n    [*run_parts(sleep, 0, [0], processes=3)]\nexcept KeyboardInterrupt: pass"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "here\n"
    time.sleep(0.1)
    (os.killpg if group else os.kill)(process.pid, number)
    assert end(process) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("work", "error"), [("fail", "ValueError: 1"), ("die", "BrokenProcessPool")]
)
def test_an_error_of_a_process_ends_all(work: str, error: str) -> None:
    process = begin(f"[*run_parts({work}, 0, [0, 1], processes=2)]")
    assert error in end(process)[1]
    assert process.returncode == 1


def die(_given: object, _part: object) -> None:
    os._exit(1)


def test_a_killed_process_of_a_recount_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    killed = lambda *_, **__: [*run_parts(die, 0, [0, 1], processes=2)]  # noqa: E731
    monkeypatch.setattr(certify_recount, "recount", killed)
    assert run(["crosscheck", "mini-pai-gow/bonus/A"]) == NotJudged.exit_code
    assert "the system ended one of its processes" in capsys.readouterr().err


def test_a_killed_process_of_the_kit_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    killed = lambda *_: [*run_parts(die, 0, [0, 1], processes=2)]  # noqa: E731
    monkeypatch.setattr(kit, "main", killed)
    assert kit.run([], tmp_path) == 2
    assert "ended a process of the count" in capsys.readouterr().err
