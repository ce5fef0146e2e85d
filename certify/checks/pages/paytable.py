"""P: what the rows of a paytable mean."""

from certify.checks.pages import error, warning

P001 = error(
    "P001",
    "A row names an event that is not defined",
    why="""A row pays for an event of the vocabulary; a hand that is not defined cannot be
    counted.""",
    mend="Correct the event's id, or define the event in events.json.",
    wrong='{"event": "four_of_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
    right='{"event": "four_of_a_kind", "name": "Four of a Kind", "pays": "20 to 1"}',
)
P002 = error(
    "P002",
    "A row can never be paid",
    why="""Every hand that the row describes is paid by rows above it, or no hand of the deck is
    like that. The table promises something that never happens.""",
    mend="Move the row above the row that takes its hands, or remove it.",
    wrong="Three of a Kind above Full House: every full house contains three of a kind",
    right="Full House above Three of a Kind",
)
P003 = error(
    "P003",
    "An event stands in two rows",
    why="The second of the two rows is never paid.",
    mend="Remove one of the rows, or correct its event.",
    wrong='two rows with {"event": "flush"}',
    right='one row with {"event": "flush"}, one with {"event": "straight"}',
)
P004 = warning(
    "P004",
    "Pays do not fall with rank",
    why="""A hand that stands higher and is not more common pays less than the hand below it. Such a
    row is usually a slip; a player who holds the better hand is paid less.""",
    mend="Exchange the rows or correct the pay; leave it if the source prints it so.",
    wrong="Straight Flush 20 to 1 above Four of a Kind 50 to 1",
    right="Straight Flush 50 to 1 above Four of a Kind 20 to 1",
)
P005 = warning(
    "P005",
    '"To" and "for" are mixed in one table',
    why=""""50 to 1" returns the stake beside the pay and "50 for 1" does not. Both in one table are
    read as the same by most people.""",
    mend="""Write every pay of the table in one of the two ways; leave it if the source mixes
    them.""",
    wrong="Flush 4 to 1, Straight 3 for 1",
    right="Flush 4 to 1, Straight 2 to 1",
)
P006 = error(
    "P006",
    "A share and its meter do not go together",
    why="""A share such as 100% is a share of a meter, and only a share is paid from one; without
    the other half nobody can say what is paid.""",
    mend='Give both: {"pays": "100%", "meter": "1"}; or odds without a meter.',
    wrong='{"pays": "100%"} or {"pays": "50 for 1", "meter": "1"}',
    right='{"pays": "100%", "meter": "1"}',
)
P007 = warning(
    "P007",
    "Dynamic pays do not rise from the default",
    why="""The pays that may replace the default are printed from the least to the greatest, each
    above the default; one that is out of order is usually a digit lost.""",
    mend="Correct the pay, or leave it if the source prints it so.",
    wrong='{"pays": "20 for 1", "dynamic": ["25 for 1", "5 for 1", "50 for 1"]}',
    right='{"pays": "20 for 1", "dynamic": ["25 for 1", "35 for 1", "50 for 1"]}',
)
P008 = error(
    "P008",
    "The draw of dynamic pays does not fit the rows",
    why="""A draw of more rows than have dynamic pays cannot be made, and dynamic pays without a
    draw are never paid.""",
    mend="Correct the numbers of the draw, or the rows.",
    wrong='{"minimum_rows": 3, "maximum_rows": 2}',
    right='{"minimum_rows": 2, "maximum_rows": 3} with three rows that have dynamic pays',
)
P009 = warning(
    "P009",
    "Odds are not in lowest terms",
    why="""They are counted and printed in lowest terms, so the document would not show what is
    declared.""",
    mend="Divide both numbers by what they have in common.",
    wrong='{"pays": "6 to 2"}',
    right='{"pays": "3 to 1"}',
)
P010 = error(
    "P010",
    "An event and the hand that the wager looks at do not fit",
    why="""An event of the player's and the dealer's hands needs a paytable that looks at both; an
    event of one hand cannot be judged over two.""",
    mend='Use an event of the right kind, or write "hand": "both".',
    wrong='{"hand": "player"} with the event player_and_dealer_ace_high_pai_gow',
    right='{"hand": "both"} with the event player_and_dealer_ace_high_pai_gow',
)
P011 = error(
    "P011",
    "A paytable and the kind of its wager do not fit",
    why="""A progressive wager pays from meters, and only a progressive wager does; the documents
    describe it in a section of its own.""",
    mend='Add "progressive" to the paytable, or correct the "kind" of the wager.',
    wrong='{"kind": "progressive"} with a paytable without meters',
    right='{"kind": "progressive"} with a paytable that declares its meters',
)
P012 = error(
    "P012",
    "A condition can never hold",
    why='A least value above the greatest describes no hand, and "not" of it every hand.',
    mend="Exchange or correct the two values.",
    wrong='{"flush_length": {"min": 6, "max": 5}}',
    right='{"flush_length": {"min": 5, "max": 6}}',
)
P013 = error(
    "P013",
    "A wager looks at more cards than a hand has",
    why="No hand of the game has so many cards, so nothing can be counted.",
    mend="Correct the number of cards of the paytable or of the game's hand.",
    wrong='{"cards": 7} in a game of six cards',
    right='{"cards": 6} in a game of six cards',
)
P014 = error(
    "P014",
    "A paytable or an option cannot be counted as it is declared",
    why="""No figure can be given for it, so nothing that holds it can be filed.""",
    mend="The finding says what stands against it.",
    wrong="a raise, and a dealer's hand that the player sees",
    right="a raise, and a concealed dealer's hand",
)
