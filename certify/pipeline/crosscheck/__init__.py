"""Every figure counted a second time."""
