"""Preview a submission, and the rules of play during editing.

The preview of the rules has the game's own sentences and their places in print. Nothing is counted
for it, so the house edge of a main wager stays blank.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from certify import library, storage
from certify.filing.build import build_submission, count_filing
from certify.filing.declaration import resolve_order
from certify.filing.documents import Part, list_parts, render_html
from certify.filing.order import build_filing, with_register_status
from certify.model.catalog import Catalog
from certify.model.encoding import Progress
from certify.model.finding import Document
from certify.model.game import Game
from certify.model.submission import Order, Status, Submission
from certify.model.topic import Topic
from certify.report.submission import filed_json, filed_view

ON_SCREEN = "body { margin: 1.5rem; }"
"""Replacement for the margins of a printed page."""


class Preview(Struct, frozen=True, kw_only=True):
    """Both documents as HTML by part, with their style; the view and the record of the filing."""

    pages: dict[str, str]
    view: dict[str, Any]
    record: dict[str, Any]


def preview(order: Order, progress: Progress | None = None) -> Preview:
    """Return the documents that `submit` would print, unsigned; nothing is written.

    Pango is not needed.

    Raises:
        CertifyError: something is missing or wrong.
    """
    filing = with_register_status(build_filing(resolve_order(order)))
    filing = count_filing(filing, progress)
    submission = build_submission(filing, status=Status.UNSIGNED, progress=progress)
    return Preview(
        pages={part: render_preview(submission, part) for part in list_parts(submission)},
        view=filed_view(submission),
        record=filed_json(submission),
    )


def render_preview(submission: Submission, part: Part) -> str:
    """Return one document as HTML with its style, to be looked at before it is set on pages."""
    folders = (*reversed(submission.templates), library.templates())
    sheet = next(folder / "style.css" for folder in folders if (folder / "style.css").is_file())
    style = f"<style>\n{storage.read_text(sheet)}\n{ON_SCREEN}\n</style>\n</head>"
    return render_html(submission, part).replace("</head>", style, 1)


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
    lists: Mapping[str, tuple[Sentence, ...]]

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
        lists: dict[str, tuple[Sentence, ...]] = {}
        for place, sentence in _sentences(document.value, "", ""):
            lists[place] = (*lists.get(place, ()), sentence)
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
