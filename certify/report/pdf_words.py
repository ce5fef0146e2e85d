"""Long words: where a fraction of hundreds of digits or a digest may be broken over lines.

The style sheet could ask for breaks anywhere, but the renderer then measures every letter of every
table cell (seconds for a page of long fractions) and breaks where the line happens to end. So a
word that is too long is given places to break before layout: after a stroke or a hyphen, and after
every tenth character that stands before neither. Two places around one hyphen would be two answers:
releases of Pango choose differently. The mark is U+200B, which has no glyph: the text in the file
is the text of the document.
"""

import re
import unicodedata
from xml.etree import ElementTree as ET

from certify.report.fonts import SILENT, SVG

BREAK = "\u200b"
STEP = 10
JOINTS = frozenset("/-")
LONG = re.compile(r"\S{20,}")
# Headings become bookmarks, whose labels shall hold nothing that is not text.
WHOLE = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", f"{SVG}svg"}) | SILENT


def ease_long_words(element: ET.Element) -> None:
    """Give every long word under the element places to break, in place."""
    if element.tag in WHOLE or not isinstance(element.tag, str):
        return
    element.text = LONG.sub(_eased, element.text or "")
    for child in element:
        ease_long_words(child)
        child.tail = LONG.sub(_eased, child.tail or "")


def _eased(word: re.Match[str]) -> str:
    """Return the word with its breaks: after joints, and after every tenth character."""
    pieces: list[str] = []
    count = 0
    for index, letter in enumerate(word[0]):
        following = word[0][index + 1 : index + 2]
        pieces.append(letter)
        count += 1
        joined = unicodedata.category(following)[0] in "MC" if following else True
        if (letter in JOINTS or count >= STEP) and not joined and following not in JOINTS:
            pieces.append(BREAK)
            count = 0
    return "".join(pieces)
