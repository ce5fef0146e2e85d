"""The form of a filing and of its submission: fields, defaults, and missing entries."""

import datetime as dt
import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, field
from starlette.datastructures import FormData

from certify import library, storage
from certify.commands.submissions.filings import list_changed
from certify.declare import terms_form, user_state
from certify.declare.blank import revise_filing
from certify.declare.missing_terms import missing, needs_terms
from certify.declare.new import check_id
from certify.declare.terms_form import PARTIES, label_all, label_fields, list_choices
from certify.desk import signers
from certify.desk.answers import Form, Texts, get_files, get_findings, read_fields, today
from certify.errors import CertifyError, NotConfigured
from certify.figures.evaluate import overview
from certify.figures.provenance import LARGEST_LETTER
from certify.figures.targets import lookup
from certify.filing.declaration import filing_path, find_filing, project_folder, read_filings
from certify.filing.identities import Signer
from certify.filing.listing import find_approvals
from certify.formatting import join_words
from certify.model.finding import Finding
from certify.model.game import Game, Strategy
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import Outcome
from certify.model.submission import Order
from certify.model.topic import Procedure
from certify.report.wording import name_in_print

ORDERED = (
    "as_of", "signer", "timestamp_url", "out", "module", "token", "key", "kit", "title", "licence",
)  # fmt: skip
"""The fields that are not of the filing and no secret: the way back to a form states them again."""

REVISION = ("revision", "revised", "reason")
"""The fields of a new revision of the filing: its id, its date and its changes."""


class Conflict(Struct, frozen=True, kw_only=True):
    """A field with a typed value and another one that was saved meanwhile."""

    field: str
    label: str
    mine: str
    theirs: str


