"""Choices of a filing among what its game leaves open: the joker, and the party that banks."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from certify.intake.workspace import apply_changes
from certify.model.catalog import Catalog
from certify.model.source import Op, RecordChange


def apply_choices(catalog: Catalog, game: str, stated: Mapping[str, Any]) -> Catalog:
    """Return the catalog by which a game is filed, with the choices that the terms state.

    A joker that the game does not offer changes nothing; it is a finding (R022). The published
    figures of a game are for the joker that its file declares. They are left out with another one.
    """
    if game not in catalog.games:
        return catalog
    changes = {name: stated[name] for name in ("banking",) if name in stated}
    hands, joker = catalog.games[game].hands, stated.get("joker")
    if joker in hands.joker_choices and joker != hands.joker:
        others = [str(each) for each in (hands.joker, *hands.joker_choices) if each != joker]
        changes |= {"joker": joker, "joker_choices": others}
        catalog = replace(catalog, published={**catalog.published, game: ()})
    return apply_changes(
        catalog,
        (
            RecordChange(record=game, op=Op.ADD, path=f"/{name}", value=value)
            for name, value in changes.items()
        ),
    )
