"""Fonts: the bundled files are the only ones, and a character that none of them draws is refused.

Where the files come from and how they were made: ``docs/reference/fonts.md``.
"""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from certify.errors import NotConfigured, NotReadable

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
    """Write a private fontconfig set of nothing but the bundled fonts; return its path."""
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
                f"The font {path.name} cannot be read ({type(error).__name__}: {error}).",
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
    for place, text in [*_drawn(root), *_generated(style)]:
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
    """Return why the character cannot be printed, or nothing."""
    kind = unicodedata.category(letter)
    if letter in NOT_DRAWN or kind == "Cf":
        return ""  # white space and format marks have no ink
    if ord(letter) not in covered:
        return "is in none of the bundled fonts"
    alone = index == 0 or len(unicodedata.normalize("NFC", text[index - 1 : index + 1])) > 1
    if kind.startswith("M") and alone:
        # A mark drawn as a second glyph of its letter has no text of its own to map back to.
        return "is a combining mark that does not join the letter before it"
    return ""


def _drawn(element: ET.Element) -> Iterator[tuple[str, str]]:
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
        yield from _drawn(child)
        yield f"<{tag}>", child.tail or ""


def _generated(style: str) -> Iterator[tuple[str, str]]:
    """Yield what the style sheet could draw: the sheet without its comments."""
    yield "the style sheet", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
