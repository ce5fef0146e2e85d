"""Rules: the sentences of a game, edited next to the page that they print on.

The game's own sentences are in its files and can be edited; of a game of the project they can be
added, ordered and removed. Sentences for all games are in the templates and in the file of the
jurisdiction; they are shown and cannot be edited.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from certify.declare import editing, user_state
from certify.declare.deletion import is_own
from certify.declare.rewriting import arrangement, resolve_pointer
from certify.desk.answers import (
    NotHere,
    get_desk,
    get_findings,
    get_route,
    page,
    post_route,
    record,
    redirect,
    today,
)
from certify.desk.editor import (
    EditableFile,
    Edited,
    Texts,
    arrange_route,
    build_review,
    build_state,
    conflict_routes,
    find_typist,
    read_edited,
    save_as_typed,
    save_routes,
    state_names,
)
from certify.desk.filing_order import kept_jurisdiction
from certify.desk.games import get_game
from certify.desk.guard import DOCUMENT_POLICY
from certify.errors import CertifyError, NotConfigured
from certify.figures.evaluate import Overview, overview
from certify.filing.documents import render_preview
from certify.filing.order import findings_on_filing
from certify.filing.register_check import find_numbers, lay_out_rules, list_rules
from certify.model.catalog import Catalog
from certify.model.finding import Document
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.submission import Submission
from certify.report.rules.numbering import derived_texts
from certify.report.wording import together

STATEMENTS = ("definitions", "assumptions", "rules")
"""Lists of sentences that a file has in no section."""

CLAUSE = "source/clause"

FIELDS = (
    "id", "text", "topic", "jurisdiction", "option", "source/document", CLAUSE,
)  # fmt: skip
"""The texts of a new sentence; an assumption also has an effect."""


class Sentence(Struct, frozen=True, kw_only=True):
    """A sentence of a game's own files: its RFC 6901 pointer, and its source.

    ``only`` says for which state or option it is printed, empty for all. ``id`` is that of the
    rule that prints it.
    """

    pointer: str
    text: str
    clause: str
    only: str = ""
    id: str = ""


class Written(Struct, frozen=True, kw_only=True):
    """The sentences of one file of a game by their list; ``places`` are pointers of the lists."""

    key: str
    name: str
    document: Document
    lists: Mapping[str, Sequence[Sentence]]
    places: Mapping[str, str]

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
        places = dict(_find_places(document.value))
        empty: dict[str, Sequence[Sentence]] = dict.fromkeys(places, ())
        lists = empty | together(_sentences(document.value, "", ""))
        if lists:
            yield Written(key=key, name=name, document=document, lists=lists, places=places)


def _find_places(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the lists of sentences that can be arranged: title and pointer."""
    for number, section in enumerate(record.get("sections", ())):
        yield section["title"], f"/sections/{number}/statements"
    yield from ((name, f"/{name}") for name in STATEMENTS if name in record)


def _find_texts(document: Document) -> Texts:
    """Return the texts and the clauses of the sentences of a file, by pointer."""
    sentences = [sentence for _, sentence in _sentences(document.value, "", "")]
    return {each.pointer: each.text for each in sentences} | {
        f"{each.pointer.removesuffix('text')}{CLAUSE}": each.clause for each in sentences
    }


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
                    id=str(value.get("id", "")),
                ),
            )
        inner = str(value.get("title", place))
        for name, part in value.items():
            yield from _sentences(part, f"{pointer}/{name}", inner if place else name)


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
    printed, texts = list_rules(submission), {*derived_texts(submission).values()}
    numbered = {rule.text: rule.number for rule in printed}
    derived = {rule.id: rule.text for rule in printed if rule.text in texts}
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
        files=[_file(file, numbered, derived) for file in iter_written(data.catalog, game)],
        is_own=is_own(game.id) and not get_desk(request).read_only,
        topics=editing.describe_choices("common", "/$defs/statement/properties/topic"),
        findings=findings_on_filing(data.catalog, game),
        clauses=submission.filter_statements(state.clauses),
        anchor="",
        version=0,
        conflict="",
        typist="",
    )