class SubmissionForm(Form, kw_only=True):
    """A form that was sent: the submission request, or the faults of its fields.

    ``name`` is that of the filing. ``conflicts`` are the fields that another window saved
    otherwise, with both values. ``files`` are the files that came with the form, by digest and
    name.
    """

    game: Game
    state: Jurisdiction
    name: str
    conflicts: Sequence[Conflict] = ()
    findings: tuple[Finding, ...] = ()
    order: Order | None = None
    out: Path | None = None
    signer: Signer | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file of the filing."""
        return filing_path(self.name)

    @property
    def wrong(self) -> bool:
        """True if the form has faults."""
        return bool(self.faults or self.findings or self.conflicts)

    @property
    def back(self) -> str:
        """The address of the form with its choices; the others are in the file of the filing."""
        chosen = [(name, value) for name in ORDERED for value in self.values.get(name, ()) if value]
        first = [("game", self.game.id), ("jurisdiction", self.state.id), ("filing", self.name)]
        return f"/submit?{urlencode([*first, *chosen])}"

    @property
    def command(self) -> str:
        """The command for the same files, below the one that states the signer's details."""
        kind, ordered = self.text("signer"), self.order.command if self.order else ""
        options = {
            "--identity": (self.signer.identity or "") if self.signer else "",
            "--timestamp-url": self.text("timestamp_url"),
            "--out": relative_name(self.out),
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
        details = {"--title": self.text("title"), "--license": self.text("licence")}
        words = [word for name, value in details.items() if value for word in (name, value)]
        describing = shlex.join(["certify", "keys", "describe", signer, *words])
        return f"{describing}\n{command}" if words else command


def relative_name(path: Path | None) -> str:
    """Return a path as it is typed in the folder of the project; empty for None."""
    root = (library.project() or Path.cwd()).resolve()
    return path.resolve().relative_to(root).as_posix() if path is not None else ""


def choices_key(name: str) -> str:
    """Return the key of the choices that are kept for a filing."""
    return f"submit/{name}"


def filing_names(game: str, state: str) -> list[str]:
    """Return the project's filings of a game in a jurisdiction, without those with errors."""
    return [
        name
        for name, terms in read_filings().items()
        if (terms.game, terms.jurisdiction) == (game, state)
    ]


def kept_jurisdiction(game: str) -> str:
    """Return the jurisdiction that a game has filings in, empty if it is not the only one."""
    states = {each.jurisdiction or "" for each in read_filings().values() if each.game == game}
    return states.pop() if len(states) == 1 else ""


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


def choose_name(game: Game, state: Jurisdiction, filing: str) -> str:
    """Return the name of the asked filing, or else of the first one there, or of a new one.

    Raises:
        NotReadable: the name is no id.
        NotConfigured: it is the name of a game, or of a filing elsewhere.
    """
    there = filing_names(game.id, state.id)
    if not filing:
        return next(iter(there), f"{game.id}-{state.id}"[:64])
    check_id(filing)
    if filing not in there and (filing in overview().catalog.games or find_filing(filing)):
        raise NotConfigured(
            f"{filing} is the name of a game, or of another filing.", remedy="Choose another name."
        )
    return filing


def stamp(data: bytes | None) -> str:
    """Return a digest that shows if a file has changed since a form was filled from it."""
    return "none" if data is None else hashlib.sha256(data).hexdigest()


def parse_form(sent: FormData) -> SubmissionForm:
    """Parse a form, and save its filing if it has no faults.

    Raises:
        NotConfigured: the game or the jurisdiction is not declared.
    """
    fields = Form(values=read_fields(sent))
    game, state = resolve_order(fields.text("game"), fields.text("jurisdiction"))
    name = choose_name(game, state, "")
    form = SubmissionForm(game=game, state=state, name=name, values=fields.values)
    try:
        form.name = choose_name(game, state, form.text("filing"))
    except CertifyError as error:
        form.faults["filing"] = f"{error.message} {error.remedy}"
    _take_saved(form)
    _take_files(form, sent)
    day = form.day("as_of")
    require_paytables(form)
    _save(form)
    _revise(form)
    if not form.wrong:
        form.order = Order(game=form.name, as_of=day, kit="kit" in form.values)
        _keep_choices(form)
    return form


def _keep_choices(form: SubmissionForm) -> None:
    """Keep the choices for the next visit, but no folder that is refused."""
    names = [name for name in ORDERED if name != "as_of" and name in form.values]
    try:
        project_folder(form.text("out") or "drafts")
    except CertifyError:
        names.remove("out")
    user_state.keep_choices(choices_key(form.name), {name: form.values[name] for name in names})


def _take_saved(form: SubmissionForm) -> None:
    """Take the saved values of the fields of a conflict for which the form chooses them."""
    saved = terms_form.form_values(form.game, terms_form.load_terms(form.path))
    for choice in [name for name in form.values if name.startswith("use/")]:
        name = choice.removeprefix("use/")
        if form.values.pop(choice) == ["theirs"]:
            form.values[name] = saved.get(name, [""])


def _take_files(form: SubmissionForm, sent: FormData) -> None:
    """Take the files that came with the form, and their digests."""
    names = [f"{terms_form.SUPPLIED}/{item.id}/files" for item in form.state.suppliable]
    uploads = [(name, file) for name in names for file in get_files(sent, f"{name}/new")]
    letter, letter_file = terms_form.LETTER
    for name, upload in [*uploads, *((letter, file) for file in get_files(sent, "letter"))]:
        data = upload.file.read(LARGEST_LETTER + 1)
        if len(data) > LARGEST_LETTER:
            form.faults[name] = f"This file has more than {LARGEST_LETTER:,} bytes."
            continue
        digest, called = hashlib.sha256(data).hexdigest(), Path(upload.filename or "").name
        of_letter = f"{form.name}-letter.pdf"
        if name == letter:
            called = of_letter
            form.values |= {letter: [digest], letter_file: [called]}
        elif called == of_letter:
            form.faults[name] = f"{called} is the name of the laboratory's letter. Rename the file."
            continue
        else:
            form.values.setdefault(name, []).append(f"{digest} {called}")
        form.files[f"{digest} {called}"] = data


def _check_files(form: SubmissionForm) -> dict[Path, bytes]:
    """Return the files of a form by path; remove them from a form with faults: browsers do."""
    files = {form.path.parent / text.partition(" ")[2]: form.files[text] for text in form.files}
    letter = form.path.with_name(f"{form.name}-letter.pdf")
    for path, data in () if form.wrong else files.items():
        if path != letter and (
            path.suffix.lower() == ".json" or storage.read_present(path) not in (None, data)
        ):
            form.faults[terms_form.SUPPLIED] = (
                f"{path.name} is the name of another file, or of a filing. Rename the file."
            )
    for name, texts in form.values.items() if form.wrong else ():
        form.values[name] = [text for text in texts if text not in form.files]
        if form.values[name] != texts:
            form.faults.setdefault(name, "The file was not saved. Choose it again.")
    return files


def _revise(form: SubmissionForm) -> None:
    """Create the revision of the filing that a form declares, if it has no faults."""
    name, day, text = map(form.text, REVISION)
    if not (name or day or text):
        return
    revised = form.day("revised")
    if not text:
        form.faults["reason"] = "Write what changed, such as “Flush pays 5 to 1.”"
    if form.wrong:
        return
    try:
        revise_filing(form.name, text=text, day=revised or today(), revision=name or None)
    except CertifyError as error:
        form.faults["reason"] = f"{error.message} {error.remedy}"
        form.findings = get_findings(error)
        return
    for field_name in REVISION:
        form.values.pop(field_name, None)
    form.values["stamp"] = [stamp(storage.read_present(form.path))]


def _save(form: SubmissionForm) -> None:
    """Save the filing of a form, unless it has faults or another window changed its file."""
    path = form.path
    project_folder("drafts")  # refused where no project is open
    before = terms_form.load_terms(path)
    parsed = terms_form.parse_terms(form.game, before or _begin(form), form.values)
    form.faults |= parsed.faults
    if not form.faults and parsed.value != before:
        form.findings = _assign_faults(form, path, parsed.value)
    present = storage.read_present(path)
    if (
        not form.wrong
        and parsed.value != before
        and form.values.get("stamp", ["none"]) != [stamp(present)]
    ):
        form.conflicts = _list_conflicts(form, before)
    files = _check_files(form)
    if form.wrong:
        return
    if parsed.value != before:
        terms_form.keep(path, parsed.value, present)
    for file, data in files.items():
        storage.write_atomically(file, data)


def _begin(form: SubmissionForm) -> dict[str, Any]:
    """Return a new filing in its first revision."""
    day = today().isoformat()
    values = {"id": form.name, "game": form.game.id, "jurisdiction": form.state.id}
    copied = terms_form.initial_terms(form.game.id, form.path)
    return {**values, "revision": "1", "revised": day, **copied, "game": form.game.id}


def _list_conflicts(form: SubmissionForm, before: Mapping[str, Any]) -> list[Conflict]:
    """Return the fields whose saved value is not the typed one."""
    saved = terms_form.form_values(form.game, before)
    words = label_all(form.game, form.state, form.values)
    game, ways = form.game, overview().catalog.house_ways
    names = {each.target: each.name for each in (*game.options, *game.paytables)}
    names |= {way: ways[way].name for way in game.house_ways}

    def write(values: Sequence[str]) -> str:
        return join_words([names.get(value, value) for value in values])

    return [
        Conflict(
            field=name,
            label=words.get(name, ""),
            mine=write(form.values[name]),
            theirs=write(saved.get(name, ())),
        )
        for name in form.values
        if (name in saved or name in words)
        and [*filter(None, form.values[name])] != [*filter(None, saved.get(name, ()))]
    ]


def _assign_faults(form: SubmissionForm, path: Path, value: dict[str, Any]) -> tuple[Finding, ...]:
    """Add faults of the terms to their fields; return the others of their file."""
    left: list[Finding] = []
    files = {text.partition(" ")[2]: data for text, data in form.files.items()}
    for finding in terms_form.find_faults(form.game, path, value, files):
        pointer = finding.pointer.replace("/paytables", "/paytable", 1)
        named = next(terms_form.fields_at_fault(tuple(form.values), pointer), None)
        if named is None:
            left.append(finding)
        else:
            form.faults.setdefault(named, f"{finding.message} {finding.remedy}")
    return tuple(left)


def require_paytables(form: SubmissionForm) -> None:
    """Refuse a form in which no paytable or no option is selected, if the game has any."""
    if form.game.paytables and not form.values.get("paytable"):
        form.faults["paytable"] = "No paytable is selected. Select at least one."
    if form.game.options and not form.values.get("option"):
        form.faults["option"] = "No option of the main wager is selected. Select one."


def prepare_output(form: SubmissionForm, sent: FormData) -> bool:
    """Check the output folder and the signer before anything is counted.

    Return True if a signing key signs.
    """
    form.signer = signers.read_signer(form, sent)
    final = not signers.is_development(form, form.signer, str(sent.get("password", "")))
    folder = form.text("out") or ("filed" if final else "drafts")
    try:
        form.out = project_folder(folder)
    except CertifyError as error:
        form.faults["out"] = f"{error.message} {error.remedy}"
    return final


def open_form(
    game: Game, state: Jurisdiction, query: Mapping[str, Sequence[str]]
) -> SubmissionForm:
    """Return the form of a filing with the saved filing, the last choices and defaults.

    ``query`` has values from the address, which override the others. Its ``new`` is a paytable
    that replaces those of its wager.
    """
    name = choose_name(game, state, " ".join(query.get("filing", ())))
    form = SubmissionForm(game=game, state=state, name=name, values={})
    options = [option.target for option in game.options]
    usual: Texts = {
        "option": options if len(options) == 1 else [],
        "house_way": [game.house_way or ""],
        "strategy": [str(game.strategy)],
    }
    chosen = {name: list(query[name]) for name in ORDERED if query.get(name)}
    choices = user_state.load_choices(choices_key(name))
    terms = terms_form.initial_terms(game.id, form.path)
    form.values = usual | choices | terms_form.form_values(game, terms) | chosen
    for new in query.get("new", ()):
        wager = f"{new.rpartition('/')[0]}/"
        others = [each for each in form.values.get("paytable", ()) if not each.startswith(wager)]
        form.values["paytable"] = [*others, new] if new.startswith(f"{game.id}/") else others
    return form


def view(form: SubmissionForm) -> dict[str, Any]:
    """Return the variables of the form's template."""
    game, state, path = form.game, form.state, form.path
    value = terms_form.initial_terms(game.id, path)
    saved = value if path.is_file() else {}
    ways, waiting = overview().catalog.house_ways, missing(game, state, value)
    return {
        "game": game,
        "state": state,
        "form": form,
        "findings": form.findings or (terms_form.check_terms(game, path, saved) if saved else ()),
        "saved": saved,
        "revised": dt.date.fromisoformat(saved["revised"]) if "revised" in saved else None,
        "others": [name for name in filing_names(game.id, state.id) if name != form.name],
        "changed": list_changed(form.name, game, overview().catalog),
        "parties": PARTIES,
        "skipped": () if path.is_file() else terms_form.find_supplier()[1],
        "is_filed": any(
            (approval.filing, approval.revision) == (form.name, saved.get("revision"))
            for approval in find_approvals(game.id)
        ),
        "missing": waiting,
        "missing_count": len(waiting),
        "fault_count": len(form.faults),
        "tabled": [wager for wager in game.wagers if wager.paytables],
        "labels": label_all(game, state, form.values),
        "ways": [ways[way] for way in game.house_ways],
        "strategies": [
            {"id": str(strategy), "name": name_in_print("strategy", strategy)}
            for strategy in Strategy
        ],
        "party": list(label_fields("supplier")),
        "procedures": [str(procedure) for procedure in Procedure],
        "pushing": any(
            rule.outcome is Outcome.PUSH for option in game.options for rule in option.dealer_rules
        ),
        "lines": {part: terms_form.row_numbers(form.values, part) for part in terms_form.LINES},
        "supplied": [
            (
                item,
                [
                    {"id": text, "name": text.partition(" ")[2]}
                    for text in form.values.get(f"{terms_form.SUPPLIED}/{item.id}/files", ())
                ],
            )
            for item in state.suppliable
        ],
        "meters": terms_form.list_meters(game),
        "links": [str(n + 1) for n in range(len(terms_form.list_meters(game)) // 2)][:12],
        "choices": list_choices(),
        "tribal": needs_terms(state, "tribal") or bool(form.text("tribal")),
        "filing_file": relative_name(path),
        "stamp": stamp(storage.read_present(path)),
        "identities": signers.list_signers(),
    }
