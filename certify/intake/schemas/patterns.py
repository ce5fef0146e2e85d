"""Patterns of the schemas, read as ECMA-262 reads them: JSON Schema is defined by it."""

import re
from functools import cache

_BRACKETS_OR_END = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$")
"""An escape, a character class, or the end of the text."""


def matches(pattern: str, text: str) -> bool:
    """Whether a text has the form of a pattern somewhere."""
    return _compiled(pattern).search(text) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return the pattern for Python, whose ``$`` would match before a final newline, too.

    The schemas use nothing else that the two read differently; a test holds them to that.
    """
    return re.compile(_BRACKETS_OR_END.sub(_python, pattern))


def _python(found: re.Match[str]) -> str:
    return r"\Z" if found[0] == "$" else found[0]
