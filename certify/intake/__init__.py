"""Reads: strict JSON with places, schemas, decoding; the only room that knows JSON."""
