"""Homes that are nobody's: no identities in them, and the one key of the counts that tests keep.

Kept counts are vouched for by a key of the user's home. A test at a home with another key would
count again what is kept, and leave in its place what no other test can take.
"""

from pathlib import Path

from certify.engine.count_cache import KEY


def new_home(folder: Path) -> Path:
    """Make a folder the home of a user who has no identity yet; return it."""
    folder.mkdir(mode=0o700, exist_ok=True)
    key = folder / KEY
    key.touch(mode=0o600)
    key.write_bytes(b"for tests only".ljust(32))
    return folder
