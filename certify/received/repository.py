"""The git repository around a received project: what it tracks, what changed, what is ignored.

Git never runs in a received folder, because the configuration there may name programs. It runs on
copies of the references and the index, with certify's own configuration, and reads objects alone.
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from certify.errors import NotConfigured
from certify.received.files import GIT, MOST, open_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def find_program(name: str) -> str | None:
    """Return the path of a program; None if it is missing, or only in the current folder."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)))
    return path if path and Path(path).is_absolute() else None


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

    @property
    def may_lack_files(self) -> bool:
        """True if there are submodules, or a sparse checkout."""
        marks = self.top / ".gitmodules", self.own / "info" / "sparse-checkout"
        return any(map(os.path.lexists, marks))

    def list_absent(self) -> tuple[frozenset[Path], frozenset[Path]]:
        """Return the submodules without content, and the files that a sparse checkout leaves out.

        Raises:
            NotConfigured: git is missing, or cannot read the repository.
        """
        with self._git() as git:
            entries = git("ls-files", "-s", "-t", "-z").split("\0")
        modules, files = set[Path](), set[Path]()
        for entry in entries:
            words, _, name = entry.partition("\t")
            mark, _, rest = words.partition(" ")
            path = self.top / name
            is_submodule = rest.startswith("160000 ")  # the mode in the index
            is_left_out = mark == "S"  # of a sparse checkout
            if is_submodule and not (path.is_dir() and any(path.iterdir())):
                modules.add(path)
            elif is_left_out and not os.path.lexists(path):
                files.add(path)
        return frozenset(modules), frozenset(files)

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
        """Give a function that runs git on the objects and on copies of the references and index.

        Git itself would follow links, wait for pipes and read devices below ``.git``.
        """
        program = find_program("git")
        if program is None:
            raise _unknown("git was not found", "Install git, or omit --changed-since.")
        with tempfile.TemporaryDirectory(prefix="certify-git-") as temporary:
            folder = Path(temporary)
            try:
                (folder / "config").write_text(CONFIGURATION)
                (folder / "objects").mkdir()
                self._copy_files(folder)
                self._refuse_objects()
            except OSError as error:
                raise _unreadable(error.filename or self.common, error) from error
            environment = {
                name: value for name, value in os.environ.items() if not name.startswith("GIT_")
            } | {
                "GIT_DIR": temporary,
                "GIT_OBJECT_DIRECTORY": str(self.common / "objects"),
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
            }

            def git(*arguments: str) -> str:
                return _run([program, *arguments], folder, environment)

            yield git

    def _copy_files(self, folder: Path) -> None:
        """Copy the references and the index.

        Raises:
            OSError: they have a link or a special file, or are larger than `ROOM`.
        """
        room = ROOM
        copied = [self.own / "HEAD", self.own / "index"]
        copied += [self.common / name for name in ("packed-refs", "shallow")]
        present = [path for path in copied if os.path.lexists(path)]
        for path in (*present, *_list_regular(self.common / "refs")):
            inner = path.relative_to(self.own if path in copied[:2] else self.common)
            (folder / inner).parent.mkdir(parents=True, exist_ok=True)
            room = _copy(path, folder / inner, room)
        (folder / "refs").mkdir(exist_ok=True)  # all references may be packed

    def _refuse_objects(self) -> None:
        """Refuse objects that git would look for elsewhere, or wait for.

        Raises:
            OSError: there is a link, a special file, or a list of other folders of objects.
        """
        others = self.common / "objects" / "info" / "alternates"
        if os.path.lexists(others):
            raise OSError(errno.EPERM, "objects of other repositories are not read", str(others))
        for _ in _list_regular(self.common / "objects"):
            pass


CONFIGURATION: Final = """[core]
repositoryformatversion = 0
bare = true
packedGitWindowSize = 64m
packedGitLimit = 512m
"""
"""Git maps packs in parts, so `MEMORY` is enough for large repositories."""

ROOM: Final = 4 * MOST
"""Bytes of the references and the index of a repository."""

SECONDS: Final = 120
"""Processor time that git has to list an index or a tree, where the system can limit it (Linux)."""

MEMORY: Final = 4 << 30
"""Bytes of git's address space, where the system can limit it (Linux)."""


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    """Return the output of git. Its errors are not shown: they may quote the files that it read.

    Raises:
        NotConfigured: git fails, does not end, or prints more than `MOST` bytes, as it does for
            trees that contain each other many times.
    """
    with subprocess.Popen(  # noqa: S603 - no shell, and a reference cannot be an option
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
    ) as process:
        try:
            _limit(process.pid)
            printed = process.stdout.read(MOST + 1) if process.stdout else b""
            if len(printed) > MOST:
                process.kill()
            status = process.wait()
        finally:
            process.kill()
    if status < 0:
        raise _unknown("git did not finish, so the repository is damaged or too large", CLONE)
    if status == 1:
        raise _unknown("it has no commit in common with HEAD")
    if status:
        raise _unknown("git does not know the commit, or cannot read the repository")
    return printed.decode("utf-8", "surrogateescape")


def _limit(process: int) -> None:
    """Limit memory and processor time; a busy or suspended machine only takes longer."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import resource

        for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
            resource.prlimit(process, kind, (most, most))


def _list_regular(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder.

    Raises:
        OSError: it is a link, or holds one or a special file.
    """
    folders = [folder]
    if folder.is_symlink():
        raise _special(folder)
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)
                else:
                    raise _special(Path(entry.path))


