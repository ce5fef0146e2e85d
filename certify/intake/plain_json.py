"""Read JSON texts without faults by the standard decoder, and detect their encoding.

This is the fast path; it keeps no positions. It declines any text that may have a fault, and
`strict_json` then reads that text and reports the fault.
"""

import json
import re
from functools import lru_cache
from typing import Any

from certify.intake import faults
from certify.intake.faults import TextFault
from certify.storage import LARGEST

DEEPEST = 64
"""Deepest nesting of brackets."""

LONGEST_POINTER = 500
"""Most characters of all names in the pointer to a value."""

GREATEST = 2**53 - 1
"""The greatest integer that every JSON reader keeps exactly (RFC 8259, section 6)."""

unseen = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufeff\ufff9-\uffff]"
).search
"""Find a character that nobody can see."""


# In plain text, backslashes escape only themselves and quotation marks.
_escaped = re.compile(r"\\(.)", re.DOTALL).findall

_of_programs = re.compile("[\x01-\x08\x0e-\x1f]").search
"""Find a character that text does not have, a zero byte apart."""


class NeedsFullScan(Exception):
    """There is something in this text that must be looked at, or there may be."""


def fast_parse(text: str, most: int) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a text that holds no fault, and ``most`` values at most.

    Raises:
        NeedsFullScan: it may hold one.
    """
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise NeedsFullScan from error
    if _values(value, 0, 1) > most:
        raise NeedsFullScan
    return value


def strict_value(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of JSON that a program wrote, of any size.

    Raises:
        ValueError: it is not UTF-8, begins with a byte-order mark, gives a name twice, or holds a
            fraction, NaN, brackets without end or a character that nobody can see.
    """
    try:
        value = _DECODER.decode(data.decode())
        plain = json.dumps(value, ensure_ascii=False)
    except (NeedsFullScan, RecursionError) as error:
        raise ValueError("a name is given twice, or a number is not whole") from error
    if unseen(plain) or not {*_escaped(plain)} <= {'"', "\\"}:
        raise ValueError("a text has a character that nobody can see")
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise NeedsFullScan  # a name is given twice
    return members


def _refuse(_: str) -> None:
    raise NeedsFullScan  # a fraction, an exponent or no number at all


_DECODER = json.JSONDecoder(object_pairs_hook=_members, parse_float=_refuse, parse_constant=_refuse)


def _values(value: Any, names: int, depth: int) -> int:  # noqa: ANN401 - any JSON value
    """Return the number of values in a valid value, including itself.

    ``names`` is the most characters that the pointer to it may have, ``depth`` the number of
    brackets around its contents.
    """
    kind = type(value)
    if kind is str:
        _check_text(value)
    elif kind is int:
        if not -GREATEST <= value <= GREATEST:
            raise NeedsFullScan
    elif kind is dict or kind is list:
        if depth > DEEPEST:
            raise NeedsFullScan
        if kind is list:
            width = names + len(str(len(value))) + 1
            return 1 + sum([_values(item, width, depth + 1) for item in value])
        number = 1
        for name, item in value.items():
            _check_text(name)
            width = names + 2 * len(name) + 1  # escaped, no character takes more than two
            if width > LONGEST_POINTER:
                raise NeedsFullScan
            number += _values(item, width, depth + 1)
        return number
    return 1


@lru_cache(maxsize=10_000)  # names and texts recur in files
def _check_text(text: str) -> None:
    if unseen(text) or text != text.strip():
        raise NeedsFullScan


def decode(data: bytes) -> tuple[str, list[TextFault]]:
    """Return the text of ``data`` and the faults of its encoding."""
    if len(data) > LARGEST:
        return "", [TextFault(faults.TOO_LARGE, 0, words={"most": LARGEST})]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:2].count(0) == 1:
        return "", [TextFault(faults.UTF_16, 0)]
    if b"\0" in data:
        return _decode_with_zero_bytes(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = data.decode("utf-8", errors="replace")
        offset = len(data[: error.start].decode("utf-8"))
        return readable, [TextFault(faults.NOT_UTF_8, offset, words={"byte": data[error.start]})]
    if text.startswith("\ufeff"):
        return text[1:], [TextFault(faults.BYTE_ORDER_MARK, 0)]
    return text, []


def _decode_with_zero_bytes(data: bytes) -> tuple[str, list[TextFault]]:
    """Return the text if zero bytes are its only fault; else the data is no text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if not text or _of_programs(text):
        return "", [TextFault(faults.NOT_TEXT, 0)]
    return text.replace("\0", "\ufffd"), [TextFault(faults.ZERO_BYTE, text.index("\0"))]
