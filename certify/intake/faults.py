"""What can be wrong with a JSON text, each fault with its words: these messages are API."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from certify.intake.places import span
from certify.model.document import Document
from certify.model.finding import Finding, Severity

_OPENING = {"]": "[", "}": "{"}
_NOT_NUMBERS = ("nan", "infinity", "inf")
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


def _syntax(offset: int, pointer: str, message: str, remedy: str, *, fatal: bool = True) -> Fault:
    return Fault(
        code="J001", offset=offset, pointer=pointer, message=message, remedy=remedy, fatal=fatal
    )


def shown(text: str) -> str:
    """Return ``text`` short enough for one line of a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _next(text: str, index: int) -> str:
    """Return the character at ``index`` in words."""
    if index >= len(text):
        return "the end of the file"
    return f"`{text[index]}`" if text[index].isprintable() else "a control character"


def after_the_end(index: int) -> Fault:
    """Text follows the one value that a JSON file holds."""
    return _syntax(
        index,
        "",
        "Text follows after the end of the JSON value.",
        "Remove what follows the last bracket, or look for a bracket that closes too early.",
    )


def no_value(text: str, index: int, pointer: str) -> Fault:
    """A value is expected and something else stands there."""
    if not text.strip():
        return _syntax(0, "", "The file is empty.", "Write one JSON object into it.")
    found = _next(text, index)
    if text[index : index + 1] == "'":
        remedy = 'Write text in double quotation marks: "...".'
    elif text[index : index + 1] in ("/", "#"):
        remedy = "JSON has no comments: move the words into a note of the source."
    elif text[index : index + 1] == ",":
        remedy = "Remove one of the commas, or write the value that is missing."
    else:
        remedy = "Write the value, or remove the comma or name before it."
    return _syntax(index, pointer, f"A value is expected here, and {found} was found.", remedy)


def no_name(text: str, index: int, pointer: str) -> Fault:
    """A property's name is expected and something else stands there."""
    found = _next(text, index)
    comment = text[index : index + 1] in ("/", "#")
    return _syntax(
        index,
        pointer,
        f"A property's name in double quotation marks is expected here, and {found} was found.",
        "JSON has no comments: move the words into a note of the source."
        if comment
        else 'Write the name as "name".',
    )


def no_colon(key: str, index: int, pointer: str) -> Fault:
    """The colon between a name and its value is missing."""
    return _syntax(
        index,
        pointer,
        f"A colon is missing after the name `{shown(key)}`.",
        f'Write "{shown(key)}": and then the value.',
    )


def no_separator(text: str, index: int, bracket: str, pointer: str) -> Fault:
    """Neither a comma nor the closing bracket follows a value."""
    comment = text[index : index + 1] in ("/", "#")
    return _syntax(
        index,
        pointer,
        f"A comma or `{bracket}` is expected here, and {_next(text, index)} was found.",
        "JSON has no comments: move the words into a note of the source."
        if comment
        else f"Write a comma before the next item, or `{bracket}` after the last one.",
    )


def quotation_mark(index: int, pointer: str) -> Fault:
    """A text ends and a word follows at once: a quotation mark was forgotten before it."""
    return _syntax(
        index,
        pointer,
        "A quotation mark is missing before this place, or one is left over.",
        "Look at the text that ends here: close it where it was meant to end; write a quotation "
        'mark inside a text as \\".',
    )


def name_in_list(index: int, pointer: str) -> Fault:
    """A name with a colon stands in a list."""
    return _syntax(
        index,
        pointer,
        "A list has no names, so this colon cannot stand here.",
        "Close the list with `]` before the name, or put the name and its value in braces.",
    )


def not_closed(start: int, bracket: str, line: int, pointer: str) -> Fault:
    """The file ends inside an object or a list."""
    return _syntax(
        start,
        pointer,
        f"The `{_OPENING[bracket]}` opened here in line {line} is never closed.",
        f"Add the missing `{bracket}`.",
    )


def trailing_comma(index: int, bracket: str, pointer: str) -> Fault:
    """A comma stands before a closing bracket."""
    return _syntax(
        index,
        pointer,
        f"A comma stands before the closing `{bracket}`.",
        "Remove the comma after the last item.",
        fatal=False,
    )


def missing_comma(index: int, pointer: str) -> Fault:
    """Two items follow one another without a comma."""
    return _syntax(
        index,
        pointer,
        "A comma is missing between two items.",
        "Add a comma after the first of them.",
        fatal=False,
    )


def string(start: int, place: int, reason: str, pointer: str) -> Fault:
    """A text that the standard decoder refuses."""
    if "Unterminated" in reason:
        return string_not_closed(start, pointer)
    return _syntax(
        place,
        pointer,
        "This escape after a backslash is not JSON's.",
        'Write a backslash itself as \\\\, a quotation mark as \\", any character as \\u and four '
        "hexadecimal digits.",
    )


def string_not_closed(start: int, pointer: str) -> Fault:
    """A text without its closing quotation mark."""
    return _syntax(
        start,
        pointer,
        "The text that starts here is not closed on its line.",
        "Add the closing quotation mark; a text stands on one line.",
    )


def word(name: str, index: int, pointer: str) -> Fault:
    """A bare word: not a number, Python's spelling, or text without quotation marks."""
    if name.lstrip("+-").lower() in _NOT_NUMBERS:
        return Fault(
            code="J003",
            offset=index,
            length=len(name),
            pointer=pointer,
            message=f"`{name}` is not a number.",
            remedy="Write an integer, or leave the property out where there is no value.",
        )
    near = difflib.get_close_matches(
        {"none": "null"}.get(name.lower(), name.lower()), ("true", "false", "null"), n=1
    )
    remedy = (
        f"Did you mean `{near[0]}`?"
        if near
        else "Put text in double quotation marks; bare words are only true, false and null."
    )
    return _syntax(index, pointer, f"`{shown(name)}` is no JSON value.", remedy)


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


def leading_zero(digits: str, index: int, pointer: str) -> Fault:
    """A number that starts with a needless nought."""
    return _syntax(
        index,
        pointer,
        f"`{shown(digits)}` starts with a nought.",
        "Write the number without leading noughts.",
        fatal=False,
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
