"""Structure tags that the renderer omits, added before the file is written.

Added: the scope and the headers of table cells, the tree of identifiers, languages of single
elements, the numbering of lists and the bodies of their items, the place of figures in page units,
readable link texts, and running headers as artifacts instead of text of the document.

A document with files that certify does not ship has a notice over each page. Its own HTML is laid
out with the bundled fonts, without the document's style sheet, and drawn after everything else on
the page, on an opaque ground. A template or a style of the user can neither remove nor cover it. On
the first page it is the first paragraph of the structure tree, on the others an artifact, as
running headers are.

Source: ISO 32000-1:2008, 14.7 and 14.8; ISO 14289-1:2014, 7.5, 7.6, 7.8.
"""

import contextlib
from collections.abc import Iterator
from functools import cache, partial

import pydyf

from certify.errors import NotReadable
from certify.printing.fonts import Box, Document, Element, Entry, File, Renderer, strip_marks

POINTS_PER_PIXEL = 0.75
ROW_SCOPES = ("row", "rowgroup")
NUMBERINGS = {
    "decimal": "/Decimal",
    "lower-alpha": "/LowerAlpha",
    "upper-alpha": "/UpperAlpha",
    "lower-roman": "/LowerRoman",
    "upper-roman": "/UpperRoman",
    "disc": "/Disc",
    "circle": "/Circle",
    "square": "/Square",
}


