"""Form of a filing: fields, values, faults and the file; terms that are still missing.

A field has the name of its place in the record, such as ``supplier/name``. A field that the form
does not send keeps its value.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from certify import library, storage
from certify.declare.editing import describe_choices
from certify.declare.new import format_record
from certify.figures.evaluate import overview
from certify.filing.declaration import list_filings
from certify.filing.order import review_file
from certify.formatting import correct_amount, read_cents
from certify.intake.files import read_terms
from certify.intake.layout import absolute, display_path
from certify.model.finding import Finding, Unfit
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction, MeterReduction, Scope
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.topic import Procedure
from certify.report.wording import together
from certify.storage import lock

PARTIES: Final = ("supplier", "operator", "laboratory")

OFFERED: Final = {
    "applicant": "/properties/applicant",
    "application": "/properties/application",
    "foul_against_push": "/properties/foul_against_push",
    "meter_reductions": "/properties/meter_reductions/items",
    "scope": "/properties/aggregate_limits/items/properties/scope",
}
"""Fields of the form that offer the allowed values of a property of the schema."""


def label_fields(part: str) -> dict[str, str]:
    """Return the words of the schema for the fields of one part, in its order."""
    schema = json.loads((library.schemas() / "filing.schema.json").read_text(encoding="utf-8"))
    fields = schema["$defs"]["party"] if part in PARTIES else schema["properties"][part]
    return {name: each["description"].rstrip(".") for name, each in fields["properties"].items()}


def list_choices() -> dict[str, list[dict[str, str]]]:
    """Return the allowed values of each choice with the words of the schema."""
    return {name: describe_choices("filing", pointer) for name, pointer in OFFERED.items()}


NUMBER: Final = re.compile(r"[0-9]{1,4}")
AMOUNTS: Final = ("least_wagers", "largest_wagers")
BY_WAGER: Final = ("player_advantage", "code_options")
CHOICES: Final = ("applicant", "application", "application_reason", "banking", "joker")
DEFAULTS: Final = ("house_way", "strategy")
"""Choices that are declared only if they differ from those of the game."""

FOUL: Final = "foul_against_push"
LETTER: Final = ("laboratory_letter", "laboratory_letter_file")
LIMITS, LINKS, REDUCTIONS = "aggregate_limits", "links", "meter_reductions"
FEES, BANDS, SUPPLIED = "fees", "fees/bands", "supplied"
LINES: Final = {
    LIMITS: ("Limit", {"cents": "amount", "scope": "paid to", "wagers": "wagers"}),
    BANDS: (
        "Fee",
        {"from_cents": "wager from", "cents": "player", "banker_cents": "player-dealer"},
    ),
}
"""The words for a line of a list and for its fields."""

OF_WAGER: Final = {
    "player_advantage": "Player advantage: reason for {}",
    "code_options": "Option of the code: {}",
    "least_wagers": "{}: minimum",
    "largest_wagers": "{}: maximum",
}
"""The words for the fields of each wager."""

STATEMENT: Final = re.compile(rf"{SUPPLIED}/([a-z0-9-]+)/statement")
SPARE = 2
"""Empty lines of a form for further limits or fees."""

Record = dict[str, Any]
FieldValues = Mapping[str, Sequence[str]]
"""Values of a form by field name; of check boxes, the selected ones."""


class Meter(Struct, frozen=True, kw_only=True):
    """One meter of a game, as links name it."""

    paytable: str
    level: str
    wager: str

    @property
    def name(self) -> str:
        """The field for its link."""
        return f"{LINKS}/{self.paytable}/{self.level}"


class ParsedTerms(Struct, kw_only=True):
    """The filing that a form declares, and its faults by field name."""

    value: Record
    faults: dict[str, str] = field(default_factory=dict)


def list_meters(game: Game) -> tuple[Meter, ...]:
    """Return the meters of a game's paytables."""
    return tuple(
        Meter(paytable=table.id, level=meter.level, wager=wager.name)
        for wager in game.wagers
        for table in wager.paytables
        for meter in table.meters
    )


