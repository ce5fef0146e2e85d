"""Command line: parse, call, print, exit."""

import gc

# What a command loads stays until it exits: to look for cycles in it takes time and finds none.
gc.set_threshold(100_000)
