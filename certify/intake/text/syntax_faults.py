"""What can be wrong with the grammar of a JSON text: these messages are API."""

from certify.formatting import did_you_mean
from certify.intake.text.faults import TextFault, shown
from certify.model.finding import Code

_OPENING = {"]": "[", "}": "{"}
_NOT_NUMBERS = ("nan", "infinity", "inf")
_NO_COMMENTS = "JSON has no comments: move the words into a note of the source."


J001 = Code(
    "J001",
    "The file is not JSON",
    why="""Nothing can be read from the file, or only by guessing what was meant; a certified
    figure never rests on a guess.""",
    mend="""Correct the place that the finding points at: most often a comma, a colon, a bracket or
    a quotation mark is missing or left over. JSON has no comments.""",
    wrong='{"players": 6,}',
    right='{"players": 6}',
)


def _syntax(
    offset: int, pointer: str, message: str, remedy: str, *, fatal: bool = True
) -> TextFault:
    return TextFault(J001, offset, message, remedy, pointer=pointer, fatal=fatal)


def _next(text: str, index: int) -> str:
    """Return the character at ``index`` in words."""
    if index >= len(text):
        return "the end of the file"
    return f"`{text[index]}`" if text[index].isprintable() else "a control character"


def _is_comment(text: str, index: int) -> bool:
    return text[index : index + 1] in ("/", "#")


def after_the_end(index: int) -> TextFault:
    """Text follows the one value that a JSON file holds."""
    return _syntax(
        index,
        "",
        "Text follows after the end of the JSON value.",
        "Remove what follows the last bracket, or look for a bracket that closes too early.",
    )


def no_value(text: str, index: int, pointer: str) -> TextFault:
    """A value is expected and something else stands there."""
    if not text.strip():
        return _syntax(0, "", "The file is empty.", "Write one JSON object into it.")
    next_ = _next(text, index)
    if text[index : index + 1] == "'":
        remedy = 'Write text in double quotation marks: "...".'
    elif _is_comment(text, index):
        remedy = _NO_COMMENTS
    elif text[index : index + 1] == ",":
        remedy = "Remove one of the commas, or write the value that is missing."
    else:
        remedy = "Write the value, or remove the comma or name before it."
    return _syntax(index, pointer, f"A value is expected here, and {next_} was found.", remedy)


def no_name(text: str, index: int, pointer: str) -> TextFault:
    """A property's name is expected and something else stands there."""
    next_ = _next(text, index)
    return _syntax(
        index,
        pointer,
        f"A property's name in double quotation marks is expected here, and {next_} was found.",
        _NO_COMMENTS if _is_comment(text, index) else 'Write the name as "name".',
    )


def no_colon(key: str, index: int, pointer: str) -> TextFault:
    """The colon between a name and its value is missing."""
    return _syntax(
        index,
        pointer,
        f"A colon is missing after the name `{shown(key)}`.",
        f'Write "{shown(key)}": and then the value.',
    )


def no_separator(text: str, index: int, bracket: str, pointer: str) -> TextFault:
    """Neither a comma nor the closing bracket follows a value."""
    return _syntax(
        index,
        pointer,
        f"A comma or `{bracket}` is expected here, and {_next(text, index)} was found.",
        _NO_COMMENTS
        if _is_comment(text, index)
        else f"Write a comma before the next item, or `{bracket}` after the last one.",
    )


def quotation_mark(index: int, pointer: str) -> TextFault:
    """A text ends and a word follows at once: a quotation mark was forgotten before it."""
    return _syntax(
        index,
        pointer,
        "A quotation mark is missing before this place, or one is left over.",
        "Look at the text that ends here: close it where it was meant to end; write a quotation "
        'mark inside a text as \\".',
    )


def name_in_list(index: int, pointer: str) -> TextFault:
    """A name with a colon stands in a list."""
    return _syntax(
        index,
        pointer,
        "A list has no names, so this colon cannot stand here.",
        "Close the list with `]` before the name, or put the name and its value in braces.",
    )


def not_closed(start: int, bracket: str, line: int, pointer: str) -> TextFault:
    """The file ends inside an object or a list."""
    return _syntax(
        start,
        pointer,
        f"The `{_OPENING[bracket]}` opened here in line {line} is never closed.",
        f"Add the missing `{bracket}`.",
    )


def trailing_comma(index: int, bracket: str, pointer: str) -> TextFault:
    """A comma stands before a closing bracket."""
    return _syntax(
        index,
        pointer,
        f"A comma stands before the closing `{bracket}`.",
        "Remove the comma after the last item.",
        fatal=False,
    )


def missing_comma(index: int, pointer: str) -> TextFault:
    """Two items follow one another without a comma."""
    return _syntax(
        index,
        pointer,
        "A comma is missing between two items.",
        "Add a comma after the first of them.",
        fatal=False,
    )


def string(start: int, place: int, pointer: str) -> TextFault:
    """A text that the standard decoder refuses: at its start if it does not end."""
    if place == start:
        return string_not_closed(start, pointer)
    return _syntax(
        place,
        pointer,
        "This escape after a backslash is not JSON's.",
        'Write a backslash itself as \\\\, a quotation mark as \\", any character as \\u and four '
        "hexadecimal digits.",
    )


def string_not_closed(start: int, pointer: str) -> TextFault:
    """A text without its closing quotation mark."""
    return _syntax(
        start,
        pointer,
        "The text that starts here is not closed on its line.",
        "Add the closing quotation mark; a text stands on one line.",
    )


J003 = Code(
    "J003",
    "NaN and Infinity are not numbers",
    why="""Some programs write these words for a calculation that failed. They are not JSON, and
    nothing can be counted with them.""",
    mend="Write an integer, or leave the property out where there is no value.",
    wrong='{"players": NaN}',
    right='{"players": 6}',
)


def word(name: str, index: int, pointer: str) -> TextFault:
    """A bare word: not a number, Python's spelling, or text without quotation marks."""
    if name.lstrip("+-").lower() in _NOT_NUMBERS:
        return TextFault(
            J003, index, f"`{name}` is not a number.", length=len(name), pointer=pointer
        )
    remedy = did_you_mean(
        {"none": "null"}.get(name.lower(), name.lower()),
        ("true", "false", "null"),
        "Put text in double quotation marks; bare words are only true, false and null.",
        form="`{}`",
    )
    return _syntax(index, pointer, f"`{shown(name)}` is no JSON value.", remedy)


def leading_zero(digits: str, index: int, pointer: str) -> TextFault:
    """A number that starts with a needless nought."""
    return _syntax(
        index,
        pointer,
        f"`{shown(digits)}` starts with a nought.",
        "Write the number without leading noughts.",
        fatal=False,
    )
