"""Comparison of two versions of a record or of a filing."""
