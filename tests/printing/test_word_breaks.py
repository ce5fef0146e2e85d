from xml.etree import ElementTree as ET

import pytest

from certify.printing.fonts import place_breaks, strip_marks


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It complies with WAC 230-15-465.", ["It", "complies", "with", "WAC 230-15-465."]),
        ("below 50 to 1, and", ["below 50 to 1,", "and"]),
        ("a deck of 53 cards", ["a", "deck", "of 53", "cards"]),
        ("the whole 1234567890-12345", ["the", "whole", "1234567890-12345"]),
        ("above K-Q-J-10-9. †", ["above", "K-\u2060Q-\u2060J-\u206010-\u20609.", "†"]),
        ("on 2026-11-21 or 26-11", ["on 2026-11-21", "or 26-11"]),
    ],
)
def test_a_number_stays_with_its_word(text: str, pieces: list[str]) -> None:
    paragraph = ET.Element("p")
    bold = ET.SubElement(paragraph, "b")
    paragraph.text = bold.tail = text
    place_breaks(paragraph)
    assert paragraph.text == bold.tail
    assert (paragraph.text or "").split(" ") == [piece.replace(" ", "\u00a0") for piece in pieces]
    assert strip_marks(paragraph.text or "").replace("\u00a0", " ") == text


def test_a_number_of_sixteen_digits_is_whole_and_a_longer_one_is_not() -> None:
    paragraph = ET.Element("p")
    paragraph.text = f"{'7' * 16}/{'9' * 17}"
    place_breaks(paragraph)
    assert paragraph.text == f"{'7' * 16}/\u200b{'9' * 10}\u200b{'9' * 7}"


def test_a_heading_gets_no_marks() -> None:
    heading = ET.Element("h2")
    heading.text = "Table 3 of K-Q-J-10-9"
    place_breaks(heading)
    assert heading.text == "Table 3 of K-Q-J-10-9"
