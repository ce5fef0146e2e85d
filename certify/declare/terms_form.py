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
from msgspec.structs import replace

from certify import library, storage
from certify.checks.framework import Context
from certify.checks.r_jurisdictions.judge import FACTS
from certify.checks.review import review
from certify.declare.new import format_record
from certify.figures.evaluate import overview
from certify.filing.declaration import list_filings
from certify.formatting import correct_amount, read_cents
from certify.intake.decode import decode
from certify.intake.files import read_terms
from certify.intake.layout import absolute
from certify.intake.schema import describe_values
from certify.locking import lock
from certify.model.finding import Finding, Unfit
from certify.model.game import Game
from certify.model.jurisdiction import FILING, TERMS, Jurisdiction, MeterReduction, Scope, Terms
from certify.model.main_wager import MainWager
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Order
from certify.model.topic import Procedure
from certify.report.wording import together

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
    return {
        name: [
            {"id": value, "name": words.rstrip(".")}
            for value, words in describe_values("filing", pointer).items()
        ]
        for name, pointer in OFFERED.items()
    }


NOT_STATED, NONE, STATED = "", "none", "stated"
NUMBER: Final = re.compile(r"[0-9]{1,4}")
AMOUNTS: Final = ("least_wagers", "largest_wagers")
ADVANTAGE: Final = "player_advantage"
CHOICES: Final = ("applicant", "application", "application_reason", "banking", "joker")
DEFAULTS: Final = ("house_way", "strategy")
"""Choices that are declared only if they differ from those of the game."""

FOUL: Final = "foul_against_push"
LETTER: Final = ("laboratory_letter", "laboratory_letter_file")
LIMITS, LINKS, REDUCTIONS = "aggregate_limits", "links", "meter_reductions"
SPARE = 2
"""Empty lines of a form for further limits."""

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
        for part in (*PARTIES, "procedures", ADVANTAGE)
        for name, text in value.get(part, {}).items()
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
    lists = {name: [_describe_list(value.get(name))] for name in (LIMITS, LINKS, REDUCTIONS)}
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


def _describe_list(part: Sequence[Any] | None) -> str:
    if part is None:
        return NOT_STATED
    return STATED if part else NONE


def row_numbers(values: FieldValues) -> list[int]:
    """Return the numbers of the lines for limits: those with values, and empty ones."""
    named = {int(match[1]) for name in values if (match := re.fullmatch(LIMIT_LINE, name))}
    filled = sorted(number for number in named if _has_limit(values, number))
    first = filled[-1] + 1 if filled else 0
    return [*filled, *range(first, first + SPARE)]


LIMIT_LINE: Final = rf"{LIMITS}/([0-9]{{1,3}})/(?:cents|wagers|scope)"


def _has_limit(values: FieldValues, number: int) -> bool:
    return bool(
        _text(values, f"{LIMITS}/{number}/cents") or values.get(f"{LIMITS}/{number}/wagers")
    )


def _text(values: FieldValues, name: str) -> str:
    """Return the value of a field with white space collapsed: browsers send CR LF line ends."""
    return " ".join(" ".join(values.get(name, ())).split())


def parse_terms(game: Game, saved: Mapping[str, Any], values: FieldValues) -> ParsedTerms:
    """Return the filing that a form declares, and the faults of its fields."""
    terms = ParsedTerms(value={"$schema": "filing.schema.json", **saved, "game": game.id})
    texts = [f"{party}/{name}" for party in PARTIES for name in label_fields(party)]
    texts += [f"procedures/{name}" for name in map(str, Procedure)]
    texts += [f"{ADVANTAGE}/{wager.id}" for wager in game.wagers]
    for name in (*texts, *CHOICES, FOUL, *LETTER):
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
                present, before = read(game, terms, values), terms.value.get(name)
                same = before is not None and _comparable(before) == _comparable(present)
                _put(terms.value, name, values, before if same else present)
    return terms


def _put_selected(value: Record, game: Game, values: FieldValues) -> None:
    """Set the filed options and paytables, unless they are the ones that the file selects."""
    before, names = _find_selection(game, value), ("option", "paytable")
    chosen = {name: list(values[name]) for name in names if name in values}
    if chosen and any(before.get(name) != targets for name, targets in chosen.items()):
        selected: dict[str, list[str]] = {name: [] for name in names} | before | chosen
        value["paytables"] = [target for name in names for target in selected[name]]


def _comparable(part: Any) -> str:  # noqa: ANN401 - a part of a record
    """Return a text that is equal for equal meanings: order and defaults do not matter."""
    if isinstance(part, list):
        return repr(sorted(map(_comparable, part)))
    if isinstance(part, dict):
        usual = {"scope": str(Scope.PLAYER)} if "cents" in part else {}
        return repr(sorted((name, _comparable(each)) for name, each in (usual | part).items()))
    return repr(part)


def _put(value: Record, name: str, values: FieldValues, text: object) -> None:
    """Set or remove the value of a field; a field that was not sent stays unchanged."""
    if name not in values:
        return
    part, _, inner = name.partition("/")
    if not inner:
        value.pop(part, None)
        if text is not None:
            value[part] = text
        return
    inner_values = {**value.get(part, {})}
    _put(inner_values, inner, {inner: ()}, text)
    value.pop(part, None) if not inner_values else value.update({part: inner_values})