def _file(file: Written, numbered: Mapping[str, str], derived: Mapping[str, str]) -> dict[str, Any]:
    """Return the sentences of a file for a template, with unsaved edits and ``derived`` texts."""
    typed = user_state.load_draft(file.key, file.document)
    lists = [
        {
            "title": title,
            "at": file.places.get(title, ""),
            "sentences": [
                _sentence(each, entry, typed, numbered, derived)
                for entry, each in _arrange(file, title, typed)
            ],
        }
        for title in file.lists
    ]
    view = {"key": file.key, "name": file.name, "lists": lists, "is_option": _is_option(file)}
    return view | build_state(file.key, file.document)


def _arrange(file: Written, title: str, typed: Mapping[str, str]) -> Iterator[tuple[str, Sentence]]:
    """Yield the sentences of a list in their order, each with the name of its entry, if any.

    A part of a sentence has no entry.
    """
    at, sentences = file.places.get(title, ""), file.lists[title]
    if not at:
        yield from (("", each) for each in sentences)
    for name in arrangement(file.document, typed, at) if at else ():
        key = f"{at}/{name}"
        inside = [each for each in sentences if each.pointer.startswith(f"{key}/")]
        for each in inside or [Sentence(pointer=f"{key}/text", text="", clause="")]:
            yield name if each.pointer == f"{key}/text" else "", each


def _is_option(file: Written) -> bool:
    """Return True if a file is an option of a main wager: ``GAME/WAGER/OPTION``."""
    return file.key.count("/") == 2  # noqa: PLR2004 - the parts of a target


def _sentence(
    sentence: Sentence,
    entry: str,
    typed: Mapping[str, str],
    numbered: Mapping[str, str],
    derived: Mapping[str, str],
) -> dict[str, Any]:
    text = typed.get(sentence.pointer, sentence.text)
    key = sentence.pointer.removesuffix("/text")
    printed = derived.get(sentence.id, "")
    return {
        "declared": sentence,
        "key": key,
        "entry": entry,
        "is_new": entry.startswith("+"),
        "fields": {name: typed.get(f"{key}/{name}", "") for name in (*FIELDS, "effect")},
        "text": text,
        "clause": typed.get(f"{key}/{CLAUSE}", sentence.clause),
        "lines": len(text) // 58 + 1,
        "printed": printed,
        "number": numbered.get(printed or sentence.text, ""),
    }


def _open(request: Request, form: Mapping[str, Any]) -> EditableFile:
    """Return the file of a form; the lists of a built-in game are not arranged."""
    game, file = _find_file(request, form)
    return EditableFile(
        key=file.key,
        name=file.name,
        document=file.document,
        address=f"/rules/{game.id}?{urlencode(_read_choice(form))}",
        find_texts=_find_texts,
        fields={
            at: (*FIELDS, "effect") if at == "/assumptions" else FIELDS
            for at in (file.places.values() if is_own(game.id) else ())
        },
        hidden={"file": file.key},
    )


def _begin_sentence(file: EditableFile, at: str, typed: Mapping[str, str]) -> Texts:
    """Return the first texts of a new sentence: an id, and the document of the game."""
    owner = str(resolve_pointer(file.document, f"{at.rpartition('/')[0]}/id")).lower()
    ids = (f"{owner}.{number}" for number in count(1))
    game = overview().catalog.games[file.key.partition("/")[0]]
    return {
        "id": next(
            id_ for id_ in ids
            if f'"{id_}"' not in file.document.text and id_ not in typed.values()
        ),
        "source/document": game.document.id,
        CLAUSE: "",
    }  # fmt: skip


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
        answer = page(request, "rules_unprinted", error=error, findings=get_findings(error))
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
    return read_edited(_open(request, form), form)


def _read_choice(form: Mapping[str, Any]) -> dict[str, str]:
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
        typist=find_typist(file.key, file.document),
    )


def _review(request: Request, form: FormData) -> Response:
    game, file = _find_file(request, form)
    return page(
        request,
        "rules_review",
        game=game,
        is_option=_is_option(file),
        address=f"/rules/{game.id}",
        asked=_read_choice(form),
        **build_review(_open(request, form), _read_edited(request, form)),
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
    *conflict_routes(ADDRESS, _open),
    arrange_route(ADDRESS, _open, _begin_sentence),
    post_route(f"{ADDRESS}/revision", _revise),
    post_route(f"{ADDRESS}/save-as", _save_copy),
    *save_routes(ADDRESS, _read_edited),
)
