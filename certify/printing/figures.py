"""The figures on the pages of a PDF: words with a digit, in the order of the tagged text.

Text is read wherever a page draws it: in drawings, patterns and groups too, and if it is invisible
or hidden. A figure that is drawn as a picture or as a path has no text and is not seen, nor is the
place of a figure on its page.

Two layouts of one text may differ, so some differences are none:

- A word is compared in pieces, because a line may end after a slash, a dash or ten characters of a
  word without either (`certify.printing.fonts`).
- In a link, such as those of the table of contents, the number of the page that it leads to.
- Headings of tables are there again on the next page, and running headers anywhere between the
  figures of the text. Their figures are compared as a set, without the numbers of pages.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from io import BytesIO
from itertools import zip_longest
from operator import itemgetter
from typing import Any

import pikepdf
from msgspec import Struct

Entry = Any  # an object in a PDF

PIECE = re.compile(r"[^\s/–—-]{1,10}")
CODE = re.compile(rb"<([0-9a-fA-F]{4})>\s*<([0-9a-fA-F]{4,})>")

# Operators that end a text, show one, or draw by a resource of a kind, which may contain text.
ENDS = frozenset({"BT", "ET", "Tm", "Td", "TD", "T*", "BMC", "BDC", "EMC", "'", '"'})
SHOWS = frozenset({"Tj", "TJ", "'", '"'})
NESTED = {"Do": "/XObject", "scn": "/Pattern", "SCN": "/Pattern", "gs": "/ExtGState"}


class Figure(Struct, frozen=True, kw_only=True):
    """A piece of a word with a digit, or a point between digits that are drawn one by one.

    Attributes:
        page: number of its page, from 1.
        word: the word.
        piece: up to ten characters of the word, by which it is compared.
        in_text: False for running headers and headings of tables.
        target: number of the page that a link around it leads to, empty without one.
    """

    page: int
    word: str
    piece: str
    in_text: bool
    target: str


def differing_figures(
    signed: bytes, reference: bytes
) -> Iterator[tuple[Figure | None, Figure | None]]:
    """Yield each figure that two documents do not share: that of the first, that of the second.

    Either is None where one document has no figure.

    Raises:
        pikepdf.PdfError, LookupError, AttributeError: see `read_figures`.
    """
    theirs, ours = [*read_figures(signed)], [*read_figures(reference)]
    known = {figure.piece for figure in ours if not figure.in_text}
    last = str(max((figure.page for figure in theirs), default=0))
    for figure in theirs:
        if not figure.in_text and figure.piece not in {*known, str(figure.page), last}:
            yield figure, None
    first, second = ([figure for figure in each if figure.in_text] for each in (theirs, ours))
    pieces = [[figure.piece for figure in each] for each in (first, second)]
    matcher = SequenceMatcher(None, pieces[0], pieces[1])
    for kind, start, end, begin, stop in matcher.get_opcodes():
        for pair in zip_longest(first[start:end], second[begin:stop]) if kind != "equal" else ():
            if not all(figure and figure.piece == figure.target for figure in pair):
                yield pair


def read_figures(data: bytes) -> Iterator[Figure]:
    """Yield the figures that the pages of a PDF print, in the order of its structure.

    Raises:
        pikepdf.PdfError, LookupError, AttributeError: it is malformed, is not tagged, or has a font
            that does not say which text it draws.
    """
    with pikepdf.open(BytesIO(data)) as pdf:
        root: Entry = pdf.Root
        numbers: Entry = {page.objgen: number for number, page in enumerate(pdf.pages, 1)}
        targets = pikepdf.NameTree(root.Names.Dests).items() if "/Dests" in root.Names else ()
        links = {str(name): str(numbers[target[0].objgen]) for name, target in targets}
        marked = enumerate(_walk(root.StructTreeRoot.K[0], links, in_text=True, target=""))
        places = {mark: (order, *place) for order, (mark, place) in marked}
        found = [
            (places.get((page.objgen, mark), (0, False, "")), number, text)
            for number, page in enumerate(pdf.pages, 1)
            for text, mark in _texts(page, page.resources, None)
        ]
    for (_, in_text, target), page, text in sorted(found, key=itemgetter(0)):
        for word in text.split():
            for piece in PIECE.findall(word):
                if any(map(str.isdigit, piece)) or (piece in set(".,%$") and not target):
                    yield Figure(page=page, word=word, piece=piece, in_text=in_text, target=target)


def _walk(
    element: Entry, links: Mapping[str, str], *, in_text: bool, target: str
) -> Iterator[tuple[object, tuple[bool, str]]]:
    """Yield the page and the number of each marked content, with the fields of its figures."""
    in_text = in_text and element.S != "/THead"
    kids: Entry = element.get("/K", [])
    for kid in [kids] if isinstance(kids, pikepdf.Dictionary) else kids:
        if isinstance(kid, int):
            yield (element.Pg.objgen, kid), (in_text, target)
        elif "/Obj" in kid:
            target = links.get(str(kid.Obj.get("/Dest")), "")
        else:
            yield from _walk(kid, links, in_text=in_text, target=target)


def _texts(content: Entry, resources: Entry, outer: Entry) -> Iterator[tuple[str, Entry]]:
    """Yield the texts of a page or a drawing, each with its number in the structure of the page.

    The number is None outside the structure. ``outer`` is that of the place of a drawing.
    """
    text, letters, marks = "", dict[bytes, str](), [outer]
    for instruction in pikepdf.parse_content_stream(content):
        operands: Entry = instruction.operands
        name = str(instruction.operator)
        if name in ENDS and text:
            yield text, marks[-1]
            text = ""
        if name in {"BMC", "BDC"}:
            properties: Entry = operands[-1] if len(operands) > 1 else {}
            inherited = None if operands[0] == "/Artifact" else marks[-1]
            marks.append(properties.get("/MCID", inherited))
        elif name == "EMC":
            marks.pop()
        elif name == "Tf":
            letters = {
                bytes.fromhex(code.decode()): bytes.fromhex(text.decode()).decode(
                    "utf-16-be", "replace"
                )
                for code, text in CODE.findall(resources.Font[operands[0]].ToUnicode.read_bytes())
            }
        elif name in SHOWS:
            strings = operands[-1] if isinstance(operands[-1], pikepdf.Array) else operands
            shown = b"".join(bytes(each) for each in strings if isinstance(each, pikepdf.String))
            codes = (shown[at : at + 2] for at in range(0, len(shown), 2))
            text += "".join(letters.get(code, "\ufffd") for code in codes)
        elif name in NESTED and isinstance(operands[-1], pikepdf.Name):
            item = resources[NESTED[name]][operands[-1]]
            mask = item.get("/SMask")
            item = mask.G if isinstance(mask, pikepdf.Dictionary) else item
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") != "/Image":
                yield from _texts(item, item.Resources, marks[-1])
