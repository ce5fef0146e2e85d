"""A fault of a JSON text, and what is refused in a text that JSON would allow, or that is no text.

What is wrong with the grammar stands in `certify.intake.syntax_faults`. The messages are API.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from certify.intake.places import span
from certify.model.document import Document
from certify.model.finding import Finding, Severity

_SHOWN = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault at an offset of the text; ``fatal`` leaves no value to go on with."""

    code: str
    offset: int
    message: str
    remedy: str
    length: int = 1
    pointer: str = ""
    fatal: bool = False

    def finding(self, document: Document, lines: Sequence[int]) -> Finding:
        """Return the fault with its line, column and excerpt."""
        place = span(self.offset, self.length, lines)
        return Finding(
            code=self.code,
            severity=Severity.ERROR,
            file=document.path,
            pointer=self.pointer,
            line=place.line,
            column=place.column,
            length=place.length,
            message=self.message,
            remedy=self.remedy,
            excerpt=document.text.split("\n")[place.line - 1].rstrip("\r"),
        )


def shown(text: str) -> str:
    """Return ``text`` short enough for one line of a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def duplicate(key: str, index: int, length: int, pointer: str, line: int) -> Fault:
    """A name that the object has already."""
    return Fault(
        code="J002",
        offset=index,
        length=length,
        pointer=pointer,
        message=f"The name `{shown(key)}` is given twice in this object, first in line {line}.",
        remedy="Keep the one that is meant and remove the other.",
    )


def fraction(digits: str, index: int, pointer: str) -> Fault:
    """A number with a fraction part or an exponent."""
    return Fault(
        code="J004",
        offset=index,
        length=len(digits),
        pointer=pointer,
        message=f"`{shown(digits)}` has a fraction part or an exponent; figures here are exact.",
        remedy='Write an integer (money in cents), or text such as "3 to 2" or "0.5%".',
    )


def too_great(digits: str, index: int, pointer: str, greatest: int) -> Fault:
    """An integer that other readers would round."""
    return Fault(
        code="J010",
        offset=index,
        length=len(digits),
        pointer=pointer,
        message=f"`{shown(digits)}` is greater than {greatest}, and other programs would round it.",
        remedy="Check the number; no amount or count of this field is as great.",
    )


def too_deep(index: int, pointer: str, deepest: int) -> Fault:
    """Brackets within brackets without end."""
    return Fault(
        code="J007",
        offset=index,
        pointer="/".join(pointer.split("/")[:5]),
        message=f"More than {deepest} brackets stand within one another.",
        remedy="Remove the needless brackets; no record nests deeper than a dozen.",
        fatal=True,
    )


def unseen(index: int, length: int, character: str, pointer: str) -> Fault:
    """A character in a text that nobody can see."""
    return Fault(
        code="J008",
        offset=index,
        length=length,
        pointer=pointer,
        message=f"The text holds a character that cannot be seen (U+{ord(character):04X}).",
        remedy="Remove it; a line break becomes a blank or a statement of its own.",
    )


def outer_blanks(index: int, length: int, pointer: str) -> Fault:
    """A text that starts or ends with blanks."""
    return Fault(
        code="J009",
        offset=index,
        length=length,
        pointer=pointer,
        message="The text starts or ends with a blank.",
        remedy="Remove the blank inside the quotation marks.",
    )


def byte_order_mark() -> Fault:
    """The invisible mark that some Windows editors write first."""
    return Fault(
        code="J005",
        offset=0,
        message="The file starts with a byte-order mark.",
        remedy="Save it as `UTF-8`, not as `UTF-8 with BOM`.",
    )


def utf_16() -> Fault:
    """A file in two-byte characters."""
    return Fault(
        code="J006",
        offset=0,
        message="The file is written in UTF-16, not in UTF-8.",
        remedy="Save it as `UTF-8`.",
        fatal=True,
    )


def not_text() -> Fault:
    """A file that is not text at all."""
    return Fault(
        code="J006",
        offset=0,
        message="The file is not text: it holds zero bytes.",
        remedy="Give a JSON file; this looks like a program, a picture or an archive.",
        fatal=True,
    )


def not_utf_8(offset: int, byte: int) -> Fault:
    """A byte that UTF-8 does not allow."""
    return Fault(
        code="J006",
        offset=offset,
        message=f"The byte {byte:#04x} here is not UTF-8.",
        remedy="Save the file as `UTF-8`; it was probably saved in a Windows code page.",
        fatal=True,
    )
