"""The form of a submission: what it shows, and what is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from certify import library
from certify.desk.pages.filing_order import ORDERED, Asked, Texts, stamp, terms_of
from certify.model.game import Game, Strategy
from certify.model.source import Procedure
from certify.model.terms import MeterReduction
from certify.pipeline.declare import table_terms, terms_form
from certify.pipeline.declare.missing_terms import asks_for, missing
from certify.pipeline.figures.overview import overview
from certify.pipeline.identities import stored


def opened(game: Game, given: Mapping[str, Sequence[str]]) -> Texts:
    """Return what the form says when it is opened: the terms as they are kept, and what is usual.

    ``given`` goes before what is usual: an address may state what was chosen.
    """
    options = [option.target for wager in game.wagers for option in wager.options]
    usual: Texts = {
        "option": options[:1],
        "house_way": [game.house_way or ""],
        "strategy": [str(game.strategy)],
        "out": ["out"],
    }
    chosen = {name: list(given[name]) for name in ORDERED if given.get(name)}
    return usual | chosen | terms_form.said_of(game, table_terms.kept(terms_of(game)))


def view(asked: Asked) -> dict[str, Any]:
    """Return what the template of the form shows."""
    game, state, path = asked.game, asked.state, terms_of(asked.game)
    value = table_terms.kept(path)
    project = library.project()
    ways, waiting = overview().catalogue.house_ways, missing(game, state, value)
    return {
        "game": game,
        "state": state,
        "form": asked,
        "findings": asked.findings or table_terms.judged(game, path, value) if value else (),
        "missing": waiting,
        "missing_count": len(waiting),
        "fault_count": len(asked.faults),
        "tabled": [wager for wager in game.wagers if wager.paytables],
        "labels": labels(game),
        "ways": [ways[way] for way in game.house_ways],
        "strategies": [{"id": str(strategy), "name": str(strategy)} for strategy in Strategy],
        "supplier": list(terms_form.labels("supplier")),
        "procedures": [str(procedure) for procedure in Procedure],
        "lines": terms_form.rows_of(asked.said),
        "meters": terms_form.meters_of(game),
        "links": [str(n + 1) for n in range(len(terms_form.meters_of(game)) // 2)][:12],
        "reductions": [str(reduction) for reduction in MeterReduction],
        "tribal": asks_for(state, "tribal") or bool(asked.text("tribal")),
        "terms_file": path.relative_to(project) if project else path,
        "stamp": stamp(path),
        "identities": [
            {
                "id": key.id,
                "name": f"{key.certificate.common_name}, until {key.certificate.not_after.date()}",
            }
            for key in stored()
        ],
    }


def labels(game: Game) -> dict[str, str]:
    """Return the words for every field of the terms that is a line or a text, by its name."""
    words = {
        f"{part}/{name}": label
        for part in ("supplier", "procedures")
        for name, label in terms_form.labels(part).items()
    }
    return words | {
        f"{part}/{wager.id}": f"{wager.name}: {word}"
        for part, word in zip(terms_form.AMOUNTS, ("minimum", "maximum"), strict=True)
        for wager in game.wagers
    }
