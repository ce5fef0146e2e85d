"""``certify doctor``: what this machine lacks, in plain words."""

import importlib.util
import shutil
import sys
from typing import Final

import typer

from certify.errors import CertifyError, missing_piece
from certify.library import layers, project, root
from certify.pipeline.identities import folder
from certify.storage import home, private, read_private

PANGO: Final = {
    "linux": "on Debian or Ubuntu, apt install libpango-1.0-0 libpangoft2-1.0-0 "
    "libharfbuzz-subset0; elsewhere the packages of Pango and HarfBuzz",
    "darwin": "brew install pango",
    "win32": "install MSYS2, and in its UCRT64 window pacman -S mingw-w64-ucrt-x86_64-pango; "
    "WEASYPRINT_DLL_DIRECTORIES names its bin folder only where that is not "
    r"C:\msys64\ucrt64\bin",
}
"""How Pango comes to a system, by `sys.platform`."""


def doctor() -> int:
    """Say what this machine can do, and what it lacks."""
    answers = [
        _data(),
        _project(),
        _library("numba", "count base games and walk every hand"),
        _library(
            "weasyprint",
            "print documents",
            PANGO.get(sys.platform, "install Pango, with the package manager of this system"),
        ),
        _library("pyhanko", "sign and verify documents"),
        _bounds(),
        _desk(),
        _identity(),
        _tool("verapdf", "check PDF/A and PDF/UA in the tests"),
        _tool("pdftoppm", "look at pages as images"),
        _tool("pdfsig", "let a second reader check signatures in the tests"),
    ]
    needed = True
    for fine, required, text in answers:
        typer.echo(f"{'ok     ' if fine else 'missing' if required else 'absent '}  {text}")
        needed = needed and (fine or not required)
    typer.echo(
        "Everything that certify needs is here."
        if needed
        else "Something is missing; what does not need it works all the same."
    )
    return 0 if needed else 2


def _data() -> tuple[bool, bool, str]:
    try:
        return True, True, f"declared data in {root()}"
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"


def _project() -> tuple[bool, bool, str]:
    try:
        folder = project()
        layers()
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"
    if folder is None:
        return False, False, "a project around this folder (make one with `certify init`)"
    return True, False, f"project in {folder}, laid over the declared data"


def _library(name: str, purpose: str, remedy: str = "") -> tuple[bool, bool, str]:
    try:
        importlib.import_module(name)
    except (ImportError, OSError) as error:
        lacking = missing_piece(error)
        reason = str(error).splitlines()[0]
        if lacking is not None:
            return False, True, f"{name}, to {purpose}. {lacking.remedy}"
        return False, True, f"{name}, to {purpose}: {reason}. Remedy: {remedy}."
    return True, True, f"{name}, to {purpose}"


def _bounds() -> tuple[bool, bool, str]:
    if importlib.util.find_spec("resource") is not None:
        return True, False, "limits of processor time and memory while a foreign PDF is read"
    return (
        False,
        False,
        "a limit of memory while a foreign PDF is read: this system has none; file size and "
        "processor time are limited",
    )


def _desk() -> tuple[bool, bool, str]:
    """Say whether the desk can be opened: with all its packages, or which one is missing."""
    answers = [_library(name, "open the desk") for name in ("starlette", "uvicorn", "jinja2")]
    answers.append(_library("python_multipart", "open the desk"))
    return next((answer for answer in answers if not answer[0]), answers[0])


def _identity() -> tuple[bool, bool, str]:
    try:
        identities = sorted(folder().glob("*.p12"))
        for path in (folder(), folder() / "roots"):
            private(path, create=False)
        for path in (*identities, *folder().glob("*.password")):
            read_private(path)
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"
    except OSError as error:
        return False, True, f"the keys in {home() / 'keys'} cannot be read: {error}"
    if identities:
        names = ", ".join(path.stem for path in identities)
        return True, False, f"signing identities in {folder()}: {names}"
    return False, False, "a signing identity: `certify keys init-dev` makes one for drafts"


def _tool(name: str, purpose: str) -> tuple[bool, bool, str]:
    return shutil.which(name) is not None, False, f"{name}, to {purpose} (optional)"
