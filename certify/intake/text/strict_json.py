"""Strict JSON with places: every value and key by line and column, every fault a finding.

The standard decoder reads strings; the walk around it is ours, because no JSON library tells
where a value stands, or notices what the usual validators let through: a name given twice, NaN,
``1e400``, ``2.0`` for 2, a byte-order mark, nesting that overflows, characters nobody can see.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from json.decoder import scanstring  # type: ignore[attr-defined] # typeshed leaves it out
from typing import Any

from certify.intake.text import faults, syntax_faults
from certify.intake.text.faults import J009, TextFault
from certify.intake.text.places import Places, line_starts
from certify.intake.text.plain_json import (
    DEEPEST,
    GREATEST,
    LONGEST_POINTER,
    Doubtful,
    plain_value,
    unseen,
)
from certify.model.document import Document
from certify.model.finding import Finding
from certify.storage import LARGEST

MOST_VALUES = 20_000
"""How many values a record may hold; the largest that is declared holds some 3,000."""

MOST_FAULTS = 100
"""How many faults of a file are listed."""

_blanks = re.compile(r"[ \t\n\r]*").match
_number = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?").match
_integer = re.compile(r"-?(?:0|[1-9][0-9]*)").fullmatch
_word = re.compile(r"[-+]?[A-Za-z_][A-Za-z0-9_]*").match
_constants = {"true": True, "false": False, "null": None}


def scan(
    data: bytes, name: str, *, most: int = MOST_VALUES
) -> tuple[Document, tuple[Finding, ...]]:
    """Read ``data`` as strict JSON.

    Args:
        data: the bytes of one file.
        name: the file's path as findings show it.
        most: how many values it may hold.

    Returns:
        The document and what is wrong with its text. Where a fault leaves no value (syntax,
        encoding, nesting) the document has no places; elsewhere a faulty value stands as None.
    """
    text, faults_met = _decode(data)
    scanner = _Scanner(text, faults_met, most)
    value = None
    if not faults_met:
        try:
            value = plain_value(text, most)
        except Doubtful:
            value = scanner.value
    elif not any(fault.fatal for fault in faults_met):
        value = scanner.value
    whole = not any(fault.fatal for fault in faults_met)
    document = Document(
        path=name,
        sha256=hashlib.sha256(data).hexdigest(),
        text=text,
        value=value,
        spans=Places(text, scanner.places) if whole else {},
        key_spans=Places(text, scanner.places_of_keys) if whole else {},
    )
    if not faults_met:
        return document, ()
    lines = line_starts(text)
    return document, tuple(fault.finding(document, lines) for fault in faults_met)


def _decode(data: bytes) -> tuple[str, list[TextFault]]:
    """Return the text of ``data`` and what is wrong with its encoding."""
    if len(data) > LARGEST:
        return "", [faults.too_large(LARGEST)]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "", [faults.utf_16()]
    if b"\0" in data:
        return "", [faults.not_text()]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = data.decode("utf-8", errors="replace")
        offset = len(data[: error.start].decode("utf-8"))
        return readable, [faults.not_utf_8(offset, data[error.start])]
    if text.startswith("\ufeff"):
        return text[1:], [faults.byte_order_mark()]
    return text, []


class _Stopped(Exception):
    """Nothing after this place can be read."""


class _Scanner:
    """One walk over a text, made when its value or a place in it is asked for.

    Offsets are kept; lines and columns are worked out when asked for.
    """

    def __init__(self, text: str, faults_met: list[TextFault], most: int) -> None:
        self.text = text
        self.faults = faults_met
        self.most = most
        self.values: dict[str, tuple[int, int]] = {}
        self.keys: dict[str, tuple[int, int]] = {}

    def places(self) -> Mapping[str, tuple[int, int]]:
        """Return the offset and the length of every value."""
        _ = self.value
        return self.values

    def places_of_keys(self) -> Mapping[str, tuple[int, int]]:
        """Return the offset and the length of every member's name."""
        _ = self.value
        return self.keys

    @cached_property
    def value(self) -> Any:  # noqa: ANN401 - any JSON value
        """The value of the whole text; None after a fault that leaves none."""
        try:
            value, index = self._value(self._skip(0), "", 1)
            index = self._skip(index)
            if index < len(self.text):
                self.faults.append(syntax_faults.after_the_end(index))
        except _Stopped:
            return None
        return value

    def _skip(self, index: int) -> int:
        """Return the place of the next character that is no blank."""
        match = _blanks(self.text, index)
        return match.end() if match else index

    def _stop(self, fault: TextFault) -> _Stopped:
        self.faults.append(fault)
        return _Stopped()

    def _value(self, index: int, pointer: str, depth: int) -> tuple[Any, int]:
        """Return the value that starts at ``index``, and the place after it."""
        if len(self.values) >= self.most:
            raise self._stop(faults.too_many_values(index, self.most))
        if len(self.faults) >= MOST_FAULTS:
            raise self._stop(faults.too_many_faults(index, pointer, MOST_FAULTS))
        character = self.text[index : index + 1]
        if character == '"':
            value, end = self._string(index, pointer)
        elif character in ("{", "["):
            if depth > DEEPEST:
                raise self._stop(faults.too_deep(index, pointer, DEEPEST))
            self.values[pointer] = (index, 1)
            inside = self._object if character == "{" else self._array
            return inside(index, pointer, depth)
        else:
            value, end = self._scalar(index, pointer)
        self.values[pointer] = (index, end - index)
        return value, end

    def _string(self, index: int, pointer: str) -> tuple[str, int]:
        """Return the text in quotation marks at ``index``, and the place after it."""
        try:
            value, end = scanstring(self.text, index + 1, False)
        except json.JSONDecodeError as error:
            raise self._stop(syntax_faults.string(index, error.pos, pointer)) from None
        if self.text.find("\n", index, end) >= 0:
            raise self._stop(syntax_faults.string_not_closed(index, pointer))
        hidden = unseen(value)
        if hidden:
            self.faults.append(faults.unseen(index, end - index, hidden.group(), pointer))
        elif value != value.strip():
            self.faults.append(faults.outer_blanks(index, end - index, pointer))
        return value, end

    def _scalar(self, index: int, pointer: str) -> tuple[Any, int]:
        """Return the number or word at ``index``, and the place after it."""
        match = _number(self.text, index)
        if match:
            return self._read_number(match.group(), index, pointer), match.end()
        match = _word(self.text, index)
        if not match:
            raise self._stop(syntax_faults.no_value(self.text, index, pointer))
        word = match.group()
        if word in _constants:
            return _constants[word], match.end()
        fault = syntax_faults.word(word, index, pointer)
        if fault.fatal:
            raise self._stop(fault)
        self.faults.append(fault)
        return None, match.end()

    def _read_number(self, digits: str, index: int, pointer: str) -> int | None:
        """Return an exact integer, or None and a fault."""
        if not _integer(digits):
            malformed = digits.lstrip("-").startswith("0") and digits.lstrip("-")[1:2].isdigit()
            fault = syntax_faults.leading_zero if malformed else faults.fraction
            self.faults.append(fault(digits, index, pointer))
            return None
        if len(digits) > len(str(GREATEST)) + 1 or abs(int(digits)) > GREATEST:
            self.faults.append(faults.too_great(digits, index, pointer, GREATEST))
            return None
        return int(digits)

    def _array(self, index: int, pointer: str, depth: int) -> tuple[list[Any], int]:
        """Return the list whose bracket is at ``index``, and the place after it."""
        items: list[Any] = []
        start, index = index, self._skip(index + 1)
        if self.text[index : index + 1] == "]":
            return items, index + 1
        while True:
            value, end = self._value(index, f"{pointer}/{len(items)}", depth + 1)
            items.append(value)
            index, closed = self._separator("]", start, end, pointer)
            if closed:
                return items, index

    def _object(self, index: int, pointer: str, depth: int) -> tuple[dict[str, Any], int]:
        """Return the object whose brace is at ``index``, and the place after it."""
        members: dict[str, Any] = {}
        start, index = index, self._skip(index + 1)
        if self.text[index : index + 1] == "}":
            return members, index + 1
        while True:
            key, inner, index = self._key(index, pointer, members)
            value, end = self._value(index, inner, depth + 1)
            members[key] = value
            index, closed = self._separator("}", start, end, pointer)
            if closed:
                return members, index

    def _key(self, index: int, pointer: str, members: dict[str, Any]) -> tuple[str, str, int]:
        """Return a member's name, its pointer and the place where its value starts."""
        if self.text[index : index + 1] != '"':
            raise self._stop(syntax_faults.no_name(self.text, index, pointer))
        key, end = self._string(index, pointer)
        inner = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        if len(inner) > LONGEST_POINTER:
            raise self._stop(faults.too_long_names(index, LONGEST_POINTER))
        if key in members:
            line = self.text.count("\n", 0, self.keys[inner][0]) + 1
            self.faults.append(faults.duplicate(key, index, end - index, inner, line))
        self.keys[inner] = (index, end - index)
        index = self._skip(end)
        if self.text[index : index + 1] != ":":
            raise self._stop(syntax_faults.no_colon(key, index, inner))
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
                self.faults.append(syntax_faults.trailing_comma(index, bracket, pointer))
                return after + 1, True
            return after, False
        if not character:
            line = self.text.count("\n", 0, start) + 1
            raise self._stop(syntax_faults.not_closed(start, bracket, line, pointer))
        if character == '"' or (bracket == "]" and character in "{["):
            self.faults.append(syntax_faults.missing_comma(end, pointer))
            return index, False
        if bracket == "]" and character == ":":
            raise self._stop(syntax_faults.name_in_list(index, pointer))
        if index == end and self.text[end - 1] == '"':
            last = self.faults[-1] if self.faults else None
            if last is not None and last.code is J009 and last.offset + last.length == end:
                self.faults.pop()  # the blank belongs to what the open text swallowed
            raise self._stop(syntax_faults.quotation_mark(index, pointer))
        raise self._stop(syntax_faults.no_separator(self.text, index, bracket, pointer))
