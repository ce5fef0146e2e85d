"""Signing: a PAdES signature in the field that a document holds ready for it."""
