"""How many threads count at once."""

import os


def workers() -> int:
    """Return as many as the machine has processors; compiled kernels hold no lock."""
    return os.cpu_count() or 1
