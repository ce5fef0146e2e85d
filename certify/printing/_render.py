"""The printing process: reads one job from standard input, writes one PDF to standard output.

Run by `certify.printing.print_pdf` and by nobody else, as a task of `certify.worker`.
"""

import base64
import contextlib
import ctypes.util
import gc
import io
import json
import logging
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from certify import library, storage
from certify.errors import NotConfigured, NotReadable, missing_piece
from certify.printing import archival, fonts, tags
from certify.printing.fonts import Document, Entry, Renderer

if TYPE_CHECKING:
    from certify.model.encoding import Progress

LIBRARIES = (
    "On Debian or Ubuntu install libpango-1.0-0, libpangoft2-1.0-0 and libharfbuzz-subset0; "
    "on Windows install Pango from MSYS2 (pacman -S mingw-w64-ucrt-x86_64-pango)."
)
MOST = 20
LONGEST = 300
EMBEDDED = re.compile(r"(data:[^,\s]{0,40},[^'\")\s]{0,20})[^'\")\s]*")
PICTURE = re.compile(r"data:(image/(?:png|jpeg|svg\+xml))(;base64)?,(.*)", re.DOTALL)


class LogCapture(logging.Handler):
    """Everything that the renderer complained about, worst or not."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text of one complaint."""
        self.messages.append(record.getMessage())


def load_renderer(templates: Path, folder: Path) -> Renderer:
    """Import the renderer with the bundled fonts as the only fonts.

    Raises:
        NotConfigured: the system libraries are missing.
    """
    os.environ["FONTCONFIG_FILE"] = str(fonts.configure(templates, folder))
    try:
        with warnings.catch_warnings(), _without_search():
            for subject in ("HarfBuzz", "FontConfig", "No fonts"):
                warnings.filterwarnings("error", message=subject)
            import weasyprint
    except (ImportError, OSError, Warning) as error:
        lacking = missing_piece(error)
        if lacking is not None:
            raise lacking from None
        reason = str(error).splitlines()[0]
        raise NotConfigured(
            f"The libraries that print documents are missing ({reason}).", remedy=LIBRARIES
        ) from None
    fonts.patch_line_split(weasyprint)
    return weasyprint


@contextlib.contextmanager
def _without_search() -> "Iterator[None]":
    """Have shared libraries opened by their file names on Linux, without a search.

    The renderer tries their names on other systems first, and for each of these Python would run
    ldconfig, the compiler and the linker: 54 processes in all.
    """
    search = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda _: None  # type: ignore[assignment] # the name is unused
    try:
        yield
    finally:
        ctypes.util.find_library = search


def refusing_fetcher(weasyprint: Renderer, refused: list[str]) -> Entry:
    """Return a fetcher that opens pictures inside the document and logs everything else."""

    class Refusing(weasyprint.urls.URLFetcher):  # type: ignore[misc] # the library is untyped
        def fetch(self, url: str, headers: dict[str, str] | None = None) -> Entry:
            del headers
            picture = PICTURE.fullmatch(url)
            if picture:
                data = unquote_to_bytes(picture[3])
                data = base64.b64decode(data) if picture[2] else data
                return weasyprint.urls.URLFetcherResponse(url, data, {"Content-Type": picture[1]})
            refused.append(url)
            raise ValueError(f"refused: {url}")

    return Refusing(allowed_protocols=("data",), allow_redirects=False)


@contextlib.contextmanager
def strict(heard: LogCapture) -> "Iterator[None]":
    """Turn whatever the renderer complains about into an error."""
    loggers = [logging.getLogger(name) for name in ("weasyprint", "fontTools")]
    for logger in loggers:
        logger.addHandler(heard)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # The renderer leaves its colour profile open; the process ends soon anyway.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            yield
        finally:
            heard.messages += [str(warning.message) for warning in caught]


