"""Rules: the sentences of a game, edited next to the page that they print on.

The game's own sentences are in its files and can be edited. Sentences for all games are in the
templates and in the file of the jurisdiction; they are shown and cannot be edited.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from certify.declare import editing
from certify.declare.rewriting import difference, replace_values
from certify.desk.answers import NotHere, get_route, page, post_route, record, redirect, today
from certify.desk.filing_order import kept_jurisdiction
from certify.desk.games import get_game
from certify.desk.guard import DOCUMENT_POLICY
from certify.errors import CertifyError, NotConfigured
from certify.figures.evaluate import Overview, overview
from certify.filing.documents import render_preview
from certify.filing.listing import CHANGED, find_approvals
from certify.filing.order import findings_on_filing
from certify.filing.register_check import find_numbers, lay_out_rules
from certify.model.catalog import Catalog
from certify.model.finding import Document, Severity, worst_first
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.submission import Submission
from certify.model.topic import Topic
from certify.report.wording import together
from certify.words.hands import describe_deck


class Sentence(Struct, frozen=True, kw_only=True):
    """A sentence of a game's own files: its RFC 6901 pointer, and its source.

    ``only`` says for which state or option it is printed, empty for all. A sentence on the deck is
    not printed: the rules have the declared deck in words.
    """

    pointer: str
    text: str
    clause: str
    only: str
    on_deck: bool = False


class Written(Struct, frozen=True, kw_only=True):
    """The sentences of one file of a game, by their list."""

    key: str
    name: str
    document: Document
    lists: Mapping[str, Sequence[Sentence]]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All sentences, in the order of the file."""
        return tuple(sentence for each in self.lists.values() for sentence in each)


def iter_written(catalog: Catalog, game: Game) -> Iterator[Written]:
    """Yield every file of a game that has sentences of the rules of play."""
    files = [(game.id, game.name)]
    for wager in game.wagers:
        files.append((wager.target, wager.name))
        files += [(option.target, f"{wager.name}: {option.name}") for option in wager.options]
    for key, name in files:
        document = catalog.documents[key]
        lists = together(_sentences(document.value, "", ""))
        if lists:
            yield Written(key=key, name=name, document=document, lists=lists)


def _sentences(value: object, pointer: str, place: str) -> Iterator[tuple[str, Sentence]]:
    """Yield the statements of a file: objects with a text and its source."""
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _sentences(part, f"{pointer}/{number}", place)
    elif isinstance(value, dict):
        source = value.get("source")
        if isinstance(value.get("text"), str) and isinstance(source, dict):
            yield (
                place,
                Sentence(
                    pointer=f"{pointer}/text",
                    text=value["text"],
                    clause=str(source.get("clause") or ""),
                    only=str(value.get("jurisdiction") or value.get("option") or ""),
                    on_deck=value.get("topic") == Topic.DECK,
                ),
            )
        inner = str(value.get("title", place))
        for name, part in value.items():
            yield from _sentences(part, f"{pointer}/{name}", inner if place else name)


class Edited(Struct, frozen=True, kw_only=True):
    """A declared file as a form would change it.

    ``values`` are the edits, by pointer; ``base`` is the digest of the edited file, and ``back``
    the page. ``window`` and ``seen`` are as in `editing.keep`.
    """

    key: str
    document: Document
    values: dict[str, str]
    base: str
    back: str
    window: str = ""
    seen: str = ""

    @property
    def text(self) -> str:
        """The file with its edits."""
        return replace_values(self.document, self.values)

    def keep(self) -> bool:
        """Store the unsaved edits, for the next visit of the page; see `editing.keep`."""
        return editing.keep(self.key, self.base, self.values, window=self.window, seen=self.seen)


def parse_values(form: FormData, of_file: Callable[[str], bool]) -> dict[str, str]:
    """Return the fields of a form that are values of a file, by pointer."""
    typed = ((name, str(value)) for name, value in form.multi_items() if of_file(name))
    return {name: " ".join(value.split()) for name, value in typed}


