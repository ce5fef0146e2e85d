"""S: a file against the schema of its kind."""

from certify.checks.pages import error

S001 = error(
    "S001",
    "A property is missing",
    why="""The record does not say something that a figure or a document needs; a record without
    its source, for one, cannot be certified.""",
    mend="Add the property; the finding says what it means.",
    wrong='{"event": "flush", "name": "Flush"}',
    right='{"event": "flush", "name": "Flush", "pays": "4 to 1"}',
)
S002 = error(
    "S002",
    "A property is not known",
    why="""A misspelt property would be ignored in silence, and what it was meant to say would be
    lost.""",
    mend="Correct its name, or remove it.",
    wrong='{"event": "flush", "name": "Flush", "pay": "4 to 1"}',
    right='{"event": "flush", "name": "Flush", "pays": "4 to 1"}',
)
S003 = error(
    "S003",
    "A value is of the wrong kind",
    why="A number in quotation marks is text, and nothing is counted with text.",
    mend="Write the kind of value that the finding names.",
    wrong='{"cards": "7"}',
    right='{"cards": 7}',
)
S004 = error(
    "S004",
    "A value is not one of those allowed",
    why="""The vocabulary is closed, so that every word of a record has one meaning that is
    counted.""",
    mend="Use one of the values that the finding lists.",
    wrong='{"award": "first_row"}',
    right='{"award": "first_row_contained"}',
)
S005 = error(
    "S005",
    "A text has not the right form",
    why="""Odds, percents, dates and ids are read by their form; odds without "to" or "for" leave
    open whether the stake comes back.""",
    mend="Write it as the finding says.",
    wrong='{"pays": "50:1"}',
    right='{"pays": "50 to 1"}',
)
S006 = error(
    "S006",
    "A number or a list is out of range",
    why="No hand has more than seven cards, no prize is negative, and an empty list says nothing.",
    mend="Correct the number, or the number of items.",
    wrong='{"cards": 8}',
    right='{"cards": 7}',
)
S007 = error(
    "S007",
    "It is not clear which schema the file follows",
    why="""The same words mean different things in different kinds of files; a file is never read as
    something that it does not say it is.""",
    mend="""Write the path of its schema under "$schema", the one that belongs to the file's
    place.""",
    wrong='{"$schema": "../../schemas/paytabel.schema.json"}',
    right='{"$schema": "../../schemas/paytable.schema.json"}',
)
S008 = error(
    "S008",
    "Properties do not go together",
    why="""An event is of one hand ("when") or of two ("dealer"); a dealer rule ends the wager
    ("outcome") or changes what a win pays ("win_pays"). With both, or with neither, the record does
    not say which.""",
    mend="Keep the one that is meant.",
    wrong='{"id": "push_ace_high", "outcome": "push", "win_pays": "1 to 2"}',
    right='{"id": "push_ace_high", "outcome": "push"}',
)
