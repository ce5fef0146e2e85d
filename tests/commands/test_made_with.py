"""Versions that made a document, against the installed ones."""

from certify import __version__
from certify.filing import evidence as room
from certify.filing.evidence import list_versions, other_than


def test_each_difference_is_named() -> None:
    here = list_versions()
    stated = {
        **here,
        "sha256": "0" * 64,
        "python": "2.7.18",
        "libraries": {**here["libraries"], "numpy": "1.0", "abacus": "3"},
    }
    assert other_than(stated) == [
        f"another build of certify {__version__}, or other templates",
        f"Python 2.7.18 (here {here['python']})",
        f"numpy 1.0 (here {here['libraries']['numpy']})",
        "abacus 3 (here None)",
    ]


def test_another_version_suffices() -> None:
    stated = {**list_versions(), "version": "0.0.9", "python": "2.7.18"}
    assert other_than(stated) == [f"certify 0.0.9 (here {__version__})"]


def test_what_is_not_installed_has_no_version() -> None:
    assert room._version("no-such-package") is None
    assert room._library_version("no-such-library", "version") is None
    assert room._library_version("c", "no_such_function") is None
    assert room._library_version("z", "zlibVersion") == list_versions()["libraries"]["zlib"]
