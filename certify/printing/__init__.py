"""Printing: one HTML string becomes one PDF that is PDF/A-3a and PDF/UA-1."""
