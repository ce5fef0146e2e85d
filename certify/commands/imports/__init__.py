"""Import of paytables from vendors' files."""
