"""The form of a submission: what it shows, what is missing, and the order that it states."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from certify import library
from certify.desk.answers import Changed, Choice
from certify.errors import CertifyError
from certify.model.finding import Finding, Severity
from certify.model.game import Game, Strategy
from certify.model.jurisdiction import Jurisdiction
from certify.model.source import Procedure
from certify.model.terms import MeterReduction
from certify.pipeline.declare import table_terms, terms_form
from certify.pipeline.declare.missing_terms import asks_for, missing
from certify.pipeline.figures.overview import overview
from certify.pipeline.filing import Order
from certify.pipeline.identities import Signer, open_identity, stored
from certify.pipeline.submit.command import command_of
from certify.pipeline.targets import unknown

if TYPE_CHECKING:
    from starlette.datastructures import FormData

FILE, TOKEN = "file", "token"
ORDERED = (
    "option", "paytable", "house_way", "strategy", "as_of", "signer", "timestamp_url", "out",
    "key_file", "module", "token", "key", "kit", "register",
)  # fmt: skip
"""The fields that are no terms and no secret: the way back to a form states them again."""

SECRET = ("csrf", "password")
"""The fields that are never shown again."""

LETTER = 16 * 1024 * 1024
"""Bytes of a laboratory's letter of which the digest is taken."""

Texts = dict[str, list[str]]


@dataclass(slots=True, kw_only=True)
class Filled:
    """What stands in a form, and what is wrong with it, as its template asks for them by name."""

    said: Mapping[str, Sequence[str]]
    faults: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return what a field says."""
        return " ".join(self.said.get(name, ()))

    def has(self, name: str, value: str) -> bool:
        """Whether this is chosen or marked."""
        return value in (self.said.get(name) or ("",))

    def fault(self, name: str) -> str:
        """Return what is wrong with a field."""
        return self.faults.get(name, "")

    def troubled(self, *parts: str) -> bool:
        """Whether something is wrong with a field of these parts of the terms."""
        return any(name.partition("/")[0] in parts for name in self.faults)


@dataclass(slots=True, kw_only=True)
class Asked:
    """A form that was sent: the order that it states, or what is wrong with it."""

    game: Game
    state: Jurisdiction
    said: Texts
    faults: dict[str, str]
    findings: tuple[Finding, ...] = ()
    order: Order | None = None
    out: Path | None = None
    signer: Signer | None = None

    @property
    def back(self) -> str:
        """The address of the form with what was chosen; the terms stand in their file."""
        chosen = [(name, value) for name in ORDERED for value in self.said.get(name, ()) if value]
        first = [("game", self.game.id), ("jurisdiction", self.state.id)]
        return f"/submit?{urlencode([*first, *chosen])}"


def choices(known: Mapping[str, str]) -> list[Choice]:
    """Return what may be chosen, by id."""
    return [Choice(id=key, name=name) for key, name in known.items()]


def of(game: str, state: str) -> tuple[Game, Jurisdiction]:
    """Return what is filed and where.

    Raises:
        NotConfigured: one of them is not declared.
    """
    catalogue = overview().catalogue
    if game not in catalogue.games:
        raise unknown("game", game, catalogue.games)
    if state not in catalogue.jurisdictions:
        raise unknown("jurisdiction", state, catalogue.jurisdictions)
    return catalogue.games[game], catalogue.jurisdictions[state]


def opened(game: Game, given: Mapping[str, Sequence[str]]) -> Texts:
    """Return what the form says when it is opened: the terms as they are kept, and what is usual.

    ``given`` goes before what is usual: an address may state what was chosen.
    """
    options = [option.target for wager in game.wagers for option in wager.options]
    usual: Texts = {
        "option": options[:1],
        "house_way": [game.house_way or ""],
        "strategy": [str(game.strategy)],
        "out": ["out"],
    }
    chosen = {name: list(given[name]) for name in ORDERED if given.get(name)}
    return usual | chosen | terms_form.said_of(game, table_terms.kept(terms_of(game)))


def view(asked: Asked) -> dict[str, Any]:
    """Return what the template of the form shows."""
    game, state = asked.game, asked.state
    path, filled = terms_of(game), Filled(said=asked.said, faults=asked.faults)
    value = table_terms.kept(path)
    project = library.project()
    ways, waiting = overview().catalogue.house_ways, missing(game, state, value)
    return {
        "game": game,
        "state": state,
        "form": filled,
        "findings": asked.findings or table_terms.judged(game, path, value) if value else (),
        "missing": waiting,
        "missing_count": len(waiting),
        "fault_count": len(asked.faults),
        "tabled": [wager for wager in game.wagers if wager.paytables],
        "labels": labels(game),
        "ways": choices({way: ways[way].name for way in game.house_ways}),
        "strategies": choices({str(strategy): str(strategy) for strategy in Strategy}),
        "supplier": list(terms_form.labels("supplier")),
        "procedures": [str(procedure) for procedure in Procedure],
        "lines": terms_form.rows_of(asked.said),
        "meters": terms_form.meters_of(game),
        "links": [str(n + 1) for n in range(len(terms_form.meters_of(game)) // 2)][:12],
        "reductions": [str(reduction) for reduction in MeterReduction],
        "tribal": asks_for(state, "tribal") or bool(filled.text("tribal")),
        "terms_file": path.relative_to(project) if project else path,
        "stamp": stamp(path),
        "register": (project or Path.cwd()).joinpath("register.json").is_file(),
        "identities": [
            Choice(
                id=key.id,
                name=f"{key.certificate.common_name}, until {key.certificate.not_after.date()}",
            )
            for key in stored()
        ],
    }


def labels(game: Game) -> dict[str, str]:
    """Return the words for every field of the terms that is a line or a text, by its name."""
    words = {
        f"{part}/{name}": label
        for part in ("supplier", "procedures")
        for name, label in terms_form.labels(part).items()
    }
    return words | {
        f"{part}/{wager.id}": f"{wager.name}: {word}"
        for part, word in zip(terms_form.AMOUNTS, ("minimum", "maximum"), strict=True)
        for wager in game.wagers
    }


def terms_of(game: Game) -> Path:
    """Return where the project keeps the terms of a game."""
    return table_terms.path_of(game.id, library.project() or Path.cwd())


def stamp(path: Path) -> str:
    """Return what tells whether a file has changed since a form was filled from it."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


