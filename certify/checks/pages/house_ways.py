"""H004 and on: what the audit of a house way finds over every hand of a game."""

from certify.checks.pages import error, note, warning

H004 = error(
    "H004",
    "A house way does not say how to set a hand",
    why="""Every hand must be set in one way. With a hand that no section takes, the dealer would
    decide, and no edge could be counted.""",
    mend="""Widen the condition of the section that should take the hand; `certify explain` shows
    what a hand holds.""",
    wrong='sections for {"groups": "no_pair"} and {"groups": "one_pair"} alone',
    right='one section more for {"not": {"groups": ["no_pair", "one_pair"]}}',
)
H005 = error(
    "H005",
    "Two sections of a house way take one hand",
    why="""Sections part all hands among them. Where two take one hand, their rules may set it
    differently, and the order of print would decide in silence.""",
    mend="Narrow the condition of one of the two sections.",
    wrong='{"groups": "two_pair"} and {"groups": ["two_pair", "three_pair"]}',
    right='{"groups": "two_pair"} and {"groups": "three_pair"}',
)
H006 = error(
    "H006",
    "Two exceptions of a house way apply to one hand",
    why="""Neither says that it goes before the other, so the hand has two settings, or one setting
    by accident. The finding says how many hands the two would set differently.""",
    mend="""Narrow the condition of one, or name the other under "before" in the one that the
    source puts first.""",
    wrong='an exception for {"joker": true} and one for {"high_pair": "A"}',
    right='the same two, the first with {"before": ["two-pair.aces"]}',
)
H007 = error(
    "H007",
    "A rule of a house way asks for a front that cannot be set",
    why="""The rule decides hands that do not hold the cards it asks for, or that cannot leave what
    it asks to be left; such hands would have no setting.""",
    mend="""Narrow the condition of the rule, add an exception for the hands, or ask for a front
    that they hold.""",
    wrong='{"groups": "three_pair"} with {"front": "two_highest_singletons"}',
    right='{"groups": "three_pair"} with {"front": "high_pair"}',
)
H008 = error(
    "H008",
    "A rule of a house way makes a hand foul",
    why="""The front that the rule asks for is higher than any back beside it. A hand set so loses
    by the rules of every game of this kind.""",
    mend="""Ask for a lower front in such hands, or add an exception for them; "can_be_set" asks
    whether a rule's own front is no foul.""",
    wrong='{"groups": "two_pair"} with {"front": "high_pair"} and nothing else',
    right='{"groups": "two_pair"} with {"front": "low_pair"}',
)
H009 = error(
    "H009",
    "A rule of a house way refers to something that is not there",
    why="""A rule that goes before another, improves on another or sends hands to a section names
    it by its id. Without that one the rule means nothing, so no hand is set by this house way.""",
    mend="Name a section or a rule of this house way, and give each an id of its own.",
    wrong='{"id": "two-pair.joker", "before": ["two-pair.ace"]} without such an exception',
    right='{"id": "two-pair.joker", "before": ["two-pair.aces"]}',
)
H010 = note(
    "H010",
    "No hand needs a rule of a house way",
    why="""Either the rule repeats what the others say anyway, or its condition describes no hand
    and was meant otherwise.""",
    mend="Compare the condition with the source; leave the rule if the source prints it so.",
    wrong='an exception to {"groups": "no_pair"} with the condition {"high_pair": "A"}',
    right="an exception that decides at least one hand",
)
H011 = warning(
    "H011",
    "A house way could not be audited",
    why="""No declared game deals and divides hands like it, so there are no hands to audit it
    over. What was not checked has not passed.""",
    mend="Correct the numbers of cards, or declare the game that uses the house way.",
    wrong='{"cards": 7, "front": 1} where every game sets two cards in front',
    right='{"cards": 7, "front": 2}',
)
