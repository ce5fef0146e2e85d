"""Object streams: the fast reader agrees with pyHanko and refuses faulty ones."""

import re
from io import BytesIO

import pikepdf
import pytest
from pikepdf import ObjectStreamMode
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.misc import PdfReadError
from pyhanko.pdf_utils.reader import PdfFileReader

from certify.signatures.reader import IndexedReader


@pytest.fixture(scope="module")
def data(unsigned: bytes) -> bytes:
    """The small document with its objects in streams that can be read by eye."""
    with pikepdf.open(BytesIO(unsigned)) as pdf:
        pdf.Root.Mark = pdf.make_indirect(pikepdf.String("abc"))
        stream = BytesIO()
        pdf.save(
            stream,
            object_stream_mode=ObjectStreamMode.generate,
            compress_streams=False,
            stream_decode_level=pikepdf.StreamDecodeLevel.generalized,
        )
    return stream.getvalue()


def find_streams(reader: PdfFileReader) -> dict[int, tuple[int, int]]:
    numbers = range(1, int(reader.trailer["/Size"]))
    entries = {number: reader.xrefs[generic.Reference(number, 0)] for number in numbers}
    return {
        number: (entry.obj_stream_id, entry.ix_in_stream)
        for number, entry in entries.items()
        if hasattr(entry, "obj_stream_id")
    }


def write_object(found: generic.PdfObject) -> bytes:
    stream = BytesIO()
    found.write_to_stream(stream)
    return stream.getvalue()


def test_every_object_is_read_as_the_library_reads_it(data: bytes) -> None:
    quick, slow = IndexedReader(data), PdfFileReader(BytesIO(data))
    places = find_streams(quick)
    assert len(places) > 5
    for number, (stream, place) in places.items():
        expected = slow.get_object(generic.Reference(number, 0, slow))
        assert write_object(quick._get_object_from_stream(number, stream, place)) == write_object(
            expected
        )
    assert set(quick._object_streams) == {stream for stream, _ in places.values()}


def test_an_object_that_is_elsewhere_is_refused(data: bytes) -> None:
    reader = IndexedReader(data)
    places = find_streams(reader)
    number, (stream, place) = next(iter(places.items()))
    last = max(at for _, at in places.values())
    for wrong, at in (
        (number + 1, place), (number, place + 1), (number, -1), (number, last + 1),
    ):  # fmt: skip
        with pytest.raises(PdfReadError, match=f"object {wrong} is not where"):
            reader._get_object_from_stream(wrong, stream, at)


def test_what_is_no_object_stream_is_refused(data: bytes) -> None:
    reader = IndexedReader(data)
    content = reader.root["/Pages"]["/Kids"][0].raw_get("/Contents").idnum
    for number in (next(iter(find_streams(reader))), content):
        with pytest.raises(PdfReadError, match=f"object {number} is not an object stream"):
            reader._open_object_stream(number)


def test_an_index_of_another_length_is_refused(data: bytes) -> None:
    def fewer(number: re.Match[bytes]) -> bytes:
        return b"/N %0*d" % (len(number[1]), int(number[1]) - 1)

    broken = re.sub(rb"/N (\d+)", fewer, data)
    assert broken != data
    with pytest.raises(PdfReadError, match="the index of object stream"):
        IndexedReader(broken).get_object(  # type: ignore[no-untyped-call]
            generic.Reference(next(iter(find_streams(IndexedReader(data)))), 0)
        )


def test_a_reference_has_no_place_in_an_object_stream(data: bytes) -> None:
    assert data.count(b"(abc)") == 1
    mark = IndexedReader(data).root.raw_get("/Mark").idnum
    reader = IndexedReader(data.replace(b"(abc)", b"1 0 R"))
    with pytest.raises(PdfReadError, match=f"object {mark} has no place in an object stream"):
        reader._get_object_from_stream(mark, *find_streams(reader)[mark])
