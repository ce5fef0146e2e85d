"""Submission of a game as signed documents, and its reproduction."""
