"""The request of `certify check`: files or artwork, and the report with its settings."""

import difflib
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct
from msgspec.structs import replace

from certify import library
from certify.checks.r_jurisdictions.documents import R015
from certify.errors import NotConfigured, NotReadable
from certify.figures.targets import UNSAVED, encode
from certify.intake.layout import display_path
from certify.model.finding import Finding, Severity, worst_first
from certify.model.paytable import Basis, EnvyTable, Paytable
from certify.model.request import Request, Target, argument, option
from certify.review.check import CheckedFiles, check, check_unsaved
from certify.review.file_search import find_project
from certify.review.report import CheckResult, filter_severity, validate_codes
from certify.review.settings import apply_settings, exclude, find_settings
from certify.storage import read_text

if TYPE_CHECKING:
    from certify.report.rules.rack_card import CardLine


class CheckRequest(Request, frozen=True, kw_only=True):
    """Files and folders of `certify check`, or the contents of one file; see `run_check`."""

    paths: Annotated[
        tuple[Target, ...],
        argument(
            "JSON files or folders. Default: the enclosing project and all projects below.",
            "PATH...",
        ),
    ] = ()
    changed_since: Annotated[
        str | None, option("Check only files that changed since this git commit.", metavar="REF")
    ] = None
    select: Annotated[
        tuple[str, ...],
        option("Report only these codes or families: P004,G.", by_comma=True),
    ] = ()
    ignore: Annotated[
        tuple[str, ...],
        option("Ignore these codes or families.", by_comma=True),
    ] = ()
    path: Annotated[Path | None, option("Path to assume for the file on stdin.")] = None
    artwork: Annotated[
        Path | None, option("Text of a layout or rack card to compare with --target.")
    ] = None
    target: Annotated[str | None, option("Paytable on the artwork.")] = None
    builtin: Annotated[bool, option("Check the library instead of a project.")] = False
    stdin: Annotated[bool, option("Read one file from standard input.")] = False
    fail_on: Annotated[
        Severity | None,
        option("Exit with 1 on findings of this severity or higher. Default: error."),
    ] = None
    baseline: Annotated[Path | None, option("File of known findings to ignore.")] = None
    write_baseline: Annotated[
        bool, option("Write the current findings to the --baseline file.")
    ] = False
    allow_not_judged: Annotated[
        bool, option("Exit with 0 even if something could not be judged.")
    ] = False

    def __post_init__(self) -> None:
        """Refuse values that do not fit their fields, or one another."""
        Request.__post_init__(self)
        validate_codes((*self.select, *self.ignore))
        if (self.artwork is None) != (self.target is None):
            raise NotReadable(
                "--artwork requires --target, and --target requires --artwork.",
                remedy="Write `certify check --artwork card.txt --target GAME/WAGER/PAYTABLE`.",
            )
        if self.builtin and self.paths:
            raise NotReadable("--builtin checks no other files.", remedy="Remove one of the two.")
        if self.stdin and (self.path is None or self.paths):
            raise NotReadable(
                "--stdin requires --path and no other file.",
                remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
            )


def run_check(request: CheckRequest) -> CheckResult:
    """Check the files that a request names; without any, those of the enclosing project.

    Settings of the projects apply where the request has no value.

    Raises:
        NothingChecked: there is no file.
        NotConfigured: git cannot list the changes, the paytable on the artwork is unknown, or a
            setting is invalid.
    """
    if request.artwork is not None and request.target is not None:
        findings = check_artwork(request.artwork, request.target)
        names = (str(request.artwork),)
        failing = filter_severity(Severity.ERROR, findings)
        return CheckResult(findings=worst_first(findings), checked=names, failing=failing)
    checked = _check_files(request)
    options = {
        name: value
        for name in ("select", "ignore", "fail_on", "baseline")
        if (value := getattr(request, name))
    }
    result = apply_settings(
        [
            (replace(find_settings(part.folder), **options), (*part.findings, *part.not_judged))
            for part in checked.parts
        ],
        checked.files,
        write=request.write_baseline,
        whole=not (request.paths or request.changed_since or request.stdin),
    )
    return replace(
        result,
        failing=result.errors if request.allow_not_judged else result.failing,
        notices=(*checked.notices, *result.notices),
    )