def build_preview(edited: Edited) -> dict[str, Any]:
    """Return the preview of a file before it is saved."""
    findings = worst_first(editing.check_text(edited.document, edited.text))
    return {
        "base": edited.base,
        "values": edited.values,
        "lines": list(difference(edited.document.text, edited.text)),
        "findings": findings,
        "new_id": f"{edited.key.rpartition('/')[2]}-2",
        "clause": edited.document.value.get("source", {}).get("clause") or "",
        "has_errors": any(finding.severity is Severity.ERROR for finding in findings),
        "changes_approved": any(finding.code == CHANGED for finding in findings),
    }


def save_as_typed(edited: Edited, form: FormData) -> str:
    """Save a record under the id that a form names; return its target."""
    return editing.save_copy(
        edited.key,
        edited.base,
        edited.values,
        name=str(form.get("new_id", "")).strip(),
        clause=str(form.get("clause", "")).strip(),
    )


def state_names() -> dict[str, str]:
    """Return the name of each jurisdiction by its id."""
    return {state.id: state.name for state in overview().catalog.jurisdictions.values()}


def build_state(key: str, document: Document) -> dict[str, Any]:
    """Return the state of a file: its approvals, unsaved edits and last save, and a new window."""
    return {
        "document": document,
        "drafted": bool(editing.load_draft(key, document)),
        "others": editing.load_others(key, document),
        **new_window(key),
        "can_undo": editing.can_undo(key),
        "approvals": find_approvals(key),
    }


def new_window(key: str) -> dict[str, str]:
    """Return the id of a new page, and the version of the draft that it shows."""
    return {"window": secrets.token_hex(4), "seen": editing.draft_version(key)}


def save_routes(
    address: str, edited_of: Callable[[Request, FormData], Edited]
) -> tuple[BaseRoute, BaseRoute, BaseRoute]:
    """Return the routes that save a file, undo the last save, and discard edits."""

    def route(name: str, act: Callable[[Edited], object]) -> BaseRoute:
        def answer(request: Request, form: FormData) -> Response:
            edited = edited_of(request, form)
            act(edited)
            return redirect(edited.back)

        return post_route(f"{address}/{name}", answer)

    def save(edited: Edited) -> None:
        edited.keep()  # shown again if the file is not saved
        editing.save(edited.key, edited.base, edited.values)

    return (
        route("save", save),
        route("undo", lambda edited: editing.undo(edited.key, edited.base)),
        route("discard", lambda edited: editing.forget(edited.key)),
    )


ADDRESS = "/rules/{game}"


def _list(request: Request) -> Response:
    catalog = overview().catalog
    games = catalog.games.values()
    sentences = {
        game.id: sum(len(file.sentences) for file in iter_written(catalog, game)) for game in games
    }
    return page(request, "rules_list", games=games, sentences=sentences)


def _find_jurisdiction(data: Overview, name: str) -> Jurisdiction:
    """Return the state that is named, or the first."""
    states = data.catalog.jurisdictions
    if name and name not in states:
        raise NotConfigured(
            "There is no such jurisdiction.", remedy="Choose an entry from the list."
        )
    state = states.get(name) or next(iter(states.values()), None)
    if state is None:
        raise NotConfigured(
            "No jurisdiction is declared.", remedy="Declare one with `certify new jurisdiction`."
        )
    return state


def _lay_out(data: Overview, game: Game, choice: Mapping[str, Any]) -> Submission:
    """Return the submission to print for the requested jurisdiction and option."""
    name = str(choice.get("jurisdiction", "")) or kept_jurisdiction(game.id)
    state = _find_jurisdiction(data, name)
    return lay_out_rules(
        data.catalog, data.analyses, game, state, option=str(choice.get("option", ""))
    )


def _query(submission: Submission) -> str:
    """Return the query string for printing with the same jurisdiction and option."""
    choice = {"jurisdiction": submission.jurisdiction.id}
    if len(submission.game.options) > 1 and submission.main is not None:
        choice["option"] = submission.main.id
    return urlencode(choice)


