"""The rules of a state: the pack itself, and what is filed under it."""
