"""The form of a submission: its fields, its defaults, and missing entries."""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.datastructures import FormData

from certify import library, storage
from certify.declare import editing, terms_form
from certify.declare.terms_form import missing, needs_terms
from certify.desk import signers
from certify.desk.answers import Form, Texts, get_findings, today
from certify.errors import CertifyError, ChangedMeanwhile
from certify.figures.evaluate import overview
from certify.figures.targets import lookup
from certify.filing.identities import Signer
from certify.filing.listing import find_approvals
from certify.model.finding import Finding, Severity
from certify.model.game import Game, Strategy
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import Outcome
from certify.model.request import build
from certify.model.submission import Order
from certify.model.topic import Procedure
from certify.report.wording import name_in_print, together

ORDERED = (
    "option", "paytable", "house_way", "strategy", "as_of", "signer", "timestamp_url", "out",
    "module", "token", "key", "kit", "title", "licence",
)  # fmt: skip
"""The fields that are no terms and no secret: the way back to a form states them again."""

REVISION = ("revision", "revised", "reason")
"""The fields of a new revision of the game: its id, its date and its changes."""

SECRET = ("csrf", "password")
"""The fields that are never shown again."""

LETTER = 4 * 1024 * 1024
"""Bytes of a laboratory's letter that is embedded in the documents."""


class SubmissionForm(Form, kw_only=True):
    """A form that was sent: the submission request, or the faults of its fields."""

    game: Game
    state: Jurisdiction
    findings: tuple[Finding, ...] = ()
    order: Order | None = None
    out: Path | None = None
    signer: Signer | None = None
    letter: bytes | None = None

    @property
    def wrong(self) -> bool:
        """True if the form has faults."""
        return bool(self.faults or self.findings)

    @property
    def back(self) -> str:
        """The address of the form with its choices; the terms are in their file."""
        chosen = [(name, value) for name in ORDERED for value in self.said.get(name, ()) if value]
        first = [("game", self.game.id), ("jurisdiction", self.state.id)]
        return f"/submit?{urlencode([*first, *chosen])}"

    @property
    def command(self) -> str:
        """The command for the same files, below the one that states the signer's details."""
        kind, ordered = self.text("signer"), self.order.command if self.order else ""
        options = {
            "--identity": (self.signer.identity or "") if self.signer else "",
            "--timestamp-url": self.text("timestamp_url"),
            "--out": self.text("out"),
        }
        if kind == signers.TOKEN:
            options = {
                "--pkcs11-module": self.text("module"),
                "--token": self.text("token"),
                "--key": self.text("key"),
            } | {name: options[name] for name in ("--timestamp-url", "--out")}
        words = [word for name, value in options.items() if value for word in (name, value)]
        flags = [] if kind else ["--unsigned"]
        flags += ["--kit"] if self.text("kit") else []
        command = f"{ordered} {shlex.join([*words, *flags])}"
        signer = (self.text("key") or (self.signer.identity or "")) if self.signer else ""
        given = {"--title": self.text("title"), "--license": self.text("licence")}
        words = [word for name, value in given.items() if value for word in (name, value)]
        describing = shlex.join(["certify", "keys", "describe", signer, *words])
        return f"{describing}\n{command}" if words else command


def choices_key(game: Game, state: Jurisdiction) -> str:
    """Return the key of the choices that are kept for a game and a jurisdiction."""
    return f"submit/{game.id}/{state.id}"


def kept_jurisdiction(game: str) -> str:
    """Return the jurisdiction that a game has choices for, empty if it is not the only one."""
    catalog = overview().catalog
    known = [catalog.games[game]] if game in catalog.games else []
    kept = [
        state.id
        for each in known
        for state in catalog.jurisdictions.values()
        if editing.load_choices(choices_key(each, state))
    ]
    return kept[0] if len(kept) == 1 else ""


def resolve_order(game: str, state: str) -> tuple[Game, Jurisdiction]:
    """Return the submitted game and the jurisdiction.

    Raises:
        NotConfigured: one of them is not declared.
    """
    catalog = overview().catalog
    return (
        lookup("game", game, catalog.games),
        lookup("jurisdiction", state, catalog.jurisdictions),
    )


def terms_path(game: Game) -> Path:
    """Return the path of a game's terms in the project."""
    return terms_form.terms_path(game.id, library.project() or Path.cwd())


def stamp(path: Path) -> str:
    """Return a digest that shows if a file has changed since a form was filled from it."""
    return _stamp(storage.read_present(path))


