"""The worked examples of a filing, kept between runs: what chooses them needs the compiler."""

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from certify.engine.count_cache import kept
from certify.model.condition import FeatureValue
from certify.model.example import Example
from certify.model.house_way import HouseWay
from certify.pipeline.figures.house_way_audit import audit_in

if TYPE_CHECKING:
    from cattrs import BaseConverter

    from certify.model.filed import Filing


def examples_of(filing: "Filing", house_way: HouseWay | None) -> tuple[Example, ...]:
    """Return worked examples of every wager that is filed; see `worked_examples`.

    Raises:
        InvariantBroken: `explain` does not say of an example what the example says.
    """
    game, events = filing.game, filing.catalogue.events
    divided = house_way is not None and game.hands.shape.divided
    uses = audit_in(game, house_way, game.hands.joker).audit.uses if house_way and divided else ()

    def made() -> Any:  # noqa: ANN401 - JSON
        from certify.engine.explain.worked_examples import worked_examples

        chosen = worked_examples(
            game,
            filing.options,
            filing.paytables,
            events=events,
            house_way=house_way,
            uses=uses,
        )
        return _converter().unstructure(tuple(chosen))

    rests_on = ("examples", game, filing.options, filing.paytables, events, house_way, uses)
    return _converter().structure(kept(rests_on, made), tuple[Example, ...])


@cache
def _converter() -> "BaseConverter":
    """Return what writes examples as JSON, and reads them again."""
    from cattrs import BaseConverter

    converter = BaseConverter(detailed_validation=False)
    converter.register_unstructure_hook(Fraction, str)
    converter.register_structure_hook(Fraction, lambda text, _: Fraction(text))
    converter.register_structure_hook_func(
        lambda kind: kind == FeatureValue, lambda value, _: value
    )
    return converter
