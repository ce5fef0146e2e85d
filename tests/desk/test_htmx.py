import hashlib
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "templates" / "desk"


def test_the_script_is_the_published_one() -> None:
    # htmx.org 2.0.11, dist/htmx.min.js, as npm serves it.
    data = (FOLDER / "htmx.min.js").read_bytes()
    assert hashlib.sha256(data).hexdigest() == (
        "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
    )
    assert "Zero-Clause BSD" in (FOLDER / "htmx.LICENSE.txt").read_text(encoding="utf-8")
