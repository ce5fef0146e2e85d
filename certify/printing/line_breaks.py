"""Line breaks: the same lines under every release of Pango.

A text may fit on its line but for the space at its end ("See " before a word in italics). Pango
1.56 keeps the line; Pango 1.50 says that the text does not fit, and the renderer breaks it after
its first word. So the renderer's one function that breaks text is asked a second time, without
the space, and the answer is the later release's under both.
"""

import sys
from functools import wraps

from certify.printing.untyped import Entry, Renderer

COLLAPSING = frozenset({"normal", "pre-line"})
MOST_LETTERS = 4  # to one em of a line, on average: the renderer's own estimate


def hang_spaces(weasyprint: Renderer) -> None:
    """Let a space at the end of a text hang over the end of its line, in place."""
    split = weasyprint.text.line_break.split_first_line

    @wraps(split)
    def hanging(
        text: str, style: Entry, context: Entry, room: float | None, *rest: Entry, **named: Entry
    ) -> Entry:
        answer = split(text, style, context, room, *rest, **named)
        bare = text.rstrip(" ")
        if room is None or bare in {"", text} or style["white_space"] not in COLLAPSING:
            return answer
        fits = answer[2] is None and answer[3] <= room
        if fits or len(bare) * style["font_size"] > MOST_LETTERS * room:
            return answer
        layout, length, resume_at, width, height, baseline = split(
            bare, style, context, room, *rest, **named
        )
        if resume_at is not None or width > room:
            return answer
        return layout, length, len(bare.encode()) + 1, width, height, baseline

    for module in list(sys.modules.values()):
        if getattr(module, "split_first_line", None) is split:
            vars(module)["split_first_line"] = hanging
