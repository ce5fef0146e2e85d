"""The games that published documents reproduce."""

GAMES = (
    "commission-free-pai-gow-express",
    "dealer-open-pai-gow",
    "emperors-challenge-exposed",
    "mini-pai-gow",
    "pai-gow-mania",
)
