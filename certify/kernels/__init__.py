"""Arithmetic: integers and integer arrays in and out; no names, no money, no paytable."""
