"""Figures of selected records: the engine's counts, their audit, and the second counts."""
