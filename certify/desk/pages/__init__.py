"""The pages of the desk, one a module: its place in the menu and its addresses."""
