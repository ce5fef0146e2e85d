"""R: rules of a jurisdiction, the register of approvals, artwork."""

from certify.checks.pages import error

_WEAK = """A rule that is known by a secondary text makes the finding a warning at most, and one
that is only remembered makes none."""

R001 = error(
    "R001",
    "A wager is above the maximum that is allowed",
    why=f"""A jurisdiction may limit the single wager. The limit that was in force on the day of the
    filing is applied. {_WEAK}""",
    mend="Lower the maximum wager, or file for the day on which the higher limit is in force.",
    wrong='{"maximum_cents": 40001} where $400 is allowed',
    right='{"maximum_cents": 40000}',
)
R002 = error(
    "R002",
    "Too many games are offered on one hand",
    why=f"""The number of separate games on one hand of cards, and of those above a small wager, may
    be limited. Every filed wager counts. {_WEAK}""",
    mend="File fewer wagers together, or lower the maximum wager of some.",
    wrong="seven wagers where six are allowed",
    right="six wagers, three of them with a maximum wager of $5",
)
R003 = error(
    "R003",
    "An aggregate payout limit is below the minimum",
    why=f"""A limit on what is paid in a round must leave room for the prizes: at least the maximum
    wager times the highest odds, counted up to the odds that the rule names. A wager on which no
    limit may be put (R004) has no minimum. {_WEAK}""",
    mend="Raise the limit, lower the maximum wager, or have no limit.",
    wrong='{"cents": 1999999, "wagers": ["bonus"]} with wagers of $400 at 50 to 1',
    right='{"cents": 2000000, "wagers": ["bonus"]}',
)
R004 = error(
    "R004",
    "An aggregate payout limit is put on low odds",
    why=f"""A wager whose highest odds are below those that the rule names must be paid in full.
    {_WEAK}""",
    mend="Take the wager out of the limit.",
    wrong='{"cents": 2000000, "wagers": ["bonus"]} where the bonus pays 40 to 1 at most',
    right='{"aggregate_limits": []}',
)
R005 = error(
    "R005",
    "An aggregate payout limit combines prizes",
    why=f"A limit is for one type of odds-based prize; several need a limit each. {_WEAK}",
    mend="State a limit for each wager.",
    wrong='{"cents": 5000000, "wagers": ["bonus", "insurance"]}',
    right='{"cents": 2500000, "wagers": ["bonus"]} and one for the insurance',
)
R006 = error(
    "R006",
    "The rules do not state seed, increment and reserve of a meter",
    why=f"""Progressive funds accrue as the rules of the game say, so the rules must say it. {_WEAK}
    What a source leaves to the casino is also noted by G004.""",
    mend="State the three in the meter before the filing.",
    wrong='{"level": "1"}',
    right='{"level": "1", "seed_cents": 100000, "increment": "10%", "reserve": "2%"}',
)
R007 = error(
    "R007",
    "Linked meters are not won alike",
    why=f"""Tables that share a jackpot must offer it on the same hands with the same probability.
    The probabilities are compared as exact fractions. Where only the names of the rows differ, a
    person has to judge whether the hands are the same. {_WEAK}""",
    mend="Link only meters with the same hands, or give the tables meters of their own.",
    wrong="a link of two meters that are won with 4/19267885 and 1/38535770",
    right="a link of two meters that are won with 4/19267885 by the same hands",
)
R008 = error(
    "R008",
    "A meter is lowered for another reason than those permitted",
    why=f"The reasons for lowering a progressive meter are a closed list. {_WEAK}",
    mend="Remove the reason.",
    wrong='{"meter_reductions": ["amount_won", "other"]}',
    right='{"meter_reductions": ["amount_won"]}',
)
R009 = error(
    "R009",
    "Too many players sit at the table",
    why=f"The number of players at a table may be limited. {_WEAK}",
    mend="Lower the number of players in the game's file or in the terms.",
    wrong='{"players": 7} where six are allowed',
    right='{"players": 6}',
)
R010 = error(
    "R010",
    "A standing sentence is missing",
    why=f"A commission may want the same sentence in every set of rules. {_WEAK}",
    mend="Add the clause to the jurisdiction, and the standing clauses to its sections.",
    wrong="a jurisdiction without the clause `side-bets`",
    right='{"id": "side-bets", "text": "Side bets between players are prohibited.", ...}',
)
R011 = error(
    "R011",
    "Another approved game has this name",
    why=f"A game is filed under a name that no approved game has. {_WEAK}",
    mend="Choose another name; correct the register if it holds the same game under another id.",
    wrong='a register with "game_name": "Sample Game" under another game',
    right="a name that the register does not hold",
)
R012 = error(
    "R012",
    "A wager has no worked example of each way to end",
    why=f"""A win, a loss and a tie of each wager are shown in the rules of play; also a hand with
    the joker, an envy prize and a share of a meter. What no filed record of the wager has is not
    asked for; a push is asked for of every filed paytable that has one, unless its row is shown for
    another paytable of the wager. {_WEAK}""",
    mend="This is a gap in the documents: report it.",
    wrong="a wager with a win and a loss and no tie, which can tie",
    right="a win, a loss and a tie",
)
R013 = error(
    "R013",
    "The rules of play print no layout and rack-card text",
    why=f"""What is displayed must be what is filed, so both are printed from the same records.
    {_WEAK}""",
    mend='Add "rack_card" to the sections of the jurisdiction.',
    wrong='{"sections": ["main", "bonus"]}',
    right='{"sections": ["main", "bonus", "rack_card"]}',
)
R014 = error(
    "R014",
    "The content under an approved id has changed",
    why="""An id that was approved or filed stands for its content: rows, envy prizes, events, house
    way. Other numbers under the same id could be taken for the approved ones.""",
    mend="Restore the content that was filed, and give the new one another id.",
    wrong="an approved paytable 1 in which a pay was raised",
    right="paytable 1 as approved beside a new paytable 2",
)
R015 = error(
    "R015",
    "The artwork differs from the filed paytable",
    why="""What players read on layout and rack card must be what was filed: the same hands in the
    same order, the same pays, to or for.""",
    mend="Correct the artwork, or file the other paytable.",
    wrong="Five Aces 250 for 1",
    right="Five Aces 250 to 1",
)
R016 = error(
    "R016",
    "A parameter does not fit the test of its rule",
    why="""A test reads the values that it knows by name. One that it does not know would be passed
    over in silence, and the rule be called satisfied by a number that nobody compared.""",
    mend="""Give the text the parameters that the test takes, in its units; `certify rule --tests`
    lists them. A rule that asks for another formula names another test.""",
    wrong='{"test": "payout_cap_floor"} with the parameters {"least_cents": 4000000}',
    right='{"test": "fixed_payout_floor"} with the parameters {"least_cents": 4000000}',
)
R017 = error(
    "R017",
    "The texts of a rule do not follow one another",
    why="""One text of a rule is in force on a day, or none. A text that ends before it begins is
    never applied; of two texts on one day either could be.""",
    mend="""End each text on the day on which the next one begins: `effective_to` is the first day
    no longer in force.""",
    wrong='{"effective_from": "2021-06-14", "effective_to": "2020-06-14"}',
    right='{"effective_from": "2020-06-14", "effective_to": "2021-06-14"}',
)
R018 = error(
    "R018",
    "Two rules are judged by one test on the same day",
    why="""The documents print one limit for each test. With two rules in force for it, one of them
    would be printed and the other not.""",
    mend="""Make them one rule with a text for each period, or name the test that each rule asks
    for.""",
    wrong="two rules with the test largest_wager, both without an end",
    right="one rule with the test largest_wager and two texts, the older with an end",
)
R019 = error(
    "R019",
    "A rule is named that the pack does not have",
    why="""An item of the checklist is judged by the rule that it names, and a clause is printed for
    one. With an id that no rule has, nothing would be judged.""",
    mend="Correct the id, or declare the rule.",
    wrong='{"id": "players", "rule": "WA-PLAYER"}',
    right='{"id": "players", "rule": "WA-PLAYERS"}',
)
R020 = error(
    "R020",
    "A pay is stated as “for” where “to” is asked for",
    why=f"""A pay of 20 for 1 is one of 19 to 1: the wager is kept. A state may allow “to” alone
    unless it has approved the other; the register of approvals tells which records it has.
    {_WEAK}""",
    mend="State the pay as “to”, or have the paytable approved as it is.",
    wrong='{"pays": "20 for 1"}',
    right='{"pays": "19 to 1"}',
)
R021 = error(
    "R021",
    "The terms name a wager or a meter that the game does not have",
    why="""A limit on a wager that is not there limits nothing, and the rules of play would not
    print it.""",
    mend="Correct the id. With `game` in the file its wagers are those of one game.",
    wrong='{"game": "mini-pai-gow", "largest_wagers": {"bonuss": 2500}}',
    right='{"game": "mini-pai-gow", "largest_wagers": {"bonus": 2500}}',
)
R022 = error(
    "R022",
    "The terms contradict themselves",
    why="""A minimum above the maximum, two limits on one wager, a meter that is linked twice, or
    the terms of another game: one of two things would be printed, and the other not.""",
    mend="Correct one of the two.",
    wrong='{"least_wagers": {"main": 5000}, "largest_wagers": {"main": 2500}}',
    right='{"least_wagers": {"main": 500}, "largest_wagers": {"main": 2500}}',
)
