"""A declared record altered at a place, as a user might."""

from collections.abc import Callable
from typing import Any

Value = Any  # a JSON value, altered in place


def put(pointer: str, value: Value) -> Callable[[Value], None]:
    """Return what writes a value at a pointer; a last ``-`` appends to a list."""

    def alter(record: Value) -> None:
        *parents, last = pointer.split("/")[1:]
        for name in parents:
            record = record[int(name)] if isinstance(record, list) else record[name]
        if last == "-":
            record.append(value)
        elif isinstance(record, list):
            record[int(last)] = value
        else:
            record[last] = value

    return alter
