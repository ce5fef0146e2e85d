"""Random games of every shape: the documents of a game that `check` passes can be composed."""

import json
import random
from pathlib import Path

import pytest

from certify.commands.submit import preview
from certify.errors import CertifyError, InvariantBroken
from certify.model.submission import Order
from tests.marks import further
from tools.fuzz.games import Drawn, draw_game, write_project

DOCUMENTED = 8
"""Games of a seed."""

STATES = ("nevada", "wsgc", "new-jersey")


def describe_deck_of_52(drawn: Drawn) -> bool:
    """Give a game the deck that documents describe; False if they describe no such game."""
    game = drawn.game
    hands = {game["hand"]["cards"], game["hand"].get("dealer_cards", 3)}
    main = "main" in game["wagers"]
    if main and (game["hand"]["front"] or game["deck"]["joker"] or max(hands) > len("AKQ")):
        return False
    game["deck"]["ranks"] = 13
    return True


@pytest.mark.parametrize("seed", [1, *further([2, 3])])
def test_the_documents_of_a_random_game_are_composed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """What is refused has a reason of its own; a template that fails is a defect."""
    rng, composed = random.Random(seed), 0  # noqa: S311 - to be repeated, not to be secret
    for number in range(100):
        drawn = draw_game(f"g{seed}-{number}", rng)
        if not describe_deck_of_52(drawn):
            continue
        folder = tmp_path / drawn.id
        write_project(folder, [drawn])
        terms = folder / "terms.json"
        advantages = dict.fromkeys(drawn.game["wagers"], "Drawn at random.")
        terms.write_text(json.dumps({"game": drawn.id, "player_advantage": advantages}))
        monkeypatch.chdir(folder)
        try:
            pages = preview(
                Order(game=drawn.id, jurisdiction=rng.choice(STATES), terms=terms)
            ).pages
        except CertifyError as refusal:
            if isinstance(refusal, InvariantBroken):
                raise
            continue
        assert all(pages.values())
        composed += 1
        if composed == DOCUMENTED:
            return
    pytest.fail(f"only {composed} games were documented")
