"""What cannot be counted as it is declared, found before anything is."""

from collections.abc import Collection

from certify.engine.main.countable import refuse_uncountable
from certify.errors import CertifyError
from certify.intake.dependencies import DependencyGraph
from certify.model.catalogue import Catalogue


def refused_options(catalogue: Catalogue, keys: Collection[str]) -> dict[str, CertifyError]:
    """Return why options that files have a part in cannot be counted, by target."""
    refusals: dict[str, CertifyError] = {}
    for game, option in DependencyGraph(catalogue, keys).affected_options():
        try:
            refuse_uncountable(option, game=game)
        except CertifyError as error:
            refusals[option.target] = error
    return refusals
