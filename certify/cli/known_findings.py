"""Known findings: baselines, and findings that somebody accepted with a reason."""

import datetime as dt
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from certify.cli.formats import LeftOut
from certify.cli.output import count_noun, warn
from certify.errors import NotReadable
from certify.model.finding import Finding
from certify.report.wording import together
from certify.storage import read_bytes, write_atomically

Key = tuple[str, str, str]
"""Identity of a finding: code, file relative to the settings, pointer by the names of rows."""

IsJudged = Callable[[str], bool]
"""True for a file that this run checked or that no longer exists."""

ALWAYS: Final = ("J", "S", "D001", "D002", "D003", "D010")
"""Findings that leave a file out: nothing else is known of it, so nothing hides them."""

SOME = 5
"""Most findings in a notice."""


class Acceptance(Struct, frozen=True, kw_only=True):
    """A finding that somebody accepted for a reason, until a day."""

    code: str
    file: str
    row: str = ""
    reason: str
    who: str
    until: dt.date

    @property
    def key(self) -> Key:
        """The finding that is accepted."""
        return self.code, self.file, self.row


def always_counts(finding: Finding) -> bool:
    """Return True if nothing hides a finding."""
    return finding.code.startswith(ALWAYS)


def relative_name(file: str, folder: Path) -> str:
    """Return a file as the settings name it: below their folder, with ``/``.

    A file that is not here is named as from there already.
    """
    path = Path.cwd() / file
    return Path(os.path.relpath(path, folder)).as_posix() if path.exists() else file


def key_of(finding: Finding, folder: Path) -> Key:
    """Return the key of a finding, independent of the current folder and of lines."""
    return finding.code, relative_name(finding.file, folder), finding.row


def place_of(key: Key) -> str:
    """Return a key in words."""
    code, file, row = key
    return f"{code} in {file}{f' at {row}' if row else ''}"


def split_accepted(
    findings: Sequence[Finding],
    acceptances: Iterable[Acceptance],
    folder: Path,
    is_judged: IsJudged,
) -> tuple[list[Finding], list[LeftOut], list[str]]:
    """Return the findings that count, the accepted ones, and notices of void acceptances."""
    by_key = together((key_of(finding, folder), finding) for finding in findings)
    accepted, notices = [], []
    today = dt.datetime.now(dt.UTC).date()
    for each in acceptances:
        found = by_key.get(each.key, [])
        if today > each.until:
            notices.append(f"No longer accepted, since {each.until}: {place_of(each.key)}.")
        elif found:
            del by_key[each.key]
            note = f"Accepted by {each.who} until {each.until}: {place_of(each.key)}. {each.reason}"
            accepted.append(LeftOut(why="as accepted", findings=tuple(found), note=note))
        elif is_judged(each.file):
            notices.append(f"Accepted, but not found: {place_of(each.key)}. Remove it.")
    counting = {finding for some in by_key.values() for finding in some}
    return [finding for finding in findings if finding in counting], accepted, notices


def read_baseline(path: Path) -> Counter[Key]:
    """Return the findings of a baseline.

    Raises:
        NotReadable: the file is not a baseline.
    """
    try:
        stated = json.loads(read_bytes(path))["findings"]
        return Counter((line["code"], line["file"], line["pointer"]) for line in stated)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotReadable(
            f"{path} is not a baseline.", remedy="Write it again with --write-baseline."
        ) from error


def write_baseline(path: Path, keys: Counter[Key]) -> None:
    """Write findings to a baseline."""
    names = ("code", "file", "pointer")
    lines = sorted(json.dumps(dict(zip(names, key, strict=True))) for key in keys.elements())
    text = ",\n  ".join(lines)
    write_atomically(path, f'{{"findings": [\n  {text}\n]}}\n'.encode())
    warn(f"{count_noun(len(lines), 'finding')} written to {path}.")


def split_known(
    findings: Iterable[Finding], listed: Counter[Key], folder: Path
) -> tuple[list[Finding], list[Finding], set[Key]]:
    """Return new findings, those in a baseline, and the keys that it lists in vain."""
    left = Counter(listed)
    new, known = [], []
    for finding in findings:
        key = key_of(finding, folder)
        if left[key] > 0 and not always_counts(finding):
            left[key] -= 1
            known.append(finding)
        else:
            new.append(finding)
    return new, known, {*+left}


def stale_notice(path: Path, keys: Iterable[Key]) -> str:
    """Return the notice that a baseline lists findings that are gone."""
    places = sorted(map(place_of, keys))
    more = f" and {len(places) - SOME} more" if len(places) > SOME else ""
    return (
        f"{path} lists findings that are gone: {', '.join(places[:SOME])}{more}. "
        "Write it again with --write-baseline."
    )