def asked_of(form: "FormData") -> Asked:
    """Return what a form asks for; the terms that it states are kept where nothing is wrong.

    Raises:
        NotConfigured: the game or the state is not declared.
        Changed: the terms were changed meanwhile.
    """
    said: Texts = {}
    for name, value in form.multi_items():
        if isinstance(value, str) and name not in SECRET:
            said.setdefault(name, []).append(value.strip())
    game, state = of(_one(said, "game"), _one(said, "jurisdiction"))
    asked = Asked(game=game, state=state, said=said, faults={})
    _letter(asked, form)
    _chosen(asked)
    terms = _terms(asked)
    if not asked.faults and asked.order is not None:
        order = replace(asked.order, terms=terms)
        asked.order = replace(order, command=command_of(order))
    return asked


def _one(said: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(said.get(name, ())), "")


def _letter(asked: Asked, form: "FormData") -> None:
    """Take the digest of a letter that came with the form."""
    letter = form.get("letter")
    if letter is None or isinstance(letter, str) or not letter.filename:
        return
    if (letter.size or 0) > LETTER:
        asked.faults["laboratory_letter"] = f"This file has more than {LETTER:,} bytes."
    else:
        digest = hashlib.sha256(letter.file.read(LETTER)).hexdigest()
        asked.said["laboratory_letter"] = [digest]


def _chosen(asked: Asked) -> None:
    """Put together the order, without the terms, and who signs it."""
    said, game = asked.said, asked.game
    way, strategy = _one(said, "house_way"), _one(said, "strategy")
    asked.order = Order(
        game=game.id,
        jurisdiction=asked.state.id,
        command="",
        paytables=tuple(table for name in ("option", "paytable") for table in said.get(name, ())),
        house_way=way if way and way != game.house_way else None,
        strategy=_strategy(strategy, game),
        as_of=_day(asked),
        kit="kit" in said,
        register=Path("register.json") if "register" in said else None,
    )


