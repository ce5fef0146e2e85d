"""Selection of findings by their codes."""

from collections.abc import Sequence
from typing import Final

from certify.errors import NotReadable
from certify.formatting import did_you_mean
from certify.model.finding import NOT_JUDGED, Finding

LEFT_OUT: Final = ("J", "S", "D001", "D002", "D003", "D010")
"""Findings that leave a file out: nothing else is known of it, so nobody can accept them."""

ALWAYS: Final = (*LEFT_OUT, NOT_JUDGED)
"""Findings that neither a code nor a baseline hides."""


def always_counts(finding: Finding) -> bool:
    """Return True if nothing hides a finding."""
    return finding.code.startswith(ALWAYS)


def is_selected(finding: Finding, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    """Return True if a finding is reported: selected if any are, and not ignored."""
    if always_counts(finding):
        return True
    selected = not select or finding.code.startswith(select)
    return selected and not finding.code.startswith(ignore)


def validate_codes(codes: Sequence[str]) -> tuple[str, ...]:
    """Return codes, each a whole code or the first letter of a family.

    Raises:
        NotReadable: there is no such code.
    """
    if not codes:
        return ()
    from certify.review.codes import CODES, FAMILIES

    ids = [code.id for code in CODES]
    for code in codes:
        if code not in ids and code not in tuple(FAMILIES):
            remedy = did_you_mean(
                code.upper(), [*ids, *FAMILIES], "`certify rule all` lists them.", most=3
            )
            raise NotReadable(f"There is no finding code {code}.", remedy=remedy)
    return tuple(codes)
