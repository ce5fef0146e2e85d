"""Where a line may end: inside long words, and not between a word and its number.

The style sheet could ask for breaks anywhere, but the renderer then measures every letter of every
table cell (seconds for a page of long fractions) and breaks where the line happens to end. So a
word that is too long is given places to break before layout: after a stroke or a hyphen, and, where
more than sixteen characters stand between such joints, after every tenth of them. A number of hands
or deals has sixteen digits at most and is never broken. Two places around one hyphen would be two
answers: releases of Pango choose differently. The mark is U+200B, which has no glyph: the text in
the file is the text of the document.

A short number stays with the word before it ("WAC 230-15-035", "step 3", "50 to 1"), a short word
with the numbers on both sides, and the ranks of a hand with one another ("K-Q-J-10-9"), by U+2060,
which has no glyph either.
"""

import re
import unicodedata
from itertools import pairwise
from xml.etree import ElementTree as ET

from certify.printing.fonts import SILENT, SVG

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
    element.text = _placed(element.text or "")
    for child in element:
        place_breaks(child)
        child.tail = _placed(child.tail or "")


def without_marks(text: str) -> str:
    """Return text without the marks that have no glyph."""
    return text.replace(BREAK, "").replace(WITH_NEXT, "")


def _placed(text: str) -> str:
    for together in (AMONG, NUMBERED):
        text = together.sub(rf"\1{UNBROKEN}", text)
    return LONG.sub(_eased, RANKS.sub(_kept, text))


def _kept(ranks: re.Match[str]) -> str:
    return ranks[0].replace("-", f"-{WITH_NEXT}")


def _eased(word: re.Match[str]) -> str:
    """Return the word with its breaks: after joints, and inside what is long between them."""
    runs = RUN.findall(word[0])
    pieces = [_broken(run) if len(run.translate(UNCOUNTED)) > WHOLE_RUN else run for run in runs]
    text = pieces[0]
    for before, after in pairwise(pieces):
        text += after if before[-1] not in JOINTS or _joined(after) else BREAK + after
    return text


def _broken(run: str) -> str:
    """Return a long run with a break after every tenth character that stands before no joint."""
    text, count = "", 0
    for letter, following in zip(run, (*run[1:], "/"), strict=True):
        text += letter
        count += 1
        if count >= STEP and following not in JOINTS and not _joined(following):
            text, count = text + BREAK, 0
    return text


def _joined(text: str) -> bool:
    """Whether the text begins with a mark that belongs to the letter before it."""
    return unicodedata.category(text[0])[0] in "MC"
