"""The text of a file: strict JSON, and where every part of it stands."""