def _stamp(data: bytes | None) -> str:
    return "none" if data is None else hashlib.sha256(data).hexdigest()


def parse_form(form: FormData) -> SubmissionForm:
    """Parse a form, and save its terms if they have no faults.

    Raises:
        NotConfigured: the game or the jurisdiction is not declared.
        ChangedMeanwhile: the terms were changed meanwhile.
    """
    said = together(
        (name, value.strip())
        for name, value in form.multi_items()
        if isinstance(value, str) and name not in SECRET
    )
    game, state = resolve_order(_first(said, "game"), _first(said, "jurisdiction"))
    asked = SubmissionForm(game=game, state=state, said=said)
    _letter(asked, form)
    _build_order(asked)
    terms = _terms(asked)
    _revise(asked)
    if not asked.faults and asked.order is not None:
        asked.order = replace(asked.order, terms=terms)
    if not asked.wrong:
        kept = {name: said[name] for name in ORDERED if name != "as_of" and name in said}
        editing.keep_choices(choices_key(game, state), kept)
    return asked


def _first(said: Mapping[str, Sequence[str]], name: str) -> str:
    return next(iter(said.get(name, ())), "")


def _letter(asked: SubmissionForm, form: FormData) -> None:
    """Take a letter that came with the form, and its digest."""
    letter = form.get("letter")
    if letter is None or isinstance(letter, str) or not letter.filename:
        return
    if (letter.size or 0) > LETTER:
        asked.faults["laboratory_letter"] = f"This file has more than {LETTER:,} bytes."
    else:
        asked.letter = letter.file.read(LETTER)
        asked.said["laboratory_letter"] = [hashlib.sha256(asked.letter).hexdigest()]
        asked.said["laboratory_letter_file"] = [f"{asked.game.id}-letter.pdf"]


def _build_order(asked: SubmissionForm) -> None:
    """Put together the order, without the terms, and who signs it."""
    said, game = asked.said, asked.game
    way, strategy = _first(said, "house_way"), _first(said, "strategy")
    asked.order = build(
        Order,
        game=game.id,
        jurisdiction=asked.state.id,
        paytables=tuple(table for name in ("option", "paytable") for table in said.get(name, ())),
        house_way=way if way and way != game.house_way else None,
        strategy=strategy if strategy and strategy != game.strategy else None,
        as_of=asked.day("as_of"),
        kit="kit" in said,
    )


def _revise(asked: SubmissionForm) -> None:
    """Create the revision of the game that a form declares, if it has no faults."""
    name, day, text = (_first(asked.said, field) for field in REVISION)
    if not (name or day or text):
        return
    revised = asked.day("revised")
    if not text:
        asked.faults["reason"] = "Write what changed, such as “Flush pays 5 to 1.”"
    if not name and not asked.game.revision.isdecimal():
        asked.faults["revision"] = f"Write a number: {asked.game.revision} has no next number."
    if asked.wrong:
        return
    try:
        editing.revise(asked.game.id, text=text, day=revised or today(), revision=name or None)
    except CertifyError as error:
        asked.faults["reason"] = f"{error.message} {error.remedy}"
        asked.findings = get_findings(error)
        return
    for field_name in REVISION:
        asked.said.pop(field_name, None)
    asked.game, _ = resolve_order(asked.game.id, asked.state.id)


def _terms(asked: SubmissionForm) -> Path | None:
    """Save the terms of a form; return their file, None if nothing is declared."""
    game, path = asked.game, terms_path(asked.game)
    before = terms_form.load_terms(path)
    stated = terms_form.parse_terms(game, before, asked.said)
    asked.faults |= stated.faults
    nothing = set(stated.value) <= {"$schema", "game"} and not before
    if stated.faults or nothing:
        return None
    if stated.value != before:
        asked.findings = _assign_faults(asked, path, stated.value)
        if asked.faults or asked.findings:
            return None
        terms_form.own_folder(terms_form.FOLDER)
        present = storage.read_present(path)
        if _first(asked.said, "stamp") != _stamp(present):
            raise ChangedMeanwhile(
                f"Someone else changed {path.name} meanwhile, so it was not replaced.",
                remedy="Open the page again; it shows the current file.",
            )
        terms_form.keep(path, stated.value, present)
    if asked.letter is not None:
        letter = path.parent / stated.value["laboratory_letter_file"]
        storage.write_atomically(letter, asked.letter)
    root = library.project() or Path.cwd()
    return path.relative_to(Path.cwd()) if root.resolve() == Path.cwd().resolve() else path


