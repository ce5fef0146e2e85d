"""``make docs``: write the generated pages of ``docs/reference``."""

import sys
from pathlib import Path

from certify.storage import write_atomically
from docs.generate.pages import pages

REFERENCE = Path(__file__).parents[1] / "reference"

written = pages()
for name, text in written.items():
    write_atomically(REFERENCE / name, text.encode())
sys.stdout.write(f"{len(written)} pages written.\n")
