"""What would break PDF/A-3a or PDF/UA-1 in a document that is not printed."""

from io import StringIO

import tinyhtml5  # type: ignore[import-untyped] # it ships no types

from certify.printing.conformance import conformance_problems


def problems_in(html: str, *, language: str = "") -> list[str]:
    """Return what printing would refuse of a document's text."""
    root = tinyhtml5.parse(StringIO(html), namespace_html_elements=False)
    return conformance_problems(root, language)