def _cents(terms: ParsedTerms, name: str, text: str) -> int | None:
    """Return an amount in cents; None for none or for an invalid amount, which is a fault."""
    if not text:
        return None
    cents = read_cents(text)
    if cents is None or cents < 0:
        terms.faults[name] = f"{text} is not an amount of dollars. {correct_amount(text)}"
        return None
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
    for number in row_numbers(values):
        name = f"{LIMITS}/{number}"
        if not _has_limit(values, number):
            continue
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


def check_terms(game: Game, path: Path, value: Record) -> tuple[Finding, ...]:
    """Return findings on a filing before it is saved: on its form, then on its content."""
    try:
        terms, document = read_terms(path, {absolute(path): format_record(value)})
    except Unfit as error:
        return error.findings
    catalog = overview().catalog
    named = {f"jurisdictions/{terms.jurisdiction}", f"house-ways/{terms.house_way}"}
    keys = {key for key in catalog.documents if key.startswith(game.id) or key in named}
    catalog = catalog.only(keys)
    catalog = replace(catalog, documents={**catalog.documents, TERMS: document})
    findings = review(Context(catalog, terms=terms, game=game))
    return tuple(finding for finding in findings if finding.file == document.path)


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


SUPPLIER: Final = {"supplier": "name"} | {
    f"supplier_{name}": name for name in ("address", "contact", "licence")
}
"""The facts that the supplier's fields state."""

NOT_IN_FORM: Final = ("code_options", "fees")
"""The facts that only the file of a filing declares."""

WAGERS: Final = {"wager_maxima": "largest_wagers", "wager_minima": "least_wagers"}
"""The facts that amounts of wagers state, and the part of the terms that has them."""

JUDGED_BY: Final = {
    "largest_wager": "largest_wagers",
    "aggregate_limit_floor": LIMITS,
    "fixed_payout_floor": LIMITS,
    "linked_equal_probability": LINKS,
    "meter_reduction_reasons": REDUCTIONS,
    "tribal": "tribal",
}
"""The part of the terms that the test of a rule judges a filing by."""


class Missing(Struct, frozen=True, kw_only=True):
    """An item of the checklist that waits for terms: its words, its rule, the fields."""

    text: str
    rule: str | None
    fields: tuple[str, ...]


def needs_terms(state: Jurisdiction, part: str) -> bool:
    """Return True if a rule of the jurisdiction is tested by this part of the terms."""
    return any(JUDGED_BY.get(rule.test or "") == part for rule in state.rules)


def missing(game: Game, state: Jurisdiction, value: Mapping[str, Any]) -> tuple[Missing, ...]:
    """Return the open items of the checklist for the whole game, in the checklist's order.

    ``value`` is valid terms, or an empty object.
    """
    terms: Terms = decode(FILING, dict(value)) if value else Terms()
    filed = Filing(
        order=Order(game=game.id, jurisdiction=state.id),
        game=game,
        main=next(iter(game.options), None),
        paytables=game.paytables,
        jurisdiction=state,
        terms=terms,
    )
    tests = {rule.id: rule.test or "" for rule in state.rules}
    waiting = []
    for item in state.checklist:
        fields = [name for fact in item.proof for name in _fact_fields(filed, fact)]
        if "rule" in item.proof:
            fields += _rule_fields(filed, JUDGED_BY.get(tests.get(item.rule or "", ""), ""))
        if fields:
            once = tuple(dict.fromkeys(fields))
            waiting.append(Missing(text=item.text, rule=item.rule, fields=once))
    return tuple(waiting)


def _fact_fields(filed: Filing, name: str) -> Iterator[str]:
    """Yield the fields that would declare a fact, if it is not declared."""
    fact = FACTS.get(name)
    if fact is None or not fact.terms or fact.holds(filed):
        return
    if name in SUPPLIER:
        yield f"supplier/{SUPPLIER[name]}"
    elif name in WAGERS:
        yield from _amounts(filed, WAGERS[name])
    elif name in tuple(Procedure):
        yield f"procedures/{name}"
    elif name == "applicant_address":
        yield f"{filed.terms.applicant}/address"
    elif name not in NOT_IN_FORM:
        yield name.removesuffix("_kind")


def _rule_fields(filed: Filing, part: str) -> Iterator[str]:
    """Yield the empty fields that a rule test depends on."""
    meters = len(list_meters(filed.game))
    enough = {LINKS: meters > 1, REDUCTIONS: meters > 0}
    if part == "largest_wagers":
        yield from _amounts(filed, part)
    elif part and getattr(filed.terms, part) is None and enough.get(part, True):
        yield part


def _amounts(filed: Filing, part: str) -> Iterator[str]:
    """Yield the amounts that are not declared; the whole part if there are several."""
    amount_of = filed.terms.largest if part == "largest_wagers" else filed.terms.least
    names = [f"{part}/{wager.id}" for wager in filed.wagers if amount_of(wager) is None]
    yield from names if len(names) == 1 else [part][: len(names)]
