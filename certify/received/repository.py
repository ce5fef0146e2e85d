"""The git repository around a received project: what it tracks, what changed, what is ignored.

Git never runs in a received folder, because the configuration there may name programs. It runs on a
copy of the references with certify's own configuration, and reads objects and the index alone.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from certify.errors import NotConfigured
from certify.received.files import GIT, open_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE: Final = ".gitignore"


def find_program(name: str) -> str | None:
    """Return the path of a program; None if it is missing, or only in the current folder."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)))
    return found if found and Path(found).is_absolute() else None


class Repository(Struct, frozen=True, kw_only=True):
    """A git repository: the top of its work tree, and its folders for this tree and for all."""

    top: Path
    own: Path
    common: Path

    def list_tracked(self) -> frozenset[Path]:
        """Return the files of the index.

        Raises:
            NotConfigured: git is missing, or cannot read the repository.
        """
        with self._git() as git:
            return frozenset(self.top / name for name in git("ls-files", "-z").split("\0") if name)

    def read_base(self, ref: str) -> dict[str, str]:
        """Return the digest of each file of the branch point of HEAD and a commit, by its path.

        Raises:
            NotConfigured: git is missing, or does not know the commit.
        """
        with self._git() as git:
            base = git("merge-base", "--end-of-options", ref, "HEAD").strip()
            entries = git("ls-tree", "-r", "-z", "--full-tree", base).split("\0")
        pairs = (entry.partition("\t") for entry in entries if entry)
        return {name: words.split(" ")[2] for words, _, name in pairs}

    @contextlib.contextmanager
    def _git(self) -> Iterator[Callable[..., str]]:
        """Give a function that runs git on the objects, the references and the index alone."""
        program = find_program("git")
        if program is None:
            raise _unknown("git was not found", "Install git, or omit --changed-since.")
        with tempfile.TemporaryDirectory(prefix="certify-git-") as temporary:
            folder = Path(temporary)
            try:
                (folder / "config").write_text("[core]\nrepositoryformatversion = 0\nbare = true\n")
                (folder / "objects").mkdir()
                shutil.copytree(self.common / "refs", folder / "refs", symlinks=True)
                shutil.copyfile(self.own / "HEAD", folder / "HEAD")
                for name in ("packed-refs", "shallow"):
                    if (self.common / name).is_file():
                        shutil.copyfile(self.common / name, folder / name)
            except OSError as error:
                raise _unknown("the repository cannot be read") from error
            environment = {
                name: value for name, value in os.environ.items() if not name.startswith("GIT_")
            } | {
                "GIT_DIR": temporary,
                "GIT_OBJECT_DIRECTORY": str(self.common / "objects"),
                "GIT_INDEX_FILE": str(self.own / "index"),
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
            }

            def git(*arguments: str) -> str:
                ran = subprocess.run(  # noqa: S603 - no shell, and a reference cannot be an option
                    [program, *arguments],
                    capture_output=True,
                    encoding="utf-8",
                    errors="surrogateescape",
                    check=False,
                    cwd=temporary,
                    env=environment,
                )
                if ran.returncode:
                    said = ran.stderr.strip() or "it has no commit in common with HEAD"
                    raise _unknown(" ".join(said.split()))
                return ran.stdout

            yield git


def find_repository(path: Path) -> Repository | None:
    """Return the repository whose work tree contains a folder; None if there is none.

    Raises:
        NotConfigured: a file ``.git`` names no repository.
    """
    top = next((folder for folder in (path, *path.parents) if os.path.lexists(folder / GIT)), None)
    if top is None:
        return None
    own = top / GIT
    try:
        if not own.is_dir():  # of a linked work tree or a submodule
            own = top / _read_text(own).removeprefix("gitdir:").strip()
        named = own / "commondir"
        common = own / _read_text(named).strip() if named.is_file() else own
    except (OSError, ValueError) as error:
        raise _unknown(f"{top / GIT} cannot be read") from error
    return Repository(top=top, own=own, common=common)


LONGEST: Final = 1 << 20
"""Bytes of a file of rules or paths that is read."""


def _read_text(path: Path) -> str:
    with open_file(path) as stream:
        return os.fsdecode(stream.read(LONGEST))


def _unknown(
    reason: str,
    remedy: str = "Run certify in a git work tree, and name a commit of this clone; a shallow "
    "clone lacks most commits.",
) -> NotConfigured:
    return NotConfigured(f"The changed files are unknown: {reason}", remedy=remedy)


def hash_blob(path: Path) -> str:
    """Return the digest of a file as git stores it.

    Raises:
        OSError: it cannot be read.
    """
    with open_file(path) as stream:
        data = stream.read()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def find_ignored(files: Collection[Path], folder: Path) -> frozenset[Path]:
    """Return the files that ``.gitignore`` files of the repository ignore and git does not track.

    All are absolute paths. A folder that is ignored as a whole was meant by whoever named it. Where
    git cannot list what it tracks, nothing is ignored.
    """
    with contextlib.suppress(NotConfigured):
        repository = find_repository(folder)
        if repository is not None:
            is_ignored = _build_rules(repository.top)
            ignored = frozenset(filter(is_ignored, files))
            if ignored and not is_ignored(folder):
                return ignored - repository.list_tracked()
    return frozenset()


def _build_rules(top: Path) -> Callable[[Path], bool]:
    """Return a function that is True for a path that a rule ignores, or a folder that holds it."""
    rules_of = cache(_read_rules)

    @cache
    def is_ignored(path: Path) -> bool:
        if path == top:
            return False
        if is_ignored(path.parent):
            return True
        suffix = "/" if path.is_dir() else ""
        for folder in path.parents:  # the rules of the nearest folder decide
            name = f"{path.relative_to(folder).as_posix()}{suffix}"
            found = rules_of(folder).check_file(name).include
            if found is not None or folder == top:
                return bool(found)
        return False

    return is_ignored


def _read_rules(folder: Path) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec

    lines = ""
    with contextlib.suppress(OSError, ValueError):
        lines = _read_text(folder / IGNORE)
    return GitIgnoreSpec.from_lines(lines.splitlines())
