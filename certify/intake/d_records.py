"""D codes that reading declared data raises; `certify.checks.d_records` has the other ones."""

from certify.model.finding import Code

D001 = Code(
    "D001",
    "An id contradicts its path",
    why="Commands and approval letters use the id, but a file is found by its name. If they "
    "differ, the wrong paytable may be filed.",
    fix="Correct the id, or rename the file or folder.",
    wrong='dynasty-bonus/3.json with {"id": "4"}',
    right='dynasty-bonus/3.json with {"id": "3"}',
)

D002 = Code(
    "D002",
    "A file is in an unexpected place",
    why="Nothing is read from the file, although its author may expect it.",
    fix=("Move it to <game>/<wager>/<paytable>.json (envy tables to envy/), or out of the folder."),
    wrong="dynasty-bonus/old/3.json",
    right="dynasty-bonus/3.json",
)

D003 = Code(
    "D003",
    "The game's list of wagers and its folders differ",
    why="A listed wager without a declaration would be missing from the documents. A "
    "declared wager that is not listed would never be printed.",
    fix=("Declare the wager in <wager>/wager.json and list it in the game's file, or do neither."),
    wrong='{"wagers": ["main", "dynasty"]} with the folder dynasty-bonus',
    right='{"wagers": ["main", "dynasty-bonus"]} with the folder dynasty-bonus',
)

D010 = Code(
    "D010",
    "A file names an undeclared game or wager",
    why="Without its game, the file has no deck, no hands and no rules.",
    fix="Correct the id, or declare the game or the wager first.",
    wrong='{"game": "dealer-open", "wager": "chan-chu"}',
    right='{"game": "dealer-open-pai-gow", "wager": "chan-chu"}',
)

D017 = Code(
    "D017",
    "An interpretation cannot be counted",
    why="The mathematics report prints the effect of every interpretation of the source. The "
    "effect is unknown if a change has no valid position, or if the changed files cannot "
    "be counted.",
    fix=(
        "Correct the file, the path or the value of the change; list entries are named by "
        "id, event or level."
    ),
    wrong='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pairs/base", …}',
    right='{"record": "house-ways/foxwoods", "op": "replace", "path": "/sections/pair/base", …}',
)
