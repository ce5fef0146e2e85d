"""Pays that bring a house edge into a band: all of them, by exact arithmetic."""
