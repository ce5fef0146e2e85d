"""A filing: its records, documents, evidence, register and verdict."""
