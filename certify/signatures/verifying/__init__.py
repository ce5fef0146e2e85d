"""Verifying: is a document authentic and unchanged, and by whom was it signed."""
