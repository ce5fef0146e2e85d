"""The games to which a rule, or an item of the checklist, applies."""

from certify.model.jurisdiction import AppliesTo
from certify.model.submission import Filing


def find_difference(filed: Filing, applies_to: AppliesTo | None) -> str:
    """Return the reason why a rule does not apply to a submission, or ""."""
    if applies_to is None:
        return ""
    game, shape = filed.game, filed.game.hands.shape
    if applies_to.cards not in (None, shape.cards):
        return (
            f"The rule concerns hands of {applies_to.cards} cards; {game.name} deals {shape.cards}."
        )
    if applies_to.back not in (None, shape.back):
        return f"The rule concerns hands ranked by {applies_to.back} cards, not by {shape.back}."
    commission = any(option.commission is not None for option in filed.options)
    for asked, holds, words in (
        (applies_to.divided, shape.is_divided, "divide hands in two"),
        (applies_to.commission, commission if filed.options else None, "take a commission"),
        (applies_to.dealer_exposed, game.dealer_exposed, "show the dealer's hand"),
        (
            applies_to.envy,
            any(table.envy is not None for table in filed.paytables),
            "pay prizes for other players' hands",
        ),
    ):
        if asked not in (None, holds):
            return f"The rule concerns games that {'' if asked else 'do not '}{words}."
    return ""
