"""The terms of a table as a form: what may be stated, what is stated, and how it is kept.

Labels are those of the schema, so a form asks in the words that an editor shows. What a form has no
field for, such as linked meters, stays in the file as it is.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from certify import library
from certify.errors import NotConfigured, NotReadable
from certify.intake.terms import read_terms
from certify.intake.unsaved import unsaved
from certify.model.game import Game
from certify.model.source import Procedure
from certify.model.terms import MeterReduction
from certify.pipeline.new import written

FOLDER: Final = "terms"
"""The folder of a project that forms keep terms in; any other file may be named, too."""

MONEY: Final = re.compile(r"\$?\s*([0-9]{1,3}(?:,?[0-9]{3}){0,4})(?:\.([0-9]{2}))?")
NOT_STATED, NONE, LIMITED = "", "none", "limited"
LIMIT: Final = "aggregate_limits"

Record = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that may be stated.

    ``name`` is its place in the record, such as ``supplier/name``; ``kind`` is ``line``, ``text``,
    ``money`` or ``number``.
    """

    name: str
    label: str
    kind: str
    value: str

    @property
    def is_text(self) -> bool:
        """Whether it takes several lines."""
        return self.kind == "text"

    @property
    def is_figure(self) -> bool:
        """Whether it takes an amount or a number."""
        return self.kind in {"money", "number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Fields that belong together, under a heading."""

    title: str
    fields: tuple[Field, ...]


def path_of(game: str, folder: Path) -> Path:
    """Return where the terms of a game are kept in a project's folder."""
    return folder / FOLDER / f"{game}.json"


def kept(path: Path) -> Record:
    """Return the terms that are kept; none if there is no file.

    Raises:
        Unfit: the file has errors.
    """
    if not path.is_file():
        return {}
    read_terms(path)
    value: Record = json.loads(path.read_bytes())
    return value


def form(game: Game, value: Mapping[str, Any]) -> tuple[Group, ...]:
    """Return the fields of a game's terms, filled with what is stated."""
    schema = json.loads((library.schemas() / "terms.schema.json").read_text(encoding="utf-8"))
    asked = schema["properties"]
    supplier = value.get("supplier", {})
    procedures = value.get("procedures", {})
    return (
        Group(
            title=asked["supplier"]["description"].rstrip("."),
            fields=tuple(
                Field(
                    name=f"supplier/{name}",
                    label=each["description"].rstrip("."),
                    kind="line",
                    value=supplier.get(name, ""),
                )
                for name, each in asked["supplier"]["properties"].items()
            ),
        ),
        Group(
            title=asked["procedures"]["description"].rstrip("."),
            fields=tuple(
                Field(
                    name=f"procedures/{name}",
                    label=asked["procedures"]["properties"][name]["description"].rstrip("."),
                    kind="text",
                    value=procedures.get(name, ""),
                )
                for name in map(str, Procedure)
                if name in asked["procedures"]["properties"]
            ),
        ),
        Group(title="Limits of wagers, in dollars", fields=tuple(_limits(game, value))),
        Group(
            title="The table",
            fields=(
                Field(
                    name="players",
                    label=asked["players"]["description"].rstrip("."),
                    kind="number",
                    value=str(value.get("players", "")),
                ),
                Field(
                    name="laboratory_letter",
                    label=asked["laboratory_letter"]["description"].rstrip("."),
                    kind="line",
                    value=value.get("laboratory_letter", ""),
                ),
            ),
        ),
    )


def _limits(game: Game, value: Mapping[str, Any]) -> Iterator[Field]:
    for wager in game.wagers:
        for part, words in (("least_wagers", "least"), ("largest_wagers", "largest")):
            cents = value.get(part, {}).get(wager.id)
            yield Field(
                name=f"{part}/{wager.id}",
                label=f"{wager.name}, {words}",
                kind="money",
                value="" if cents is None else dollars(cents),
            )


def dollars(cents: int) -> str:
    """Return cents as a form holds them: ``25``, ``2.50``."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)


def cents(text: str, label: str) -> int:
    """Return an amount in cents.

    Raises:
        NotReadable: it is not an amount.
    """
    found = MONEY.fullmatch(text.strip())
    if found is None:
        raise NotReadable(
            f"{label}: {text} is not an amount in dollars.", remedy="Write 25, 2.50 or 1,000."
        )
    return int(found[1].replace(",", "")) * 100 + int(found[2] or 0)


def stated(game: Game, kept: Mapping[str, Any], given: Mapping[str, str]) -> Record:
    """Return the terms as a form states them; what the form does not have stays as it was.

    Raises:
        NotReadable: an amount or a number is none.
    """
    value: Record = {"$schema": "terms.schema.json", **kept, "game": game.id}
    for group in form(game, kept):
        for field in group.fields:
            part, _, name = field.name.partition("/")
            said = _said(field, given.get(field.name, "").strip())
            if not name:
                _put(value, part, said)
                continue
            inner = dict(value.get(part, {}))
            _put(inner, name, said)
            _put(value, part, inner or None)
    _put_limit(game, value, given)
    _put_reductions(value, given)
    return value


def _said(field: Field, text: str) -> str | int | None:
    if not text:
        return None
    if field.kind == "money":
        return cents(text, field.label)
    if field.kind == "number":
        if not text.isdecimal():
            raise NotReadable(f"{field.label}: {text} is not a number.", remedy="Write 6.")
        return int(text[:4])
    # Browsers end the lines of a text with two characters.
    return " ".join(text.split())


def _put(value: Record, name: str, said: object) -> None:
    if said is None:
        value.pop(name, None)
    else:
        value[name] = said


def limit_of(value: Mapping[str, Any]) -> tuple[str, str]:
    """Return what is stated of the aggregate limit, as the form has it, and its dollars."""
    limits = value.get(LIMIT)
    if limits is None:
        return NOT_STATED, ""
    return (LIMITED, dollars(limits[0]["cents"])) if limits else (NONE, "")


def _put_limit(game: Game, value: Record, given: Mapping[str, str]) -> None:
    """Take the one limit that a form states: for everything together, or none."""
    said = given.get(LIMIT, NOT_STATED)
    if said == NOT_STATED:
        value.pop(LIMIT, None)
    elif said == NONE:
        value[LIMIT] = []
    elif len(value.get(LIMIT, ())) < 2:  # noqa: PLR2004 - several are edited in the file
        amount = cents(given.get("aggregate_cents", ""), "Aggregate payout limit")
        value[LIMIT] = [{"cents": amount, "wagers": [wager.id for wager in game.wagers]}]


def _put_reductions(value: Record, given: Mapping[str, str]) -> None:
    if given.get("meter_reductions") is None:
        return
    named = set(given["meter_reductions"].split())
    _put(value, "meter_reductions", [one for one in map(str, MeterReduction) if one in named])


def keep(path: Path, value: Record) -> bytes:
    """Write terms to their file; return what was written.

    Raises:
        Unfit: they are not what the schema asks for; then nothing is written.
        NotConfigured: the file cannot be written.
    """
    data = written(value)
    with unsaved(path, data):
        read_terms(path)
    library.write_atomically(path, data)
    return data


def own_folder(name: str) -> Path:
    """Return a folder of the user's project by a name that stays inside it.

    Raises:
        NotConfigured: there is no project, or the name leads out of it or among its records.
    """
    project = library.project()
    if project is None:
        raise NotConfigured(
            "This folder is in no project, so nothing can be written.",
            remedy="Make a project with `certify init`, and open the desk there.",
        )
    root = project.resolve()
    try:
        folder = (root / name).resolve()
    except (OSError, ValueError) as error:
        raise NotConfigured(
            f"{name!r} is no folder.", remedy="Write a name such as out."
        ) from error
    inside = folder.is_relative_to(root) and folder != root
    if not inside or folder.is_relative_to(root / "paytables") or not name.isprintable():
        raise NotConfigured(
            f"{name!r} is no folder for documents inside the project.",
            remedy="Write a name such as out or out/nevada.",
        )
    return folder
