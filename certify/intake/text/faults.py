"""A fault of a JSON text, and what is refused in a text that JSON would allow, or that is no text.

What is wrong with the grammar stands in `certify.intake.text.syntax_faults`. The messages are API.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from certify.intake.text.places import span
from certify.model.document import Document
from certify.model.finding import Code, Finding

_SHOWN = 24


@dataclass(frozen=True, slots=True)
class TextFault:
    """A fault at an offset of the text; ``fatal`` leaves no value to go on with."""

    code: Code
    offset: int
    message: str
    remedy: str = ""
    _: KW_ONLY
    length: int = 1
    pointer: str = ""
    fatal: bool = False

    def finding(self, document: Document, lines: Sequence[int]) -> Finding:
        """Return the fault with its line, column and excerpt."""
        place = span(self.offset, self.length, lines)
        return Finding(
            code=self.code.id,
            severity=self.code.severity,
            file=document.path,
            pointer=self.pointer,
            line=place.line,
            column=place.column,
            length=place.length,
            message=self.message,
            remedy=self.code.advice(self.remedy),
            excerpt=document.excerpt(place.line),
        )


def shown(text: str) -> str:
    """Return ``text`` short enough for one line of a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


J002 = Code(
    "J002",
    "A name is given twice in one object",
    why="""Most programs keep the last value in silence and drop the first, so two readers of one
    file can see different pays.""",
    mend="Keep the value that is meant and remove the other.",
    remedy="Keep the one that is meant and remove the other.",
    wrong='{"event": "flush", "pays": "4 to 1", "pays": "5 to 1"}',
    right='{"event": "flush", "pays": "4 to 1"}',
)


def duplicate(key: str, index: int, length: int, pointer: str, line: int) -> TextFault:
    """A name that the object has already."""
    return TextFault(
        J002,
        index,
        f"The name `{shown(key)}` is given twice in this object, first in line {line}.",
        length=length,
        pointer=pointer,
    )


J004 = Code(
    "J004",
    "A number has a fraction part or an exponent",
    why="""Programs read such numbers as binary approximations. Figures here are exact, so every
    JSON number is an integer; odds and shares are text.""",
    mend="""Write money in integer cents, odds as text such as "3 to 2", shares as text such
    as "0.5%".""",
    remedy='Write an integer (money in cents), or text such as "3 to 2" or "0.5%".',
    wrong='{"prize_cents": 1000.0}',
    right='{"prize_cents": 1000}',
)


def fraction(digits: str, index: int, pointer: str) -> TextFault:
    """A number with a fraction part or an exponent."""
    return TextFault(
        J004,
        index,
        f"`{shown(digits)}` has a fraction part or an exponent; figures here are exact.",
        length=len(digits),
        pointer=pointer,
    )


J010 = Code(
    "J010",
    "An integer is too great to be exact everywhere",
    why="""Programs that keep numbers as binary approximations round integers above 2^53 - 1
    = 9007199254740991 in silence.""",
    mend="Correct the number; no amount or count of this field is as great.",
    remedy="Check the number; no amount or count of this field is as great.",
    wrong='{"prize_cents": 9007199254740993}',
    right='{"prize_cents": 900000}',
)


def too_great(digits: str, index: int, pointer: str, greatest: int) -> TextFault:
    """An integer that other readers would round."""
    return TextFault(
        J010,
        index,
        f"`{shown(digits)}` is greater than {greatest}, and other programs would round it.",
        length=len(digits),
        pointer=pointer,
    )


J007 = Code(
    "J007",
    "Brackets are nested too deeply",
    why="""More than 64 brackets within one another make programs run out of memory; no record
    needs more than a dozen.""",
    mend="Remove the needless brackets.",
    remedy="Remove the needless brackets; no record nests deeper than a dozen.",
    wrong='{"all": [{"all": [{"all": [ ... 65 times ... ]}]}]}',
    right='{"all": [{"joker": false}, {"pai_gow_high": "A"}]}',
)


def too_deep(index: int, pointer: str, deepest: int) -> TextFault:
    """Brackets within brackets without end."""
    return TextFault(
        J007,
        index,
        f"More than {deepest} brackets stand within one another.",
        pointer="/".join(pointer.split("/")[:5]),
        fatal=True,
    )


J012 = Code(
    "J012",
    "A file is larger than any record",
    why="""What is read without end keeps every other file from being checked. A record of the field
    has some thousand values; 4 MiB, 20,000 values, or names of 500 characters are a mistake of the
    program that wrote them.""",
    mend="Give the file that was meant, or part the record into several files.",
    remedy="Give the file that was meant, or part it into several.",
    wrong='{"rows": [ ... 200,000 rows ... ]}',
    right='{"rows": [ ... 12 rows ... ]}',
)


