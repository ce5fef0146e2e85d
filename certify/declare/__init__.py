"""Declared files: new, copied and edited, and checked before they are saved."""