class Tags:
    """Map of boxes to structure elements, in reading order."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Box, Element]] = []
        self._innermost: dict[int, Element] = {}

    def record(self, box: Box, element: Element) -> None:
        """Note one element of a box; a box may have several, the innermost comes first."""
        self.pairs.append((box, element))
        self._innermost.setdefault(id(box), element)

    def find_element(self, box: Box) -> Element | None:
        """Return the innermost structure element of the box, if it has one."""
        return self._innermost.get(id(box))


@contextlib.contextmanager
def recording() -> Iterator[Tags]:
    """Note the structure element of every box while the renderer builds the tree.

    The renderer keeps no such record and offers no hook, so its recursive builder is wrapped for
    the length of one document.
    """
    from weasyprint.pdf import tags as builder

    original = builder._build_box_tree  # noqa: SLF001 - no public hook exists
    recorded = Tags()

    def recorder(box: Box, *rest: Entry) -> Iterator[Element]:
        for element in original(box, *rest):
            recorded.record(getattr(box, "_box", box), element)
            yield element

    builder._build_box_tree = recorder  # noqa: SLF001 - as above
    try:
        yield recorded
    finally:
        builder._build_box_tree = original  # noqa: SLF001 - as above


def repair(document: Document, pdf: File, tags: Tags) -> None:
    """Add missing elements to the structure tree."""
    heights = dict(zip(pdf.page_references, (page.height for page in document.pages), strict=True))
    for box, element in tags.pairs:
        kind = element["S"]
        if kind == "/Figure":
            # From pixels below the top of the page to points above its foot.
            left, top, right, bottom = element["A"]["BBox"]
            height = heights[element["Pg"]]
            corners = (left, height - bottom, right, height - top)
            element["A"]["BBox"][:] = [corner * POINTS_PER_PIXEL for corner in corners]
        elif kind == "/L":
            style = NUMBERINGS.get(str(box.style["list_style_type"]), "/None")
            style = "/None" if box.element_tag == "dl" else style
            element["A"] = pydyf.Dictionary({"O": "/List", "ListNumbering": style})
        elif kind == "/Link" and box.link_annotation:
            text = " ".join(strip_marks("".join(box.element.itertext())).split())
            if text:
                box.link_annotation["Contents"] = pydyf.String(text)
        _name_language(box, element)
    _merge_links(pdf, tags)
    _body_items(pdf, tags)
    _relate_cells(document, pdf)
    for number, page in enumerate(document.pages):
        for box in page._page_box.children:  # noqa: SLF001 - no public way to the boxes
            if type(box).__name__ == "MarginBox":
                _free_running_text(box, pdf, number, tags)


def _name_language(box: Box, element: Element) -> None:
    """Carry ``lang`` of an element that is not the root into the tree."""
    if box.element is not None and box.element.tag != "html":
        language = box.element.get("lang")
        if language:
            element["Lang"] = pydyf.String(language)


def _merge_links(pdf: File, tags: Tags) -> None:
    """Leave one annotation per line of a link.

    The renderer gives every box inside a link a separate annotation, over the one of the link; only
    those that a Link element holds directly are tagged as ISO 14289-1, 7.18.5 requires.
    """
    numbers = parents(pdf)
    for box, element in tags.pairs:
        outer = resolve(pdf, element["P"])
        while outer.get("S") not in (None, "/Link"):
            outer = resolve(pdf, outer["P"])
        annotation = box.link_annotation
        if annotation is None or outer.get("S") != "/Link" or "StructParent" not in annotation:
            continue
        place = numbers.index(annotation.pop("StructParent"), 2 * len(pdf.page_references))
        del numbers[place : place + 2]
        page = resolve(pdf, element["Pg"])
        page["Annots"].remove(annotation.reference)
        element["S"] = "/Span"
        element["K"][:] = [
            kid for kid in element["K"] if not _refers_to_target(pdf, kid, annotation)
        ]
        annotation.clear()


def _refers_to_target(pdf: File, kid: Entry, target: Element) -> bool:
    """Return True if the kid is the object reference to the target; in that case empty it."""
    if isinstance(kid, int):
        return False
    entry = resolve(pdf, kid)
    is_target = entry.get("Type") == "/OBJR" and entry["Obj"] == target.reference
    if is_target:
        entry.clear()
    return bool(is_target)


def _body_items(pdf: File, tags: Tags) -> None:
    """Move the contents of a list item other than its label into its body; drop empty elements.

    The renderer makes a body for bare text only, and opens a nested list again on the next page
    even if it has no more items. An item holds labels and bodies only: ISO 14289-1, 7.2.
    """
    # What is inside comes before what holds it; at the foot of a page several boxes share one.
    for element in {element.number: element for _, element in tags.pairs}.values():
        kind = element.get("S")
        if kind == "/LI":
            _body_item(pdf, element)
        if kind in {"/L", "/LI"} and not element["K"]:
            resolve(pdf, element["P"])["K"].remove(element.reference)


def _body_item(pdf: File, item: Element) -> None:
    held = [(kid, resolve(pdf, kid)) for kid in item["K"] if not isinstance(kid, int)]
    inner = [(kid, element) for kid, element in held if element["S"] != "/Lbl"]
    if all(element["S"] == "/LBody" for _, element in inner):
        return
    body = pydyf.Dictionary(
        {"Type": "/StructElem", "S": "/LBody", "P": item.reference, "Pg": item["Pg"]}
    )
    pdf.add_object(body)
    body["K"] = pydyf.Array([kid for kid, _ in inner])
    for kid, element in inner:
        element["P"] = body.reference
        element["S"] = "/Div" if element["S"] == "/LBody" else element["S"]
        item["K"].remove(kid)
    item["K"].append(body.reference)


def _rows(table: Box) -> Iterator[Box]:
    for child in table.children:
        if child.element_tag == "tr":
            yield child
        elif hasattr(child, "children"):
            yield from _rows(child)


def _relate_cells(document: Document, pdf: File) -> None:
    """Give every header cell its scope and every data cell the identifiers of its headers."""
    identified: dict[str, bytes] = {}
    for page in document.pages:
        for table in page._page_box.descendants():  # noqa: SLF001 - no public way to the boxes
            if type(table).__name__ in {"TableBox", "InlineTableBox"}:
                identified.update(_relate_table(table))
    identify(pdf, identified)


def identify(pdf: File, identified: dict[str, bytes]) -> None:
    """Add elements to the tree of identifiers, which is the first entry of the structure root.

    DSS before 6.4 permits a signature in a field that it reaches through this tree, but not in one
    that it reaches through an entry that comes earlier.
    """
    root = resolve(pdf, pdf.catalog["StructTreeRoot"])
    names = root.pop("IDTree", {"Names": []})["Names"]
    earlier = {key.string: element for key, element in zip(names[::2], names[1::2], strict=True)}
    merged = earlier | identified
    if merged:
        sorted_names = pydyf.Array()
        for key in sorted(merged):
            sorted_names.extend([pydyf.String(key), merged[key]])
        entries = {"IDTree": pydyf.Dictionary({"Names": sorted_names}), **root}
        root.clear()
        root.update(entries)


def _relate_table(table: Box) -> dict[str, bytes]:
    """Relate the cells of one table on one page; return the identifiers that it uses."""
    identified: dict[str, bytes] = {}
    columns: dict[int, list[str]] = {}
    rows: dict[int, list[str]] = {}
    placed = [
        (number, cell, cell.mark)
        for number, row in enumerate(_rows(table))
        for cell in row.children
    ]
    for number, cell, mark in placed:
        if cell.element_tag != "th":
            continue
        key = mark["ID"].string
        identified[key] = mark.reference
        by_row = cell.element.get("scope") in ROW_SCOPES
        mark["A"]["Scope"] = "/Row" if by_row else "/Column"
        for line in range(number, number + cell.rowspan) if by_row else ():
            rows.setdefault(line, []).append(key)
    for number, cell, mark in placed:
        spanned = range(cell.grid_x, cell.grid_x + cell.colspan)
        if cell.element_tag == "th":
            if mark["A"]["Scope"] == "/Column":
                for column in spanned:
                    columns.setdefault(column, []).append(mark["ID"].string)
            continue
        keys = [key for line in range(number, number + cell.rowspan) for key in rows.get(line, ())]
        keys += [key for column in spanned for key in columns.get(column, ())]
        mark["A"].pop("Headers", None)
        if keys:
            unique = dict.fromkeys(keys)
            mark["A"]["Headers"] = pydyf.Array([pydyf.String(key) for key in unique])
    return identified


def resolve(pdf: File, reference: bytes) -> Entry:
    """Return the object that an indirect reference names."""
    return pdf.objects[int(reference.split()[0])]


def parents(pdf: File) -> list[Entry]:
    """Return the parent tree's numbers: keys and entries in turn, one array per page first."""
    root = resolve(pdf, pdf.catalog["StructTreeRoot"])
    numbers: list[Entry] = resolve(pdf, root["ParentTree"])["Nums"]
    return numbers


