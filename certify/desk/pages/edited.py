"""What the pages of paytables and of rules share: a file is reviewed, saved, and put back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from certify.desk.answers import moved, posted
from certify.model.document import Document
from certify.model.finding import worst_first
from certify.pipeline.declare import editing
from certify.pipeline.declare.rewriting import changed, difference
from certify.pipeline.register.approved import CHANGED, approvals_under


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A declared file as a form would change it.

    ``values`` are what is typed, by pointer; ``base`` is the digest of the file that was edited,
    and ``back`` the page.
    """

    key: str
    document: Document
    values: dict[str, str]
    base: str
    back: str

    @property
    def text(self) -> str:
        """The file with what is typed."""
        return changed(self.document, self.values)

    def keep(self) -> None:
        """Keep what is typed, not saved, for when the page is opened again."""
        editing.keep(self.key, self.base, self.values)


def typed_in(form: FormData, of_file: Callable[[str], bool]) -> dict[str, str]:
    """Return the fields of a form that stand for values of a file, by pointer."""
    typed = ((name, str(value)) for name, value in form.multi_items() if of_file(name))
    return {name: " ".join(value.split()) for name, value in typed}


def reviewed(edited: Edited) -> dict[str, Any]:
    """Return what a page shows of a file before it is saved."""
    findings = worst_first(editing.judged(edited.document, edited.text))
    return {
        "base": edited.base,
        "values": edited.values,
        "lines": list(difference(edited.document.text, edited.text)),
        "findings": findings,
        "changes_approved": any(finding.code == CHANGED for finding in findings),
    }


def save_as_typed(edited: Edited, form: FormData) -> str:
    """Save a record under the id that a form names; return its target."""
    return editing.save_as(
        edited.key,
        edited.base,
        edited.values,
        name=str(form.get("new_id", "")).strip(),
        clause=str(form.get("clause", "")).strip(),
    )


def state_of(key: str, document: Document) -> dict[str, Any]:
    """Return what a page says of a file: its approvals, and what was typed or saved here last."""
    return {
        "document": document,
        "drafted": bool(editing.typed(key, document)),
        "outdated": editing.is_outdated(key, document),
        "can_undo": editing.can_undo(key),
        "approvals": approvals_under(key),
    }


def acts(
    address: str, edited_of: Callable[[Request, FormData], Edited]
) -> tuple[BaseRoute, BaseRoute, BaseRoute]:
    """Return the routes that save a file, put it back, and drop what was typed."""

    def save(request: Request, form: FormData) -> Response:
        edited = edited_of(request, form)
        editing.save(edited.key, edited.base, edited.values)
        return moved(edited.back)

    def undo(request: Request, form: FormData) -> Response:
        edited = edited_of(request, form)
        editing.undo(edited.key)
        return moved(edited.back)

    def discard(request: Request, form: FormData) -> Response:
        edited = edited_of(request, form)
        editing.forget(edited.key)
        return moved(edited.back)

    return (
        posted(f"{address}/save", save),
        posted(f"{address}/undo", undo),
        posted(f"{address}/discard", discard),
    )
