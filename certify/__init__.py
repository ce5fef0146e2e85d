"""Exact certification of casino table games of the pai gow poker family."""

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
