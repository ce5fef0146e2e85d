"""Judges: model to findings, one small function for each code, all in one literal tuple."""
