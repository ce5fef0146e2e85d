"""``certify keys``, ``doctor`` and ``desk``: this user's keys, this installation, the web app."""

import datetime as dt
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Final

import typer
from msgspec.structs import replace

from certify.cli.output import Progress, print_item, print_line, print_text, table_text, warn
from certify.errors import CertifyError, missing_piece, needing_pieces
from certify.formatting import join_words
from certify.intake.files import format_signatory, read_signatory
from certify.library import layers, project, root
from certify.model.approval import RootRole, Signatory
from certify.pipeline.identities import folder, list_roots, signatory_path
from certify.report.tables import table
from certify.signatures.identity_folder import (
    identities,
    init_development,
    register_root,
    statement,
)
from certify.storage import home, private, read_bytes, read_private, write_atomically

TITLE = typer.Option(None, help="Title of the person.")
COMPANY = typer.Option(None, help="Company of the person.")
LICENCE = typer.Option(None, "--license", help="License of the person or the company.")


keys = typer.Typer(
    help="Manage signing identities and trusted roots.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@keys.command("init-dev")
def init_dev(
    name: str = typer.Option(None, help="Name of the signer; certify does not verify it."),
    title: str = TITLE,
    company: str = COMPANY,
    licence: str = LICENCE,
    *,
    if_missing: bool = typer.Option(
        False, "--if-missing", help="Do nothing if a valid development identity exists."
    ),
) -> None:
    """Create a one-year development identity; documents signed with it are drafts."""
    today = dt.datetime.now(dt.UTC).date()
    if if_missing:
        for stored in identities(folder()):
            if stored.certificate.development and stored.certificate.not_after.date() > today:
                warn(f"{stored.path} exists: {stored.certificate.common_name}")
                return
    signatory = Signatory(name=name, title=title, company=company, licence=licence)
    data = format_signatory(signatory, folder())
    identity = init_development(folder(), name=name, today=today)
    if signatory != Signatory():
        (path,) = (
            stored.path
            for stored in identities(folder())
            if stored.certificate == identity.certificate
        )
        write_atomically(statement(path), data, mode=0o600)
    print_text(
        f"Created {identity.name} in {folder()}.\nDocuments signed with it are drafts: the "
        "signature proves that a file is unchanged, not who made it."
    )


@keys.command("describe")
def describe(
    identity: str = typer.Argument(
        help="Id of `certify keys list`, PKCS#12 file, or label of a key on a token."
    ),
    name: str = typer.Option(
        None, help="Name of the signer; the name in the certificate takes precedence."
    ),
    title: str = TITLE,
    company: str = COMPANY,
    licence: str = LICENCE,
) -> None:
    """Set the details of a signer in visible signatures; an empty text removes one."""
    path = signatory_path(identity)
    given = {"name": name, "title": title, "company": company, "licence": licence}
    changed = {part: words or None for part, words in given.items() if words is not None}
    write_atomically(
        path, format_signatory(replace(read_signatory(path), **changed), path), mode=0o600
    )
    print_line(path)
    named = {stored.id for stored in identities(folder())}
    if identity not in named and not Path(identity).exists():
        warn(f"No key here is named {identity}: the details are for the key of a token.")


@keys.command("list")
def list_keys() -> None:
    """List identities and trusted roots."""
    rows = [
        (stored.id, stored.certificate.common_name, stored.certificate.not_after.date().isoformat())
        for stored in identities(folder())
    ]
    if rows:
        typer.echo(table_text(table("", "identity | name | valid until", rows)))
    else:
        print_text(
            "No identity. `certify keys init-dev` creates one for drafts. For submissions, put a "
            "PKCS#12 file and its certificate (.pem) into the folder below."
        )
    for each, roles in list_roots().items():
        bound = f" for {join_words(roles)} only" if roles else ""
        print_item("Trusted: ", f"{each.common_name}{bound}  SHA-256 {each.fingerprint}")
    print_line(f"Folder: {folder()}")


@keys.command("trust")
def trust(
    certificate: Path = typer.Argument(help="PEM file with the certificates to trust."),
    role: list[RootRole] = typer.Option(
        None, help="Role that they vouch for; repeat for more. Default: every role."
    ),
) -> None:
    """Register the certificates of a PEM file as trusted roots."""
    for each in register_root(folder(), read_bytes(certificate), role or ()):
        print_item("Trusted: ", f"{each.common_name}  SHA-256 {each.fingerprint}")


PANGO: Final = {
    "linux": "on Debian or Ubuntu: apt install libpango-1.0-0 libpangoft2-1.0-0 "
    "libharfbuzz-subset0; elsewhere: the packages of Pango and HarfBuzz",
    "darwin": "brew install pango",
    "win32": "install MSYS2, and in its UCRT64 window pacman -S mingw-w64-ucrt-x86_64-pango; "
    "WEASYPRINT_DLL_DIRECTORIES names its bin folder only where that is not "
    r"C:\msys64\ucrt64\bin",
}
"""Installation of Pango, by `sys.platform`."""


def doctor() -> int:
    """Check the installation, and list missing dependencies."""
    answers = [
        _data(),
        _project(),
        _library("numba", "count main wagers and audit house ways"),
        _library(
            "weasyprint",
            "print documents",
            PANGO.get(sys.platform, "install Pango with the package manager of this system"),
        ),
        _library("pyhanko", "sign and verify documents"),
        _bounds(),
        _desk(),
        _identity(),
        _tool("verapdf", "check PDF/A and PDF/UA in the tests"),
        _tool("pdftoppm", "show pages as images"),
        _tool("pdfsig", "check signatures with a second reader in the tests"),
    ]
    for fine, required, text in answers:
        print_item(f"{'ok     ' if fine else 'missing' if required else 'absent '}  ", text)
    if all(fine or not required for fine, required, _ in answers):
        print_text("All required parts are installed.")
        return 0
    print_text("A required part is missing. Commands that do not need it work.")
    return 2


def _data() -> tuple[bool, bool, str]:
    try:
        return True, True, f"library in {root()}"
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"


def _project() -> tuple[bool, bool, str]:
    try:
        folder = project()
        layers()
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"
    if folder is None:
        return False, False, "an enclosing project (`certify init` creates one)"
    return True, False, f"project in {folder}"


def _library(name: str, purpose: str, remedy: str = "") -> tuple[bool, bool, str]:
    try:
        importlib.import_module(name)
    except (ImportError, OSError) as error:
        lacking = missing_piece(error)
        reason = str(error).splitlines()[0]
        if lacking is not None:
            return False, True, f"{name}, to {purpose}. {lacking.remedy}"
        return False, True, f"{name}, to {purpose}: {reason}. Fix: {remedy}."
    return True, True, f"{name}, to {purpose}"


def _bounds() -> tuple[bool, bool, str]:
    if importlib.util.find_spec("resource") is not None:
        return True, False, "limits on processor time and memory for reading foreign PDFs"
    return (
        False,
        False,
        "a memory limit for reading foreign PDFs: this system has none; "
        "file size and processor time are limited",
    )


def _desk() -> tuple[bool, bool, str]:
    """Return the check result for the web app: the first missing package, if any."""
    packages = ("starlette", "uvicorn", "jinja2", "python_multipart")
    answers = [_library(name, "run the web app") for name in packages]
    return next((answer for answer in answers if not answer[0]), answers[0])


def _identity() -> tuple[bool, bool, str]:
    try:
        archives = sorted(folder().glob("*.p12"))
        for path in (folder(), folder() / "roots"):
            private(path, create=False)
        for path in (*archives, *folder().glob("*.password")):
            read_private(path)
    except CertifyError as error:
        return False, True, f"{error.message} {error.remedy}"
    except OSError as error:
        return False, True, f"the keys in {home() / 'keys'} cannot be read: {error}"
    if archives:
        names = ", ".join(path.stem for path in archives)
        return True, False, f"signing identities in {folder()}: {names}"
    return False, False, "a signing identity: `certify keys init-dev` creates one for drafts"


def _tool(name: str, purpose: str) -> tuple[bool, bool, str]:
    return shutil.which(name) is not None, False, f"{name}, to {purpose} (optional)"


def desk(
    port: int = typer.Option(
        0, min=0, max=65535, show_default=False, help="Port. Default: any free one."
    ),
    no_browser: bool = typer.Option(
        False, "--no-browser", help="Print the address without opening a browser."
    ),
    export: Path | None = typer.Option(
        None, metavar="FOLDER", help="Write the pages as files to this folder, and stop."
    ),
    idle: int = typer.Option(
        60, min=0, help="Stop after this many minutes without a request; 0 for never."
    ),
) -> None:
    """Run the web app in the browser, on this machine only."""
    with needing_pieces():
        from certify.desk.app import export as write
        from certify.desk.app import serve
    if export is not None:
        files = write(export, Progress("Writing"))
        print_line(f"{files} files written. Open {export / 'index.html'} in a browser.")
        return
    serve(port=port, idle_minutes=idle, open_browser=not no_browser, say=typer.echo)
