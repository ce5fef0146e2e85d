"""Rules: the sentences of a game, edited beside the page that they print on.

What is a game's own stands in its files and is edited here. What certify and the state say of every
game stands in templates and in the state's file; it prints beside, and is not edited.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from certify.desk.answers import NotHere, moved, page, posted, record, shown
from certify.desk.guard import DOCUMENT_POLICY
from certify.desk.pages.games import game_of
from certify.errors import CertifyError, NotConfigured
from certify.model.finding import worst_first
from certify.model.game import Game
from certify.model.jurisdiction import Jurisdiction
from certify.model.main_wager import MainWager
from certify.model.submission import Submission
from certify.pipeline.declare import editing
from certify.pipeline.declare.rewriting import changed, difference
from certify.pipeline.figures.overview import Overview, overview
from certify.pipeline.submit.rules_of_play import (
    Sentence,
    Written,
    laid_out,
    numbers,
    printed,
    written,
)

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.requests import Request
    from starlette.responses import Response

MENU = (("Rules", "/rules"),)

ADDRESS = "/rules/{game}"


def _list(request: "Request") -> "Response":
    known = overview().catalogue
    games = [
        {"game": game, "sentences": sum(len(file.sentences) for file in written(known, game))}
        for game in known.games.values()
    ]
    return page(request, "rules_list", {"games": games})


def _state_of(known: Overview, name: str) -> Jurisdiction:
    """Return the state that is named, or the first."""
    states = known.catalogue.jurisdictions
    if name and name not in states:
        raise NotConfigured("There is no such state.", remedy="Choose one of the list.")
    state = states.get(name) or next(iter(states.values()), None)
    if state is None:
        raise NotConfigured("No state is declared.", remedy="Declare one: `certify new`.")
    return state


def _laid_out(known: Overview, game: Game, asked: Mapping[str, Any]) -> Submission:
    """Return what prints for the state and the option that are asked for."""
    state = _state_of(known, str(asked.get("jurisdiction", "")))
    return laid_out(
        known.catalogue, known.analyses, game, state, option=str(asked.get("option", ""))
    )


def _query(submission: Submission) -> str:
    """Return what an address asks, to print for the same state and option."""
    asked = {"jurisdiction": submission.jurisdiction.id}
    if len(_options(submission.game)) > 1 and submission.main is not None:
        asked["option"] = submission.main.id
    return urlencode(asked)


def _options(game: Game) -> tuple[MainWager, ...]:
    return tuple(option for wager in game.wagers for option in wager.options)


def _show(request: "Request") -> "Response":
    known, game = game_of(request)
    submission = _laid_out(known, game, request.query_params)
    state, main = submission.jurisdiction, submission.main
    states = known.catalogue.jurisdictions.values()
    numbered = numbers(submission)
    view = {
        "game": game,
        "state": state,
        "states": [{"state": each, "here": each.id == state.id} for each in states],
        "options": [{"option": option, "here": option == main} for option in _options(game)],
        "main": main,
        "several": len(_options(game)) > 1,
        "address": f"/rules/{game.id}",
        "query": _query(submission),
        "files": [_file(file, numbered) for file in written(known.catalogue, game)],
        "clauses": submission.printed(state.clauses),
        "anchor": "",
        "version": 0,
    }
    return page(request, "rules", view)


def _file(file: Written, numbered: Mapping[str, str]) -> dict[str, Any]:
    """Return the sentences of a file for a template, with what was typed and not saved."""
    typed = editing.typed(file.key, file.document)
    return {
        "key": file.key,
        "name": file.name,
        "document": file.document,
        "drafted": bool(typed),
        "outdated": editing.is_outdated(file.key, file.document),
        "can_undo": editing.can_undo(file.key),
        "lists": [
            {"name": name, "sentences": [_sentence(each, typed, numbered) for each in sentences]}
            for name, sentences in file.lists.items()
        ],
    }


def _sentence(
    sentence: Sentence, typed: Mapping[str, str], numbered: Mapping[str, str]
) -> dict[str, Any]:
    text = typed.get(sentence.pointer, sentence.text)
    return {
        "pointer": sentence.pointer,
        "text": text,
        "lines": len(text) // 58 + 1,
        "clause": sentence.clause,
        "only": sentence.only,
        "number": numbered.get(sentence.text, ""),
    }


def _printed(request: "Request") -> "Response":
    """Answer with the rules of play as they would print with what is typed."""
    from starlette.responses import HTMLResponse

    known, game = game_of(request)
    headers = {"content-security-policy": DOCUMENT_POLICY}
    keys = [file.key for file in written(known.catalogue, game)]
    try:
        catalogue = editing.drafted(known.catalogue, keys)
        drafted = replace(known, catalogue=catalogue)
        submission = _laid_out(drafted, catalogue.games[game.id], request.query_params)
        return HTMLResponse(printed(submission), headers=headers)
    except CertifyError as error:
        answer = page(request, "rules_unprinted", {"error": error})
        answer.headers.update(headers)
        return answer


def _file_of(request: "Request", form: "FormData") -> tuple[Game, Written]:
    """Return the file that a form is about, looked up among those of the game."""
    known, game = game_of(request)
    key = str(form.get("file", ""))
    for file in written(known.catalogue, game):
        if file.key == key:
            return game, file
    raise NotHere("The game has no such file.", remedy="Open the page of its rules again.")


def _values(form: "FormData", file: Written) -> dict[str, str]:
    """Return what is typed for the sentences of a file, by pointer."""
    pointers = {sentence.pointer for sentence in file.sentences}
    return {
        name: " ".join(str(value).split()) for name, value in form.multi_items() if name in pointers
    }


def _edited(request: "Request", form: "FormData") -> "Response":
    game, file = _file_of(request, form)
    values = _values(form, file)
    editing.keep(file.key, str(form.get("base", "")), values)
    submission = _laid_out(overview(), game, form)
    numbered = numbers(submission)
    pointer = request.headers.get("hx-trigger-name", "")
    texts = {sentence.pointer: sentence.text for sentence in file.sentences}
    view = {
        "address": f"/rules/{game.id}",
        "query": _query(submission),
        "anchor": numbered.get(texts.get(pointer, ""), ""),
        "version": hash(tuple(values.values())) & 0xFFFF,
    }
    return page(request, "rules_printed", view)


def _review(request: "Request", form: "FormData") -> "Response":
    game, file = _file_of(request, form)
    values = _values(form, file)
    text = changed(file.document, values)
    view = {
        "game": game,
        "file": file,
        "address": f"/rules/{game.id}",
        "asked": _asked(form),
        "base": str(form.get("base", "")),
        "values": [{"name": name, "value": value} for name, value in values.items()],
        "lines": list(difference(file.document.text, text)),
        "findings": worst_first(editing.judged(file.document, text)),
    }
    return page(request, "rules_review", view)


def _save(request: "Request", form: "FormData") -> "Response":
    game, file = _file_of(request, form)
    editing.save(file.key, str(form.get("base", "")), _values(form, file))
    return _back(game, form)


def _asked(form: "FormData") -> dict[str, str]:
    """Return what the page was printed for."""
    return {name: str(form[name]) for name in ("jurisdiction", "option") if name in form}


def _back(game: Game, form: "FormData") -> "Response":
    """Return to the page, as it was printed."""
    return moved(f"/rules/{game.id}?{urlencode(_asked(form))}")


def _undo(request: "Request", form: "FormData") -> "Response":
    game, file = _file_of(request, form)
    editing.undo(file.key)
    return _back(game, form)


def _discard(request: "Request", form: "FormData") -> "Response":
    game, file = _file_of(request, form)
    editing.forget(file.key)
    return _back(game, form)


def _json(request: "Request") -> "Response":
    """Answer with the files as they are declared, by the names that commands take."""
    known, game = game_of(request)
    return record({file.key: file.document.value for file in written(known.catalogue, game)})


ROUTES = (
    shown("/rules", _list),
    shown(f"{ADDRESS}.json", _json),
    shown(ADDRESS, _show),
    shown(f"{ADDRESS}/printed", _printed),
    posted(f"{ADDRESS}/edited", _edited),
    posted(f"{ADDRESS}/review", _review),
    posted(f"{ADDRESS}/save", _save),
    posted(f"{ADDRESS}/undo", _undo),
    posted(f"{ADDRESS}/discard", _discard),
)
