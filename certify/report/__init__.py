"""Documents: model to view to HTML to PDF; the only place where a fraction becomes digits."""
