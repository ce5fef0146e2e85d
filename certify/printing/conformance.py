"""Checks of the HTML for violations of PDF/A-3a or PDF/UA-1, before printing.

Each rule was seen to break a file that a validator then refused; the renderer itself is silent.
"""

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
HEADING = re.compile(r"h([1-6])")
OPACITY = re.compile(
    r"(?<![\w-])(?:(?:fill-|stroke-|stop-|flood-)?opacity|mix-blend-mode|backdrop-filter|filter"
    r"|mask(?:-image)?)\s*:|rgba\s*\(|hsla\s*\(|device-cmyk|(?:rgb|hsl)\([^)]*/",
    re.IGNORECASE,
)
TRANSPARENT = ("opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "filter", "mask")
OUTSIDERS = {f"{SVG}image": "a picture", f"{SVG}foreignObject": "foreign content"}
REFERENCES = ("href", "{http://www.w3.org/1999/xlink}href")
ROW_GROUPS = ("thead", "tbody", "tfoot")
INLINE = ("span", "em", "i", "strong", "b", "code", "small", "sup", "sub", "br")
SPAN = re.compile(r"[0-9]{1,3}")
SCOPES = ("col", "row", "colgroup", "rowgroup")
FORBIDDEN = {
    "script": "a script",
    "iframe": "a frame",
    "object": "an embedded object",
    "embed": "an embedded object",
    "link": "a link to another file",
    "base": "a base address",
    "form": "a form",
    "input": "a form field",
    "select": "a form field",
    "textarea": "a form field",
    "button": "a form field",
    "video": "a film",
    "audio": "a sound",
}


def conformance_problems(root: ET.Element, language: str) -> list[str]:
    """Return violations of PDF/A-3a or PDF/UA-1 in plain words; empty if there are none.

    Args:
        root: the whole document.
        language: the language that the document is declared to have; empty where none is.

    Source: ISO 14289-1:2014, 7.1 to 7.18; ISO 19005-3:2012, 6.2 to 6.6.
    """
    problems = list(_language(root, language))
    for check in CHECKS:
        problems += check(root)
    return list(dict.fromkeys(problems))


def _language(root: ET.Element, language: str) -> Iterator[str]:
    declared = root.get("lang", "")
    if not declared:
        yield "the html element names no language"
    elif language and declared != language:
        yield f"the html element says lang={declared!r}, the document is declared {language!r}"


def _text(element: ET.Element) -> str:
    """Return the start of an element's text, to find it by."""
    return " ".join("".join(element.itertext()).split())[:40]


def _headings(root: ET.Element) -> Iterator[str]:
    """Levels start at 1 and never skip one; a heading has text, which becomes its bookmark."""
    level = 0
    for element in root.iter():
        match = HEADING.fullmatch(element.tag) if isinstance(element.tag, str) else None
        if not match:
            continue
        rank, text = int(match[1]), _text(element)
        if not text:
            yield f"an empty h{rank}"
        if rank > level + 1:
            after = f"h{level}" if level else "nothing"
            yield f'heading level skipped: h{rank} "{text}" after {after}'
        level = rank


def _tables(root: ET.Element) -> Iterator[str]:
    """Rows have equally many columns once spans are counted; headers are named and scoped."""
    for table in root.iter("table"):
        place = f'the table "{_text(table)}"'
        rows = list(_table_rows(table))
        cells = [cell for row in rows for cell in row]
        if not any(cell.tag == "th" for cell in cells):
            yield f"{place} has no header cell"
        for cell in cells:
            for name in ("colspan", "rowspan"):
                if not SPAN.fullmatch(cell.get(name, "1")):
                    yield f"{place}: the {name} {cell.get(name, '')[:12]!r} is no number below 1000"
            if cell.tag == "th" and cell.get("scope") not in SCOPES:
                yield f'{place}: the header "{_text(cell)}" has no scope'
        widths = _widths(rows)
        if len(set(widths)) > 1:
            yield f"{place} is ragged: its rows have {sorted(set(widths))} columns"
        if len(widths) > len(rows):
            yield f"{place} has a cell that reaches below its last row"
        if table.find(".//table") is not None:
            yield f"{place} holds another table"


def _table_rows(table: ET.Element) -> Iterator[list[ET.Element]]:
    for child in table:
        if child.tag in ROW_GROUPS:
            yield from _table_rows(child)
        elif child.tag == "tr":
            yield [cell for cell in child if cell.tag in ("th", "td")]


def _span(cell: ET.Element, name: str) -> int:
    text = cell.get(name, "1")
    return max(1, int(text)) if SPAN.fullmatch(text) else 1


def _widths(rows: list[list[ET.Element]]) -> list[int]:
    """Return the number of columns in each row; a cell that spans rows counts in each.

    If one reaches below the last row, the result has more entries than there are rows.
    """
    filled = [0] * len(rows)
    for number, row in enumerate(rows):
        for cell in row:
            last = number + _span(cell, "rowspan")
            filled += [0] * (last - len(filled))
            for line in range(number, last):
                filled[line] += _span(cell, "colspan")
    return filled


def _transparency(root: ET.Element) -> Iterator[str]:
    """Yield opacity and device colors, which depend on the viewer."""
    for element in root.iter():
        styles = [element.get("style", "")]
        if element.tag in ("style", f"{SVG}style"):
            styles.append(element.text or "")
        for style in styles:
            match = OPACITY.search(style)
            if match:
                yield f"transparency or device colors in a style: {match[0].strip()}"
        if isinstance(element.tag, str) and element.tag.startswith(SVG):
            for name in TRANSPARENT:
                if element.get(name) is not None:
                    yield f"transparency in a drawing: {name}={element.get(name)!r}"


def _drawings(root: ET.Element) -> Iterator[str]:
    """Yield drawings without a title or style, or with outside references."""
    for drawing in root.iter(f"{SVG}svg"):
        title = drawing.find(f"{SVG}title")
        if title is None or not (title.text or "").strip():
            yield f'a drawing has no title: "{_text(drawing)}"'
        if drawing.find(".//*[@class]") is not None and drawing.find(f".//{SVG}style") is None:
            # The style sheet of the page does not reach into a drawing: it would print black.
            yield "a drawing uses classes but has no style"
        for part in drawing.iter():
            if part.tag in OUTSIDERS:
                yield f"a drawing holds {OUTSIDERS[part.tag]}"
            for name in REFERENCES:
                if not part.get(name, "#").startswith("#"):
                    yield f"a drawing refers to something outside itself: {part.get(name)}"


def _pictures(root: ET.Element) -> Iterator[str]:
    """A picture has alternative text; a drawing is no picture."""
    for picture in root.iter("img"):
        if not picture.get("alt", "").strip():
            yield "a picture has no alternative text"
        if picture.get("src", "").startswith("data:image/svg"):
            yield "a drawing is embedded as a picture: write it inline, so that its text is checked"


def _links(root: ET.Element) -> Iterator[str]:
    """A link has text, no block inside, and a target in the document."""
    targets = {element.get("id") for element in root.iter()}
    for link in root.iter("a"):
        target = link.get("href")
        if target is None:
            continue
        if not _text(link):
            yield f"the link to {target} has no text"
        for child in link.iter():
            if isinstance(child.tag, str) and child is not link and child.tag not in INLINE:
                yield f'the link "{_text(link)}" holds <{child.tag}>; it may hold words only'
        if target.startswith("#") and target[1:] not in targets:
            yield f"the link to {target} leads nowhere"


def _foreign(root: ET.Element) -> Iterator[str]:
    """Yield elements that act, take input or refer to other files."""
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag in FORBIDDEN:
            yield f"{FORBIDDEN[element.tag]} (<{element.tag}>)"


def _identifiers(root: ET.Element) -> Iterator[str]:
    """Yield duplicate ids; links and signature fields need unique ones."""
    seen: set[str] = set()
    for element in root.iter():
        identifier = element.get("id")
        if identifier is not None:
            if identifier in seen:
                yield f"the id {identifier!r} stands twice"
            seen.add(identifier)


CHECKS: tuple[Callable[[ET.Element], Iterator[str]], ...] = (
    _foreign,
    _headings,
    _tables,
    _drawings,
    _pictures,
    _links,
    _identifiers,
    _transparency,
)
