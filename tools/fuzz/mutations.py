"""Broken files made of sound ones: by what JSON is made of, and by the bytes of any text."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Path = tuple[str | int, ...]

GROWN = 100_000
"""Characters of a file that is not changed once more: a change makes it up to 500 times as long."""

DIGITS = 5_000
"""How long the longest number is; Python turns no text of more than 4,300 digits into one."""


class Raw(str):
    """Raw text of the file, which no JSON value can be."""

    __slots__ = ()


STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 52, 2**31, 2**53 - 1, 2**53, -(2**63),
    "", " ", "x", "-", "/", "~", "..", "0", "1", "9" * DIGITS, "x" * 20_000, "\x00", "\ud800",
    "\u202e", "\ufeff", "é", "🂡", "100%", "0%", f"{'9' * DIGITS}%", "0.5%", "1/0", "0 to 0",
    "1 to 0", "0 to 1", f"{'9' * DIGITS} to 1", f"1 to {'9' * DIGITS}", "9 for 1", "push", "loss",
    "2024-02-30", "0000-00-00", "9999-12-31", "20240101", "2024-W01-1", "١ to ١", "1 to 1\n",
    [], {}, [[]], [None], [True], [0], [""], [[], {}], {"": None}, {"id": None}, {"all": []},
    {"not": {}}, {"any": [None]}, {"min": 9, "max": 1}, {"min": None}, {"event": 0},
    Raw("9" * DIGITS), Raw("-" + "9" * DIGITS), Raw("1e400"), Raw("1.5"), Raw("-0"), Raw("NaN"),
    Raw("Infinity"), Raw("01"), Raw("tru"), Raw("'x'"), Raw('"\\ud800"'), Raw('"\\u0000"'),
    Raw('"\\x"'), Raw('"'), Raw(""), Raw("//"), Raw("[" * 70 + "]" * 70), Raw('{"a":' * 70),
    Raw("[" * 10_000), Raw("]"), Raw("{"), Raw(","), Raw('"a":'), Raw('"a" "b"'),
)  # fmt: skip
"""What is put in the place of a value, whatever is wanted there."""


def mutate(seed: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Return a file that differs from ``seed`` in one to four places.

    Args:
        seed: a sound file.
        others: files of which parts may be put into this one, ids and all.
        rng: what decides.
    """
    try:
        value = json.loads(seed)
    except ValueError:
        return _of_text(seed, rng)
    if rng.random() < 0.12:
        return _of_text(seed, rng)
    strangers = [json.loads(item) for item in rng.sample(others, min(2, len(others)))]
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _changed(value, strangers, rng)
        if len(_text(value)) > GROWN:
            break
    return _written(value)


def places(value: Any, path: Path = ()) -> Iterator[Path]:  # noqa: ANN401 - a JSON value
    """Yield the path of each part of a value, the value itself first."""
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def _at(value: Any, path: Path) -> Any:  # noqa: ANN401 - a JSON value
    for part in path:
        value = value[part]
    return value


def _changed(value: Any, strangers: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return a value with one part changed; the value itself is changed as well."""
    path = rng.choice([*places(value)])
    part = _at(value, path)
    change = rng.choice(_OF_ANY + _OF.get(type(part), ()))
    new = change(part, strangers or [value], rng)
    if not path:
        return new
    _at(value, path[:-1])[path[-1]] = new
    return value


Change = Callable[[Any, Sequence[Any], random.Random], Any]


def _strange(_: Any, __: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    return json.loads(json.dumps(one)) if _plain(one := rng.choice(STRANGE)) else one


def _plain(value: Any) -> bool:  # noqa: ANN401 - JSON
    return not isinstance(value, Raw)


def _foreign(_: Any, strangers: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return a part of another file: a whole record, or an id that means nothing here."""
    other = rng.choice(strangers)
    return json.loads(json.dumps(_at(other, rng.choice([*places(other)]))))


def _wrapped(part: Any, _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    return rng.choice(([part], {"all": [part]}, {"not": part}, {"x": part}, [part, part]))


def _without(part: Any, _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return an object or a list without one of its parts."""
    if isinstance(part, dict):
        gone = rng.choice([*part]) if part else None
        return {name: one for name, one in part.items() if name != gone}
    return [one for index, one in enumerate(part) if index != rng.randrange(len(part))]


def _with_another(part: dict[str, Any], strangers: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    name = rng.choice(("x", "", "$ref", "\ud800", *part))
    return {**part, f"{name}{rng.choice(('', 's', ' '))}": _strange(part, strangers, rng)}


def _twice(part: dict[str, Any], strangers: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return an object that gives one name a second time."""
    if not part:
        return part
    name = rng.choice([*part])
    text = _text(part)[:-1] + f", {json.dumps(name)}: {_text(_strange(part, strangers, rng))}}}"
    return Raw(text)


def _exchanged(part: dict[str, Any], _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return an object in which two names have each other's values."""
    if len(part) < 2:
        return part
    one, two = rng.sample([*part], 2)
    return {**part, one: part[two], two: part[one]}


def _many(part: list[Any], _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    return part * rng.choice((0, 2, 3, 300))


def _shuffled(part: list[Any], _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    return rng.sample(part, len(part))


def _misspelt(part: str, _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    """Return a text with one character changed, a number in it grown, or all of it repeated."""
    at = rng.randrange(len(part) + 1)
    odd = rng.choice((" ", "\n", "\x00", "\ud800", "'", '"', "/", "0", "9" * DIGITS, "%", "é"))
    return rng.choice((part[:at] + odd + part[at + 1 :], part[:at], part[at:], part * 500))


def _nearby(part: int, _: Sequence[Any], rng: random.Random) -> Any:  # noqa: ANN401 - JSON
    return rng.choice((part + 1, part - 1, -part, part * 10, part * 10**6, str(part), not part))


_OF_ANY: tuple[Change, ...] = (_strange, _strange, _foreign, _wrapped)
_OF: dict[type, tuple[Change, ...]] = {
    dict: (_without, _with_another, _twice, _exchanged),
    list: (_without, _many, _shuffled),
    str: (_misspelt,),
    int: (_nearby,),
}


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a value as JSON text, with raw parts unchanged."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return json.dumps(value)


def _written(value: Any) -> bytes:  # noqa: ANN401 - JSON
    return _text(value).encode("utf-8", "surrogatepass")


def _of_text(seed: bytes, rng: random.Random) -> bytes:
    """Return a file changed as bytes: cut, marked, in another encoding, or with odd bytes."""
    at = rng.randrange(len(seed) + 1)
    odd = rng.choice(
        (b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\r", b"\n\n", b'"', b"'", b",,", b";", b"=",
         b"[", b"]", b"{", b"-", b"\xef\xbb\xbf", b"9" * DIGITS, b"x" * 200_000, b"[" * 10_000,
         b"a." * 5_000, b'"""', b"\\", b" " * 100_000, b",\n" * 20_000)
    )  # fmt: skip
    text = seed.decode("utf-8", "replace")
    return rng.choice(
        (
            b"",
            seed[:at],
            seed[at:],
            seed[:at] + odd + seed[at:],
            seed[:at] + odd + seed[at + 1 :],
            odd,
            b"\xef\xbb\xbf" + seed,
            text.encode("utf-16"),
            text.encode("utf-16-be"),
            text.encode("latin-1", "replace") + b"\xe9",
            seed * 3,
            seed.replace(b"\n", b"\r"),
            rng.randbytes(300),
        )
    )