def _strategy(said: str, game: Game) -> Strategy | None:
    return Strategy(said) if said in tuple(Strategy) and said != str(game.strategy) else None


def _day(asked: Asked) -> dt.date | None:
    text = _one(asked.said, "as_of")
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        asked.faults["as_of"] = f"{text} is not a date. Write year-month-day, such as 2026-11-21."
        return None


def _terms(asked: Asked) -> Path | None:
    """Keep the terms of a form; return their file, None where nothing is stated."""
    game, path = asked.game, terms_of(asked.game)
    before = table_terms.kept(path)
    stated = terms_form.stated(game, before, asked.said)
    asked.faults |= stated.faults
    nothing = set(stated.value) <= {"$schema", "game"} and not before
    if stated.faults or nothing:
        return None
    if stated.value != before:
        asked.findings = _refused(asked, path, stated.value)
        if asked.faults or asked.findings:
            return None
        if _one(asked.said, "stamp") != stamp(path):
            raise Changed(
                f"{path.name} was changed by somebody else meanwhile, and is left as it is.",
                remedy="Open the page again; it shows what the file says now.",
            )
        table_terms.own_folder(table_terms.FOLDER)
        table_terms.keep(path, stated.value)
    root = library.project() or Path.cwd()
    return path.relative_to(Path.cwd()) if root.resolve() == Path.cwd().resolve() else path


def _refused(asked: Asked, path: Path, value: dict[str, Any]) -> tuple[Finding, ...]:
    """Put what is wrong with terms beside their fields; return what belongs to no field."""
    left: list[Finding] = []
    for finding in table_terms.judged(asked.game, path, value):
        if finding.severity is not Severity.ERROR:
            continue
        named = next(terms_form.fields_at_fault(tuple(asked.said), finding.pointer), None)
        if named is None:
            left.append(finding)
        else:
            asked.faults.setdefault(named, f"{finding.message} {finding.remedy}")
    return tuple(left)


def to_write(asked: Asked, password: str) -> None:
    """Look at where a submission is written to and at who signs it, before anything is counted.

    A token is asked in the job, which is a process of its own.
    """
    try:
        asked.out = table_terms.own_folder(_one(asked.said, "out") or "out")
    except CertifyError as error:
        asked.faults["out"] = f"{error.message} {error.remedy}"
    for name, fault in _unnamed(asked.said):
        asked.faults[name] = fault
    asked.signer = _signer(asked.said)
    if asked.faults or asked.signer is None or asked.signer.module is not None:
        return
    try:
        open_identity(asked.signer, lambda _: password)
    except CertifyError as error:
        asked.faults["signer"] = f"{error.message} {error.remedy}"


def _unnamed(said: Texts) -> Iterator[tuple[str, str]]:
    """Yield what the chosen kind of signature needs and the form does not name."""
    needed = {
        FILE: {"key_file": "Write the path of the key file, which ends with .p12 or .pfx."},
        TOKEN: {
            "module": "Write the path of the library that came with the token.",
            "token": "Write the label of the token.",
            "key": "Write the label of the key on the token.",
        },
    }
    for name, words in needed.get(_one(said, "signer"), {}).items():
        if not _one(said, name):
            yield name, words
    path = Path(_one(said, "key_file"))
    if _one(said, "signer") == FILE and path.suffix not in ("", ".p12", ".pfx"):
        yield "key_file", f"{path.name} is no key file: its name ends with .p12 or .pfx."


def _signer(said: Texts) -> Signer | None:
    """Return who is to sign; None for nobody."""
    match _one(said, "signer"):
        case "":
            return None
        case "file":
            return Signer(name=_one(said, "key_file"))
        case "token":
            return Signer(
                module=Path(_one(said, "module")), token=_one(said, "token"), key=_one(said, "key")
            )
        case name:
            return Signer(name=name)
