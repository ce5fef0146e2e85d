"""What is filed of one game in one jurisdiction."""

from collections.abc import Iterable
from dataclasses import dataclass

from certify.errors import InvariantBroken
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.source import Statement, belonging


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledGame:
    """The records of a game that are filed: bonus paytables, and an option of the main wager.

    ``main`` is that option, with others only where the player chooses among them (``options``);
    None where hands are not divided and there is no main wager.
    """

    game: Game
    jurisdiction: Jurisdiction
    main: MainWager | None
    paytables: tuple[Paytable, ...]

    @property
    def option(self) -> MainWager:
        """The option of the main wager that is filed.

        Raises:
            InvariantBroken: the game has no main wager.
        """
        if self.main is None:
            raise InvariantBroken(f"{self.game.id} has no main wager.")
        return self.main

    @property
    def options(self) -> tuple[MainWager, ...]:
        """The options of the main wager that are filed, the named one first."""
        return self.game.filed_with(self.main)

    def printed(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        """Return the statements, with their parts, that belong to what is filed."""
        return belonging(
            statements,
            options={option.id for option in self.options},
            jurisdiction=self.jurisdiction.id,
            dealt=self.game.dealt,
        )
