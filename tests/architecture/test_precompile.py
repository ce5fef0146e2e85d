import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT_THE_REST = """
import sys
from importlib.metadata import packages_distributions

names, first = packages_distributions(), {"certify", *sys.argv[2].split("|")}

class Refusing:
    def find_spec(name, path, target=None):
        if not first.intersection(names.get(name.partition(".")[0], first)):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Refusing)
sys.path.insert(0, sys.argv[1])
import certify.engine.precompile
import certify.kernels.numba_dispatcher
"""


def test_set_up_installs_first_what_compiles_ahead(tmp_path: Path) -> None:
    first = re.search(
        r"only '([a-z|]+)' requirements\.lock", (ROOT / ".ci" / "setup").read_text(encoding="utf-8")
    )
    assert first is not None
    kept = {name: text for name, text in os.environ.items() if name not in ELSEWHERE}
    ran = subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT_THE_REST, str(ROOT), first[1]],
        env={**kept, "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.stderr == ""


ELSEWHERE = ("CERTIFY_CACHE", "CERTIFY_HOME", "NUMBA_CACHE_DIR")
"""A user who has set none of them has folders where the system keeps them."""