def _check_files(request: CheckRequest) -> CheckedFiles:
    """Return every finding about the requested files; see `check`."""
    in_memory = [path for path in request.paths if not isinstance(path, str)]
    if request.stdin:
        in_memory = [sys.stdin.buffer.read()]
    if in_memory or request.path is not None:
        if len(in_memory) != 1 or len(request.paths) > 1 or request.changed_since is not None:
            raise NotReadable(
                "A file in memory is checked alone: --stdin requires --path and no other file.",
                remedy="Write `certify check --stdin --path paytables/GAME/WAGER/ID.json`.",
            )
        return check_unsaved(request.path or UNSAVED, encode(in_memory[0]))
    paths = [Path(path) for path in request.paths if isinstance(path, str)]
    if not paths:
        paths = [library.paytables() if request.builtin else find_project()]
    return check(paths, changed_since=request.changed_since, is_excluded=exclude(request.baseline))


_LONGEST = 40
"""Characters of a pay; none that is filed is longer, and Python reads no number of any length."""

_pays = re.compile(
    r"(?P<odds>[0-9][0-9,]*\s*(?:to|for|:)\s*[0-9]+)"
    r"|(?P<dollars>\$\s?[0-9][0-9,]*(?:\.[0-9]{2})?)"
    r"|(?P<share>[0-9]+(?:\.[0-9]+)?\s?%(?:\s*(?:of\s+meter|lv\.?|level)\s*[0-9]+)?)"
    r"|(?P<push>\bpush\b)|(?P<bare>(?<![\w$])[0-9][0-9,]*(?![\w]))\s*$",
    re.IGNORECASE,
).finditer


class _Shown(Struct, frozen=True, kw_only=True):
    """One pay on a line of the artwork, with its name and position."""

    number: int
    text: str
    name: str
    pay: str
    column: int
    kind: str


def check_artwork(path: Path, target: str) -> tuple[Finding, ...]:
    """Compare a text file of the artwork with the paytable that is filed.

    A line that shows a hand has its name first and its pay after it; other lines (headings,
    instructions) are passed over. Capitals, commas and blanks do not matter.

    Args:
        path: the text of the layout or the rack card.
        target: one paytable.

    Raises:
        NotReadable: the file is not text.
        NotConfigured: the target is not one bonus paytable.
    """
    from certify.report.rules.rack_card import card_lines, card_prizes

    paytable, envy = _find_filed(target)
    rows = (*card_lines(paytable), *card_prizes(envy))
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(
            f"{path} cannot be read as text.", remedy="Save the artwork's text as UTF-8."
        ) from error
    names = frozenset(_plain(row.name) for row in rows)
    lines = [
        printed
        for number, line in enumerate(text.split("\n"), start=1)
        for printed in _find_pays(number, line, names)
    ]
    return tuple(_compare(display_path(path), text, lines, rows))


def _find_filed(target: str) -> tuple[Paytable, EnvyTable | None]:
    from certify.figures.targets import select

    paytables = select(target).tables
    if len(paytables) != 1:
        raise NotConfigured(
            f"{target} names {len(paytables)} paytables, but artwork shows one.",
            remedy="Name one paytable as GAME/WAGER/PAYTABLE.",
        )
    wager, paytable = paytables[0]
    return paytable, wager.find_envy(paytable)


def _find_pays(number: int, text: str, names: frozenset[str]) -> Iterator[_Shown]:
    """Yield each pay of a line, with the name before the first one.

    A line whose name is not filed counts only where it ends with a pay in words or dollars.
    """
    text = text.rstrip("\r")
    pays = list(_pays(text))
    name = text[: pays[0].start()].strip(" .\t:-–|") if pays else ""
    is_filed = _plain(name) in names
    ends = bool(pays) and not text[pays[-1].end() :].strip(" .|")
    if not _plain(name) or not (is_filed or (ends and pays[-1].lastgroup != "bare")):
        return
    for match in pays:
        yield _Shown(
            number=number,
            text=text,
            name=name,
            pay=match.group().strip(),
            column=match.start() + 1,
            kind=match.lastgroup or "",
        )