def _show(request: Request) -> Response:
    data, game = get_game(request)
    submission = _lay_out(data, game, request.query_params)
    state, options = submission.jurisdiction, game.options
    numbered, deck = find_numbers(submission), describe_deck(game.hands.deck)
    return page(
        request,
        "rules",
        game=game,
        state=state,
        states=data.catalog.jurisdictions.values(),
        options=options if len(options) > 1 else (),
        main=submission.main,
        address=f"/rules/{game.id}",
        query=_query(submission),
        state_names=state_names(),
        deck=deck,
        files=[_file(file, numbered, deck) for file in iter_written(data.catalog, game)],
        findings=findings_on_filing(data.catalog, game),
        clauses=submission.filter_statements(state.clauses),
        anchor="",
        version=0,
        conflict="",
    )


def _file(file: Written, numbered: Mapping[str, str], deck: str) -> dict[str, Any]:
    """Return the sentences of a file for a template, with unsaved edits and ``deck`` in words."""
    typed = editing.load_draft(file.key, file.document)
    lists = {
        name: [_sentence(each, typed, numbered, deck) for each in sentences]
        for name, sentences in file.lists.items()
    }
    view = {"key": file.key, "name": file.name, "lists": lists, "is_option": _is_option(file)}
    return view | build_state(file.key, file.document)


def _is_option(file: Written) -> bool:
    """Return True if a file is an option of a main wager: ``GAME/WAGER/OPTION``."""
    return file.key.count("/") == 2  # noqa: PLR2004 - the parts of a target


def _sentence(
    sentence: Sentence, typed: Mapping[str, str], numbered: Mapping[str, str], deck: str
) -> dict[str, Any]:
    text = typed.get(sentence.pointer, sentence.text)
    return {
        "declared": sentence,
        "text": text,
        "lines": len(text) // 58 + 1,
        "number": numbered.get(deck if sentence.on_deck else sentence.text, ""),
    }


def _print_rules(request: Request) -> Response:
    """Return the rules of play with unsaved edits."""
    data, game = get_game(request)
    headers = {"content-security-policy": DOCUMENT_POLICY}
    keys = [file.key for file in iter_written(data.catalog, game)]
    try:
        catalog = editing.overlay_drafts(data.catalog, keys)
        drafted = replace(data, catalog=catalog)
        submission = _lay_out(drafted, catalog.games[game.id], request.query_params)
        return HTMLResponse(render_preview(submission, "rules"), headers=headers)
    except CertifyError as error:
        answer = page(request, "rules_unprinted", error=error)
        answer.headers.update(headers)
        return answer


def _find_file(request: Request, form: Mapping[str, Any]) -> tuple[Game, Written]:
    """Return the file of a form, from those of the game."""
    data, game = get_game(request)
    key = str(form.get("file", ""))
    for file in iter_written(data.catalog, game):
        if file.key == key:
            return game, file
    raise NotHere("The game has no such file.", remedy="Open the page of its rules again.")


def _read_edited(request: Request, form: FormData) -> Edited:
    game, file = _find_file(request, form)
    base, texts = str(form.get("base", "")), {each.pointer: each.text for each in file.sentences}
    typed = parse_values(form, texts.__contains__)
    same = base == file.document.sha256
    return Edited(
        key=file.key,
        document=file.document,
        values={name: text for name, text in typed.items() if not (same and text == texts[name])},
        base=base,
        window=str(form.get("window", "")),
        seen=str(form.get("seen", "")),
        back=f"/rules/{game.id}?{urlencode(_read_choice(form))}",
    )


def _read_choice(form: FormData) -> dict[str, str]:
    """Return the jurisdiction and the option of the printed page."""
    return {name: str(form[name]) for name in ("jurisdiction", "option") if name in form}


