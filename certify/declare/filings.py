"""New filings of a project, and their revisions."""

import datetime as dt
from pathlib import Path
from typing import Any

from certify import library, storage
from certify.declare.new import check_id, format_record, read_record, write_missing, write_new
from certify.declare.rewriting import add_revision
from certify.errors import NotConfigured
from certify.figures.targets import load_catalog, lookup, unknown_id
from certify.filing.declaration import find_filing, list_filings
from certify.intake.files import read_terms
from certify.intake.layout import FILINGS, absolute
from certify.locking import lock
from certify.model.jurisdiction import FILING

FIRST = {"id", "game", "jurisdiction", "revision", "revised", "changes", "$schema"}
"""Properties that a new filing does not take from another."""


def new_filing(
    name: str,
    *,
    day: dt.date,
    game: str | None = None,
    jurisdiction: str | None = None,
    like: str | None = None,
) -> tuple[Path, ...]:
    """Write a filing in its first revision; return its file.

    Args:
        name: its id, and the name of its file.
        day: the date of the revision.
        game: the id of its game; None for that of ``like``.
        jurisdiction: the id of its jurisdiction; None for that of ``like``.
        like: a filing of the project, or a file of a filing or of terms, to copy the others from.

    Raises:
        NotReadable: the name is no id.
        NotConfigured: the game or the jurisdiction is unknown or missing, the name is that of a
            game, there is no such filing, no project, or a file is there already.
        Unfit: the copied file has errors.
    """
    check_id(name)
    project, catalog = library.own_paytables().parent, load_catalog()
    copied: dict[str, Any] = {}
    letters: dict[Path, bytes] = {}
    if like is not None:
        source = find_filing(like) or Path(like)
        letter, copied = read_terms(source)[0].laboratory_letter_file, read_record(source)
        if letter is not None and absolute(source.parent) != absolute(project / FILINGS):
            letters = {project / FILINGS / letter: storage.read_bytes(source.parent / letter)}
    game, jurisdiction = game or copied.get("game"), jurisdiction or copied.get("jurisdiction")
    if game is None or jurisdiction is None:
        raise NotConfigured(
            "A filing needs a game and a jurisdiction.", remedy="Use --game and --jurisdiction."
        )
    lookup("game", game, catalog.games)
    lookup("jurisdiction", jurisdiction, catalog.jurisdictions)
    if name in catalog.games:
        raise NotConfigured(
            f"{name} is the id of a game.", remedy="Choose another name, such as nj-2027."
        )
    values = {"id": name, "game": game, "jurisdiction": jurisdiction}
    values |= {"revision": "1", "revised": day.isoformat()}
    others = {key: part for key, part in copied.items() if key not in FIRST}
    value = {"$schema": f"{FILING}.schema.json", **values, **others}
    path = project / FILINGS / f"{name}.json"
    files = write_new({path: format_record(value)})
    return (*files, *(write_missing(letters) if letters else ()))


def revise_filing(name: str, *, text: str, day: dt.date, revision: str | None = None) -> Path:
    """Create the next revision of a filing; return its file. See `add_revision`.

    Raises:
        NotConfigured: there is no such filing, it has no revision, or has this one already.
        Unfit: its file has errors, or would have.
    """
    path = find_filing(name)
    if path is None:
        raise unknown_id("filing", name, list(list_filings()))
    with lock(path.parent):
        before = storage.read_bytes(path)
        terms, document = read_terms(path)
        if terms.revision is None or terms.revised is None:
            raise NotConfigured(
                f"{name} declares no revision.", remedy="Declare `revision` and `revised`."
            )
        data = add_revision(document, revision, day.isoformat(), text).encode()
        read_terms(path, {absolute(path): data})
        storage.write_atomically(path, data, before=before)
    return path
