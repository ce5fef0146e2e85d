"""The answer of a register of approvals, as a filing keeps it."""

from collections.abc import Iterable

from certify.model.approval import Consulted, PaytableStanding


def build_consultation(*standings: PaytableStanding, names: Iterable[str] = ()) -> Consulted:
    """Return the status of targets in a register, and the other games that use its names."""
    return Consulted(
        sha256="0" * 64,
        records=len(standings),
        last=None,
        standings=standings,
        other_names=len(tuple(names)),
        namesakes=tuple(names),
    )
