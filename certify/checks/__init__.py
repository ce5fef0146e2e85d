"""Checks of declared data: one function per finding code."""
