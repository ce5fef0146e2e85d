"""Signature fields: empty, tagged, placed where the document has its signature blocks.

A visible field that the signer creates later would stand outside the structure tree and break
PDF/UA; so the field is placed here and the signer only fills it.

Source: ISO 32000-1:2008, 12.7.4.5 and 14.8.4.5; ISO 14289-1:2014, 7.18.4; ISO 19005-3, 6.3.
"""

import pydyf

from certify.errors import NotReadable
from certify.printing.tags import POINTS_PER_PIXEL, Tags, parents, resolve
from certify.printing.untyped import Box, Document, Element, File

PRINT = 4
SIGNATURES_EXIST = 1
FIELDS = (
    ("signature-block", "Signature", "Electronic signature of the preparer"),
    ("laboratory-signature-block", "Laboratory", "Electronic signature of the laboratory"),
    ("approver-signature-block", "Approver", "Electronic signature of the approver"),
    ("reviewer-signature-block", "Reviewer", "Electronic signature of the reviewer"),
)


def place(document: Document, pdf: File, tags: Tags) -> None:
    """Place the field of every signature block that the document has.

    Raises:
        NotReadable: a signature block is split over pages, or is not a block.
    """
    for anchor, name, description in FIELDS:
        boxes = [
            (number, box)
            for number, page in enumerate(document.pages)
            for box in page._page_box.descendants()  # noqa: SLF001 - no public way to the boxes
            if _is_block(box, anchor)
        ]
        if len(boxes) > 1:
            raise NotReadable(
                f'The element with id="{anchor}" is split over pages or stands there twice.',
                remedy="Give it one fixed height and break-inside: avoid.",
            )
        for number, box in boxes:
            element = tags.of(box)
            if not element:  # none, or one that was emptied with the running headers
                raise NotReadable(
                    f'The element with id="{anchor}" has no place in the structure of the text.',
                    remedy="Make it a plain div in the body of the document.",
                )
            rectangle = _rectangle(box, document.pages[number].height)
            widget = _widget(pdf, rectangle, name, description)
            _place_field(pdf, element, widget, pdf.page_references[number])


def _is_block(box: Box, anchor: str) -> bool:
    return (
        type(box).__name__ == "BlockBox"
        and box.element is not None
        and box.element.get("id") == anchor
        and box.element_tag == box.element.tag
    )


def _place_field(pdf: File, element: Element, widget: Element, page: bytes) -> None:
    """Hang the widget on its page, in the structure, in the parent tree and in the form."""
    numbers = parents(pdf)
    key = numbers[-2] + 1
    widget["StructParent"], widget["P"] = key, page
    pdf.add_object(widget)
    form = pydyf.Dictionary(
        {
            "Type": "/StructElem",
            "S": "/Form",
            "P": element.reference,
            "Pg": page,
            "Alt": widget["Contents"],
            "K": pydyf.Dictionary({"Type": "/OBJR", "Obj": widget.reference, "Pg": page}),
        }
    )
    pdf.add_object(form)
    element["K"].append(form.reference)
    numbers.extend([key, form.reference])
    resolve(pdf, pdf.catalog["StructTreeRoot"])["ParentTreeNextKey"] = key + 1
    resolve(pdf, page).setdefault("Annots", pydyf.Array()).append(widget.reference)
    _interactive_form(pdf)["Fields"].append(widget.reference)


def _widget(pdf: File, rectangle: list[float], name: str, description: str) -> Element:
    """Return an unsigned signature widget with an empty appearance, in points on its page."""
    left, foot, right, top = rectangle
    appearance = pydyf.Stream(
        [],
        {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": pydyf.Array([0, 0, right - left, top - foot]),
            "Resources": pydyf.Dictionary(),
        },
    )
    pdf.add_object(appearance)
    return pydyf.Dictionary(
        {
            "Type": "/Annot",
            "Subtype": "/Widget",
            "FT": "/Sig",
            "T": pydyf.String(name),
            "TU": pydyf.String(description),
            "Contents": pydyf.String(description),
            "Rect": pydyf.Array(rectangle),
            "F": PRINT,
            "AP": pydyf.Dictionary({"N": appearance.reference}),
        }
    )


def _rectangle(box: Box, page_height: float) -> list[float]:
    """Return left, foot, right and top of the inside of a block, in points from the page's foot."""
    left, foot = box.content_box_x(), page_height - box.content_box_y() - box.height
    corners = (left, foot, left + box.width, foot + box.height)
    return [POINTS_PER_PIXEL * corner for corner in corners]


def _interactive_form(pdf: File) -> Element:
    """Return the document's form, made at the first field."""
    if "AcroForm" not in pdf.catalog:
        form = pydyf.Dictionary({"Fields": pydyf.Array(), "SigFlags": SIGNATURES_EXIST})
        pdf.add_object(form)
        pdf.catalog["AcroForm"] = form.reference
    return resolve(pdf, pdf.catalog["AcroForm"])
