"""A main wager as it is played: what its figures rest on, and these figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from certify.model.analysis import Analysis, Input
from certify.model.game import Game, Strategy
from certify.model.house_way import HouseWay
from certify.model.main_wager import MainWager
from certify.model.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """An option of a main wager, the dealer's house way, and how the player sets.

    ``player`` is the house way of a player whose strategy is one; the dealer's where it is None.
    """

    option: MainWager
    game: Game
    house_way: HouseWay
    strategy: Strategy
    player: HouseWay | None = None

    @property
    def rests_on(self) -> tuple[object, ...]:
        """Everything that the figures rest on, but a house way of the player's own."""
        game = self.game
        declared = (self.option, game.hands, game.dealer_exposed)
        return ("counted", *declared, self.house_way, self.strategy)

    @property
    def optimal(self) -> bool:
        """Whether the player sets as is best; there is nothing to set where hands are whole."""
        return self.strategy is Strategy.OPTIMAL and self.game.hands.shape.divided

    @property
    def blind(self) -> bool:
        """Whether the best play is against a dealer's hand that is not seen."""
        return self.optimal and not self.game.dealer_exposed

    def evaluated(
        self,
        *,
        inputs: Sequence[Input] = (),
        beside: HouseWay | None = None,
        progress: Progress | None = None,
    ) -> Analysis:
        """Return the exact figures; see `certify.engine.main.evaluate.evaluate`."""
        from certify.engine.main import evaluate as base_game  # loads the arrays

        return base_game.evaluate(
            self.option,
            game=self.game,
            house_way=self.house_way,
            strategy=self.strategy,
            inputs=inputs,
            player=self.player,
            beside=beside,
            progress=progress,
        )
