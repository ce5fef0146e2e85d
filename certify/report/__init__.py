"""Writes: from a model to a view, to HTML, to PDF; the only place where a fraction becomes digits."""