def _free_running_text(margin: Box, pdf: File, page: int, tags: Tags) -> None:
    """Turn the text of one page margin into an artifact, as running headers and footers are."""
    elements = [tags.find_element(box) for box in margin.descendants()]
    marks = {
        mark for element in elements if element is not None for mark in _take_marks(pdf, element)
    }
    properties = {"Type": "/Pagination"}
    for edge, kind in (("@top", "/Header"), ("@bottom", "/Footer")):
        if margin.at_keyword.startswith(edge):
            properties["Subtype"] = kind
    content = resolve(pdf, resolve(pdf, pdf.page_references[page])["Contents"]).stream
    for index, entry in enumerate(content):
        if isinstance(entry, dict) and entry.get("MCID") in marks:
            content[index - 1], content[index] = "/Artifact", pydyf.Dictionary(properties)
    entries = parents(pdf)[2 * page + 1]
    for mark in marks:
        entries[mark] = "null"


def _take_marks(pdf: File, element: Element) -> Iterator[int]:
    """Yield the marked content under an element that hangs on no tree, and empty the element."""
    for kid in element.get("K", ()):
        if isinstance(kid, int):
            yield kid
        else:
            yield from _take_marks(pdf, resolve(pdf, kid))
    element.clear()


SHORT_SIDE = 816
"""Pixels of the shorter side of the page that the notice is laid out for; others scale it."""


def lay_notice(weasyprint: Renderer, document: Document, html: str) -> None:
    """Have the notice painted over each page of a document that is laid out."""

    @cache
    def lay_out(width: float, height: float) -> Entry:
        size = weasyprint.CSS(string=f"@page {{ size: {width}px {height}px }}")
        return weasyprint.HTML(string=html).render(stylesheets=[size]).pages[0]

    for number, page in enumerate(document.pages):
        scale = min(page.width, page.height) / SHORT_SIDE
        strip = lay_out(page.width / scale, page.height / scale)
        kind, mark = ("Artifact", {"Type": "/Pagination"}) if number else ("P", {})
        page.notice_mark = mark = pydyf.Dictionary(mark)
        page.paint = partial(_paint, page.paint, strip=strip, ratio=scale, kind=kind, mark=mark)
        boxes = strip._page_box.descendants()  # noqa: SLF001 - no public way to the boxes
        text = next(box for box in boxes if box.element_tag == "p")
        page.notice_foot = scale * (text.position_y + text.margin_height())


def refuse_covered_notice(page: Entry, box: Box) -> None:
    """Refuse a signature block over the notice: the appearance of its field would hide it.

    Raises:
        NotReadable: the block begins above the foot of the notice.
    """
    if box.content_box_y() < getattr(page, "notice_foot", 0):
        raise NotReadable(
            f'The element with id="{box.element.get("id")}" is over the notice of the page.',
            remedy="Move it below the top margin of the page.",
        )


def _paint(
    paint: Entry,
    stream: Entry,
    scale: float,
    *,
    strip: Entry,
    ratio: float,
    kind: str,
    mark: Element,
) -> None:
    """Paint a page, and the notice over it as one piece of marked content."""
    paint(stream, scale)
    over = stream.clone(tags=None)  # its own boxes have no tags
    strip.paint(over, scale * ratio)
    stream.begin_marked_content(kind, mark)
    stream.stream += over.stream
    stream.end_marked_content()


def tag_notice(document: Document, pdf: File) -> None:
    """Make the notice of the first page the first paragraph of the document."""
    root = resolve(pdf, pdf.catalog["StructTreeRoot"])
    marks, text = parents(pdf)[1], resolve(pdf, root["K"][0])
    document.pages[0].notice_mark["MCID"] = len(marks)
    element = pydyf.Dictionary(
        {
            "Type": "/StructElem",
            "S": "/P",
            "P": text.reference,
            "Pg": pdf.page_references[0],
            "K": pydyf.Array([len(marks)]),
        }
    )
    pdf.add_object(element)
    marks.append(element.reference)
    text["K"].insert(0, element.reference)
