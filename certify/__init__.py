"""Exact certification of casino table games of the pai gow poker family."""

__version__ = "0.2.0"
