"""Pages of finding codes: each with the lines of a fixture that raise the finding."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from certify.review.codes import documentation

FIXTURES = Path(__file__).parents[2] / "fixtures"
VALID, INVALID = FIXTURES / "valid", FIXTURES / "invalid"

LONGEST = 240
"""Characters of a line that are shown."""


def finding_pages() -> dict[str, str]:
    """Return the pages by name, with lines of a file and the message before the right example."""
    shown = {}
    for name, text in documentation().items():
        before, heading, after = _divide(text)
        shown[name] = f"{before}{_example(name.partition('.')[0])}{heading}{after}"
    return shown


def _divide(text: str) -> tuple[str, str, str]:
    """Return a page in two parts and the heading between them, that of the right example."""
    for heading in ("## Right\n", "## Clear\n"):
        if heading in text:
            return text.partition(heading)
    return text, "", ""  # the list of codes


def _example(code: str) -> str:
    """Return the first lines in the fixtures of a code that raise it; empty if it is in no line."""
    for expected in sorted((INVALID / code).glob("*/expected.json")):
        for finding in json.loads(expected.read_bytes()):
            is_whole_file = (finding["line"], finding["column"]) == (1, 1)
            if finding["code"] != code or is_whole_file:
                continue
            for folder in (expected.parent, VALID):  # a case changes some files of the valid ones
                if (path := folder / finding["file"]).is_file():
                    return _excerpt(path, finding)
    return ""


def _excerpt(path: Path, finding: dict[str, Any]) -> str:
    """Return the line of a finding between its neighbors, and the printed message."""
    content = path.read_bytes().decode("utf-8", "backslashreplace")
    lines = [_printable(line) for line in content.split("\n")]
    near = dedent("\n".join(lines[max(finding["line"] - 2, 0) : finding["line"] + 1])).rstrip()
    place = f"{path.name}:{finding['line']}:{finding['column']}"
    return (
        "The line of a file, between its neighbors, and the finding:\n\n"
        f"```{_language(content)}\n{near}\n```\n\n"
        f"```text\n{place}: {finding['severity']} {finding['code']}: {finding['message']}\n```\n\n"
    )


def _language(content: str) -> str:
    try:
        json.loads(content)
    except ValueError:
        return "text"
    return "json"


def _printable(line: str) -> str:
    """Return a line with invisible characters escaped, and cut if it is long."""
    shown = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line.rstrip("\r"))
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
