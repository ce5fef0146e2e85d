"""Strict JSON with positions, schemas and decoding; the only package that handles JSON files."""
