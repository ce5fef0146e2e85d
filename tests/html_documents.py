"""Documents as HTML, before printing: parsed, as text, and what printing would refuse."""

from io import StringIO
from xml.etree import ElementTree as ET

import tinyhtml5  # type: ignore[import-untyped] # it ships no types

from certify.printing.archival import conformance_problems


def parse(html: str) -> ET.Element:
    root: ET.Element = tinyhtml5.parse(StringIO(html), namespace_html_elements=False)
    return root


def read_text(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def find_problems(html: str, *, language: str = "") -> list[str]:
    return conformance_problems(parse(html), language)
