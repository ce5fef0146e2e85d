"""D: the data set as a whole: ids, names, places and sources."""

from certify.checks.pages import error, note, warning

D001 = error(
    "D001",
    "An id and its place contradict each other",
    why="""Commands and letters of approval name a record by its id; a file is found by its name.
    If both differ, the wrong paytable may be filed.""",
    mend="Write the id that the folder and the file's name say, or rename them.",
    wrong='dynasty-bonus/3.json with {"id": "4"}',
    right='dynasty-bonus/3.json with {"id": "3"}',
)
D002 = error(
    "D002",
    "A file stands where none is expected",
    why="Nothing is read from it, and somebody may believe that it counts.",
    mend="""Move it to its place (<game>/<wager>/<paytable>.json, envy tables in the folder envy
    below), or out of the folder of declared data.""",
    wrong="dynasty-bonus/old/3.json",
    right="dynasty-bonus/3.json",
)
D003 = error(
    "D003",
    "The game's list of wagers and its folders differ",
    why="""A wager that the rules name and that is not declared would be missing from the documents;
    one that is declared and not listed would never be printed.""",
    mend="Declare the wager in <wager>/wager.json and list it in the game's file, or do neither.",
    wrong='{"wagers": ["main", "dynasty"]} beside the folder dynasty-bonus',
    right='{"wagers": ["main", "dynasty-bonus"]} beside the folder dynasty-bonus',
)
D004 = error(
    "D004",
    "An id is used twice",
    why="A reference to the id would mean either of two things.",
    mend="Give one of them another id.",
    wrong='{"figures": [{"id": "edge-1"}, {"id": "edge-1"}]}',
    right='{"figures": [{"id": "edge-1"}, {"id": "edge-2"}]}',
)
D005 = note(
    "D005",
    "Two ids have identical content",
    why="""Two paytables that pay the same are either one paytable with two names, or one was copied
    and not changed.""",
    mend="""If the source prints both, leave them and record the duplicate among the
    discrepancies; otherwise correct one.""",
    wrong="PT-FLT-EC-PGI-02 with the rows of PT-FLT-EC-PGI-01",
    right="two paytables that differ in a pay",
)
D006 = error(
    "D006",
    "A wager has neither a paytable nor a reason, or both",
    why="""A wager without a paytable cannot be certified; that may be so, but the record must say
    why. A wager that has paytables and says why it has none contradicts itself.""",
    mend="""Declare a paytable (an option for a main wager), or add "absent" with the reason; not
    both.""",
    wrong='{"id": "jacks-beat", "kind": "bonus"} with no paytable beside it',
    right='{"id": "jacks-beat", "absent": {"id": "absent", "text": "The source prints no pays."}}',
)
D007 = note(
    "D007",
    "A hand has more than one name in one document",
    why="""Dealers and players read the table felt; a hand that is called differently in two tables
    of one document invites disputes.""",
    mend="""If the source prints both names, leave them; otherwise use one. Capitals and punctuation
    are not compared.""",
    wrong='"Four of a Kind" in one table and "Quads" in another',
    right='"Four of a Kind" in both',
)
D008 = warning(
    "D008",
    "A source is not a document that is known",
    why="""Every value rests on a document that somebody can open; an id that no game and no house
    way declares points nowhere.""",
    mend="Correct the document's id, or declare the document with the game.",
    wrong='{"source": {"document": "emperor-challenge-exposed"}}',
    right='{"source": {"document": "emperors-challenge-exposed"}}',
)
D009 = error(
    "D009",
    "A discrepancy names a target that is not declared",
    why="The discrepancy would be printed beside no paytable at all.",
    mend="Correct the target: game, game/wager or game/wager/paytable.",
    wrong='{"targets": ["sample/bonus/11"]}',
    right='{"targets": ["sample/bonus/1"]}',
)
D010 = error(
    "D010",
    "A file names a game or a wager that is not declared",
    why="Without its game there are no deck, no hands and no rules to count by.",
    mend="Correct the id, or declare the game or the wager first.",
    wrong='{"game": "dealer-open", "wager": "chan-chu"}',
    right='{"game": "dealer-open-pai-gow", "wager": "chan-chu"}',
)
D011 = note(
    "D011",
    "One id stands for two contents",
    why="""Letters of approval name paytables by their ids; an id that means different pays in two
    wagers of one game can be taken for the other. Plain numbers and letters such as 1 or A are
    not compared.""",
    mend="Give one of them another id, or leave both if the source prints them so.",
    wrong="PT-FLT-01 under two wagers, with different rows",
    right="PT-FLT-01 and PT-FLT-02",
)
D012 = warning(
    "D012",
    "Money is written in more than one way",
    why="""Readers compare amounts; "5 dollars", "5$" and "$5.0" beside "$5" look like different
    things. Amounts that are counted are integer cents elsewhere in the record.""",
    mend="Write $5, $2.50 or $1,000.",
    wrong='{"text": "Wagers of 5 dollars or more qualify."}',
    right='{"text": "Wagers of $5 or more qualify."}',
)
D013 = error(
    "D013",
    "Limits of a wager contradict each other",
    why="No wager can be placed whose least amount is above its greatest.",
    mend="Correct the amounts; both are in cents.",
    wrong='{"minimum_cents": 2500, "maximum_cents": 500}',
    right='{"minimum_cents": 500, "maximum_cents": 2500}',
)
D014 = note(
    "D014",
    "One name stands for two hands in one wager",
    why="""A name that means one hand in one table of the wager and another hand in the next is the
    commonest cause of a wrong pay at the table.""",
    mend="Give each hand a name of its own, or correct the event.",
    wrong='"Royal Flush" for royal_flush in table 1 and for straight_flush in table 2',
    right='"Royal Flush" for royal_flush in both',
)
D015 = error(
    "D015",
    "The list of changes does not end with this revision",
    why="""The rules of play print the changes as their history; a history that stops before the
    revision on the cover, or goes back in time, hides what was changed.""",
    mend="Add an entry for this revision, with its date, after the older ones.",
    wrong='{"revision": "2", "changes": [{"revision": "1", …}]}',
    right='{"revision": "2", "changes": [{"revision": "1", …}, {"revision": "2", …}]}',
)
D016 = error(
    "D016",
    "A rule belongs to an option or a jurisdiction that is not declared",
    why="""A rule of one option, or of one jurisdiction, is printed only where that one is filed;
    with an id that none has it would never be printed.""",
    mend="Correct the id, or leave it out where the rule belongs to all of them.",
    wrong='{"option": "ace-high"}',
    right='{"option": "ace-high-push"}',
)
D017 = error(
    "D017",
    "Another reading cannot be counted",
    why="""The mathematics report prints what every other reading of the source would change; a
    reading that names no place of a record, or leaves a record that cannot be counted, has no
    price.""",
    mend="""Correct the record, the path or the value of the change. Entries of lists go by their
    id, event or level. A house way must set every hand once and never foul.""",
    wrong='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pairs/base", …}',
    right='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pair/base", …}',
)
