"""Strict JSON with places: every value and key by line and column, every fault a finding.

The standard decoder reads strings; this module scans everything else, because no JSON library
reports positions, or detects faults that the usual validators accept: a name given twice, NaN,
``1e400``, ``2.0`` for 2, a byte-order mark, nesting that overflows, invisible characters.
"""

import hashlib
import json
import re
from functools import lru_cache
from sys import intern
from typing import Any

from certify.formatting import did_you_mean
from certify.intake import faults
from certify.intake.faults import FaultKind, Places, TextFault, line_starts, pack, unpack
from certify.model.finding import Document, Finding
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


LFS = b"version https://git-lfs.github.com/spec/"
"""The start of a pointer. Source: the specification of Git LFS, docs/spec.md, "The Pointer"."""


def decode(data: bytes) -> tuple[str, list[TextFault]]:
    """Return the text of ``data`` and the faults of its encoding."""
    if len(data) > LARGEST:
        return "", [TextFault(faults.TOO_LARGE, 0, words={"most": LARGEST})]
    in_utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:2].count(0) == 1
    if in_utf_16 or data.startswith(LFS):
        return "", [TextFault(faults.UTF_16 if in_utf_16 else faults.LFS_POINTER, 0)]
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


MOST_VALUES = 20_000
"""Most values of a declared file; the largest one has some 3,000."""

MOST_FAULTS = 100
"""Most listed faults of a file."""

_blanks = re.compile(r"[ \t\n\r]*").match
_number = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?").match
_integer = re.compile(r"-?(?:0|[1-9][0-9]*)").fullmatch
_word = re.compile(r"[-+]?[A-Za-z_][A-Za-z0-9_]*").match
_NOT_NUMBERS = ("nan", "infinity", "inf")
_decoder = json.JSONDecoder(strict=False)
_constants = {"true": True, "false": False, "null": None}


def scan(
    data: bytes, name: str, *, most: int = MOST_VALUES
) -> tuple[Document, tuple[Finding, ...]]:
    """Read ``data`` as strict JSON.

    Args:
        data: the bytes of one file.
        name: the file's path as shown in findings.
        most: the most values that it may hold.

    Returns:
        The document and the faults of its text. If a fault leaves no value (syntax, encoding,
        nesting), the document has no positions; otherwise a faulty value is None.
    """
    text, faults_met = decode(data)
    scanner = _Scanner(text, faults_met, most)
    value = None
    if not faults_met:
        try:
            value = fast_parse(text, most)
        except NeedsFullScan:
            value = scanner.read()
    elif not any(fault.kind.fatal for fault in faults_met):
        value = scanner.read()
    whole = not any(fault.kind.fatal for fault in faults_met)
    document = Document(
        path=name,
        sha256=hashlib.sha256(data).hexdigest(),
        text=text,
        value=value,
        spans=Places(text, lambda: scanner.walk().values) if whole else {},
        key_spans=Places(text, lambda: scanner.walk().keys) if whole else {},
    )
    if not faults_met:
        return document, ()
    lines = line_starts(text)
    return document, tuple(fault.finding(document, lines) for fault in faults_met)


class _Stopped(Exception):
    """Nothing after this place can be read."""


