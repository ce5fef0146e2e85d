"""Location and loading of declared files."""

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from certify.errors import NotConfigured
from certify.received.files import PROJECT
from certify.storage import read_toml

FOLDERS = ("schemas", "paytables", "templates")


def root() -> Path:
    """Return the folder that holds ``schemas/``, ``paytables/`` and ``templates/``.

    The folder named by ``CERTIFY_LIBRARY`` wins; then the installed package itself (a wheel
    carries the three folders inside it); then the repository around the package.

    Raises:
        NotConfigured: none of the three holds all the folders.
    """
    return _root(os.environ.get("CERTIFY_LIBRARY"))


@functools.cache
def _root(named: str | None) -> Path:
    package = Path(__file__).resolve().parent
    candidates = [Path(named).resolve()] if named else [package, package.parent]
    for candidate in candidates:
        if all((candidate / folder).is_dir() for folder in FOLDERS):
            return candidate
    raise NotConfigured(
        f"The declared data was not found: no folder with {', '.join(FOLDERS)} in "
        f"{', '.join(str(candidate) for candidate in candidates)}.",
        remedy="Set CERTIFY_LIBRARY to their folder, or install certify again.",
    )


def schemas() -> Path:
    """Return the folder of the JSON schemas."""
    return root() / "schemas"


def paytables() -> Path:
    """Return the folder of the declared games, paytables, house ways and jurisdictions."""
    return root() / "paytables"


def templates() -> Path:
    """Return the folder of the document templates, styles and fonts."""
    return root() / "templates"


@functools.cache
def build_sha256() -> str:
    """Return the SHA-256 of certify's own code and of its templates, as hexadecimal digits."""
    package, folder = Path(__file__).parent, templates()
    printed = set(folder.rglob("*"))  # in a wheel, these are in the package
    digest = hashlib.sha256()
    for parent, paths in ((package, set(package.rglob("*.py")) - printed), (folder, printed)):
        for path in sorted(paths):
            if path.is_file() and path.suffix != ".pyc":
                name = path.relative_to(parent).as_posix()
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def read_shipped(path: str) -> bytes | None:
    """Return a file that certify ships, None if it ships no such file.

    ``path`` is relative, such as ``paytables/events.json``. ``CERTIFY_LIBRARY`` changes nothing.
    """
    file = _root(None) / path
    return file.read_bytes() if file.is_file() else None


def changed_files() -> tuple[str, ...]:
    """Return the templates and schemas in use that are not those that certify ships."""
    if root() == _root(None):
        return ()
    names = {
        path.relative_to(folder).as_posix()
        for folder in (root(), _root(None))
        for kind in ("schemas", "templates")
        for path in (folder / kind).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    return tuple(
        name
        for name in sorted(names)
        if not (root() / name).is_file() or (root() / name).read_bytes() != read_shipped(name)
    )


def project() -> Path | None:
    """Return the folder of the project that the user is in; None outside of any."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / PROJECT).is_file()), None)


TABLES = ("check",)
"""The tables of a project's file; each is read by the command that it is for."""


def read_settings(project: Path) -> None:
    """Read a project's `certify.toml`.

    Raises:
        NotConfigured: it is not TOML, or has a setting that certify does not know.
    """
    path = project / PROJECT
    for name in read_toml(path):
        if name not in TABLES:
            raise NotConfigured(
                f"{path}: unknown setting {name}.",
                remedy=f"Remove it; known tables: {', '.join(f'[{table}]' for table in TABLES)}.",
            )


def layers(of: Path | None = None) -> tuple[Path, ...]:
    """Return the folders of declared data: the built-in one, and over it the project's.

    It is the project ``of`` a folder, or else the one that the user is in.

    Raises:
        NotConfigured: the project's `certify.toml` is not what certify reads.
    """
    user_project = of or project()
    if user_project is None:
        return (paytables(),)
    read_settings(user_project)
    folder = user_project / "paytables"
    is_library = folder.resolve() == paytables().resolve()
    return (paytables(),) if is_library else (paytables(), folder)


def find_declared(name: str) -> Path | None:
    """Return the declared file with a path below its folder, the project's before the built-in."""
    files = [layer / name for layer in layers() if (layer / name).is_file()]
    return files[-1] if files else None


def own_paytables() -> Path:
    """Return the folder that the user's own records are written to; never the installed package.

    That is the project's, or without one the library that is named or whose checkout this is.

    Raises:
        NotConfigured: there is none.
    """
    user_project = project()
    if user_project is not None:
        return user_project / "paytables"
    checkout = root() != Path(__file__).resolve().parent and Path.cwd().is_relative_to(root())
    if checkout or os.environ.get("CERTIFY_LIBRARY"):
        return paytables()
    raise NotConfigured(
        "This folder is not in a project, and nothing is written into the installed package.",
        remedy="Create a project with `certify init`, or change to the folder of your project.",
    )


@functools.cache
def words(name: str) -> Mapping[str, Any]:
    """Return printed words by id from one file, ``name``.

    Raises:
        NotConfigured: the declared data was not found.
    """
    text = (templates() / "words" / f"{name}.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))