def _copy(path: Path, target: Path, room: int) -> int:
    """Copy a regular file; return the bytes that are left of ``room``.

    Raises:
        OSError: it is a link or a special file, is larger, or cannot be read.
    """
    if path.is_symlink():
        raise _special(path)
    with open_file(path, is_input=False) as source, target.open("wb") as copied:
        room -= os.fstat(source.fileno()).st_size
        if room < 0:
            raise OSError(errno.EFBIG, f"it is larger than {ROOM >> 20} MiB", str(path))
        shutil.copyfileobj(source, copied)
    return room


def _special(path: Path) -> OSError:
    return OSError(errno.EINVAL, "it is a link or not a regular file", str(path))


def find_repository(path: Path) -> Repository | None:
    """Return the repository whose work tree contains a folder; None if there is none.

    Raises:
        NotConfigured: ``.git`` names no repository, or one that does not name this work tree.
    """
    top = _find_top(path)
    if top is None:
        return None
    git_folder = top / GIT
    try:
        if not git_folder.is_dir():  # of a linked work tree or a submodule
            git_folder = top / _read_text(git_folder).removeprefix("gitdir:").strip()
        git_folder = Path(os.path.realpath(git_folder))
        named = git_folder / "commondir"
        common = git_folder / _read_text(named).strip() if named.is_file() else git_folder
        common = Path(os.path.realpath(common))
        if not _belongs_to(Path(os.path.realpath(top)), git_folder, common):
            raise _unknown(
                f"{top / GIT} leads to a repository that does not name this work tree",
                "If you moved the work tree, run `git worktree repair`; or omit --changed-since.",
            )
    except (OSError, ValueError) as error:
        raise _unreadable(top / GIT, error) from error
    return Repository(top=top, own=git_folder, common=common)


def _find_top(path: Path) -> Path | None:
    """Return the nearest folder with ``.git``, from a folder upwards."""
    return next((each for each in (path, *path.parents) if os.path.lexists(each / GIT)), None)


WORK_TREE: Final = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$", re.MULTILINE)
"""The line of a submodule's configuration that names its work tree."""


def _belongs_to(top: Path, git_folder: Path, common: Path) -> bool:
    """Return True if a repository is inside its work tree, or names the work tree.

    A received project can name any folder in ``.git``, but git alone writes the way back: a linked
    work tree is named in the file ``gitdir``, a submodule in ``config``.
    """
    if git_folder.is_relative_to(top) and common.is_relative_to(top):
        return True
    with contextlib.suppress(OSError, ValueError):
        if git_folder == common:
            found = WORK_TREE.search(_read_text(git_folder / "config"))
            return found is not None and Path(os.path.realpath(git_folder / found[1])) == top
        mark = git_folder / _read_text(git_folder / "gitdir").strip()
        return common == git_folder.parent.parent and Path(os.path.realpath(mark.parent)) == top
    return False


LONGEST: Final = 1 << 20
"""Bytes of a file of rules or paths that is read."""

CLONE: Final = "Clone the repository again, or omit --changed-since."


def _read_text(path: Path) -> str:
    with open_file(path, is_input=False) as stream:
        return os.fsdecode(stream.read(LONGEST))


def _unknown(
    reason: str,
    remedy: str = "Run certify in a git work tree, and name a commit of this clone; a shallow "
    "clone lacks most commits.",
) -> NotConfigured:
    return NotConfigured(f"The changed files are unknown: {reason}.", remedy=remedy)


def _unreadable(path: Path | str, error: Exception) -> NotConfigured:
    reason = getattr(error, "strerror", None) or "it is not text"
    return _unknown(f"{path} cannot be read: {reason}", CLONE)


def hash_blob(path: Path) -> str:
    """Return the digest of a file as git stores it.

    Raises:
        OSError: it cannot be read, or is larger than `MOST`.
    """
    with open_file(path) as stream:
        data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise OSError(errno.EFBIG, f"it has more than {MOST:,} bytes", str(path))
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def find_untracked(
    files: Collection[Path], folder: Path
) -> tuple[frozenset[Path], frozenset[Path]]:
    """Return the files that git ignores, and all that it does not track in the work tree.

    All are absolute paths. A file below a linked folder is tracked where the link leads. Both are
    empty where git cannot list what it tracks, and in a folder that is ignored as a whole: whoever
    named it meant it.
    """
    with contextlib.suppress(NotConfigured):
        repository = find_repository(folder)
        is_ignored = _build_rules(repository.top) if repository is not None else None
        if repository is not None and is_ignored is not None and not is_ignored(folder):
            tracked = repository.list_tracked()
            top = Path(os.path.realpath(repository.top))

            @cache
            def find_place(parent: Path) -> Path | None:
                real = Path(os.path.realpath(parent))
                return real.relative_to(top) if _find_top(real) == top else None

            places = {file: find_place(file.parent) for file in files}
            return frozenset(filter(is_ignored, files)) - tracked, frozenset(
                file
                for file, place in places.items()
                if place is not None and repository.top / place / file.name not in tracked
            )
    return frozenset(), frozenset()


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
            included = rules_of(folder).check_file(name).include
            if included is not None or folder == top:
                return bool(included)
        return False

    return is_ignored


def _read_rules(folder: Path) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec

    lines = ""
    with contextlib.suppress(OSError, ValueError):
        lines = _read_text(folder / ".gitignore")
    return GitIgnoreSpec.from_lines(lines.splitlines())
