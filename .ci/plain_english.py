"""Measure docstrings and public function names that break the rules of plain English, by package.

``python .ci/plain_english.py`` prints a table and exits 1 if a share of a total is above its limit.
``python .ci/plain_english.py --list PACKAGE`` prints each docstring and name that counts.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAXIMUM_OF_DOCSTRINGS = 0.10
MAXIMUM_OF_NAMES = 0.05

ROOTS = ("certify", "certify_recount", "templates/kit", "tests", "tools")

FIRST_WORDS = re.compile(
    r"(What|Whether|That|How|Who|Whom|Whose|Where|Which|Why|Say"
    r"|(Return|Yield) (what|whether|how|why|that|who|where|which))\b"
)
"""A docstring starts with a noun phrase or an imperative, not with a clause."""

PHRASES = re.compile(
    r"\b(stands?|told|tells|beside|in the place of|of (its|their|ours?|one's|his) own"
    r"|as it (came|is|stands)|mend(s|ed)?|nought|of them|so that|what (is|was|a)|are asked|is asked"
    r"|by people|is left|kept|among|within which|anew|the desk|rooms?)\b"
)
"""Phrases of the old dialect, found in the first paragraph of a docstring."""

PREPOSITIONS = re.compile(
    r"of|in|by|to|at|on|among|within|around|beside|below|above|as|from|with|for|under|over"
    r"|between|after|before|without"
)
PARTICIPLE = re.compile(r"\w+(ed|en|pt|ld|wn)")


@dataclass(frozen=True)
class Item:
    """A docstring or a function name that breaks a rule."""

    place: str
    text: str


@dataclass
class Count:
    """Totals of a package."""

    docstrings: int = 0
    names: int = 0
    odd_docstrings: int = 0
    odd_names: int = 0


def is_odd_docstring(text: str) -> bool:
    """Return True if the docstring starts with a clause or uses a phrase of the old dialect."""
    paragraph = text.split("\n\n", maxsplit=1)[0]
    return FIRST_WORDS.match(paragraph) is not None or PHRASES.search(paragraph) is not None


def is_odd_name(name: str) -> bool:
    """Return True if a function name is a prepositional phrase or a bare participle."""
    words = name.strip("_").split("_")
    if any(PREPOSITIONS.fullmatch(word) for word in (words[0], words[-1])):
        return True
    return len(words) == 1 and PARTICIPLE.fullmatch(words[0]) is not None


def measure(paths: Iterator[Path]) -> tuple[Count, list[Item]]:
    """Return the totals of some files and their odd items."""
    count, items = Count(), []
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for path in paths:
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        nested = {
            inner
            for outer in nodes
            if isinstance(outer, functions)
            for inner in ast.walk(outer)
            if inner is not outer
        }
        for node in nodes:
            if isinstance(node, (ast.Module, ast.ClassDef, *functions)):
                text = ast.get_docstring(node)
                place = f"{path}:{getattr(node, 'lineno', 1)}"
                count.docstrings += text is not None
                if text and is_odd_docstring(text):
                    count.odd_docstrings += 1
                    items.append(Item(place, text.split("\n\n", maxsplit=1)[0]))
            # The name of a test is a sentence.
            exempt = isinstance(node, functions) and node.name.startswith(("_", "test_"))
            if isinstance(node, functions) and node not in nested and not exempt:
                count.names += 1
                if is_odd_name(node.name):
                    count.odd_names += 1
                    items.append(Item(f"{path}:{node.lineno}", f"{node.name}()"))
    return count, items


def find_packages() -> dict[str, list[Path]]:
    """Return the Python files of certify, of the laboratory kit and of the tests by package."""
    packages: dict[str, list[Path]] = defaultdict(list)
    for root in ROOTS:
        for path in sorted(Path(root).rglob("*.py")):
            folder = path.parent.parts[:2]
            packages["/".join(folder)].append(path)
    return packages


def main(arguments: list[str]) -> int:
    """Print the table, or the items of one package."""
    packages = find_packages()
    if arguments[:1] == ["--list"]:
        for name in arguments[1:] or packages:
            for item in measure(iter(packages[name]))[1]:
                sys.stdout.write(f"{item.place}: {' '.join(item.text.split())}\n")
        return 0
    for root in ROOTS:
        below = [paths for name, paths in packages.items() if name.startswith(root)]
        packages[f"all of {root}"] = [path for paths in below for path in paths]
    sys.stdout.write(f"{'package':20} {'docstrings':>10} {'odd':>6} {'functions':>10} {'odd':>6}\n")
    failed = False
    for name, paths in packages.items():
        count, _ = measure(iter(paths))
        docstrings = count.odd_docstrings / max(count.docstrings, 1)
        names = count.odd_names / max(count.names, 1)
        sys.stdout.write(
            f"{name:20} {count.docstrings:10} {docstrings:6.1%} {count.names:10} {names:6.1%}\n"
        )
        if name.startswith("all of"):
            failed |= docstrings > MAXIMUM_OF_DOCSTRINGS or names > MAXIMUM_OF_NAMES
    if failed:
        sys.stdout.write(
            f"More than {MAXIMUM_OF_DOCSTRINGS:.0%} of docstrings or {MAXIMUM_OF_NAMES:.0%} of "
            "names are odd. List them with --list.\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
