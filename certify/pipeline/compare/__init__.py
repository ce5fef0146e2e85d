"""Comparisons: house ways with one another, and others' counts with ours."""
