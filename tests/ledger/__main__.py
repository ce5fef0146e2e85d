"""Record today's behavior, or compare it with the record.

``python -m tests.ledger record [PART…]`` writes ``tests/ledger/PART.xz``;
``python -m tests.ledger compare [PART…]`` exits 1 and writes ``out/ledger/PART.diff`` if a text
differs. The diff is also the list of reworded texts: read it whole before recording again.
"""

import difflib
import json
import lzma
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.ledger.entries import PARTS_OF_LEDGER

HERE = Path(__file__).parent
DIFFS = Path("out/ledger")
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 27}]
"""A dictionary of 128 MiB, since documents of one game repeat one another."""


def main(arguments: list[str]) -> int:
    """Run ``record`` or ``compare`` on the named parts, or on all."""
    action, *parts = arguments or ["--help"]
    unknown = set(parts) - set(PARTS_OF_LEDGER)
    if action not in {"record", "compare"} or unknown:
        sys.stderr.write(f"{__doc__}\nParts: {', '.join(PARTS_OF_LEDGER)}\n")
        return 2
    results = [_handle(action, part) for part in parts or PARTS_OF_LEDGER]
    return max(results)


def _handle(action: str, part: str) -> int:
    entries = dict(PARTS_OF_LEDGER[part]())
    path = HERE / f"{part}.xz"
    if action == "record":
        text = json.dumps(entries, ensure_ascii=False, indent=0)
        path.write_bytes(lzma.compress(text.encode("utf-8", "surrogatepass"), filters=FILTERS))
        sys.stdout.write(f"{part}: {len(entries)} entries recorded\n")
        return 0
    recorded = json.loads(lzma.decompress(path.read_bytes()).decode("utf-8", "surrogatepass"))
    difference = _difference(recorded, entries)
    names = recorded.keys() | entries.keys()
    differing = sum(recorded.get(name) != entries.get(name) for name in names)
    sys.stdout.write(f"{part}: {len(names)} entries, {differing} differ\n")
    DIFFS.mkdir(parents=True, exist_ok=True)
    (DIFFS / f"{part}.diff").write_text(difference, encoding="utf-8", errors="surrogateescape")
    return int(differing > 0)


def _difference(recorded: Mapping[str, str], entries: Mapping[str, str]) -> str:
    """Return a unified diff of every entry that differs, without context lines."""
    lines: list[str] = []
    for name in sorted(recorded.keys() | entries.keys()):
        before, now = recorded.get(name, ""), entries.get(name, "")
        if before != now:
            lines += difflib.unified_diff(
                before.splitlines(), now.splitlines(), f"a/{name}", f"b/{name}", lineterm="", n=0
            )
    return "\n".join(lines) + "\n" if lines else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
