"""H codes: house ways."""