def _assign_faults(asked: SubmissionForm, path: Path, value: dict[str, Any]) -> tuple[Finding, ...]:
    """Add faults of the terms to their fields; return the others."""
    left: list[Finding] = []
    for finding in terms_form.check_terms(asked.game, path, value):
        if finding.severity is not Severity.ERROR:
            continue
        named = next(terms_form.fields_at_fault(tuple(asked.said), finding.pointer), None)
        if named is None:
            left.append(finding)
        else:
            asked.faults.setdefault(named, f"{finding.message} {finding.remedy}")
    return tuple(left)


def require_paytables(asked: SubmissionForm) -> None:
    """Refuse a form in which no paytable or no option is selected, if the game has any."""
    if asked.game.paytables and not asked.said.get("paytable"):
        asked.faults["paytable"] = "No paytable is selected. Select at least one."
    if asked.game.options and not asked.said.get("option"):
        asked.faults["option"] = "No option of the main wager is selected. Select one."


def prepare_output(asked: SubmissionForm, form: FormData) -> bool:
    """Check the output folder and the signer before anything is counted.

    Return True if a signing key signs.
    """
    asked.signer = signers.read_signer(asked, form)
    password = str(form.get("password", ""))
    final = not signers.is_development(asked, asked.signer, password)
    folder = _first(asked.said, "out") or ("filings" if final else "drafts")
    try:
        asked.out = terms_form.own_folder(folder)
    except CertifyError as error:
        asked.faults["out"] = f"{error.message} {error.remedy}"
    if not asked.faults:
        asked.said["out"] = [folder]
    return final


def initial_texts(game: Game, state: Jurisdiction, given: Mapping[str, Sequence[str]]) -> Texts:
    """Return the initial values of the form: the saved terms, the kept choices and defaults.

    ``given`` has values from the address, which override the others. Its ``new`` is a paytable
    that replaces those of its wager.
    """
    options = [option.target for option in game.options]
    usual: Texts = {
        "option": options if len(options) == 1 else [],
        "house_way": [game.house_way or ""],
        "strategy": [str(game.strategy)],
    }
    chosen = {name: list(given[name]) for name in ORDERED if given.get(name)}
    kept = editing.load_choices(choices_key(game, state))
    for new in given.get("new", ()):
        wager = f"{new.rpartition('/')[0]}/"
        others = [table for table in kept.get("paytable", ()) if not table.startswith(wager)]
        chosen["paytable"] = [*others, new] if new.startswith(f"{game.id}/") else others
    terms = terms_form.initial_terms(terms_path(game))
    return usual | kept | chosen | terms_form.form_values(game, terms)


def view(asked: SubmissionForm) -> dict[str, Any]:
    """Return the variables of the form's template."""
    game, state, path = asked.game, asked.state, terms_path(asked.game)
    value = terms_form.initial_terms(path)
    project = library.project()
    ways, waiting = overview().catalog.house_ways, missing(game, state, value)
    return {
        "game": game,
        "state": state,
        "form": asked,
        "findings": asked.findings or terms_form.check_terms(game, path, value) if value else (),
        "skipped": terms_form.unfit_terms(path),
        "is_filed": any(
            (approval.jurisdiction, approval.revision) == (state.id, game.revision)
            for approval in find_approvals(game.id)
        ),
        "missing": waiting,
        "missing_count": len(waiting),
        "fault_count": len(asked.faults),
        "tabled": [wager for wager in game.wagers if wager.paytables],
        "labels": labels(game),
        "ways": [ways[way] for way in game.house_ways],
        "strategies": [
            {"id": str(strategy), "name": name_in_print("strategy", strategy)}
            for strategy in Strategy
        ],
        "supplier": list(terms_form.labels("supplier")),
        "procedures": [str(procedure) for procedure in Procedure],
        "pushing": any(
            rule.outcome is Outcome.PUSH for option in game.options for rule in option.dealer_rules
        ),
        "lines": terms_form.row_numbers(asked.said),
        "meters": terms_form.list_meters(game),
        "links": [str(n + 1) for n in range(len(terms_form.list_meters(game)) // 2)][:12],
        "choices": terms_form.choices(),
        "tribal": needs_terms(state, "tribal") or bool(asked.text("tribal")),
        "terms_file": path.relative_to(project) if project else path,
        "stamp": stamp(path),
        "identities": signers.list_signers(),
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
