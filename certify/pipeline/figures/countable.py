"""What cannot be counted as it is declared, found before anything is."""

from collections.abc import Collection

from certify.engine.main.countable import refuse_uncountable
from certify.errors import CertifyError
from certify.intake.layout import caused_by
from certify.model.catalogue import Catalogue


def refused_options(catalogue: Catalogue, keys: Collection[str]) -> dict[str, CertifyError]:
    """Return why options that files have a part in cannot be counted, by target."""
    refusals: dict[str, CertifyError] = {}
    for game in catalogue.games.values():
        for option in game.options:
            if any(caused_by(option.target, key) for key in keys):
                try:
                    refuse_uncountable(option, game=game)
                except CertifyError as error:
                    refusals[option.target] = error
    return refusals
