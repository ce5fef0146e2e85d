"""Names for what the printing libraries hand over; they come without types."""

from typing import Any

Renderer = Any
"""The module ``weasyprint``."""

Document = Any
"""``weasyprint.Document``: a document that is laid out."""

Box = Any
"""``weasyprint.formatting_structure.boxes.Box``: a laid-out part of a page."""

File = Any
"""``pydyf.PDF``: the file that is about to be written."""

Element = Any
"""``pydyf.Dictionary``: an element of the structure tree."""

Entry = Any
"""Any object in the file."""
