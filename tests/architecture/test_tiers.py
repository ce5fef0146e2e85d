"""Continuous integration runs every test that is not slow, each once."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_continuous_integration_runs_the_quick_and_the_long_tests() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make ")] == ["make test", "make test-long"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r'^([a-z-]+):.*\n\t.*-m "(.+)"$', makefile, re.MULTILINE))
    assert recipes == {"test": "not slow and not long", "test-long": "long and not slow"}