class _Scanner:
    """Scanner of a text, run when its value or a position in it is requested.

    Offsets are stored; lines and columns are computed on request.
    """

    def __init__(self, text: str, faults_met: list[TextFault], most: int) -> None:
        self.text = text
        self.faults = faults_met
        self.most = most
        self.values: dict[str, int] = {}
        self.keys: dict[str, int] = {}
        self._is_read = False

    def walk(self) -> "_Scanner":
        """Scan the text and return itself: ``values`` and ``keys`` have offsets and lengths."""
        if not self._is_read:
            self.read()
        return self

    def read(self) -> Any:  # noqa: ANN401 - any JSON value
        """Scan the text and return its value; None after a fault that leaves none."""
        self._is_read = True
        try:
            value, index = self._value(self._skip(0), "", 1)
            index = self._skip(index)
            if index < len(self.text):
                self._met(faults.AFTER_THE_END, index)
        except _Stopped:
            return None
        return value

    def _skip(self, index: int) -> int:
        """Return the place of the next character that is no blank."""
        match = _blanks(self.text, index)
        return match.end() if match else index

    def _met(
        self,
        kind: FaultKind,
        index: int,
        pointer: str = "",
        *,
        length: int = 1,
        remedy: str = "",
        **words: object,
    ) -> _Stopped:
        """Record a fault; return the exception to raise if the scan cannot continue."""
        fault = TextFault(kind, index, pointer, length=length, remedy=remedy, words=words)
        self.faults.append(fault)
        return _Stopped()

    def _stop_at(self, kind: FaultKind, index: int, pointer: str, bracket: str = "") -> _Stopped:
        """Record the fault of an unexpected character."""
        character = self.text[index : index + 1]
        character_words = f"`{character}`" if character.isprintable() else "a control character"
        return self._met(
            kind,
            index,
            pointer,
            remedy=kind.instead_of.get(character, ""),
            found=character_words if character else "the end of the file",
            bracket=bracket,
        )

    def _value(self, index: int, pointer: str, depth: int) -> tuple[Any, int]:
        """Return the value that starts at ``index``, and the place after it."""
        if len(self.values) >= self.most:
            raise self._met(faults.TOO_MANY_VALUES, index, most=self.most)
        if len(self.faults) >= MOST_FAULTS:
            raise self._met(faults.TOO_MANY_FAULTS, index, pointer, most=MOST_FAULTS)
        character = self.text[index : index + 1]
        if character == '"':
            value, end = self._string(index, pointer)
        elif character in ("{", "["):
            if depth > DEEPEST:
                outer = "/".join(pointer.split("/")[:5])
                raise self._met(faults.TOO_DEEP, index, outer, most=DEEPEST)
            self.values[intern(pointer)] = pack(index, 1)
            return self._inside(index, pointer, depth)
        else:
            value, end = self._scalar(index, pointer)
        self.values[intern(pointer)] = pack(index, end - index)
        return value, end

    def _string(self, index: int, pointer: str) -> tuple[str, int]:
        """Return the text in quotation marks at ``index``, and the place after it."""
        try:
            value, end = _decoder.raw_decode(self.text, index)
        except json.JSONDecodeError as error:
            kind = faults.STRING_NOT_CLOSED if error.pos == index else faults.ESCAPE
            raise self._met(kind, error.pos, pointer) from None
        if self.text.find("\n", index, end) >= 0:
            raise self._met(faults.STRING_NOT_CLOSED, index, pointer)
        hidden = unseen(value)
        if hidden:
            self._met(faults.UNSEEN, index, pointer, length=end - index, number=ord(hidden.group()))
            value = value.encode(errors="replace").decode()  # half a character cannot be written
        elif value != value.strip():
            self._met(faults.OUTER_BLANKS, index, pointer, length=end - index)
        return value, end

    def _scalar(self, index: int, pointer: str) -> tuple[Any, int]:
        """Return the number or word at ``index``, and the place after it."""
        match = _number(self.text, index)
        if match:
            return self._read_number(match.group(), index, pointer), match.end()
        match = _word(self.text, index)
        if not match:
            if not self.text.strip():
                raise self._met(faults.EMPTY, 0)
            raise self._stop_at(faults.NO_VALUE, index, pointer)
        word = match.group()
        if word in _constants:
            return _constants[word], match.end()
        if word.lstrip("+-").lower() not in _NOT_NUMBERS:
            meant = "null" if word.lower() == "none" else word.lower()
            remedy = did_you_mean(meant, _constants, faults.WORD.remedy, form="`{}`")
            raise self._met(faults.WORD, index, pointer, remedy=remedy, word=word)
        self._met(faults.NOT_A_NUMBER, index, pointer, length=len(word), word=word)
        return None, match.end()

    def _read_number(self, digits: str, index: int, pointer: str) -> int | None:
        """Return an exact integer, or None and a fault."""
        if not _integer(digits):
            malformed = digits.lstrip("-").startswith("0") and digits.lstrip("-")[1:2].isdigit()
            if malformed:
                self._met(faults.LEADING_ZERO, index, pointer, digits=digits)
            else:
                self._met(faults.FRACTION, index, pointer, length=len(digits), digits=digits)
            return None
        if len(digits) > len(str(GREATEST)) + 1 or abs(int(digits)) > GREATEST:
            length = len(digits)
            self._met(faults.TOO_GREAT, index, pointer, length=length, digits=digits, most=GREATEST)
            return None
        return int(digits)

    def _inside(self, index: int, pointer: str, depth: int) -> tuple[Any, int]:
        """Return the list or the object whose bracket is at ``index``, and the place after it."""
        items: list[Any] = []
        members: dict[str, Any] = {}
        start, of_items = index, self.text[index] == "["
        whole, bracket = (items, "]") if of_items else (members, "}")
        index = self._skip(index + 1)
        if self.text[index : index + 1] == bracket:
            return whole, index + 1
        while True:
            if of_items:
                value, end = self._value(index, f"{pointer}/{len(items)}", depth + 1)
                items.append(value)
            else:
                key, inner, index = self._key(index, pointer, members)
                members[key], end = self._value(index, inner, depth + 1)
            index, closed = self._separator(bracket, start, end, pointer)
            if closed:
                return whole, index

    def _key(self, index: int, pointer: str, members: dict[str, Any]) -> tuple[str, str, int]:
        """Return a member's name, its pointer and the start of its value."""
        if self.text[index : index + 1] != '"':
            raise self._stop_at(faults.NO_NAME, index, pointer)
        key, end = self._string(index, pointer)
        inner = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        if len(inner) > LONGEST_POINTER:
            raise self._met(faults.TOO_LONG_NAMES, index, most=LONGEST_POINTER)
        if key in members:
            line = self.text.count("\n", 0, unpack(self.keys[inner])[0]) + 1
            self._met(faults.DUPLICATE, index, inner, length=end - index, name=key, line=line)
        self.keys[intern(inner)] = pack(index, end - index)
        index = self._skip(end)
        if self.text[index : index + 1] != ":":
            raise self._met(faults.NO_COLON, index, inner, name=key)
        return key, inner, self._skip(index + 1)

    def _separator(self, bracket: str, start: int, end: int, pointer: str) -> tuple[int, bool]:
        """Return the place of the next item, or the place after ``bracket`` and True."""
        index = self._skip(end)
        character = self.text[index : index + 1]
        if character == bracket:
            return index + 1, True
        if character == ",":
            after = self._skip(index + 1)
            if self.text[after : after + 1] == bracket:
                self._met(faults.TRAILING_COMMA, index, pointer, bracket=bracket)
                return after + 1, True
            return after, False
        if not character:
            line = self.text.count("\n", 0, start) + 1
            opening = self.text[start]
            raise self._met(
                faults.NOT_CLOSED, start, pointer, opening=opening, bracket=bracket, line=line
            )
        if character == '"' or (bracket == "]" and character in "{["):
            self._met(faults.MISSING_COMMA, end, pointer)
            return index, False
        if bracket == "]" and character == ":":
            raise self._met(faults.NAME_IN_LIST, index, pointer)
        if index == end and self.text[end - 1] == '"':
            last = self.faults[-1] if self.faults else None
            if (
                last is not None
                and last.kind is faults.OUTER_BLANKS
                and last.offset + last.length == end
            ):
                self.faults.pop()  # the blank belongs to what the open text swallowed
            raise self._met(faults.QUOTATION_MARK, index, pointer)
        raise self._stop_at(faults.NO_SEPARATOR, index, pointer, bracket)
