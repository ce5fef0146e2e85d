"""F: figures that the sources print."""

from certify.checks.pages import error

F001 = error(
    "F001",
    "A printed figure differs from the recomputed one",
    why="""A figure that a source prints is either reproduced to its last printed digit, or the
    record says how the source differs; nothing in between is certified. Where the record gives a
    reason the finding is a warning, where it names the reading under which the figure is
    reproduced a note.""",
    mend="""Compare the figure with the source. If the source prints it so, record the reading that
    reproduces it, or the reason.""",
    wrong='{"quantity": "house_edge", "printed": "8.02%"} where the exact edge rounds to 8.00%',
    right='{"quantity": "house_edge", "printed": "8.00%"}',
)
F002 = error(
    "F002",
    "Printed combinations do not add up",
    why="""The rows of a table part all hands, so their combinations sum to the total. Where a row
    of the table records a reason the finding is a note.""",
    mend="Compare the rows with the source; if the source prints them so, record the reason.",
    wrong="rows of 32, 196 and 154142853 beside a total of 154143080",
    right="rows of 32, 196 and 154142852 beside a total of 154143080",
)
F003 = error(
    "F003",
    "A printed figure is about something that is not declared",
    why="It would be compared with nothing and pass in silence.",
    mend="Correct the target or the event of the figure.",
    wrong='{"target": "sample/bonus/11", "event": "flush"}',
    right='{"target": "sample/bonus/1", "event": "flush"}',
)
F004 = error(
    "F004",
    "A printed figure does not say which row or how many players it is about",
    why="A value of a row needs its event; an edge with players needs their number.",
    mend='Add "event" or "players".',
    wrong='{"quantity": "row_return", "printed": "0.01"}',
    right='{"quantity": "row_return", "event": "flush", "printed": "0.01"}',
)
F005 = error(
    "F005",
    "The text of a printed figure does not fit what it is",
    why="""A count of hands is an integer and a house edge has at most 100%; a figure of another
    form was copied into the wrong place.""",
    mend="Correct the figure or its quantity.",
    wrong='{"quantity": "combinations", "printed": "0.0312"}',
    right='{"quantity": "probability", "printed": "0.0312"}',
)
F006 = error(
    "F006",
    "A figure that cannot be computed has no reason",
    why="Nothing that is printed is left out without saying why.",
    mend='Add "reason".',
    wrong='{"quantity": "not_computable", "printed": "97%"}',
    right='{"quantity": "not_computable", "printed": "97%", "reason": "The meter is not stated."}',
)
