"""Codes of what reading finds, with the messages and places of faults of a JSON text.

The messages are part of the public interface.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from certify.model.finding import Code, Document, Finding, Span


def line_starts(text: str) -> tuple[int, ...]:
    """Return the offset at which each line of ``text`` starts; a line ends with a newline."""
    return (0, *(match.end() for match in re.finditer("\n", text)))


def span(offset: int, length: int, lines: Sequence[int]) -> Span:
    """Return the place of ``offset``: line and column from 1."""
    line = bisect_right(lines, offset)
    return Span(line=line, column=offset - lines[line - 1] + 1, length=max(length, 1))


def pack(offset: int, length: int) -> int:
    """Return an offset and a length as one number, which takes a quarter of their memory."""
    return offset << 32 | length


def unpack(packed: int) -> tuple[int, int]:
    """Return the offset and the length of a number by `pack`."""
    return packed >> 32, packed & 0xFFFF_FFFF


class Places(Mapping[str, Span]):
    """Positions in a valid text by RFC 6901 pointer; the text is scanned on first use.

    ``offsets`` returns the offset and the length of each, as `pack` returns them.
    """

    def __init__(self, text: str, offsets: Callable[[], Mapping[str, int]]) -> None:
        self._text = text
        self._offsets = offsets

    @cached_property
    def _lines(self) -> tuple[int, ...]:
        return line_starts(self._text)

    def __getitem__(self, pointer: str) -> Span:
        return span(*unpack(self._offsets()[pointer]), self._lines)

    def __contains__(self, pointer: object) -> bool:
        return pointer in self._offsets()

    def __iter__(self) -> Iterator[str]:
        return iter(self._offsets())

    def __len__(self) -> int:
        return len(self._offsets())

    def __bool__(self) -> bool:
        """Return True: a valid text has a value."""
        return True

    def __reduce__(self) -> tuple[type[dict[str, Span]], tuple[dict[str, Span]]]:
        """Send the places to another process as a plain mapping."""
        return dict, (dict(self),)


_SHOWN = 24


class FaultKind(Struct, frozen=True):
    """Message and fix for one kind of fault; words in braces are filled in by the fault.

    An empty remedy is replaced by that of the code. ``instead_of`` has other remedies, by the
    character found. A ``fatal`` fault leaves no value to continue with.
    """

    code: Code
    message: str
    remedy: str = ""
    fatal: bool = True
    instead_of: Mapping[str, str] = field(default_factory=dict)


class TextFault(Struct, frozen=True):
    """A fault at an offset of the text; ``remedy`` overrides that of its kind."""

    kind: FaultKind
    offset: int
    pointer: str = ""
    length: int = 1
    remedy: str = ""
    words: Mapping[str, object] = field(default_factory=dict)

    def finding(self, document: Document, lines: Sequence[int]) -> Finding:
        """Return the fault with its line, column and excerpt."""
        words = {name: _short(word) for name, word in self.words.items()}
        code = self.kind.code
        return document.finding(
            code.id,
            self.pointer,
            self.kind.message.format(**words),
            code.advice(self.remedy or self.kind.remedy.format(**words)),
            severity=code.severity,
            span=span(self.offset, self.length, lines),
        )


def _short(word: object) -> object:
    """Return a word short enough for one line of a message."""
    return f"{word[: _SHOWN - 3]}..." if isinstance(word, str) and len(word) > _SHOWN else word


J001 = Code(
    "J001",
    "The file is not JSON",
    why="Nothing can be read from the file without guessing, and a certified figure never "
    "depends on a guess.",
    fix=(
        "Correct this place: a comma, colon, bracket or quotation mark is missing or extra. "
        "JSON has no comments."
    ),
    wrong='{"players": 6,}',
    right='{"players": 6}',
)

_COMMENT = dict.fromkeys(
    ("/", "#"), "JSON has no comments: move the text into a note of the source."
)

AFTER_THE_END = FaultKind(
    J001,
    "Text follows the end of the JSON value.",
    "Remove the text after the last bracket, or find a bracket that closes too early.",
)
EMPTY = FaultKind(J001, "The file is empty.", "Write one JSON object into it.")
LFS_POINTER = FaultKind(
    J001,
    "This is a Git LFS pointer, not the file.",
    "Check out with LFS: `git lfs pull`, or `lfs: true` of actions/checkout.",
)
NO_VALUE = FaultKind(
    J001,
    "A value is expected here, but {found} was found.",
    "Write the value, or remove the comma or name before it.",
    instead_of={
        "'": 'Write text in double quotation marks: "...".',
        ",": "Remove one of the commas, or write the missing value.",
        **_COMMENT,
    },
)
NO_NAME = FaultKind(
    J001,
    "A property name in double quotation marks is expected here, but {found} was found.",
    'Write the name as "name".',
    instead_of=_COMMENT,
)
NO_COLON = FaultKind(
    J001, "A colon is missing after the name `{name}`.", 'Write "{name}": before the value.'
)
NO_SEPARATOR = FaultKind(
    J001,
    "A comma or `{bracket}` is expected here, but {found} was found.",
    "Write a comma before the next item, or `{bracket}` after the last one.",
    instead_of=_COMMENT,
)
QUOTATION_MARK = FaultKind(
    J001,
    "A quotation mark is missing before this place, or one is extra.",
    "Look at the text that ends here: close it where it was meant to end; write a quotation "
    'mark inside a text as \\".',
)
NAME_IN_LIST = FaultKind(
    J001,
    "A list has no names, so a colon is not allowed here.",
    "Close the list with `]` before the name, or put the name and its value in braces.",
)
NOT_CLOSED = FaultKind(
    J001,
    "The `{opening}` opened here in line {line} is never closed.",
    "Add the missing `{bracket}`.",
)
TRAILING_COMMA = FaultKind(
    J001,
    "A comma is before the closing `{bracket}`.",
    "Remove the comma after the last item.",
    fatal=False,
)
MISSING_COMMA = FaultKind(
    J001,
    "A comma is missing between two items.",
    "Add a comma after the first of them.",
    fatal=False,
)
STRING_NOT_CLOSED = FaultKind(
    J001,
    "The text that starts here is not closed on its line.",
    "Add the closing quotation mark; a text must be on one line.",
)
ESCAPE = FaultKind(
    J001,
    "This escape sequence is not valid JSON.",
    'Write a backslash itself as \\\\, a quotation mark as \\", any character as \\u and four '
    "hexadecimal digits.",
)
LEADING_ZERO = FaultKind(
    J001,
    "`{digits}` starts with a zero.",
    "Write the number without leading zeros.",
    fatal=False,
)
WORD = FaultKind(
    J001,
    "`{word}` is not a JSON value.",
    "Put text in double quotation marks; bare words are only true, false and null.",
)


J002 = Code(
    "J002",
    "An object has two properties of one name",
    why="Most programs silently use the last value, so two readers of one file can see "
    "different pays.",
    fix="Keep the intended value and remove the other.",
    wrong='{"event": "flush", "pays": "4 to 1", "pays": "5 to 1"}',
    right='{"event": "flush", "pays": "4 to 1"}',
)

DUPLICATE = FaultKind(
    J002, "The name `{name}` occurs twice in this object, first in line {line}.", fatal=False
)


J003 = Code(
    "J003",
    "NaN and Infinity are not numbers",
    why="Some programs write these words for a failed calculation. They are not JSON and not "
    "numbers.",
    fix="Write an integer, or omit the property.",
    wrong='{"players": NaN}',
    right='{"players": 6}',
)

NOT_A_NUMBER = FaultKind(J003, "`{word}` is not a number.", fatal=False)


J004 = Code(
    "J004",
    "A number has a fraction part or an exponent",
    why="Programs read such numbers as binary approximations. Figures are exact, so every "
    "JSON number is an integer; odds and shares are text.",
    fix='Write an integer (money in cents), or text such as "3 to 2" or "0.5%".',
    wrong='{"prize_cents": 1000.0}',
    right='{"prize_cents": 1000}',
)

FRACTION = FaultKind(
    J004, "`{digits}` has a fraction part or an exponent, but figures are exact.", fatal=False
)


J005 = Code(
    "J005",
    "The file starts with a byte-order mark",
    why="Some editors on Windows write this invisible mark. Other programs reject the file, "
    "and its digest differs from that of the text without the mark.",
    fix='Save the file as "UTF-8", not as "UTF-8 with BOM".',
    wrong='(EF BB BF) {"id": "1"}',
    right='{"id": "1"}',
)

BYTE_ORDER_MARK = FaultKind(J005, "The file starts with a byte-order mark.", fatal=False)


J006 = Code(
    "J006",
    "The file is not UTF-8 text",
    why="The file is a program, a picture or an archive, or text in another encoding.",
    fix="Save the file as UTF-8, or use the intended JSON file.",
    wrong='(FF FE) {"id": "1"} in UTF-16',
    right='{"id": "1"} in UTF-8',
)

UTF_16 = FaultKind(J006, "The file is written in UTF-16, not in UTF-8.", "Save it as `UTF-8`.")
NOT_TEXT = FaultKind(
    J006,
    "The file is not text: it contains zero bytes.",
    "Use a JSON file; this looks like a program, a picture or an archive.",
)
ZERO_BYTE = FaultKind(J006, "A zero byte (NUL) is here.", "Remove it.")
NOT_UTF_8 = FaultKind(
    J006,
    "The byte {byte:#04x} here is not UTF-8.",
    "Save the file as `UTF-8`; it was probably saved in a Windows code page.",
)


J007 = Code(
    "J007",
    "Brackets are nested too deeply",
    why="More than 64 nested brackets can exhaust the memory of programs; no declared file "
    "needs more than a dozen.",
    fix="Remove the unnecessary brackets; no declared file nests deeper than a dozen.",
    wrong='{"all": [{"all": [{"all": [ ... 65 times ... ]}]}]}',
    right='{"all": [{"joker": false}, {"pai_gow_high": "A"}]}',
)

TOO_DEEP = FaultKind(J007, "More than {most} brackets are nested.")


J008 = Code(
    "J008",
    "A text contains an invisible character",
    why="Line breaks, control characters, zero-width characters and direction marks change "
    "how a text prints, or make two ids differ that look the same.",
    fix="Remove the character; replace a line break by a space or by a separate statement.",
    wrong='{"name": "Full House\\n"}',
    right='{"name": "Full House"}',
)

UNSEEN = FaultKind(J008, "The text contains an invisible character (U+{number:04X}).", fatal=False)


J009 = Code(
    "J009",
    "A text starts or ends with a space",
    why="Two ids or names would look the same and differ.",
    fix="Remove the space inside the quotation marks.",
    wrong='{"name": "Full House "}',
    right='{"name": "Full House"}',
)

OUTER_BLANKS = FaultKind(J009, "The text starts or ends with a space.", fatal=False)


J010 = Code(
    "J010",
    "An integer is too large to be exact everywhere",
    why="Programs with binary floating-point numbers silently round integers above 2^53 - 1 "
    "= 9007199254740991.",
    fix="Correct the number; no amount or count in this field is that large.",
    wrong='{"prize_cents": 9007199254740993}',
    right='{"prize_cents": 900000}',
)

TOO_GREAT = FaultKind(
    J010, "`{digits}` is larger than {most}, so other programs would round it.", fatal=False
)


J011 = Code(
    "J011",
    "A file cannot be read",
    why="A file that could not be read was not checked, so it has not passed.",
    fix="Check that the file exists and that you may read it.",
    wrong="a file without permission to read, a link to nothing, or a folder named like a file",
    right="a file that you may read",
)

J012 = Code(
    "J012",
    "A file is too large",
    why="A very large file prevents the check of all others. Real files have some thousand "
    "values; 4 MiB, 20,000 values, or names of 500 characters are a mistake of the "
    "program that wrote them.",
    fix="Use the intended file, or split it into several.",
    wrong='{"rows": [ ... 200,000 rows ... ]}',
    right='{"rows": [ ... 12 rows ... ]}',
)

TOO_LARGE = FaultKind(J012, "The file has more than {most:,} bytes.")
TOO_MANY_VALUES = FaultKind(J012, "The file contains more than {most:,} values.")
TOO_LONG_NAMES = FaultKind(J012, "The path to this value has more than {most} characters.")


J013 = Code(
    "J013",
    "A file has more errors than are listed",
    why="A long list of errors usually has one cause, such as a missing bracket or the wrong "
    "kind of file. Reading stops after the first hundred.",
    fix="Correct the listed errors and check again; they may have one cause.",
    wrong="a file of another program, saved under the name of a paytable",
    right="a paytable",
)

J014 = Code(
    "J014",
    "A link leads out of the project",
    why="A project of other people may link to any file of the reader. Such a file is never "
    "read: its content would reach a log or a public document.",
    fix="Put a copy of the file into the project, or remove the link.",
    wrong="templates/rules/x.html.j2 -> ../../../.ssh/id_rsa",
    right="a link to a file of the same project, or the file itself",
)

TOO_MANY_FAULTS = FaultKind(
    J013, "The file has more than {most} errors; the others are not listed."
)


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