def _compare(
    file: str, text: str, lines: list[_Shown], rows: tuple["CardLine", ...]
) -> Iterator[Finding]:
    """Yield every difference in the order of the artwork, then the rows missing from it."""
    open_ = list(rows)
    last = -1
    for line in lines:
        prize = line.kind == "dollars"
        matches = [
            row
            for row in open_
            if _plain(row.name) == _plain(line.name) and (row.prize_cents is not None) == prize
        ]
        if not matches:
            yield _unknown_finding(file, line, open_)
            continue
        row = matches[0]
        open_.remove(row)
        yield from _pay_differs(file, line, row)
        place = rows.index(row)
        if place < last:
            yield _make_finding(
                file,
                line,
                f"`{row.name}` is below a row that it is filed above.",
                "Print the rows in the filed order: the first row that the hand contains pays.",
                whole=True,
            )
        last = max(last, place)
    end = text.rstrip("\n").count("\n") + 1
    for row in open_:
        yield Finding(
            code=R015.id,
            severity=R015.severity,
            file=file,
            line=end,
            message=f"`{row.name}` is filed at {row.pays} and is not in the artwork.",
            remedy=f"Add the line: {row.name}  {row.pays}",
        )


def _pay_differs(file: str, line: _Shown, row: "CardLine") -> Iterator[Finding]:
    if line.kind == "bare":
        yield _make_finding(
            file,
            line,
            f"The artwork shows {line.pay} for `{row.name}` without “to” or “for”.",
            f"Print {row.pays}.",
        )
    elif len(line.pay) > _LONGEST or not _same(line, row):
        yield _make_finding(
            file,
            line,
            f"The artwork shows {line.pay:.{_LONGEST}} for `{row.name}`, but {row.pays} is filed.",
            f"Print {row.pays}, or file the other pay.",
        )


def _same(line: _Shown, row: "CardLine") -> bool:
    words = line.pay.lower().replace(",", "").replace(" ", "")
    if row.prize_cents is not None:
        return Fraction(words.removeprefix("$")) * 100 == row.prize_cents
    payout = row.payout
    if payout is None:
        return False
    if line.kind == "push":
        return payout.basis is Basis.PUSH
    if line.kind == "share":
        share, _, level = words.partition("%")
        meter = level.strip(f"{ascii_lowercase}.")
        same = payout.basis is Basis.METER and Fraction(share) / 100 == payout.amount
        return same and meter in ("", payout.meter)
    match = re.fullmatch(r"([0-9]+)(to|for|:)([0-9]+)", words)
    if match is None or int(match[3]) == 0:
        return False
    basis = Basis.FOR if match[2] == "for" else Basis.TO
    return payout.basis is basis and Fraction(int(match[1]), int(match[3])) == payout.amount


def _unknown_finding(file: str, line: _Shown, rows: list["CardLine"]) -> Finding:
    names = {_plain(row.name): row.name for row in rows}
    near = difflib.get_close_matches(_plain(line.name), names, n=1)
    return _make_finding(
        file,
        line,
        f"The artwork shows `{line.name}`, which is not a filed row, or is shown twice.",
        f"The nearest filed row is `{names[near[0]]}`." if near else "Remove the line.",
        whole=True,
    )


def _make_finding(
    file: str, line: _Shown, message: str, remedy: str, *, whole: bool = False
) -> Finding:
    indent = len(line.text) - len(line.text.lstrip())
    return Finding(
        code=R015.id,
        severity=R015.severity,
        file=file,
        line=line.number,
        column=indent + 1 if whole else line.column,
        length=max(len(line.name if whole else line.pay), 1),
        message=message,
        remedy=remedy,
        excerpt=line.text,
    )


def _plain(text: str) -> str:
    """Return a name without capitals, marks and double blanks."""
    return " ".join(re.sub(r"[^\w+]+", " ", text.casefold().replace("w/", "with ")).split())
