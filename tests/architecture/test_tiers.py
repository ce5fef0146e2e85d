import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_continuous_integration_runs_the_quick_and_the_long_tests() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [line for line in run.splitlines() if not line.startswith("#")]
    assert [line for line in commands if "make " in line] == [
        'CERTIFY_VERAPDF=required make test TESTS="not slow"'
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nTESTS := not slow and not long\n" in makefile
    recipes = dict(re.findall(r'^([a-z-]+):.*\n\t.*-m "(.+)"$', makefile, re.MULTILINE))
    assert recipes == {"test": "$(TESTS)", "test-long": "long and not slow"}
