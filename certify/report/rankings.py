"""The ranking of hands in words, highest first, as every pai gow poker game of this family has it."""

BACK_RANKINGS = (
    ("five", "Five aces", "Four aces and the joker."),
    ("five", "Royal flush", "A-K-Q-J-10 of one suit."),
    ("five", "Straight flush", "Five cards in sequence and of one suit."),
    ("five", "Four of a kind", "Four cards of one rank."),
    ("five", "Full house", "Three cards of one rank and two of another."),
    ("five", "Flush", "Five cards of one suit; the joker is the highest card that is missing."),
    ("five", "Straight", "Five cards in sequence."),
    ("five", "Three of a kind", "Three cards of one rank."),
    ("five", "Two pair", "Two cards of one rank and two of another."),
    ("five", "One pair", "Two cards of one rank."),
    ("five", "High card", "None of these; the highest card decides, then the next."),
)
"""Category, name and words of each five-card hand. A fully wild joker makes five of any rank."""

FRONT_RANKINGS = {
    0: "The hand is not divided.",
    1: "The low hand is one card: the higher rank is the higher hand.",
    2: "The low hand is two cards: a pair beats any two cards without one; otherwise the higher "
    "card decides, then the other. Straights and flushes do not count in it.",
}
"""By the number of cards in the front hand."""
