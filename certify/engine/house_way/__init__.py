"""House ways: compiled, audited over every hand, compared."""
