"""Immutable data types shared by all packages."""
