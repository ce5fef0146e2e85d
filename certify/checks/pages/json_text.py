"""J: the text of a JSON file."""

from certify.checks.pages import error

J001 = error(
    "J001",
    "The file is not JSON",
    why="""Nothing can be read from the file, or only by guessing what was meant; a certified
    figure never rests on a guess.""",
    mend="""Correct the place that the finding points at: most often a comma, a colon, a bracket or
    a quotation mark is missing or left over. JSON has no comments.""",
    wrong='{"players": 6,}',
    right='{"players": 6}',
)
J002 = error(
    "J002",
    "A name is given twice in one object",
    why="""Most programs keep the last value in silence and drop the first, so two readers of one
    file can see different pays.""",
    mend="Keep the value that is meant and remove the other.",
    wrong='{"event": "flush", "pays": "4 to 1", "pays": "5 to 1"}',
    right='{"event": "flush", "pays": "4 to 1"}',
)
J003 = error(
    "J003",
    "NaN and Infinity are not numbers",
    why="""Some programs write these words for a calculation that failed. They are not JSON, and
    nothing can be counted with them.""",
    mend="Write an integer, or leave the property out where there is no value.",
    wrong='{"players": NaN}',
    right='{"players": 6}',
)
J004 = error(
    "J004",
    "A number has a fraction part or an exponent",
    why="""Programs read such numbers as binary approximations. Figures here are exact, so every
    JSON number is an integer; odds and shares are text.""",
    mend="""Write money in integer cents, odds as text such as "3 to 2", shares as text such
    as "0.5%".""",
    wrong='{"prize_cents": 1000.0}',
    right='{"prize_cents": 1000}',
)
J005 = error(
    "J005",
    "The file starts with a byte-order mark",
    why="""Some editors on Windows write this invisible mark. Other programs refuse the file, and
    its digest differs from that of the same text without the mark.""",
    mend="""Save the file as "UTF-8", not as "UTF-8 with BOM".""",
    wrong='(EF BB BF) {"id": "1"}',
    right='{"id": "1"}',
)
J006 = error(
    "J006",
    "The file is not UTF-8 text",
    why="""The file is a program, a picture or an archive, or text in another encoding, in which
    letters would be misread.""",
    mend="Save the file as UTF-8, or give the JSON file that was meant.",
    wrong='(FF FE) {"id": "1"} in UTF-16',
    right='{"id": "1"} in UTF-8',
)
J007 = error(
    "J007",
    "Brackets are nested too deeply",
    why="""More than 64 brackets within one another make programs run out of memory; no record
    needs more than a dozen.""",
    mend="Remove the needless brackets.",
    wrong='{"all": [{"all": [{"all": [ ... 65 times ... ]}]}]}',
    right='{"all": [{"joker": false}, {"pai_gow_high": "A"}]}',
)
J008 = error(
    "J008",
    "A text holds a character that cannot be seen",
    why="""Line breaks, control characters, zero-width characters and marks that reverse the
    direction of reading make a text print differently from how it reads, or make two ids differ
    that look the same.""",
    mend="Remove the character; make a statement of its own of each line.",
    wrong='{"name": "Full House\\n"}',
    right='{"name": "Full House"}',
)
J009 = error(
    "J009",
    "A text starts or ends with a blank",
    why="Two ids or names that look the same would differ.",
    mend="Remove the blank inside the quotation marks.",
    wrong='{"name": "Full House "}',
    right='{"name": "Full House"}',
)
J010 = error(
    "J010",
    "An integer is too great to be exact everywhere",
    why="""Programs that keep numbers as binary approximations round integers above 2^53 - 1
    = 9007199254740991 in silence.""",
    mend="Correct the number; no amount or count of this field is as great.",
    wrong='{"prize_cents": 9007199254740993}',
    right='{"prize_cents": 900000}',
)
J011 = error(
    "J011",
    "A file cannot be read",
    why="A file that could not be read was not checked, and that is never a pass.",
    mend="See that the file is there and that you may read it.",
    wrong="a file without permission to read, a link to nothing, or a folder named like a file",
    right="a file that you may read",
)
