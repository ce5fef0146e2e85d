"""A printed figure that is wrong by little."""

from certify.checks.quantities import format_like, parse_number


def move_last_digit(text: str, by: int) -> str:
    """Return the text with its last digit moved by so many units.

    Raises:
        NotReadable: the text is not one number.
    """
    number = parse_number(text)
    return format_like((number.units + by) * number.unit, text)
