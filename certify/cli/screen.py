"""The one place where text leaves for a terminal, a log or a pager.

A name from a file could otherwise clear the screen, hide words or reverse them.
"""

import re
from typing import Any, TextIO

from certify.formatting import one_line

_own_colors = re.compile(r"(\x1b\[3[136]m\x1b\[1m|\x1b\[0m)").split
"""Split a text at the colors of `certify.cli.formats`."""


def shield(stream: TextIO) -> Any:  # noqa: ANN401 - a stream that forwards what the given one has
    """Return a stream that writes to another one and shows what cannot be seen as escapes."""
    return _Screen(stream)


class _Screen:
    buffer = None  # so that nobody writes to the stream below

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text; only its line breaks and our colors are not escaped."""
        parts = _own_colors(text)
        parts[::2] = ["\n".join(map(one_line, part.split("\n"))) for part in parts[::2]]
        self.stream.write("".join(parts))
        return len(text)
