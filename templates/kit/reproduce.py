#!/usr/bin/env python3
"""Recompute the figures of a submission from the cards up, and compare them with its evidence.

Standard library only (Python 3.11 or newer), without `certify`. Run it in the folder of the
unzipped kit:

    python3 -I reproduce.py            (or: python3 -I reproduce.py FOLDER)
    python3 -I reproduce.py --quick    (the deals of the main wager are not counted again)
    python3 -I reproduce.py --readings (with the deals of other interpretations: hours)
    python3 -I reproduce.py --coverage (with the check of every single figure)

It reads the declared rules under paytables/, and no counts. It counts every hand of the deck and
every deal of two hands, computes every figure in integers and fractions, and compares the figures
with evidence.json. A table at the end lists how every figure was checked. Exit code 0 if everything
that is counted agrees, 1 if anything differs, 2 if the kit cannot be read.

The program is certify_recount/: take it from the release of certify, not from whoever sent the kit.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # `python3 -I` leaves it out

from certify_recount.kit import run  # noqa: E402 - found by the path above

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], HERE))
