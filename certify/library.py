"""Where the declared data is found, and how a file is written without ever being half-written."""

import os
import tempfile
from pathlib import Path

from certify.errors import NotConfigured

FOLDERS = ("schemas", "paytables", "templates")


def root() -> Path:
    """Return the folder that holds ``schemas/``, ``paytables/`` and ``templates/``.

    The folder named by ``CERTIFY_LIBRARY`` wins; then the installed package itself (a wheel
    carries the three folders inside it); then the repository around the package.

    Raises:
        NotConfigured: none of the three holds all the folders.
    """
    named = os.environ.get("CERTIFY_LIBRARY")
    package = Path(__file__).resolve().parent
    candidates = [Path(named).resolve()] if named else [package, package.parent]
    for candidate in candidates:
        if all((candidate / folder).is_dir() for folder in FOLDERS):
            return candidate
    raise NotConfigured(
        f"The declared data was not found: no folder with {', '.join(FOLDERS)} in "
        f"{', '.join(str(candidate) for candidate in candidates)}.",
        remedy="Set CERTIFY_LIBRARY to the folder that holds them, or install certify again.",
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


def home() -> Path:
    """Return this user's folder for keys and caches (``CERTIFY_HOME`` wins); it may not exist yet.

    Source: XDG Base Directory Specification 0.8; on Windows the roaming application data folder.
    """
    named = os.environ.get("CERTIFY_HOME")
    if named:
        return Path(named).resolve()
    if os.name == "nt":
        return Path(os.environ.get("APPDATA", str(Path.home()))) / "certify"
    return Path(os.environ.get("XDG_CONFIG_HOME", str(Path.home() / ".config"))) / "certify"


def cache() -> Path:
    """Return this user's folder for what can be counted again; it may not exist yet."""
    named = os.environ.get("CERTIFY_CACHE")
    if named:
        return Path(named).resolve()
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "certify" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))) / "certify"


def write_atomically(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write ``data`` to ``path`` so that a reader sees the old file or the whole new one.

    Args:
        path: the file; its folder is made if it is missing.
        data: the whole content.
        mode: the permissions of the new file.

    Raises:
        NotConfigured: the folder or the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise NotConfigured(
            f"Cannot write {path}: {error.strerror}.",
            remedy="Choose a folder that you may write to.",
        ) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
