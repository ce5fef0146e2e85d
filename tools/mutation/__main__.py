"""``python -m tools.mutation [--package PACKAGE] [--sample N] [--seed S]``: run mutation tests.

Run a sample of the mutants of each package against its quick tests (``packages.json``). Print
each survivor when it is found, and the score by package at the end.
"""

import argparse
import sys

from tools.mutation.run import Result, parts, survey


def main() -> int:
    """Run the samples; 1 if a mutant survived that nobody has explained."""
    packages = list(dict.fromkeys(part.package for part in parts()))
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--package", choices=packages, help="one package only")
    parser.add_argument("--sample", type=int, default=50, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    results = []
    for package in [asked.package] if asked.package else packages:
        results += survey(parts(package), asked.sample, asked.seed, tell)
    out(f"seed {asked.seed}\n\n| package | mutants | killed | explained | survived |")
    out("|---|---:|---:|---:|---:|")
    for package in dict.fromkeys(result.package for result in results):
        out(row(package, [result for result in results if result.package == package]))
    return int(any(not result.killed and not result.mutant.why for result in results))


def row(package: str, results: list[Result]) -> str:
    """Return the line of a package."""
    killed = sum(result.killed for result in results)
    explained = sum(not result.killed and bool(result.mutant.why) for result in results)
    left = len(results) - killed - explained
    return f"| `{package}` | {len(results)} | {killed} | {explained} | {left} |"


def tell(result: Result) -> None:
    """Print a mutant that survived."""
    mutant = result.mutant
    if not result.killed:
        out(f"{mutant.module}\n  - {mutant.line}\n  + {mutant.becomes}\n  {mutant.why}".rstrip())


def out(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
