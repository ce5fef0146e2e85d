"""The mathematics report: one module for each part of the document, values without words."""
