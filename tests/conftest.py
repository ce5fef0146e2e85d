"""One cache of counts and compiled code for all tests, and a home that is nobody's."""

import os
import tempfile
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".cache" / "tests"

# Set before anything is imported: numba reads its folder once. Counts are named by a digest of the
# engine's source, so a changed engine counts again.
os.environ["CERTIFY_CACHE"] = str(CACHE)
os.environ["NUMBA_CACHE_DIR"] = str(CACHE / "compiled")
os.environ["CERTIFY_HOME"] = tempfile.mkdtemp(prefix="certify-tests-")
for name in ("CERTIFY_LIBRARY", "CERTIFY_KEY_PASSWORD"):
    os.environ.pop(name, None)
