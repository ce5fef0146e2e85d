"""The filings of a project side by side, and those that a change of a record touches."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from certify import library
from certify.errors import NotConfigured
from certify.figures.findings import find_filing_rule
from certify.figures.targets import load_catalog, lookup, unknown_id
from certify.filing.declaration import (
    list_filings,
    resolve_order,
    split_sentences,
    take_amounts,
    term_values,
)
from certify.filing.listing import find_register
from certify.filing.order import build_filing
from certify.filing.register import IN_FORCE
from certify.filing.register_check import list_unlike
from certify.intake.files import read_register, read_terms
from certify.model.approval import Approval
from certify.model.jurisdiction import TERMS
from certify.model.paytable import Paytable
from certify.model.submission import Filing, Order
from certify.report.tables import Table, table


class Touched(Struct, frozen=True, kw_only=True):
    """A filing that rests on a target, and its entry in force, if it has one.

    ``applicant`` is the party that files with the regulator. ``revision`` is the declared one.
    ``entry`` has its status and revision; ``changed`` says what differs from it now. ``citation``
    and ``requirement`` are those of the rule of the jurisdiction on the filing of a change.
    """

    filing: str
    jurisdiction: str
    regulator: str
    operator: str
    revision: str
    entry: str = ""
    changed: str = ""
    applicant: str = ""
    citation: str = ""
    requirement: str = ""


def list_differences(game: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names of a game's filings, and the values of each topic that differs among them.

    Raises:
        NotConfigured: the game is unknown, or the project has no filing of it.
        Unfit: a filing cannot be submitted.
    """
    filings = _build_filings(lookup("game", game, load_catalog().games).id)
    values = {name: _topics(filing) for name, filing in filings.items()}
    topics = dict.fromkeys(topic for by_topic in values.values() for topic in by_topic)
    rows = {topic: [by_topic.get(topic, "") for by_topic in values.values()] for topic in topics}
    return [*filings], {topic: row for topic, row in rows.items() if len({*row}) > 1}


def list_touched(target: str) -> tuple[Touched, ...]:
    """Return the filings of a project that rest on a game, wager, option, paytable or house way.

    Raises:
        NotConfigured: the target is unknown, or the project has no filing.
        Unfit: a filing cannot be submitted, or the register has errors.
    """
    catalog = load_catalog()
    if target not in catalog.documents and target not in catalog.games:
        raise unknown_id("target", target, list(catalog.documents))
    path = find_register(library.project())
    approvals = read_register(path)[0].approvals if path is not None else ()
    return tuple(
        _describe_touched(name, filing, approvals)
        for name, filing in _build_filings().items()
        if _rests_on(filing, target)
    )


def differences_json(names: Sequence[str], rows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the object of ``certify matrix --format json``."""
    return {
        "filings": names,
        "topics": [
            {"topic": topic, "values": dict(zip(names, row, strict=True))}
            for topic, row in rows.items()
        ],
    }


def touched_table(touched: Iterable[Touched]) -> Table:
    """Return the filings that a change touches as a table."""
    return table(
        "",
        "Filing | Regulator | Applicant | Declared | Register | Changed since",
        [
            (each.filing, each.regulator, each.applicant, each.revision, each.entry, each.changed)
            for each in touched
        ],
    )


def _build_filings(game: str | None = None) -> dict[str, Filing]:
    """Return the filings of the project, or of one game, by name."""
    named = {name: read_terms(path)[0].game for name, path in list_filings().items()}
    filings = {
        name: build_filing(resolve_order(Order(game=name)))
        for name, owner in named.items()
        if game in (None, owner)
    }
    if not filings:
        raise NotConfigured(
            f"The project has no filing{'' if game is None else f' of {game}'}.",
            remedy="Create one with `certify new filing`.",
        )
    return filings


def _topics(filing: Filing) -> Mapping[str, str]:
    """Return the values of a filing in words, by topic."""
    documents, game = filing.catalog.documents, filing.game
    declared = documents[TERMS].value
    facts: dict[str, Any] = {
        "jurisdiction": filing.jurisdiction.name,
        "revision": f"{game.revision} of {game.revised}",
        "filed": [record.target.removeprefix(f"{game.id}/") for record in filing.records],
        "house way": filing.order.house_way or game.house_way,
        "strategy": filing.order.strategy or game.strategy,
    }
    facts |= {f"terms: {topic}": value for topic, value in term_values(declared).items()}
    for paytable in filing.paytables:
        facts[f"amounts: {paytable.target}"] = take_amounts(documents[paytable.target].value)[1]
        envy = documents.get(f"{game.id}/{paytable.wager}/envy/{paytable.envy}")
        if envy is not None:
            facts[f"envy minimum: {envy.value['id']}"] = envy.value["qualifying_wager_cents"]
    for key, document in documents.items():
        if key.partition("/")[0] == game.id and key.count("/") <= 1:
            sentences = split_sentences(document.value)
            facts |= {f"rule: {key}: {name}": each["text"] for name, each in sentences.items()
                      if name}  # fmt: skip
    return {topic: _say(value) for topic, value in facts.items()}


def _say(value: Any) -> str:  # noqa: ANN401 - a JSON value
    if isinstance(value, dict):
        return ", ".join(f"{name} {_say(part)}" for name, part in value.items())
    return ", ".join(map(_say, value)) if isinstance(value, list) else str(value)


def _rests_on(filing: Filing, target: str) -> bool:
    """Return True if a filing has a record of a target, or one that rests on it."""
    names = [record.target for record in filing.records]
    names += [
        f"{filing.game.id}/{record.wager}/envy/{record.envy}"
        for record in filing.paytables
        if isinstance(record, Paytable) and record.envy is not None
    ]
    way = filing.order.house_way or filing.game.house_way
    if target == f"house-ways/{way}":
        return filing.main is not None
    return any(f"{name}/".startswith(f"{target}/") for name in names)


def _describe_touched(name: str, filing: Filing, approvals: tuple[Approval, ...]) -> Touched:
    terms = filing.terms
    entries = [each for each in approvals if each.filing == name and each.status in IN_FORCE]
    latest = entries[-1] if entries else None
    _, rule = find_filing_rule(filing.jurisdiction, dt.datetime.now(dt.UTC).date())
    return Touched(
        filing=name,
        jurisdiction=filing.jurisdiction.name,
        regulator=filing.jurisdiction.regulator,
        operator=terms.operator.name if terms.operator is not None else "",
        revision=filing.game.revision,
        entry=f"{latest.status}, revision {latest.revision}" if latest is not None else "",
        changed=list_unlike(latest, filing.catalog) if latest is not None else "",
        applicant=(terms.applying and terms.applying.name) or "",
        citation=rule.citation if rule is not None else "",
        requirement=rule.text if rule is not None else "",
    )