def render(job: dict[str, Any]) -> bytes:
    """Return the PDF of the job.

    Raises:
        NotReadable: the document refers to something outside, holds a character without a glyph,
            or made the renderer complain.
        NotConfigured: libraries, style or fonts are missing or broken.
    """
    templates = Path(job["templates"])
    try:
        style = storage.read_text(Path(job["style"]))
    except OSError as error:
        raise NotConfigured(
            f"The style of the documents cannot be read ({error}).",
            remedy=f"Install certify again, or restore {job['style']}.",
        ) from None
    files = fonts.font_files(templates)
    weasyprint = load_renderer(templates, Path(tempfile.gettempdir()))
    covered = fonts.coverage(files)
    refused: list[str] = []
    heard = LogCapture()
    with strict(heard):
        fetcher = refusing_fetcher(weasyprint, refused)
        html = weasyprint.HTML(string=job["html"], base_url=None, url_fetcher=fetcher)
        refuse_problems(archival.conformance_problems(html.etree_element, job["language"]))
        fonts.refuse_missing_glyphs(html.etree_element, style, covered)
        fonts.place_breaks(html.etree_element)
        pdf = _write(weasyprint, html, style, job, fetcher)
    if refused:
        raise NotReadable(
            f"The document refers to something outside itself: {_short(refused[0])}.",
            remedy="Embed the resource; printing downloads nothing.",
        )
    if heard.messages:
        complaints = dict.fromkeys(_short(message) for message in heard.messages)
        raise NotReadable(
            "The renderer complained: " + "; ".join(list(complaints)[:MOST]) + ".",
            remedy="Correct the template, the style or the printed data.",
        )
    return pdf


def refuse_problems(problems: list[str]) -> None:
    """Raise one error for all violations of conformance."""
    if problems:
        more = f"; and {len(problems) - MOST} more" if len(problems) > MOST else ""
        raise NotReadable(
            "The document cannot be printed as PDF/A-3a and PDF/UA-1: "
            + "; ".join(_short(problem) for problem in problems[:MOST])
            + f"{more}.",
            remedy="Correct the template or the printed data.",
        )


def _short(message: str) -> str:
    """Return the message without the bulk of embedded data."""
    return EMBEDDED.sub(r"\1…", message)[:LONGEST]


def _write(
    weasyprint: Renderer, html: Document, style: str, job: dict[str, Any], fetcher: Entry
) -> bytes:
    """Lay out, then write with our metadata, attachments and tags."""
    configuration = weasyprint.text.fonts.FontConfiguration()
    sheet = weasyprint.CSS(string=style, font_config=configuration, url_fetcher=fetcher)
    document = html.render(
        font_config=configuration, stylesheets=[sheet], pdf_variant="pdf/a-3a", cache={}
    )
    refuse_cut_text(document)
    if job["notice"]:
        tags.lay_notice(weasyprint, document, job["notice"])
    output = io.BytesIO()
    archival.write(weasyprint, document, job, output)
    return output.getvalue()


SLACK = 0.5
"""CSS pixels that text may stand out by: it is set in fractions of a pixel."""


def refuse_cut_text(document: Document) -> None:
    """Refuse text outside the column of a page, which may be cut off.

    Raises:
        NotReadable: a page has such text.
    """
    for number, page in enumerate(document.pages, 1):
        sheet = page._page_box  # noqa: SLF001 - no public way to the boxes
        left, right = sheet.content_box_x(), sheet.content_box_x() + sheet.width
        for box in sheet.descendants():
            if (
                type(box).__name__ == "TextBox"
                and box.text.strip()
                and not left - SLACK <= box.position_x <= right + SLACK - box.width
            ):
                raise NotReadable(
                    f"Text of page {number} runs out of its column: {_short(box.text)}",
                    remedy="Shorten the names in its line, or correct the template or the style.",
                )


def prepare() -> None:
    """Import the renderer; see `certify.worker`."""
    with tempfile.TemporaryDirectory(prefix="certify-") as folder:
        load_renderer(library.templates(), Path(folder))


def answer(job: bytes, progress: "Progress") -> bytes:
    """Return the PDF of a job; see `render`."""
    del progress
    # A layout is hundreds of thousands of objects that live to the end: looking for rubbish among
    # them as often as usual costs a fifth of the time.
    gc.set_threshold(100_000, 50, 1000)
    return render(json.loads(job))
