"""Fonts, and line breaks.

Only the bundled fonts are used, and a character without a glyph in them is refused. Their origin:
``docs/reference/fonts.md``.

Long words. The style sheet could allow breaks anywhere, but the renderer then measures each letter
of each table cell (seconds for a page of long fractions) and breaks at the end of the line. A long
word therefore gets break opportunities before layout: after a slash or a hyphen, and after each
tenth character of a run of more than sixteen. A number of hands or deals has sixteen digits at most
and is never broken. A hyphen gets one opportunity, because releases of Pango choose differently
between two. The mark is U+200B, which has no glyph, so the text in the file stays that of the
document.

Short words. A short number stays with the word before it ("WAC 230-15-035", "step 3", "50 to 1"), a
short word with the numbers on both sides, and the ranks of a hand with one another ("K-Q-J-10-9"),
by U+2060, which has no glyph either.

Releases of Pango. A text may fit on its line except for the space at its end ("See " before a word
in italics). Pango 1.56 keeps the line; Pango 1.50 reports that the text does not fit, and the
renderer breaks it after its first word. The renderer's function that breaks text is therefore
called a second time, without the space, and the result of the later release is used with both.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from certify.errors import NotConfigured, NotReadable
from certify.formatting import plain_reason

NOT_DRAWN = frozenset("\t\n\r\f")
SVG = "{http://www.w3.org/2000/svg}"
SILENT = frozenset({"style", "script", "title", f"{SVG}title", f"{SVG}desc", f"{SVG}style"})
EXCERPT = 40
REFUSE = 2  # the library: 0 asks for no sums, 1 logs a wrong one


def font_files(templates: Path) -> tuple[Path, ...]:
    """Return the bundled font files, by name.

    Raises:
        NotConfigured: there is none.
    """
    files = tuple(sorted((templates / "fonts").glob("*.ttf")))
    if not files:
        raise NotConfigured(
            f"No font was found in {templates / 'fonts'}.",
            remedy="Install certify again, or restore the folder from the repository.",
        )
    return files


def configure(templates: Path, cache: Path) -> Path:
    """Write a private fontconfig set of the bundled fonts only; return its path."""
    folder, path = templates / "fonts", cache / "fonts.conf"
    form = (folder / path.name).read_text(encoding="utf-8")
    set_up = form.format(fonts=escape(str(folder)), cache=escape(str(cache)))
    path.write_text(set_up, encoding="utf-8")
    return path


def coverage(files: tuple[Path, ...]) -> frozenset[int]:
    """Return every code point that some bundled font draws.

    Raises:
        NotConfigured: a font file is broken.
    """
    from fontTools.ttLib import TTFont

    points: set[int] = set()
    for path in files:
        try:
            # The sums of a file's tables tell a broken one without reading any outline.
            with TTFont(path, lazy=True, checkChecksums=REFUSE) as font:
                points.update(font.getBestCmap())
                for table in font.reader.tables:
                    font.reader[table]
        except Exception as error:  # noqa: BLE001 - a broken font can raise anything
            raise NotConfigured(
                f"The font {path.name} cannot be read ({plain_reason(error)}).",
                remedy="Restore the file from the repository.",
            ) from None
    return frozenset(points)


def refuse_missing_glyphs(root: ET.Element, style: str, covered: frozenset[int]) -> None:
    """Raise for the first character of the document or its style that no bundled font draws.

    Args:
        root: the parsed document.
        style: the text of the style sheet, whose generated content is drawn too.
        covered: code points that can be drawn.

    Raises:
        NotReadable: names the character, its code point and its place.
    """
    # The style sheet without its comments could be drawn as generated content.
    sheet = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    for place, text in [*_drawn_texts(root), ("the style sheet", sheet)]:
        for index, letter in enumerate(text):
            problem = _problem(letter, text, index, covered)
            if problem:
                start = max(0, index - EXCERPT // 2)
                excerpt = text[start : start + EXCERPT].encode("unicode_escape").decode("ascii")
                name = unicodedata.name(letter, "unnamed")
                raise NotReadable(
                    f"The character U+{ord(letter):04X} ({name}) in {place} {problem}: "
                    f'"{" ".join(excerpt.split())}".',
                    remedy="Write it in other characters, or add a glyph to the bundled fonts.",
                )


def _problem(letter: str, text: str, index: int, covered: frozenset[int]) -> str:
    """Return the reason why the character cannot be printed, or an empty text."""
    kind = unicodedata.category(letter)
    if letter in NOT_DRAWN or kind == "Cf":
        return ""  # white space and format marks have no ink
    if ord(letter) not in covered:
        return "is in none of the bundled fonts"
    alone = index == 0 or len(unicodedata.normalize("NFC", text[index - 1 : index + 1])) > 1
    if kind.startswith("M") and alone:
        # A mark drawn as a second glyph of its letter has no separate text to map back to.
        return "is a combining mark that does not join the letter before it"
    return ""


def _drawn_texts(element: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield every text that is drawn, with the element that holds it."""
    tag = str(element.tag).removeprefix(SVG)
    comment = not isinstance(element.tag, str)
    if not comment and element.tag not in SILENT:
        yield f"<{tag}>", element.text or ""
        # The running headers print these.
        yield (
            f"<{tag} data-…>",
            " ".join(value for name, value in element.items() if name.startswith("data-")),
        )
    for child in element:
        yield from _drawn_texts(child)
        yield f"<{tag}>", child.tail or ""


