"""Exact certification of casino table games of the pai gow poker family."""

__version__ = "0.3.0.dev0"
__all__ = [
    "Analysis", "Audit", "CheckResult", "CountsResult", "CrosscheckResult", "DiffResult",
    "Evaluation", "Explained", "Finding", "GameList", "HouseWaysResult", "ImportResult",
    "JudgedFiles", "MonitorResult", "Reproduction", "Solutions", "Strategies", "Vocabulary",
    "WrittenSubmission",
    "audit", "check", "compare", "crosscheck", "diff", "evaluate", "events", "explain", "games",
    "import_paytables", "monitor", "reproduce", "solve", "strategy", "submit", "verify",
]  # fmt: skip
"""The Python interface, which is typed in `__init__.pyi`."""

TYPES = {
    "Analysis": "model.analysis",
    "Audit": "figures.audit",
    "CheckResult": "review.report",
    "CountsResult": "commands.compare",
    "CrosscheckResult": "figures.crosscheck",
    "DiffResult": "commands.diff",
    "Evaluation": "commands.evaluate",
    "Explained": "commands.explain",
    "Finding": "model.finding",
    "GameList": "commands.evaluate",
    "HouseWaysResult": "commands.compare",
    "ImportResult": "commands.imports.records",
    "JudgedFiles": "filing.verdict",
    "MonitorResult": "commands.monitor",
    "Reproduction": "commands.reproduce.reproduce",
    "Solutions": "commands.solve.solve",
    "Strategies": "commands.evaluate",
    "Vocabulary": "commands.events",
    "WrittenSubmission": "commands.submit",
}
"""The types of results, each with its module."""

TASK = "--task"
"""First argument of a child process (`certify.worker`); no command has an option of this name."""


def __getattr__(name: str) -> object:
    """Load the Python interface when one of its functions or types is first used."""
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(f"certify.{TYPES.get(name, 'api')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the package with those of the interface."""
    return sorted({*globals(), *__all__})
