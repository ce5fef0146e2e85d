"""The text of a file: UTF-8 without a byte-order mark, and no more of it than a record can have."""

from certify.intake.text import faults
from certify.intake.text.text_fault import TextFault
from certify.storage import LARGEST


def decoded(data: bytes) -> tuple[str, list[TextFault]]:
    """Return the text of ``data`` and what is wrong with its encoding."""
    if len(data) > LARGEST:
        return "", [TextFault(faults.TOO_LARGE, 0, words={"most": LARGEST})]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "", [TextFault(faults.UTF_16, 0)]
    if b"\0" in data:
        return "", [TextFault(faults.NOT_TEXT, 0)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = data.decode("utf-8", errors="replace")
        offset = len(data[: error.start].decode("utf-8"))
        words = {"byte": data[error.start]}
        return readable, [TextFault(faults.NOT_UTF_8, offset, words=words)]
    if text.startswith("\ufeff"):
        return text[1:], [TextFault(faults.BYTE_ORDER_MARK, 0)]
    return text, []
