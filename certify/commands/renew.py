"""Renewal of signed files, and the list of the filings that need it."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from certify.errors import NotAuthentic, NotConfigured, NothingChecked
from certify.filing.delivery import find_status
from certify.filing.listing import digest_states
from certify.filing.verdict import Verify, open_document
from certify.filing.verify import VerifiedFile, judge_document
from certify.formatting import utc_minute
from certify.model.approval import Register
from certify.model.submission import Status
from certify.received.files import walk
from certify.signatures.certificate import Certificate
from certify.signatures.sign import renew as add_timestamp
from certify.signatures.verify import NO_DEMANDS, Demands, SignatureVerdict
from certify.storage import read_bytes

RENEWED = re.compile(r"(?P<stem>.*\.renewed)(-(?P<number>\d+))?")
"""Stem of a renewed file's name; that of the next renewal has the next number."""


class Renewal(Struct, frozen=True, kw_only=True):
    """A renewed document, and the verdicts before and after the renewal."""

    data: bytes
    before: SignatureVerdict
    after: SignatureVerdict


def renew(
    pdf: bytes,
    *,
    timestamp_url: str,
    trust: tuple[Certificate, ...],
    demands: Demands = NO_DEMANDS,
    at: dt.datetime | None = None,
) -> Renewal:
    """Add the validation data that can be had, and a timestamp of the whole document.

    Args:
        pdf: the document; the result starts with it.
        timestamp_url: address of an RFC 3161 authority.
        trust: roots for every role.
        demands: roots by role, and what else is demanded.
        at: the present, aware; now, if it is None.

    Raises:
        NotAuthentic: the document is not accepted, so nothing is added to it.
        NothingChecked: it has no signature.
        NotConfigured: the authority gives no timestamp, or one that would not be accepted or that
            would end the time in which the document is provable earlier.
    """
    at = at or dt.datetime.now(dt.UTC)
    before, *_ = judge_document(pdf, trust=trust, demands=demands, at=at)
    if not before.authentic:
        raise NotAuthentic(
            f"The document is not renewed: {before.verdict}",
            remedy="Renew a file that `certify verify` accepts, or trust its root.",
        )
    roots = (*trust, *(root for roots in demands.roots.values() for root in roots))
    data = add_timestamp(pdf, timestamp_url=timestamp_url, trust=roots, moment=at)
    after, *_ = judge_document(data, trust=trust, demands=demands, at=at)
    if not after.authentic:
        raise NotConfigured(
            f"The renewed document would not be accepted: {after.verdict}",
            remedy="Use another timestamp authority, or trust the root of this one: "
            "`certify keys trust FILE --role time`.",
        )
    if after.provable_until < before.provable_until:
        raise NotConfigured(
            f"The document is provable until {utc_minute(before.provable_until)}; with this "
            f"timestamp it would be provable until {utc_minute(after.provable_until)} only.",
            remedy="Use an authority whose certificates are valid for longer.",
        )
    return Renewal(data=data, before=before, after=after)


def describe_renewal(renewal: Renewal) -> list[str]:
    """Return until when a renewed document is provable, and what could not be looked up."""
    until, earlier = (
        utc_minute(verdict.provable_until) for verdict in (renewal.after, renewal.before)
    )
    unknown = (check.detail for check in renewal.after.checks if not check.passed)
    if until == earlier:
        gained = (
            f"The renewal gains no time: the document is provable until {until}, as before. Use an "
            "authority whose certificates are valid for longer."
        )
    else:
        gained = f"Provable until {until}; before the renewal, until {earlier}."
    return [gained, *unknown]


def describe_lowered(
    before: bytes,
    after: bytes,
    *,
    trust: tuple[Certificate, ...],
    demands: Demands,
) -> str:
    """Return until when a document is provable with a signature more, and was without it."""
    now = dt.datetime.now(dt.UTC)
    earlier, verdict = (
        judge_document(pdf, trust=trust, demands=demands, at=now)[0] for pdf in (before, after)
    )
    if not verdict.authentic:
        return verdict.verdict
    return (
        f"Provable until {utc_minute(verdict.provable_until)}; without this signature, until "
        f"{utc_minute(earlier.provable_until)}."
    )


def renewed_path(path: Path) -> Path:
    """Return the file for the renewal of another one: ``.renewed`` comes before ``.pdf``."""
    earlier = RENEWED.fullmatch(path.stem)
    if earlier is None:
        return path.with_suffix(f".renewed{path.suffix}")
    number = int(earlier["number"] or 1) + 1
    return path.with_name(f"{earlier['stem']}-{number}{path.suffix}")


class DueFile(Struct, frozen=True, kw_only=True):
    """A signed file that is to be renewed, or is no longer accepted.

    Attributes:
        file: its path.
        provable_until: see `SignatureVerdict`; empty if the file is not accepted.
        verdict: the verdict, or why there is none.
        entries: ids of the entries of the register that name this file, or an earlier state of it.
    """

    file: str
    provable_until: str
    verdict: str
    entries: tuple[str, ...]


def list_renewals(
    paths: Sequence[Path],
    verify: Verify,
    register: Register,
    until: dt.datetime,
) -> tuple[tuple[DueFile, ...], int]:
    """Return the filed documents that are provable until ``until`` at most, the earliest first.

    Drafts are left out, and files of which another one is a later state that holds as long.

    Args:
        paths: folders, which are searched, and files.
        verify: returns the verdict on a file.
        register: the entries that may name the files.
        until: the end of the time that is looked at, aware.

    Returns:
        The files, and how many documents were looked at.

    Raises:
        NothingChecked: there is no filed document.
    """
    verified = [
        open_document(str(path), partial(read_bytes, path), verify) for path in _list_filed(paths)
    ]
    if not verified:
        raise NothingChecked(
            "No document that is signed for filing was found, so nothing was checked.",
            remedy="Name the folders of the filings.",
        )
    states = {file.name: digest_states(file.data) for file in verified}
    due = [
        DueFile(
            file=file.name,
            provable_until=_get_until(file),
            verdict=file.answer["verdict"],
            entries=tuple(
                entry.id
                for entry in register.approvals
                if any(document.sha256 in states[file.name] for document in entry.documents)
            ),
        )
        for file in verified
        if _get_until(file) <= until.isoformat()
        and not any(
            states[file.name][-1] in states[later.name][:-1]
            and _get_until(later) >= (_get_until(file) or "0")  # one that is accepted
            for later in verified
        )
    ]
    return tuple(sorted(due, key=lambda each: (each.provable_until, each.file))), len(verified)


def _list_filed(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the PDFs with a signature of any but a development key."""
    files = (file for path in paths for file in ([path] if path.is_file() else walk(path)))
    for file in files:
        if file.suffix.lower() == ".pdf" and file.is_file() and find_status(file) is Status.FINAL:
            yield file


def _get_until(file: VerifiedFile) -> str:
    return file.verdict.provable_until if file.verdict else ""
