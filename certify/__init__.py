"""Exact certification of casino table games of the pai gow poker family."""

import sys
from types import ModuleType

__version__ = "0.3.0.dev0"
__all__ = [
    "audit", "check", "compare", "crosscheck", "diff", "evaluate", "events", "explain", "games",
    "monitor", "reproduce", "solve", "strategy", "submit", "verify",
]  # fmt: skip
"""The Python interface, which is typed in `__init__.pyi`."""

TASK = "--task"
"""First argument of a child process (`certify.worker`); no command has an option of this name."""


def __getattr__(name: str) -> object:
    """Load the Python interface when one of its functions is first used."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module("certify.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the package with those of the interface."""
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """This package, in which a module never takes the name of a function of the interface."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, but not a module that was imported under the name of a function."""
        if name not in __all__ or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
