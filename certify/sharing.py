"""Rights of new files and folders in a folder that several people share."""

import contextlib
import os
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISVTX, S_IWGRP


def share(path: Path, folder: Path) -> None:
    """Give a new file or folder the rights that the group has in its folder.

    Only where the group may write to the folder and also owns the new file. In a folder such as
    /tmp, which protects the files of its users from each other, nothing changes.
    """
    new, parent = path.stat(), folder.stat()
    shared = parent.st_mode & (S_IWGRP | S_ISVTX) == S_IWGRP and new.st_gid == parent.st_gid
    if os.name == "posix" and shared:
        group = 0o070 if S_ISDIR(new.st_mode) else 0o060
        with contextlib.suppress(OSError):  # a network file system may refuse
            path.chmod(S_IMODE(new.st_mode) | (parent.st_mode & group))


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, each with the group rights of its parent.

    Raises:
        OSError: it cannot be made, or a file has its name.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        share(folder, folder.parent)
