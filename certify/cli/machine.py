"""``certify keys``, ``doctor``, ``desk`` and ``log``: keys, installation, web app, and the log."""

import datetime as dt
import importlib.util
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

import typer
from msgspec import to_builtins
from msgspec.structs import replace

from certify import library
from certify.cli.output import (
    FORMAT,
    Format,
    Progress,
    print_item,
    print_json,
    print_line,
    print_text,
    table_text,
    warn,
)
from certify.errors import CertifyError, missing_piece, needing_pieces
from certify.filing.identities import folder, list_roots, signatory_path
from certify.formatting import count_noun, join_words
from certify.intake.files import format_signatory, read_signatory
from certify.library import layers, project, root
from certify.model.approval import RootRole, Signatory
from certify.project_log import LOG, Line, read_log
from certify.report.tables import table
from certify.signatures.certificate import Certificate
from certify.signatures.identity_folder import (
    identities,
    init_development,
    register_root,
    statement,
)
from certify.storage import cache, home, private, read_bytes, read_private, write_atomically

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
    options = {"name": name, "title": title, "company": company, "licence": licence}
    changed = {part: words or None for part, words in options.items() if words is not None}
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


Answer = tuple[str, str]
"""A mark, and what was found."""

OK, MISSING, ABSENT, WARNING = "ok", "missing", "absent", "warning"
SOON = dt.timedelta(days=90)
"""A certificate that expires within this time is a warning."""


def doctor(
    timestamp_url: str | None = typer.Option(
        None, help="RFC 3161 timestamp authority to try, by the network and roots of this machine."
    ),
) -> int:
    """Check the installation, keys, roots and folders, and list missing dependencies."""
    answers: list[Answer] = []
    for check in (_data, _project, _packages, _keys, _folders, _tools):
        _collect(answers, check())
    if timestamp_url is not None:
        _collect(answers, _authority(timestamp_url))
    for mark, text in answers:
        print_item(f"{mark:7}  ", text)
    if MISSING not in dict(answers):
        print_text("All required parts are installed.")
        return 0
    print_text("A required part is missing. Commands that do not need it work.")
    return 2


def _collect(answers: list[Answer], check: Iterator[Answer]) -> None:
    """Add what a check found, and what ended it."""
    try:
        with needing_pieces():
            answers.extend(check)
    except CertifyError as error:
        answers.append((MISSING, f"{error.message} {error.remedy}"))


def _data() -> Iterator[Answer]:
    yield OK, f"library in {root()}"


def _project() -> Iterator[Answer]:
    folder = project()
    layers()
    if folder is None:
        yield ABSENT, "an enclosing project (`certify init` creates one)"
    else:
        yield OK, f"project in {folder}"


def _packages() -> Iterator[Answer]:
    """Yield the check results for the extras; of the web app the first missing package, if any."""
    yield _library("numba", "count main wagers and audit house ways")
    pango = PANGO.get(sys.platform, "install Pango with the package manager of this system")
    yield _library("weasyprint", "print documents", pango)
    yield _library("pyhanko", "sign and verify documents")
    if importlib.util.find_spec("resource") is not None:
        yield OK, "limits on processor time and memory for reading foreign PDFs"
    else:
        yield (
            ABSENT,
            "a memory limit for reading foreign PDFs: this system has none; "
            "file size and processor time are limited",
        )
    packages = ("starlette", "uvicorn", "jinja2", "python_multipart")
    answers = [_library(name, "run the web app") for name in packages]
    yield next((answer for answer in answers if answer[0] != OK), answers[0])


def _library(name: str, purpose: str, remedy: str = "") -> Answer:
    try:
        with redirect_stdout(None), redirect_stderr(None):  # WeasyPrint prints seven lines
            importlib.import_module(name)
    except (ImportError, OSError) as error:
        lacking = missing_piece(error)
        reason = str(error).splitlines()[0]
        if lacking is not None:
            return MISSING, f"{name}, to {purpose}. {lacking.remedy}"
        return MISSING, f"{name}, to {purpose}: {reason}. Fix: {remedy}."
    return OK, f"{name}, to {purpose}"


