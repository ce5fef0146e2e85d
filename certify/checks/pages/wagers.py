"""M, E, G, H: main wagers, envy tables, progressive meters, house ways."""

from certify.checks.pages import error, note, warning

M001 = error(
    "M001",
    "The name of a dealer rule contradicts its outcome",
    why="""Figures are listed under the rule's id; a row called "push" that loses would be
    misread.""",
    mend="""Start the id with push_, lose_ or win_, as the rule ends: win_ where a win pays
    something else.""",
    wrong='{"id": "push_two_jacks", "outcome": "lose"}',
    right='{"id": "lose_two_jacks", "outcome": "lose"}',
)
M002 = error(
    "M002",
    "Two dealer rules have one id",
    why="Their hands would be counted in one row, and neither could be traced to its clause.",
    mend="Give each rule an id of its own.",
    wrong='two rules with {"id": "push_dealer_pai_gow"}',
    right='{"id": "push_dealer_ace_high"} and {"id": "push_dealer_king_high"}',
)
M003 = error(
    "M003",
    "A commission is not between 0% and 100%",
    why="""A commission of nothing is none, and one of everything or more leaves no win; both are
    slips.""",
    mend='Write the share that the source prints, such as "5%", or leave the commission out.',
    wrong='{"rate": "0%", "prepaid": false}',
    right='{"rate": "5%", "prepaid": false}',
)
M004 = error(
    "M004",
    "A dealer rule can never decide",
    why="A rule before it has the same condition and decides first.",
    mend="Remove one of the rules, or correct its condition.",
    wrong='two rules with {"when": {"pai_gow_high": "A"}}',
    right='{"when": {"pai_gow_high": "A"}} and {"when": {"pai_gow_high": "K"}}',
)
M005 = error(
    "M005",
    "A game has no main wager that can be filed",
    why="""What is filed is an option of the main wager, with other wagers beside it. Without one
    there is nothing to file.""",
    mend="""Declare the main wager in the folder "main", of the kind "main", with an option.""",
    wrong='{"wagers": ["bonus"]}',
    right='{"wagers": ["main", "bonus"]}, with main/wager.json and main/standard.json',
)
M006 = error(
    "M006",
    "The hands of a game cannot be dealt or counted",
    why="""Every deal is counted exactly, for hands that are divided in two, of a deck in which no
    hand holds two flushes. Other hands have no figures, and too many players no cards.""",
    mend="Correct the deck, the hand or the number of players.",
    wrong='{"hand": {"cards": 7, "back": 5, "front": 1}}',
    right='{"hand": {"cards": 7, "back": 5, "front": 2}}',
)
E001 = error(
    "E001",
    "A paytable names an envy table that is not declared",
    why="The paytable's edge depends on its envy prizes; without them it cannot be certified.",
    mend="Correct the id, or declare the table in the folder envy of the wager.",
    wrong='{"envy": "E09"} where envy/E09.json does not exist',
    right='{"envy": "E08"} beside envy/E08.json',
)
E002 = warning(
    "E002",
    "No paytable uses an envy table",
    why="Its prizes are in no figure and in no document.",
    mend='Name it under "envy" in the paytable that it goes with, or remove it.',
    wrong="envy/E02.json that no paytable names",
    right='a paytable with {"envy": "E02"}',
)
E003 = warning(
    "E003",
    "An envy table pays for a hand that its paytable does not have",
    why="""Envy prizes are paid for rows of the paytable; a prize for another hand is usually a
    wrong event, and its hands could overlap those of the rows.""",
    mend="Use the event of the row that the prize is printed beside.",
    wrong='an envy row {"event": "four_of_a_kind"} beside a paytable without that row',
    right="envy rows whose events are rows of the paytable",
)
E004 = warning(
    "E004",
    "Envy prizes do not fall with rank",
    why="A greater prize for the lower hand, or a prize of nothing, is usually a slip.",
    mend="Correct the prize; leave it if the source prints it so.",
    wrong="Five Aces $50 above Royal Flush $250",
    right="Five Aces $250 above Royal Flush $50",
)
E005 = note(
    "E005",
    "An envy prize is also paid on the own or the dealer's hand",
    why="""Most envy prizes are for the other players' hands only. Where they are not, the value
    of the prize and its exclusions change.""",
    mend="Leave it if the source says so; otherwise write false.",
    wrong='{"pays_on_own_hand": true}',
    right='{"pays_on_own_hand": false}',
)
G001 = error(
    "G001",
    "A row pays from a meter that is not declared",
    why="The share cannot be related to any amount.",
    mend="Declare the meter, or correct the level in the row.",
    wrong='a row with {"meter": "3"} and the meters 1 and 2',
    right='a row with {"meter": "2"} and the meters 1 and 2',
)
G002 = error(
    "G002",
    "A meter is never paid",
    why="""Money that goes to a meter which no row pays from never returns to the players, and what
    was meant cannot be told, so no figure is given.""",
    mend="Add the row that pays from it, or remove the meter.",
    wrong='{"level": "2"} with no row {"meter": "2"}',
    right='a row {"pays": "100%", "meter": "2"}',
)
G003 = error(
    "G003",
    "A share of a meter is nothing, or more than all of it",
    why="More than the whole meter cannot be paid.",
    mend="Write a share from 1% to 100%.",
    wrong='{"pays": "110%", "meter": "1"}',
    right='{"pays": "100%", "meter": "1"}',
)
G004 = warning(
    "G004",
    "The seed, the increment or the reserve of a meter is not stated",
    why="""Rules for progressives ask for all three. A source that leaves them to the casino is
    recorded as a gap, and the finding is then a note.""",
    mend="""State them in the meter, or record the gap among the game's discrepancies, with
    the terms under `about` and this paytable or its wager as target.""",
    wrong='{"level": "1"}',
    right='{"level": "1", "seed_cents": 100000, "increment": "10%", "reserve": "2%"}',
)
G005 = error(
    "G005",
    "More than the whole wager goes to the meters",
    why="The increments and the reserves of all meters are parts of one wager.",
    mend="Correct the shares so that they are 100% together at most.",
    wrong='{"increment": "80%", "reserve": "30%"}',
    right='{"increment": "20%", "reserve": "3%"}',
)
G006 = error(
    "G006",
    "The base wager of a progressive is nothing",
    why="Pays and meters are stated for one base wager; the return is per that amount.",
    mend="Write the wager that the printed pays are for, in cents.",
    wrong='{"base_wager_cents": 0}',
    right='{"base_wager_cents": 100}',
)
H001 = error(
    "H001",
    "A game names a house way that is not declared",
    why="The edge of a game has no meaning without the way the dealer's hand is set.",
    mend="Correct the id, or declare the house way in house-ways/<id>.json.",
    wrong='{"house_ways": ["foxwods"]}',
    right='{"house_ways": ["foxwoods"]}',
)
H002 = error(
    "H002",
    "The default house way is not among those that may be used",
    why="Every figure without another choice would rest on a house way that the game excludes.",
    mend='Add the default to "house_ways", or choose another default.',
    wrong='{"house_way": "foxwoods", "house_ways": ["trump-plaza"]}',
    right='{"house_way": "foxwoods", "house_ways": ["foxwoods", "trump-plaza"]}',
)
H003 = error(
    "H003",
    "A house way sets hands of another size",
    why="A house way for seven cards cannot set the six cards of another game.",
    mend="Name a house way that deals and divides as many cards as the game.",
    wrong="a game of six cards with a house way of seven",
    right="a game of seven cards with a house way of seven",
)
