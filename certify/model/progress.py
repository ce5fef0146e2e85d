"""How a long count says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much: hands, tasks, rounds."""
