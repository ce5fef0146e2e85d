"""``make docs``: write the generated pages of ``docs``; ``--check`` compares them."""

import sys
from pathlib import Path

from certify.storage import write_atomically
from docs.generate.pages import pages

REFERENCE = Path(__file__).parents[1] / "reference"

written = pages()
if "--check" in sys.argv:
    stale = [
        name
        for name, text in written.items()
        if not (REFERENCE / name).is_file() or (REFERENCE / name).read_bytes() != text.encode()
    ]
    sys.exit(f"Not current, run `make docs`: {', '.join(stale)}" if stale else 0)
for name, text in written.items():
    write_atomically(REFERENCE / name, text.encode())
sys.stdout.write(f"{len(written)} pages written.\n")
