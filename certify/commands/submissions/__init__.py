"""The submissions of a project, and its cases."""
