"""Reproduction of a document from what it embeds."""
