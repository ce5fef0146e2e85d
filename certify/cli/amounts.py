"""Amounts of money that the user gives a command."""

from certify.errors import NotReadable

CENTS = 2
"""Decimals of an amount of dollars."""


def meters(given: list[str]) -> dict[str, int]:
    """Return cents by meter level.

    Raises:
        NotReadable: an entry is not LEVEL=AMOUNT, or a level is given twice.
    """
    amounts: dict[str, int] = {}
    for text in given:
        level, equals, amount = text.partition("=")
        if not equals or level in amounts:
            raise NotReadable(
                f"--meter {text} is not LEVEL=AMOUNT with each level once.",
                remedy="Write for example --meter 1=25000 --meter 2=5000.",
            )
        amounts[level] = cents("--meter", amount)
    return amounts


def cents(option: str, text: str) -> int:
    """Return dollars as written in cents.

    Raises:
        NotReadable: it is not an amount of dollars with at most two decimals.
    """
    whole, _, part = text.removeprefix("$").replace(",", "").partition(".")
    digits = whole + part.ljust(CENTS, "0")
    if not digits.isascii() or not digits.isdigit() or len(part) > CENTS or not whole:
        raise NotReadable(
            f"{option}: {text} is not an amount of dollars.",
            remedy="Write for example 5, 2.50 or 25000.",
        )
    return int(digits)
