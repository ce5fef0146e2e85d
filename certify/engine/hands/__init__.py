"""Hands counted: features, conditions, census, and the rows that award them."""
