"""The pictures of the documentation: which page each shows, and how one is taken.

`make pictures` takes them all again, in the tests that open the pages anyway.
"""

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Page

FOLDER = os.environ.get("CERTIFY_DOCUMENTED")
ALL = os.environ.get("CERTIFY_PICTURES")
"""A folder for whole pictures of everything that is opened, light and dark, to be looked at."""

CLIP: "FloatRect" = {"x": 0, "y": 0, "width": 1280, "height": 760}
SIZE = (880, 522)
COLOURS = 40
"""Of a picture: a page has few, and the site is read behind slow lines too."""

GAME = "mini-pai-gow"
ADDRESSES = {
    "/": "games",
    f"/games/{GAME}": "game",
    f"/games/{GAME}/bonus/A": "paytable",
    f"/rules/{GAME}": "rules",
    f"/house-ways/{GAME}?card=As&card=Kd&card=Jk&card=2c&card=2d&card=9h": "house-way",
    f"/explain?game={GAME}&hand=As+Ad+Ah+Kd+2c+2d&against=3s+3d+4c+5h+7d+9s": "explain",
    "/compare?before=foxwoods&after=mgm-grand": "compare",
}
"""Pages that an address shows, and the names of their pictures."""

MADE = (
    "submission", "job", "preview", "cases", "case", "written", "verify", "register", "log",
)  # fmt: skip
"""Pictures of pages that something must be done for first."""


def take(page: "Page", name: str) -> None:
    """Write the upper part of a page as a picture if `FOLDER` is set."""
    if FOLDER is None:
        return
    page.evaluate("document.querySelector('footer').hidden = true")  # it names the folder
    path = Path(FOLDER) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(small(page.screenshot(clip=CLIP, full_page=True)))


def small(data: bytes) -> bytes:
    from PIL import Image

    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture = picture.resize(SIZE, Image.Resampling.LANCZOS)
    few = picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = io.BytesIO()
    few.save(written, "PNG", optimize=True)
    return written.getvalue()