def _keys() -> Iterator[Answer]:
    """Yield the check results for the identities and the trusted roots of this user."""
    try:
        archives = sorted(folder().glob("*.p12"))
        for path in (folder(), folder() / "roots"):
            private(path, create=False)
        for path in (*archives, *folder().glob("*.password")):
            read_private(path)
    except OSError as error:
        yield MISSING, f"the keys in {home() / 'keys'} cannot be read: {error}"
        return
    if archives:
        names = ", ".join(path.stem for path in archives)
        yield OK, f"signing identities in {folder()}: {names}"
    else:
        yield ABSENT, "a signing identity: `certify keys init-dev` creates one for drafts"
    for path in (*Path().glob("*.p12"), *Path().glob("*.pfx")):
        yield WARNING, f"{path} in this folder: keys belong in {home() / 'keys'} or on a token"
    keys = {key.id: key.certificate for key in identities(folder())}
    for path in archives:
        if path.stem not in keys:
            yield WARNING, f"{path.name}: {path.stem}.pem is missing, so its dates are not known"
    named = {root: f"trusted root {root.common_name}" for root in list_roots()}
    named |= {key: f"identity {name}" for name, key in keys.items()}
    yield from (_validity(*each) for each in named.items())


def _validity(certificate: Certificate, name: str) -> Answer:
    now, end = dt.datetime.now(dt.UTC), certificate.not_after
    text = f"{name}: valid from {certificate.not_before:%Y-%m-%d} to {end:%Y-%m-%d}"
    if not certificate.is_valid_at(now):
        return WARNING, f"{text}, not now"
    if end - now < SOON:
        return WARNING, f"{text}, which is in {count_noun((end - now).days, 'day')}"
    return OK, text


def _folders() -> Iterator[Answer]:
    """Yield the check results for writing to this user's folders."""
    for path, variable, content in (
        (home(), "CERTIFY_HOME", "keys and roots"),
        (cache(), "CERTIFY_CACHE", "counts and compiled code"),
    ):
        existing = next(part for part in (path, *path.parents) if part.exists())
        try:
            tempfile.TemporaryFile(dir=existing).close()
            yield OK, f"folder for {content}: {path}"
        except OSError as error:
            why = f"{path} cannot be written, so it stores no {content}: {error.strerror}"
            yield WARNING, f"{why}. Fix: set {variable} to a folder that you may write to."


def _authority(url: str) -> Iterator[Answer]:
    from certify.filing.identities import try_authority

    return ((OK if passed else MISSING, text) for passed, text in try_authority(url))


def _tools() -> Iterator[Answer]:
    for name, purpose in {
        "verapdf": "check PDF/A and PDF/UA in the tests",
        "pdftoppm": "show pages as images",
        "pdfsig": "check signatures with a second reader in the tests",
    }.items():
        yield OK if shutil.which(name) else ABSENT, f"{name}, to {purpose} (optional)"


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


def log(
    file: Path = typer.Option(None, help=f"Log to read. Default: the project's {LOG}."),
    last: str = typer.Option(
        None, metavar="SHA256", help="Require a line with this digest, noted from an earlier run."
    ),
    *,
    verify: bool = typer.Option(False, "--verify", help="Print the verdict without the lines."),
    output: Format = FORMAT,
) -> int:
    """List what commands wrote in the project, and verify that the log is a whole chain."""
    path = file or (library.project() or Path()) / LOG
    lines = [*read_log(path)]
    faults = [line.fault for line in lines if line.fault]
    if last is not None and last not in {line.sha256 for line in lines}:
        faults.append(f"No line has the digest {last}: lines were removed or changed.")
    digest = lines[-1].sha256 if lines else ""
    if output is Format.JSON:
        shown = [] if verify else to_builtins(lines)
        print_json({"file": str(path), "lines": shown, "faults": faults, "last_sha256": digest})
    else:
        for line in () if verify else lines:
            _print(line)
        verdict = "is broken" if faults else "is whole"
        print_item("", f"{path}: {count_noun(len(lines), 'line')}. The chain {verdict}.")
        for fault in faults:
            print_item("  FAILED  ", fault)
        print_item("  note    ", f"SHA-256 of the last line: {digest}")
    return 1 if faults else 0


def _print(line: Line) -> None:
    """Print who wrote what, when, with which version and key; the files that were read as a number.

    A line that is no entry was cut short when its process was killed.
    """
    entry = line.entry
    if entry is None:
        print_item(f"{line.number}  ", "not complete")
        return
    heading = f"{entry.time}  {entry.user}  certify {entry.version} (build {entry.build[:12]})"
    print_item(f"{line.number}  ", heading)
    print_item("   command  ", shlex.join(entry.command))
    for fingerprint, name in entry.keys.items():
        print_item("   key      ", f"{name}, certificate {fingerprint}")
    for path, digest in entry.outputs.items():
        print_item("   wrote    ", f"{path}  {digest or 'removed'}")
    print_item("   read     ", count_noun(len(entry.inputs), "file"))