def _show_edited(request: Request, form: FormData) -> Response:
    game, file = _find_file(request, form)
    edited = _read_edited(request, form)
    behind = not edited.keep() or edited.base != file.document.sha256
    submission = _lay_out(overview(), game, form)
    pointer = request.headers.get("hx-trigger-name", "")
    texts = {sentence.pointer: sentence.text for sentence in file.sentences}
    return page(
        request,
        "rules_printed",
        address=f"/rules/{game.id}",
        query=_query(submission),
        anchor=find_numbers(submission).get(texts.get(pointer, ""), ""),
        version=hash(tuple(edited.values.values())) & 0xFFFF,
        conflict=urlencode({"file": file.key, "window": edited.window}) if behind else "",
    )


def _load_mine(file: Written, window: str) -> dict[str, Any]:
    """Return the changes that were typed in a window.

    Raises:
        NotHere: the window has typed nothing, or its changes were settled.
    """
    other = editing.load_others(file.key, file.document).get(window)
    if other is None:
        raise NotHere("There is nothing left to decide.", remedy="Open the rules again.")
    return dict(other)


def _show_conflict(request: Request) -> Response:
    game, file = _find_file(request, request.query_params)
    window = request.query_params.get("window", "")
    other, theirs = _load_mine(file, window), editing.load_draft(file.key, file.document)
    present = {each.pointer: (each.text, each.clause) for each in file.sentences}
    return page(
        request,
        "conflict",
        name=file.name,
        address=f"/rules/{game.id}",
        hidden={"window": window, "file": file.key},
        differences=[
            {
                "name": name,
                "label": clause,
                "mine": mine,
                "theirs": theirs.get(name, text),
                "chosen": "mine" if other["base"] == file.document.sha256 else "",
            }
            for name, mine in other["values"].items()
            for text, clause in (present.get(name, ("", "")),)
            if mine != theirs.get(name, text)
        ],
    )


def _settle(request: Request, form: FormData) -> Response:
    game, file = _find_file(request, form)
    window = str(form.get("window", ""))
    values = editing.load_draft(file.key, file.document)
    for name, mine in _load_mine(file, window)["values"].items():
        choice = form.get("all") or form.get(f"use {name}")
        if choice == "mine":
            values[name] = mine
    editing.settle(file.key, window, file.document, values)
    return redirect(f"/rules/{game.id}")


def _review(request: Request, form: FormData) -> Response:
    game, file = _find_file(request, form)
    edited = _read_edited(request, form)
    return page(
        request,
        "rules_review",
        game=game,
        file=file,
        is_option=_is_option(file),
        address=f"/rules/{game.id}",
        asked=_read_choice(form),
        window=edited.window,
        seen=edited.seen,
        **build_preview(edited),
    )


def _revise(request: Request, form: FormData) -> Response:
    _, game = get_game(request)
    editing.revise(game.id, text=str(form.get("text", "")).strip(), day=today())
    return redirect(f"/rules/{game.id}?{urlencode(_read_choice(form))}")


def _save_copy(request: Request, form: FormData) -> Response:
    game, file = _find_file(request, form)
    if not _is_option(file):
        raise NotHere(
            "Only an option can have another id.", remedy="Make a new revision of the game."
        )
    target = save_as_typed(_read_edited(request, form), form)
    choice = _read_choice(form) | {"option": target.rpartition("/")[2]}
    return redirect(f"/rules/{game.id}?{urlencode(choice)}")


def _json(request: Request) -> Response:
    """Answer with the files as they are declared, by the names that commands take."""
    data, game = get_game(request)
    return record({file.key: file.document.value for file in iter_written(data.catalog, game)})


ROUTES = (
    get_route("/rules", _list),
    get_route(f"{ADDRESS}.json", _json),
    get_route(ADDRESS, _show),
    get_route(f"{ADDRESS}/printed", _print_rules),
    post_route(f"{ADDRESS}/edited", _show_edited),
    post_route(f"{ADDRESS}/review", _review),
    get_route(f"{ADDRESS}/conflict", _show_conflict),
    post_route(f"{ADDRESS}/conflict", _settle),
    post_route(f"{ADDRESS}/revision", _revise),
    post_route(f"{ADDRESS}/save-as", _save_copy),
    *save_routes(ADDRESS, _read_edited),
)