def too_large(most: int) -> TextFault:
    """Bytes without end."""
    return TextFault(J012, 0, f"The file has more than {most:,} bytes.", fatal=True)


def too_many_values(index: int, most: int) -> TextFault:
    """Values without end."""
    return TextFault(J012, index, f"The file holds more than {most:,} values.", fatal=True)


def too_long_names(index: int, most: int) -> TextFault:
    """Names without end: every value within them would be called by all of them."""
    message = f"The names that lead here have more than {most} characters together."
    return TextFault(J012, index, message, fatal=True)


J013 = Code(
    "J013",
    "A file has more faults than are listed",
    why="""A long list of faults most often has one cause, such as a bracket too few or the wrong
    kind of file; after the first hundred nothing more is read.""",
    mend="Correct the faults that are listed and check again.",
    remedy="Correct those that are listed and check again; they may have one cause.",
    wrong="a file of another program, saved under the name of a paytable",
    right="a paytable",
)


def too_many_faults(index: int, pointer: str, most: int) -> TextFault:
    """Faults without end."""
    return TextFault(
        J013,
        index,
        f"More than {most} faults stand in this file; the others are not listed.",
        pointer=pointer,
        fatal=True,
    )


J008 = Code(
    "J008",
    "A text holds a character that cannot be seen",
    why="""Line breaks, control characters, zero-width characters and marks that reverse the
    direction of reading make a text print differently from how it reads, or make two ids differ
    that look the same.""",
    mend="Remove the character; make a statement of its own of each line.",
    remedy="Remove it; a line break becomes a blank or a statement of its own.",
    wrong='{"name": "Full House\\n"}',
    right='{"name": "Full House"}',
)


def unseen(index: int, length: int, character: str, pointer: str) -> TextFault:
    """A character in a text that nobody can see."""
    return TextFault(
        J008,
        index,
        f"The text holds a character that cannot be seen (U+{ord(character):04X}).",
        length=length,
        pointer=pointer,
    )


J009 = Code(
    "J009",
    "A text starts or ends with a blank",
    why="Two ids or names that look the same would differ.",
    mend="Remove the blank inside the quotation marks.",
    wrong='{"name": "Full House "}',
    right='{"name": "Full House"}',
)


def outer_blanks(index: int, length: int, pointer: str) -> TextFault:
    """A text that starts or ends with blanks."""
    return TextFault(
        J009, index, "The text starts or ends with a blank.", length=length, pointer=pointer
    )


J005 = Code(
    "J005",
    "The file starts with a byte-order mark",
    why="""Some editors on Windows write this invisible mark. Other programs refuse the file, and
    its digest differs from that of the same text without the mark.""",
    mend="""Save the file as "UTF-8", not as "UTF-8 with BOM".""",
    remedy="Save it as `UTF-8`, not as `UTF-8 with BOM`.",
    wrong='(EF BB BF) {"id": "1"}',
    right='{"id": "1"}',
)


def byte_order_mark() -> TextFault:
    """The invisible mark that some Windows editors write first."""
    return TextFault(J005, 0, "The file starts with a byte-order mark.")


J006 = Code(
    "J006",
    "The file is not UTF-8 text",
    why="""The file is a program, a picture or an archive, or text in another encoding, in which
    letters would be misread.""",
    mend="Save the file as UTF-8, or give the JSON file that was meant.",
    wrong='(FF FE) {"id": "1"} in UTF-16',
    right='{"id": "1"} in UTF-8',
)


def utf_16() -> TextFault:
    """A file in two-byte characters."""
    return TextFault(
        J006, 0, "The file is written in UTF-16, not in UTF-8.", "Save it as `UTF-8`.", fatal=True
    )


def not_text() -> TextFault:
    """A file that is not text at all."""
    return TextFault(
        J006,
        0,
        "The file is not text: it holds zero bytes.",
        "Give a JSON file; this looks like a program, a picture or an archive.",
        fatal=True,
    )


def not_utf_8(offset: int, byte: int) -> TextFault:
    """A byte that UTF-8 does not allow."""
    return TextFault(
        J006,
        offset,
        f"The byte {byte:#04x} here is not UTF-8.",
        "Save the file as `UTF-8`; it was probably saved in a Windows code page.",
        fatal=True,
    )
