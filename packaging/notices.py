"""Collects the license texts of the packages in a packaged program; `certify.spec` runs it."""

import re
import sysconfig
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "packaging/pyinstaller.lock")
PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)", re.MULTILINE)
TEXT = re.compile(r"(?i)(?:licen[cs]e|copying|notice|authors)[^/]*$")

WITHOUT_TEXT = {
    "jsonschema-rs": "MIT. Its distribution has no text; see https://github.com/Stranger6667/jsonschema",
    "pypdfium2": "BSD-3-Clause or Apache-2.0. Its texts are in folders of other names; see https://github.com/pypdfium2-team/pypdfium2",
}
"""Packages that bring no text, each with the reason and the place of its license."""


def list_packages() -> dict[str, metadata.Distribution]:
    """Return the installed distributions that the lock files name."""
    found = {}
    for lock in LOCKS:
        for pin in PINNED.finditer((ROOT / lock).read_text(encoding="utf-8")):
            try:
                found[pin["name"]] = metadata.distribution(pin["name"])
            except metadata.PackageNotFoundError:
                continue  # of another system, or of an extra that this program is made without
    return found


def read_texts(package: metadata.Distribution) -> dict[str, str]:
    """Return the license texts, notices and authors of a distribution, by file."""
    return {
        str(file): file.read_text(encoding="utf-8")
        for file in package.files or ()
        if ".dist-info" in file.parts[0] and TEXT.search(file.name)
    }


def collect(packages: Mapping[str, metadata.Distribution], own: Iterable[Path]) -> str:
    """Return one text with all licenses.

    Args:
        packages: the distributions in the program.
        own: license files of certify and of Python.

    Raises:
        ValueError: a package has neither a text nor a reason in `WITHOUT_TEXT`.
    """
    parts = [f"{'=' * 72}\n{path}\n\n{path.read_text(encoding='utf-8')}" for path in own]
    for name, package in sorted(packages.items()):
        texts = read_texts(package)
        if not texts and name not in WITHOUT_TEXT:
            raise ValueError(f"{name} has no license text: find it, and list it in WITHOUT_TEXT.")
        head = f"{'=' * 72}\n{name} {package.version}\n"
        parts.append(head + "".join(f"\n{file}\n\n{text}\n" for file, text in texts.items()))
        if not texts:
            parts.append(WITHOUT_TEXT[name])
    return "\n".join(parts)


def gather() -> str:
    """Return the licenses of certify, its fonts, Python and all packages of the program."""
    own = [ROOT / "LICENSE", *sorted((ROOT / "templates" / "fonts").glob("*.txt"))]
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    return collect(list_packages(), [*own, python] if python.is_file() else own)
