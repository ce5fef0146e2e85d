"""The recount of a sample of the player's hands of the full deck, against the engine.

For a concealed dealer a whole recount in plain Python takes 23 minutes of processor time. The
sample has every n-th multiset of ranks, with all its hands, against every hand of the dealer.
"""

from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from certify.engine.deck import load_deck
from certify.engine.main import counts
from certify.intake.read import read_catalog
from certify.kernels import concealed
from certify.kernels.optimal_plan import Plan, prepare
from certify.model.catalog import Catalog
from certify.model.game import Strategy
from certify_recount import pairs
from certify_recount.classes import HandClass, iter_classes
from certify_recount.counting import Played, Recounter
from certify_recount.players import Dealer

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
