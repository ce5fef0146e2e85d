"""``python -m tests.mutation [--room ROOM] [--sample N] [--seed S]``: which changes tests notice.

A sample of a room's mutants is run against the quick tests of that room (``rooms.json``). What
survives is printed as it is found, the score by room at the end.
"""

import argparse
import sys

from tests.mutation.run import Result, parts, survey


def main() -> int:
    """Run the samples; 1 if a mutant survived that nobody has explained."""
    rooms = list(dict.fromkeys(part.room for part in parts()))
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--room", choices=rooms, help="one room only")
    parser.add_argument("--sample", type=int, default=50, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    results = []
    for room in [asked.room] if asked.room else rooms:
        results += survey(parts(room), asked.sample, asked.seed, tell)
    out(f"seed {asked.seed}\n\n| room | mutants | killed | explained | survived |")
    out("|---|---:|---:|---:|---:|")
    for room in dict.fromkeys(result.room for result in results):
        out(row(room, [result for result in results if result.room == room]))
    return int(any(not result.killed and not result.mutant.why for result in results))


def row(room: str, results: list[Result]) -> str:
    """Return the line of a room."""
    killed = sum(result.killed for result in results)
    explained = sum(not result.killed and bool(result.mutant.why) for result in results)
    left = len(results) - killed - explained
    return f"| `{room}` | {len(results)} | {killed} | {explained} | {left} |"


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
