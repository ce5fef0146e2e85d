"""A printed figure that is wrong by little."""

from certify.checks.figures import as_printed, number_in


def in_last_digit(text: str, by: int) -> str:
    """Return the text with its last digit moved by so many units.

    Raises:
        NotReadable: the text is not one number.
    """
    number = number_in(text)
    return as_printed((number.units + by) * number.unit, text)
