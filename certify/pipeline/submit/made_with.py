"""What a submission was made with: this certify, its Python, and the libraries under it."""

import ctypes
import hashlib
import platform
import zlib
from ctypes.util import find_library
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from certify import __version__, library

PACKAGES: Final = (
    "cssselect2", "fonttools", "jinja2", "llvmlite", "numba", "numpy", "pydyf", "pyphen",
    "tinycss2", "tinyhtml5", "weasyprint", "xlsxwriter",
)  # fmt: skip
"""The packages that count, set the text and write the files."""

SHARED: Final = {"pango": ("pango-1.0", "pango_version_string"),
                 "harfbuzz": ("harfbuzz", "hb_version_string")}  # fmt: skip
"""The system's libraries that break lines and shape text, each with the function that tells."""


@cache
def made_with() -> dict[str, Any]:
    """Return the versions that a figure or a byte of a document may rest on.

    ``sha256`` is of certify's own code and of its templates, so that two builds with one version
    are told apart.
    """
    libraries = {name: _version(name) for name in PACKAGES}
    libraries |= {name: _told(*asked) for name, asked in SHARED.items()}
    libraries["zlib"] = zlib.ZLIB_RUNTIME_VERSION
    return {
        "version": __version__,
        "sha256": build_sha256(),
        "python": platform.python_version(),
        "libraries": dict(sorted(libraries.items())),
    }


def other_than(stated: dict[str, Any]) -> list[str]:
    """Return what differs here from what a document states that it was made with, in words."""
    here = made_with()
    if stated["version"] != here["version"]:
        return [f"certify {stated['version']} (here {here['version']})"]
    differing = []
    if stated.get("sha256") != here["sha256"]:
        differing.append(f"another build of certify {stated['version']}, or other templates")
    before = {"Python": stated.get("python"), **stated.get("libraries", {})}
    now = {"Python": here["python"], **here["libraries"]}
    return differing + [
        f"{name} {before.get(name)} (here {now.get(name)})"
        for name in dict.fromkeys((*before, *now))
        if before.get(name) != now.get(name)
    ]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _told(name: str, function: str) -> str | None:
    """Return what a shared library says of its version; None where there is none to ask."""
    held = find_library(name)
    try:
        asked = getattr(ctypes.CDLL(held), function) if held else None
    except (OSError, AttributeError):
        return None
    if asked is None:
        return None
    asked.restype = ctypes.c_char_p
    text: bytes = asked()
    return text.decode("ascii", "replace")


@cache
def build_sha256() -> str:
    """Return the SHA-256 of certify's own code and of its templates, as hexadecimal digits."""
    package, templates = Path(__file__).parents[2], library.templates()
    digest = hashlib.sha256()
    for folder, files in ((package, package.rglob("*.py")), (templates, templates.rglob("*"))):
        for path in sorted(files):
            # A wheel carries the templates inside the package; what Python compiles is left out.
            ours = path.is_file() and path.suffix != ".pyc"
            if ours and (folder is templates or templates not in path.parents):
                name = path.relative_to(folder).as_posix()
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