def dollars(cents: int) -> str:
    """Return cents as a form holds them: ``25``, ``2.50``."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)


def form_values(game: Game, value: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the form fields that declare these terms."""
    texts = {
        f"{part}/{name}": [str(text)]
        for part in (*PARTIES, "procedures", *BY_WAGER, FEES)
        for name, text in value.get(part, {}).items()
        if name != "bands"
    }
    amounts = {
        f"{part}/{name}": [dollars(cents)]
        for part in AMOUNTS
        for name, cents in value.get(part, {}).items()
    }
    plain = {
        name: [str(value[name])]
        for name in ("players", *CHOICES, *DEFAULTS, FOUL, *LETTER)
        if name in value
    }
    if "tribal" in value:
        plain["tribal"] = ["yes" if value["tribal"] else "no"]
    lists = {
        name: [("stated" if value[name] else "none") if name in value else ""]
        for name in (LIMITS, LINKS, REDUCTIONS)
    }
    for number, limit in enumerate(value.get(LIMITS, ())):
        lists[f"{LIMITS}/{number}/cents"] = [dollars(limit["cents"])]
        lists[f"{LIMITS}/{number}/scope"] = [limit.get("scope", str(Scope.PLAYER))]
        lists[f"{LIMITS}/{number}/wagers"] = list(limit["wagers"])
    linked = {
        (meter["paytable"], meter["level"]): str(number)
        for number, link in enumerate(value.get(LINKS, ()), 1)
        for meter in link
    }
    lists |= {
        meter.name: [linked.get((meter.paytable, meter.level), "")] for meter in list_meters(game)
    }
    lists[f"{REDUCTIONS}/reasons"] = list(value.get(REDUCTIONS, ()))
    for number, band in enumerate(value.get(FEES, {}).get("bands", ())):
        lists |= {f"{BANDS}/{number}/{part}": [dollars(band[part])] for part in band}
    for supplied in value.get(SUPPLIED, ()):
        name, files = f"{SUPPLIED}/{supplied['item']}", supplied.get("files", ())
        lists.setdefault(f"{name}/statement", [supplied.get("statement", "")])
        lists.setdefault(f"{name}/files", [f"{file['sha256']} {file['name']}" for file in files])
    return texts | amounts | plain | lists | _find_selection(game, value)


