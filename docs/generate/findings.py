"""Pages of finding codes: each with the lines of a fixture that raise the finding."""

import json
import re
from difflib import SequenceMatcher
from pathlib import Path
from textwrap import dedent
from typing import Any

from certify.review.codes import documentation

FIXTURES = Path(__file__).parents[2] / "fixtures"
VALID, INVALID = FIXTURES / "valid", FIXTURES / "invalid"

LONGEST = 240
"""Characters of a line that are shown."""

MOST = 3
"""Lines of a correction that are shown."""


def finding_pages() -> dict[str, str]:
    """Return the pages by name, each with lines of a file, the message, and the corrected line."""
    shown = {}
    for name, text in documentation().items():
        fenced = re.sub(r"(?m)(?:^    .*\n)+", _fence, text)
        before, *after = re.split("(?=## (?:Right|Clear)\n)", fenced, maxsplit=1)
        example, correction = _example(name.partition(".")[0])
        shown[name] = f"{before}{example}{''.join(after)}{correction}"
    return shown


def _fence(block: re.Match[str]) -> str:
    """Return an indented example as a fenced one, which the site sets without a button to copy."""
    return f"```text\n{dedent(block[0])}```\n"


def _example(code: str) -> tuple[str, str]:
    """Return the first lines in the fixtures of a code that raise it, and their correction."""
    for expected in sorted((INVALID / code).glob("*/expected.json")):
        for finding in json.loads(expected.read_bytes()):
            is_whole_file = (finding["line"], finding["column"]) == (1, 1)
            if finding["code"] != code or is_whole_file:
                continue
            for folder in (expected.parent, VALID):  # a case changes some files of the valid ones
                if (path := folder / finding["file"]).is_file():
                    return _excerpt(path, finding), _correct(path, finding)
    return "", ""


def _correct(path: Path, finding: dict[str, Any]) -> str:
    """Return the lines of the valid file where the case has the line of a finding, if any."""
    valid = VALID / finding["file"]
    wrong, right = (_lines(each) if each.is_file() else [] for each in (path, valid))
    for kind, first, last, start, end in SequenceMatcher(
        None, wrong, right, autojunk=False
    ).get_opcodes():
        is_here = kind == "replace" and first < finding["line"] <= last
        if is_here and last - first <= MOST and end - start <= MOST:
            shown = dedent("\n".join(right[start:end])).rstrip()
            return f"\nThe line in a file without the finding:\n\n```json\n{shown}\n```\n"
    return ""


def _lines(path: Path) -> list[str]:
    content = path.read_bytes().decode("utf-8", "backslashreplace")
    return [_printable(line) for line in content.split("\n")]


def _excerpt(path: Path, finding: dict[str, Any]) -> str:
    """Return the line of a finding between its neighbors, and the printed message."""
    near = "\n".join(_lines(path)[max(finding["line"] - 2, 0) : finding["line"] + 1])
    place = f"{path.name}:{finding['line']}:{finding['column']}"
    return (
        "The line of a file, between its neighbors, and the finding:\n\n"
        f"```{_language(path)}\n{dedent(near).rstrip()}\n```\n\n"
        f"```text\n{place}: {finding['severity']} {finding['code']}: {finding['message']}\n```\n\n"
    )


def _language(path: Path) -> str:
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return "text"
    return "json"


def _printable(line: str) -> str:
    """Return a line with invisible characters escaped, and cut if it is long."""
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line.rstrip("\r"))
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