BREAK = "\u200b"
STEP = 10
WHOLE_RUN = 16
JOINTS = frozenset("/-")
UNCOUNTED = str.maketrans("", "", "/-,")
LONG = re.compile(r"\S{20,}")
RUN = re.compile(r"[^/-]*[/-]+|[^/-]+")
RANKS = re.compile(r"(?<![\w-])[AKQJ\d]\d?(?:-[AKQJ\d]\d?){2,}(?![\w-])")
AMONG = re.compile(r"(?<![^\s(])([\d,]{1,7}) (?=[^\W\d_]{1,3} \d{1,3}\b)")
NUMBERED = re.compile(r"(?<!\w)([^\W\d_]{1,9}) (?=\d\S{0,13}(?!\S))")
UNBROKEN = "\u00a0"
WITH_NEXT = "\u2060"
# Headings become bookmarks, whose labels shall hold nothing that is not text.
WHOLE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", f"{SVG}svg"}) | SILENT


def place_breaks(element: ET.Element) -> None:
    """Give the text under the element its places to break and not to break, in place."""
    if element.tag in WHOLE or not isinstance(element.tag, str):
        return
    element.text = _place_breaks(element.text or "")
    for child in element:
        place_breaks(child)
        child.tail = _place_breaks(child.tail or "")


def strip_marks(text: str) -> str:
    """Return text without the marks that have no glyph."""
    return text.replace(BREAK, "").replace(WITH_NEXT, "")


def _place_breaks(text: str) -> str:
    for together in (AMONG, NUMBERED):
        text = together.sub(rf"\1{UNBROKEN}", text)
    text = RANKS.sub(lambda ranks: ranks[0].replace("-", f"-{WITH_NEXT}"), text)
    return LONG.sub(_add_breaks, text)


def _add_breaks(word: re.Match[str]) -> str:
    """Return the word with line breaks allowed after joints and inside long runs."""
    runs = RUN.findall(word[0])
    pieces = [_break_run(run) if len(run.translate(UNCOUNTED)) > WHOLE_RUN else run for run in runs]
    text = pieces[0]
    for before, after in pairwise(pieces):
        text += after if before[-1] not in JOINTS or _joins_before(after) else BREAK + after
    return text


def _break_run(run: str) -> str:
    """Return a long run with a break after every tenth character that does not precede a joint."""
    text, count = "", 0
    for letter, following in zip(run, (*run[1:], "/"), strict=True):
        text += letter
        count += 1
        if count >= STEP and following not in JOINTS and not _joins_before(following):
            text, count = text + BREAK, 0
    return text


def _joins_before(text: str) -> bool:
    """Return True if the text begins with a mark that belongs to the letter before it."""
    return unicodedata.category(text[0])[0] in "MC"


Renderer = Any
"""The module ``weasyprint``."""

Document = Any
"""``weasyprint.Document``: a document that is laid out."""

Box = Any
"""``weasyprint.formatting_structure.boxes.Box``: a laid-out part of a page."""

File = Any
"""``pydyf.PDF``: the file that is about to be written."""

Element = Any
"""``pydyf.Dictionary``: an element of the structure tree."""

Entry = Any
"""Any object in the file."""


COLLAPSING = frozenset({"normal", "pre-line"})
MOST_LETTERS = 4  # to one em of a line, on average: the renderer's own estimate


def patch_line_split(weasyprint: Renderer) -> None:
    """Let a space at the end of a text hang over the end of its line, in place."""
    split = weasyprint.text.line_break.split_first_line
    if hasattr(split, "__wrapped__"):  # `_render.prepare` has replaced it
        return

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
