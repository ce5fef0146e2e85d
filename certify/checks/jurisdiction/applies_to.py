"""Whether a rule is of the game that is filed."""

from certify.checks.filed import Filed
from certify.model.jurisdiction import AppliesTo

WORDS = {
    "commission": "take a commission",
    "dealer_exposed": "show the dealer's hand",
    "envy": "pay prizes for other players' hands",
}
"""What games do of which a rule is, by the property that says so."""


def outside(filed: Filed, applies_to: AppliesTo) -> str:
    """Return why a rule is not of what is filed; nothing if it is."""
    cards = filed.game.hands.shape.cards
    if applies_to.cards not in (None, cards):
        return f"The rule is of hands of {applies_to.cards} cards; {filed.game.name} deals {cards}."
    does = {
        "commission": any(option.commission is not None for option in filed.options),
        "dealer_exposed": filed.game.dealer_exposed,
        "envy": any(table.envy is not None for table in filed.paytables),
    }
    for name, holds in does.items():
        asked = getattr(applies_to, name)
        if asked not in (None, holds):
            return f"The rule is of games that {'' if asked else 'do not '}{WORDS[name]}."
    return ""
