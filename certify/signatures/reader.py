"""pyHanko's reader with one shortcut: the index of an object stream is read once.

pyHanko reads it again for every object, which is quadratic: a tagged report keeps ten thousand
objects in one stream, and the comparison of its revisions would take hours.
"""

from io import BytesIO

from msgspec import Struct
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.decode_limits import DecodePurpose
from pyhanko.pdf_utils.misc import PdfReadError
from pyhanko.pdf_utils.reader import PdfFileReader

STATEMENT_ENTRY = "/XXStatement"
"""Entry of a signature with a laboratory's statement; a private name (ISO 32000-1, annex E)."""


class ObjectStream(Struct, frozen=True):
    """The content of an object stream, and each object's number and offset in it."""

    content: BytesIO
    index: tuple[tuple[int, int], ...]


class IndexedReader(PdfFileReader):
    """Reads a PDF strictly, and object streams quickly."""

    def __init__(self, data: bytes) -> None:
        self._object_streams: dict[int, ObjectStream] = {}
        super().__init__(BytesIO(data), strict=True)

    def _get_object_from_stream(self, idnum: int, stmnum: int, idx: int) -> generic.PdfObject:
        """Return object ``idnum``, which is the one at ``idx`` of object stream ``stmnum``.

        Raises:
            PdfReadError: it is not there, or is of a kind that has no place there.
        """
        if stmnum not in self._object_streams:
            self._object_streams[stmnum] = self._open_object_stream(stmnum)
        stream = self._object_streams[stmnum]
        if not 0 <= idx < len(stream.index) or stream.index[idx][0] != idnum:
            raise PdfReadError(f"object {idnum} is not where the cross-reference table says")
        stream.content.seek(stream.index[idx][1])
        item = generic.read_object(stream.content, generic.Reference(idnum, 0, self))
        if isinstance(item, generic.StreamObject | generic.IndirectObject):
            raise PdfReadError(f"object {idnum} has no place in an object stream")
        return item

    def _open_object_stream(self, number: int) -> ObjectStream:
        reference = generic.Reference(number, 0, self)
        stream = self.get_object(reference)  # type: ignore[no-untyped-call]
        if not isinstance(stream, generic.StreamObject) or stream.get("/Type") != "/ObjStm":
            raise PdfReadError(f"object {number} is not an object stream")
        content, first = stream.read_data(DecodePurpose.OBJECT_STREAM), int(stream["/First"])
        numbers = [int(word) for word in content[:first].split()]
        if len(numbers) != 2 * int(stream["/N"]):
            raise PdfReadError(f"the index of object stream {number} has the wrong length")
        index = tuple(
            (number, first + offset)
            for number, offset in zip(numbers[::2], numbers[1::2], strict=True)
        )
        return ObjectStream(BytesIO(content), index)
