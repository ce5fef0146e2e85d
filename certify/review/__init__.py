"""Findings about files: which files are checked, and what is found."""
