"""The notice over each page of a document with files that certify does not ship.

Its own HTML is laid out with the bundled fonts, without the document's style sheet, and drawn after
everything else on the page, on an opaque ground. A template or a style of the user can neither
remove nor cover it. On the first page it is the first paragraph of the structure tree, on
the others an artifact, as running headers are.
"""

from functools import cache, partial

import pydyf

from certify.errors import NotReadable
from certify.printing.fonts import Box, Document, Element, Entry, File, Renderer
from certify.printing.tags import parents, resolve

SHORT_SIDE = 816
"""Pixels of the shorter side of the page that the notice is laid out for; others scale it."""


def lay_over(weasyprint: Renderer, document: Document, html: str) -> None:
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


def refuse_cover(page: Entry, box: Box) -> None:
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


def tag(document: Document, pdf: File) -> None:
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
