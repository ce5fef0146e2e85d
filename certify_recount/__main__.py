"""``python3 -m certify_recount FOLDER``: recompute the figures of a laboratory kit."""

import sys
from pathlib import Path

from .kit import run

sys.exit(run(sys.argv[1:], Path.cwd()))