def _find_selection(game: Game, value: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the options and paytables that a filing selects; without a list, all paytables."""
    if "id" not in value:
        return {}
    named = value.get("paytables", ())

    def select(records: Iterable[MainWager | Paytable]) -> list[str]:
        listed = list(records)
        chosen = [each.target for each in listed if {each.id, each.target} & {*named}]
        return chosen or [each.target for each in listed]

    return {"option": select(game.options)[:1], "paytable": select(game.paytables)}


def label_all(game: Game, state: Jurisdiction, values: FieldValues) -> dict[str, str]:
    """Return the words for every field of a filing that has no fixed ones, by its name."""
    return {
        **{
            f"{party}/{name}": f"{party.capitalize()}: {label}"
            for party in PARTIES
            for name, label in label_fields(party).items()
        },
        **{f"procedures/{name}": label for name, label in label_fields("procedures").items()},
        **{
            f"{part}/{row}/{name}": f"{line} {row + 1}: {word}"
            for part, (line, columns) in LINES.items()
            for row in row_numbers(values, part)
            for name, word in columns.items()
        },
        **{
            meter.name: f"Link of meter {meter.level} of {meter.paytable}"
            for meter in list_meters(game)
        },
        **{
            f"{SUPPLIED}/{item.id}/{part}": f"{item.text} {word}"
            for item in state.suppliable
            for part, word in (("statement", "Answer"), ("files", "Files"))
        },
        **{
            f"{part}/{wager.id}": label.format(wager.name)
            for part, label in OF_WAGER.items()
            for wager in game.wagers
        },
    }


def row_numbers(values: FieldValues, part: str) -> list[int]:
    """Return the numbers of the lines of a list: those with values, and empty ones."""
    filled = _filled_rows(values, part)
    first = filled[-1] + 1 if filled else 0
    return [*filled, *range(first, first + SPARE)]


def _filled_rows(values: FieldValues, part: str) -> list[int]:
    line = re.compile(rf"{part}/([0-9]{{1,3}})/(?:{'|'.join(LINES[part][1].keys() - {'scope'})})")
    named = ((name, match) for name in values if (match := line.fullmatch(name)))
    return sorted({int(match[1]) for name, match in named if _text(values, name)})


def _text(values: FieldValues, name: str) -> str:
    """Return the value of a field with white space collapsed: browsers send CR LF line ends."""
    return " ".join(" ".join(values.get(name, ())).split())


def parse_terms(game: Game, saved: Mapping[str, Any], values: FieldValues) -> ParsedTerms:
    """Return the filing that a form declares, and the faults of its fields."""
    terms = ParsedTerms(value={"$schema": "filing.schema.json", **saved, "game": game.id})
    texts = [f"{party}/{name}" for party in PARTIES for name in label_fields(party)]
    texts += [f"procedures/{name}" for name in map(str, Procedure)]
    texts += [f"{part}/{wager.id}" for part in BY_WAGER for wager in game.wagers]
    for name in (*texts, *CHOICES, FOUL, *LETTER, f"{FEES}/text"):
        _put(terms.value, name, values, _text(values, name) or None)
    for name in DEFAULTS:
        usual = str(getattr(game, name)) if name not in saved else ""
        text = _text(values, name)
        _put(terms.value, name, values, text if text not in {"", usual} else None)
    _put_selected(terms.value, game, values)
    amounts = [f"{part}/{wager.id}" for part in AMOUNTS for wager in game.wagers]
    for name in amounts:
        _put(terms.value, name, values, _cents(terms, name, _text(values, name)))
    _put(terms.value, "players", values, _players(terms, _text(values, "players")))
    _put(terms.value, "tribal", values, {"yes": True, "no": False}.get(_text(values, "tribal")))
    for name, read in ((LIMITS, _limits), (LINKS, _links), (REDUCTIONS, _reductions)):
        match _text(values, name):
            case "":
                _put(terms.value, name, values, None)
            case "none":
                _put(terms.value, name, values, [])
            case _:
                _put(terms.value, name, values, read(game, terms, values))
    if f"{FEES}/text" in values:
        _put(terms.value, BANDS, {BANDS: ()}, _bands(terms, values) or None)
    _put(terms.value, SUPPLIED, {SUPPLIED: ()}, _supplied(saved, values) or None)
    return terms


def _put_selected(value: Record, game: Game, values: FieldValues) -> None:
    """Set the filed options and paytables, unless they are the ones that the file selects."""
    before, names = _find_selection(game, value), ("option", "paytable")
    chosen = {name: list(values[name]) for name in names if name in values}
    if chosen and any(before.get(name) != targets for name, targets in chosen.items()):
        selected: dict[str, list[str]] = {name: [] for name in names} | before | chosen
        value["paytables"] = [target for name in names for target in selected[name]]


def _comparable(part: Any) -> str:  # noqa: ANN401 - a part of a record
    """Return a text that is equal for equal meanings: order, defaults, spaces do not matter."""
    if isinstance(part, list):
        return repr(sorted(map(_comparable, part)))
    if isinstance(part, dict):
        usual = {"scope": str(Scope.PLAYER)} if "cents" in part else {}
        return repr(sorted((name, _comparable(each)) for name, each in (usual | part).items()))
    return repr(" ".join(part.split()) if isinstance(part, str) else part)


def _put(value: Record, name: str, values: FieldValues, text: object) -> None:
    """Set or remove the value of a field.

    A field that was not sent, or that has the same meaning, stays unchanged.
    """
    if name not in values:
        return
    part, _, inner = name.partition("/")
    if not inner:
        if text is None:
            value.pop(part, None)
        elif part not in value or _comparable(value[part]) != _comparable(text):
            value[part] = text
        return
    inner_values = {**value.get(part, {})}
    _put(inner_values, inner, {inner: ()}, text)
    value.pop(part, None) if not inner_values else value.update({part: inner_values})


def _cents(terms: ParsedTerms, name: str, text: str) -> int | None:
    """Return an amount in cents, None without one; add a fault for an invalid one."""
    cents = read_cents(text) if text else None
    if text and (cents is None or cents < 0):
        terms.faults[name] = f"{text} is not an amount of dollars. {correct_amount(text)}"
    return cents


def _players(terms: ParsedTerms, text: str) -> int | None:
    if text and not NUMBER.fullmatch(text):
        terms.faults["players"] = f"{text} is not a number. Write 6."
        return None
    return int(text) if text else None


def _limits(game: Game, terms: ParsedTerms, values: FieldValues) -> list[Record]:
    """Return the limits that the lines of a form state."""
    wager_ids = {wager.id for wager in game.wagers}
    taken: list[Record] = []
    for number in _filled_rows(values, LIMITS):
        name = f"{LIMITS}/{number}"
        cents = _cents(terms, f"{name}/cents", _text(values, f"{name}/cents"))
        wagers = [wager for wager in values.get(f"{name}/wagers", ()) if wager in wager_ids]
        if not _text(values, f"{name}/cents"):
            terms.faults[f"{name}/cents"] = "Write the amount of this limit in dollars."
        if not wagers:
            terms.faults[f"{name}/wagers"] = "Select the wagers of this limit."
        limit: Record = {"cents": cents, "wagers": wagers}
        if _text(values, f"{name}/scope") == Scope.TABLE:
            limit["scope"] = str(Scope.TABLE)
        taken.append(limit)
    if not taken:
        terms.faults[LIMITS] = "Write an amount below, or declare that there is none."
    return taken


def _links(game: Game, terms: ParsedTerms, values: FieldValues) -> list[list[Record]]:
    """Return the links that the meters of a form are put into, in the order of their numbers."""
    numbered = [(_text(values, meter.name), meter) for meter in list_meters(game)]
    groups = together((number, meter) for number, meter in numbered if number)
    for meters in groups.values():
        if len(meters) == 1:
            terms.faults[meters[0].name] = "Add another meter to this link, or remove it."
    if not groups:
        terms.faults[LINKS] = "Combine linked meters in one link below."
    return [
        [{"paytable": meter.paytable, "level": meter.level} for meter in groups[number]]
        for number in sorted(groups, key=lambda number: (len(number), number))
    ]


def _reductions(_: Game, terms: ParsedTerms, values: FieldValues) -> list[str]:
    marked = values.get(f"{REDUCTIONS}/reasons", ())
    if not marked:
        terms.faults[REDUCTIONS] = "Select the reasons below, or declare that there is none."
    return [reason for reason in map(str, MeterReduction) if reason in marked]


def _bands(terms: ParsedTerms, values: FieldValues) -> list[Record]:
    """Return the collection fees that the lines of a form state."""
    bands = []
    for number in _filled_rows(values, BANDS):
        names = {column: f"{BANDS}/{number}/{column}" for column in LINES[BANDS][1]}
        band = {each: _cents(terms, name, _text(values, name)) for each, name in names.items()}
        bands.append({column: cents for column, cents in band.items() if cents is not None})
    return bands


def _supplied(saved: Mapping[str, Any], values: FieldValues) -> list[Record]:
    """Return the supplied items of a filing, with those that a form states."""
    items: list[Record] = list(saved.get(SUPPLIED, ()))
    for item in [match[1] for name in values if (match := STATEMENT.fullmatch(name))]:
        files = [text.partition(" ") for text in values.get(f"{SUPPLIED}/{item}/files", ())]
        parts = {
            "statement": _text(values, f"{SUPPLIED}/{item}/statement"),
            "files": [{"name": name, "sha256": digest} for digest, _, name in files],
        }
        supplied = {"item": item} | {name: part for name, part in parts.items() if part}
        at = next((n for n, each in enumerate(items) if each["item"] == item), len(items))
        items[at : at + 1] = [supplied] if any(parts.values()) else []
    return items


def fields_at_fault(names: Sequence[str], pointer: str) -> Iterator[str]:
    """Yield the fields that a place in the record belongs to, the nearest first."""
    place = pointer.strip("/")
    while place:
        yield from (name for name in names if name == place or name.startswith(f"{place}/"))
        place = place.rpartition("/")[0]


def load_terms(path: Path) -> Record:
    """Return the saved filing; empty if there is no file.

    Raises:
        Unfit: the file has errors.
    """
    if not path.is_file():
        return {}
    read_terms(path)
    value: Record = json.loads(storage.read_at_most(path))
    return value


def initial_terms(game: str, path: Path) -> Record:
    """Return the saved filing; without a file, terms of 0.2, or the supplier of the latest filing.

    Raises:
        Unfit: the file has errors.
    """
    old = path.parent.parent / "terms" / f"{game}.json"
    if path.is_file() or not old.is_file():
        return load_terms(path) if path.is_file() else find_supplier()[0]
    return {name: part for name, part in load_terms(old).items() if name not in LETTER}


def find_supplier() -> tuple[Record, tuple[str, ...]]:
    """Return the supplier of the latest filing without errors, and later ones with errors."""
    others = sorted(list_filings().values(), key=lambda other: other.stat().st_mtime)
    skipped: list[str] = []
    for other in reversed(others):
        try:
            supplier = load_terms(other).get("supplier")
            return {"supplier": supplier} if supplier else {}, tuple(skipped)
        except Unfit:
            skipped.append(other.name)
    return {}, tuple(skipped)


def find_faults(
    game: Game, path: Path, value: Record, files: Mapping[str, bytes]
) -> tuple[Finding, ...]:
    """Return the errors in a filing that keep it from being saved with ``files``, by name."""
    found = check_terms(game, path, value, files)
    name = display_path(path)
    return tuple(finding for finding in found if finding.is_error and finding.file == name)


def check_terms(
    game: Game, path: Path, value: Record, files: Mapping[str, bytes] | None = None
) -> tuple[Finding, ...]:
    """Return the findings on a filing as it would be saved, with ``files`` next to it by name."""
    overlays = {absolute(path.parent / name): data for name, data in (files or {}).items()}
    overlays[absolute(path)] = format_record(value)
    try:
        terms, document = read_terms(path, overlays)
    except Unfit as error:
        return error.findings
    catalog, layers = overview().catalog, library.layers()
    return review_file(terms, document, catalog, *layers, path=path, overlays=overlays, game=game)


def keep(path: Path, value: Record, before: bytes | None) -> None:
    """Write a filing to its file, whose content was ``before``; None if there was none.

    Raises:
        ChangedMeanwhile: it has other content now.
        Unfit: it is not what the schema asks for; then nothing is written.
        NotConfigured: the file cannot be written.
    """
    data = format_record(value)
    read_terms(path, {absolute(path): data})
    with lock(path.parent):
        storage.write_atomically(path, data, before=before)
