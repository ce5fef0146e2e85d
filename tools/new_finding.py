"""Write a new finding: its function and a case; for a known code, ``expected.json`` of its cases.

``make new-finding CODE=P021`` runs it. The new function and case are an example that works: edit
both, then run it again for ``expected.json``.
"""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from certify.formatting import join_words
from certify.review.codes import CODES, FAMILIES
from tests.checks.test_fixtures import FIXTURES, LIBRARY, run_case, write_finding

CHECKS = Path(__file__).parents[1] / "certify" / "checks"
TABLE = Path("sample-game") / "bonus" / "2.json"
NEEDED = ("Context", "Fault", "Iterator", "check")
"""Names that a module must import to take a new check."""

FUNCTION = '''

@check(
    "{code}",
    "Say in a few words what is found",
    fix="Say what to change.",
    wrong='"name": "{code}"',
    right='"name": "Table 2"',
)
def find_{name}(context: Context) -> Iterator[Fault]:
    """Say why it matters: who is misled, and what it costs."""
    for _, paytable in context.paytables():
        if paytable.name == "{code}":
            yield Fault(paytable.target, "/name", f"Paytable {{paytable.id}} is named {code}.")
'''


def next_code(family: str) -> str:
    """Return the code of the next new finding of a family."""
    last = max(code.id for code in CODES if code.id.startswith(family))
    return f"{family}{int(last[1:]) + 1:03}"


def find_module(family: str, checks: Path = CHECKS) -> Path:
    """Return the module with most codes of a family, of those that can take another."""
    start = f"{family.lower()}_"
    ours = [path for form in ("*.py", "*/*.py") for path in sorted(checks.glob(f"{start}{form}"))]
    texts = {path: path.read_text("utf-8") for path in ours}
    fit = [path for path in texts if all(re.search(rf"\b{name}\b", texts[path]) for name in NEEDED)]
    return max(
        fit, key=lambda path: len(re.findall(rf'^    "{family}\d', texts[path], re.MULTILINE))
    )


def write_function(code: str, module: Path) -> None:
    """Add an example of a check to a module."""
    text = module.read_text("utf-8") + FUNCTION.format(code=code, name=code.lower())
    module.write_text(text, encoding="utf-8")


def write_case(code: str, invalid: Path = FIXTURES / "invalid") -> Path:
    """Write a case that raises the example: the valid paytable with one name changed."""
    case = invalid / code / "example"
    path = case / "library" / TABLE
    path.parent.mkdir(parents=True)
    valid = (LIBRARY / TABLE).read_text("utf-8")
    path.write_text(re.sub(r'("name": )"Table 2"', rf'\1"{code}"', valid, count=1), "utf-8")
    return case


def write_expected(case: Path) -> bool:
    """Write ``expected.json`` of a case from what is found now; return True if it changed."""
    with TemporaryDirectory() as folder, chdir(folder):
        found = [write_finding(finding) for finding in run_case(case, Path(folder))]
    path, text = case / "expected.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    changed = not path.is_file() or json.loads(path.read_text("utf-8")) != found
    if changed:
        path.write_text(text, encoding="utf-8")
    return changed


def run(code: str) -> Iterator[str]:
    """Write what a code lacks; yield a line for each file, and what to do next."""
    new = {next_code(family) for family in FAMILIES}
    known = {each.id for each in CODES}
    if code not in known | new:
        yield f"{code} is no code, known or next. The next codes are {join_words(sorted(new))}."
        return
    if code in new:
        module = find_module(code[0])
        write_function(code, module)
        yield f"Wrote find_{code.lower()} in {module.relative_to(CHECKS.parents[1])}."
        yield f"Wrote {write_case(code)}."
        yield f"Edit both, then write expected.json with: make new-finding CODE={code}"
        return
    for case in sorted((FIXTURES / "invalid" / code).iterdir()):
        if write_expected(case):
            yield f"Wrote {case / 'expected.json'}. Read it: each message must be right."
    yield "For the page of the finding: make docs"


if __name__ == "__main__":
    for line in run(*sys.argv[1:]):
        print(line)  # noqa: T201
