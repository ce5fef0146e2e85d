import base64
import datetime as dt
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata
import zlib
from io import BytesIO, StringIO
from pathlib import Path

import pikepdf
import pytest
import tinyhtml5  # type: ignore[import-untyped] # it ships no types

from certify.errors import NotConfigured, NotJudged, NotReadable
from certify.printing import _render, fonts
from certify.printing import print_pdf as _print
from certify.printing.print_pdf import DEFAULT_LIMITS, Attachment, print_pdf
from certify.worker import Limits
from tests.html_documents import find_problems
from tests.marks import further

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
EVIDENCE = Attachment(
    name="evidence.json",
    data=b"{}",
    relationship="Data",
    description="Evidence",
    media_type="application/json",
)
SMALL = """
import datetime as dt, hashlib, sys
from pathlib import Path
from certify.printing.print_pdf import Attachment, print_pdf
files = (Attachment(name="b.json", data=b"{}", relationship="Data", description="b",
                    media_type="application/json"),
         Attachment(name="a.json", data=b"[]", relationship="Source", description="a",
                    media_type="application/json"))
html = Path(sys.argv[1]).read_text(encoding="utf-8")
data = print_pdf(html, title="T", language="en", document_id="D-1", date=dt.date(2025, 3, 9),
                 attachments=files, templates=Path(sys.argv[2]))
print(hashlib.sha256(data).hexdigest())
"""


def page(body: str, *, head: str = "", heading: str = "<h1>Title</h1>") -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>T</title>{head}</head>'
        f'<body data-document-id="D-1" data-revision="1" data-digest="00">{heading}{body}</body>'
        "</html>"
    )


def print_html(
    html: str,
    *,
    templates: Path = TEMPLATES,
    limits: Limits = DEFAULT_LIMITS,
    attachments: tuple[Attachment, ...] = (),
) -> bytes:
    return print_pdf(
        html,
        title="T",
        language="en",
        document_id="D-1",
        date=dt.date(2025, 3, 9),
        attachments=attachments,
        templates=templates,
        limits=limits,
    )


def drawing(inside: str, *, title: str = "<title>Drawing</title>") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{title}{inside}</svg>'


# Bytes


def test_bytes_are_the_same_under_any_hash_seed_zone_and_folder(tmp_path: Path) -> None:
    html = tmp_path / "page.html"
    html.write_text(
        page(
            '<p>A♠ ≤ 皇帝 ½ <a href="#s">see</a></p>'
            + drawing('<text y="5">x</text><rect width="3" height="3" fill="#336"/>')
            + '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr>'
            '</tbody></table><h2 id="s">S</h2><div id="signature-block" class="signature-block">'
            "</div>"
        ),
        encoding="utf-8",
    )
    seen = set()
    for seed, zone, folder, words in (
        ("0", "UTC", ROOT, "C"),
        ("1", "Asia/Kathmandu", tmp_path, "de_DE.UTF-8"),
        ("4711", "America/Los_Angeles", Path("/"), "zh_CN.UTF-8"),
    ):
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LANG": words,
            "PYTHONPATH": str(ROOT),
            "PANGO_LANGUAGE": words,
        }
        done = subprocess.run(
            [sys.executable, "-c", SMALL, str(html), str(TEMPLATES)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_bytes_do_not_depend_on_where_the_templates_are(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATES, tmp_path / "elsewhere & more")
    moved = print_html(page("<p>one</p>"), templates=tmp_path / "elsewhere & more")
    assert hashlib.sha256(moved).digest() == hashlib.sha256(print_html(page("<p>one</p>"))).digest()


def test_the_document_identifier_names_the_file() -> None:
    data = print_html(page("<p>one</p>"))
    assert hashlib.sha256(b"D-1").hexdigest()[:32].encode() in data


def test_the_renderer_is_imported_only_to_print() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, certify.printing.print_pdf as p\n"
            "print([m for m in ('weasyprint', 'pydyf', 'fontTools', 'tinyhtml5', 'jinja2')"
            " if m in sys.modules])",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "[]"


def test_the_renderer_finds_its_libraries_without_other_programs(tmp_path: Path) -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; seen = []\n"
            "sys.addaudithook(lambda event, _: seen.append(event))\n"
            "from certify.printing._render import load_renderer\n"
            "load_renderer(*map(Path, sys.argv[1:]))\n"
            "print([each for each in seen if each in ('subprocess.Popen', 'os.posix_spawn')])",
            str(TEMPLATES),
            str(tmp_path),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "[]"


# Nothing from outside


OUTSIDE = [
    ('<img alt="x" src="https://example.org/x.png">', "", "https://example.org/x.png"),
    ('<img alt="x" src="file:///etc/passwd">', "", "file:///etc/passwd"),
    ('<b style="background: url(http://a.example/b)">x</b>', "", "http://a.example/b"),
    ("", "@import url(https://example.org/a.css);", "https://example.org/a.css"),
    ("", "@font-face { font-family: X; src: url(file:///x.ttf) }", "file:///x.ttf"),
    ("", "@font-face { font-family: X; src: url(data:font/ttf;base64,AAEA) }", "data:font/ttf"),
]


@pytest.mark.parametrize(("body", "style", "named"), [OUTSIDE[0], *further(OUTSIDE[1:])])
def test_external_content_is_refused(body: str, style: str, named: str) -> None:
    html = page(f"<p>x{body}</p>", head=f"<style>{style}</style>")
    with pytest.raises(NotReadable, match="outside itself") as refused:
        print_html(html)
    assert named in refused.value.message


def test_a_refusal_that_a_drawing_swallows_is_still_an_error() -> None:
    inner = drawing('<image href="https://example.org/in.png" width="9" height="9"/>')
    url = "data:image/svg+xml;base64," + base64.b64encode(inner.encode()).decode()
    with pytest.raises(NotReadable, match=r"outside itself: https://example.org/in.png"):
        print_html(page(f'<p style="background: url({url})">x</p>'))


def test_a_style_that_a_drawing_imports_is_an_error() -> None:
    with pytest.raises(NotReadable, match="Failed to load inline SVG"):
        print_html(page(drawing("<style>@import url(https://example.org/s.css);</style>")))


def test_a_small_embedded_picture_is_printed() -> None:
    pixel = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSu"
        "QmCC"
    )
    data = print_html(page(f'<p><img alt="a dot" src="data:image/png;base64,{pixel}"></p>'))
    assert data.startswith(b"%PDF-1.7")


# Glyphs


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<p>one 🂡 two</p>", "U+1F0A1 (PLAYING CARD ACE OF SPADES) in <p> is in none"),
        ("<table><tr><th scope='row'>א</th></tr></table>", "HEBREW LETTER ALEF) in <th>"),
        ("<p>😀</p>", "U+1F600 (GRINNING FACE) in <p>"),
        ("<p>q̂</p>", "U+0302 (COMBINING CIRCUMFLEX ACCENT) in <p> is a combining mark"),
        (drawing("<text>鑫</text>"), "U+946B (CJK UNIFIED IDEOGRAPH-946B) in <text>"),
        ("<p data-note='鑫'>x</p>", "in <p data-…>"),
        ("<p>\ue000</p>", "U+E000 (unnamed)"),
    ],
)
def test_a_character_without_a_glyph_is_named_with_its_place(body: str, words: str) -> None:
    root = tinyhtml5.parse(StringIO(page(body)), namespace_html_elements=False)
    covered = fonts.coverage(fonts.font_files(TEMPLATES))
    with pytest.raises(NotReadable) as refused:
        fonts.refuse_missing_glyphs(root, "", covered)
    assert words in refused.value.message


def test_a_character_without_a_glyph_is_not_printed() -> None:
    with pytest.raises(NotReadable) as refused:
        print_html(page("<p>The emperor 鑫 challenges.</p>"))
    assert refused.value.message == (
        "The character U+946B (CJK UNIFIED IDEOGRAPH-946B) in <p> is in none of the bundled fonts:"
        ' "The emperor \\u946b challenges.".'
    )


def test_a_character_of_the_style_needs_a_glyph_too(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATES, tmp_path / "t")
    style = tmp_path / "t" / "style.css"
    style.write_text(style.read_text(encoding="utf-8") + 'p::before { content: "鑫" }', "utf-8")
    with pytest.raises(NotReadable, match="in the style sheet"):
        print_html(page("<p>x</p>"), templates=tmp_path / "t")


HOSTILE = (
    "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7 * 7 }} {% raw %}",
    "W" * 1500,
    "a\u202eb\u200fc\u2066d\u2069e\u200bf\u00adg\ufeffh",
    "e\u0301 n\u0303",
    "$\\frac{1}{2}$ %s \\0 ) ( \\",
    "1/" + "7" * 1000,
)


def test_hostile_text_prints_as_itself(tmp_path: Path) -> None:
    file = tmp_path / "d.pdf"
    rows = "".join(f'<tr><td>{text}</td><td class="exact">{text}</td></tr>' for text in HOSTILE)
    table = (
        '<table><thead><tr><th scope="col">H</th><th scope="col" class="number">N</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    body = "".join(f"<p>{text}</p><ul><li>{text}</li></ul>" for text in HOSTILE)
    file.write_bytes(print_html(page(body + table)))
    checked = subprocess.run(["qpdf", "--check", str(file)], capture_output=True, check=False)
    assert checked.returncode == 0
    words = subprocess.run(
        ["pdftotext", "-raw", str(file), "-"], capture_output=True, check=True
    ).stdout.decode()
    assert "<script>alert(1)</script> {{ 7 * 7 }} {% raw %}" in words
    assert "$\\frac{1}{2}$ %s \\0 ) ( \\" in words
    assert words.count("W") == 4 * 1500  # no letter is lost where a word is broken
    assert "é ñ" in unicodedata.normalize("NFC", words)


def test_nothing_runs_out_of_the_page(tmp_path: Path) -> None:
    file = tmp_path / "d.pdf"
    cells = "".join(f'<td class="exact">1/{"7" * 90}</td>' for _ in range(4))
    heads = "".join(f'<th scope="col">Column {n}</th>' for n in range(5))
    digest = "0123456789abcdef" * 4
    file.write_bytes(
        print_html(
            page(
                f"<p>{'W' * 500}</p><h2>{'H' * 200}</h2><p class='digest'>{digest * 3}</p>"
                f"<table><thead><tr>{heads}</tr></thead><tbody><tr><th scope='row'>{'R' * 90}</th>"
                f"{cells}</tr></tbody></table>"
            )
        )
    )
    boxes = subprocess.run(
        ["pdftotext", "-bbox", str(file), "-"], capture_output=True, check=True
    ).stdout.decode()
    edges = [float(edge) for edge in re.findall(r'xMax="([\d.]+)"', boxes)]
    assert len(edges) > 20
    assert max(edges) <= 612 - 51 + 0.5


@pytest.mark.parametrize("style", ["margin-left: 480pt", "margin-left: -60pt"])
def test_text_beside_the_column_is_refused(style: str) -> None:
    body = f"<p style='{style}; white-space: nowrap'>A word and a hundred more</p>"
    with pytest.raises(NotReadable, match="page 1 runs out of its column: A word"):
        print_html(page(body))


def test_breaks_of_long_words_are_not_text() -> None:
    data = print_html(page(f'<p><a href="#s">{"s" * 40}</a></p><h2 id="s">{"s" * 40}</h2>'))
    with pikepdf.open(BytesIO(data)) as pdf:
        streams = [o.read_bytes() for o in pdf.objects if isinstance(o, pikepdf.Stream)]
        maps = [stream for stream in streams if b"/CMapName" in stream]
        assert maps
        assert not [stream for stream in maps if b"200b" in stream]
        with pdf.open_outline() as outline:
            assert outline.root[0].children[0].title == "s" * 40
        assert str(pdf.pages[0].obj.Annots[0].Contents) == "s" * 40


def sweep(number: int) -> str:
    """Return headings and a long table that start further down the page, number by number."""
    n = f"S{number}"
    rows = "".join(f"<tr><td>{n}row{row}</td></tr>" for row in range(14))
    return (
        f'<div class="page-break" style="height: {160 + 1.5 * number}mm"></div><h2>{n}head</h2>'
        f'<h3>{n}sub</h3><table class="long"><caption>{n}caption</caption>'
        f'<thead><tr><th scope="col">{n}column</th></tr></thead><tbody>{rows}</tbody></table>'
        f"<h3>{n}last</h3><p>{n}text</p>"
    )


@pytest.mark.long
def test_no_heading_caption_or_row_is_alone_on_a_page(tmp_path: Path) -> None:
    file = tmp_path / "d.pdf"
    file.write_bytes(print_html(page("".join(sweep(number) for number in range(40)))))
    text = subprocess.run(["pdftotext", str(file), "-"], capture_output=True, check=True)
    pages = [set(words.split()) for words in text.stdout.decode().split("\f")]
    split = 0
    for number in range(40):
        first, *more = [at for at, words in enumerate(pages) if f"S{number}column" in words]
        together = ("head", "sub", "caption", "row0", "row1", "row2")
        assert {f"S{number}{part}" for part in together} <= pages[first]
        end = more[-1] if more else first
        assert {f"S{number}row11", f"S{number}row12", f"S{number}row13"} <= pages[end]
        assert any({f"S{number}last", f"S{number}text"} <= words for words in pages)
        split += len(more)
    assert split >= 3  # the sweep did pass over places where a table breaks


# Limits


def test_printing_is_given_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most two minutes and 1 GiB, whatever is printed."""
    assert DEFAULT_LIMITS.seconds <= 120
    assert DEFAULT_LIMITS.mebibytes <= 1024
    given: list[Limits] = []

    def noted(module: str, _: bytes, limits: Limits, *, subject: str) -> bytes:
        given.append(limits)
        return f"{module} {subject}".encode()

    monkeypatch.setattr(_print, "run", noted)
    assert print_html(page("<p>one</p>")) == b"certify.printing._render Printing T"
    assert given == [DEFAULT_LIMITS]


def nest_drawing(depth: int) -> str:
    layers = ['<g id="l0"><rect width="1" height="1"/></g>']
    for level in range(1, depth + 1):
        uses = "".join(f'<use href="#l{level - 1}"/>' for _ in range(10))
        layers.append(f'<g id="l{level}">{uses}</g>')
    return drawing("".join(layers))


@pytest.mark.usefixtures("hard_limits")
def test_a_drawing_that_unfolds_without_end_meets_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(NotJudged, match=r"^Printing T was stopped: it used more than 2 s of proc"):
        print_html(page(nest_drawing(12)), limits=Limits(seconds=2, mebibytes=1024))
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


def picture(side: int) -> str:
    """Return a black and white picture of side times side points, a few kilobytes when packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(side * (1 + side // 8)))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows)
    return base64.b64encode(png + chunk(b"IEND", b"")).decode()


def test_a_picture_that_unfolds_without_end_meets_the_memory_limit() -> None:
    body = f'<p><img alt="black" src="data:image/png;base64,{picture(9000)}"></p>'
    assert len(body) < 20_000
    with pytest.raises(NotReadable, match="Failed to load image") as refused:
        print_html(page(body), limits=Limits(seconds=60, mebibytes=400))
    assert len(refused.value.message) < 200  # the picture itself is not repeated


@pytest.mark.usefixtures("hard_limits")
def test_a_document_that_needs_too_much_memory_meets_the_memory_limit() -> None:
    with pytest.raises(NotJudged, match="300 MiB"):
        print_html(
            page("<p hidden>" + "word " * 20_000_000 + "</p>"),
            limits=Limits(seconds=60, mebibytes=300),
        )


def test_nesting_without_end_is_an_error() -> None:
    with pytest.raises(NotReadable, match="nested too deeply"):
        print_html(page("<div>" * 5000 + "x"))


def test_a_broken_drawing_is_an_error() -> None:
    with pytest.raises(NotReadable):
        print_html(
            page(
                drawing(
                    '<path d="M nonsense 1 2 3 L"/><text font-size="x">y</text>'
                    '<linearGradient id="g"/><rect width="9" fill="url(#none)"/>'
                )
                + '<p style="colour: red">x</p>'
            )
        )


# Set-up


def test_a_broken_font_is_named(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATES, tmp_path / "t")
    font = tmp_path / "t" / "fonts" / "NotoSansMono-Regular.ttf"
    font.write_bytes(font.read_bytes()[:5000])
    with pytest.raises(NotConfigured, match=r"NotoSansMono-Regular\.ttf cannot be read"):
        print_html(page("<p>x</p>"), templates=tmp_path / "t")


def test_missing_fonts_and_style_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="style of the documents cannot be read"):
        print_html(page("<p>x</p>"), templates=tmp_path)
    (tmp_path / "style.css").write_text("")
    with pytest.raises(NotConfigured, match="No font was found"):
        print_html(page("<p>x</p>"), templates=tmp_path)


def test_missing_libraries_are_named_by_their_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Without:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "weasyprint":
                raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Without(), *sys.meta_path])
    monkeypatch.setenv("FONTCONFIG_FILE", "")
    with pytest.raises(NotConfigured, match="libraries that print documents") as missing:
        _render.load_renderer(TEMPLATES, tmp_path)
    for package in ("libpango-1.0-0", "libpangoft2-1.0-0", "libharfbuzz-subset0", "MSYS2"):
        assert package in missing.value.remedy


def test_bundled_fonts_cover_what_the_documents_print() -> None:
    covered = fonts.coverage(fonts.font_files(TEMPLATES))
    needed = "♠♥♦♣→≤≥∑√×−–—…™©®§·½≠≈皇帝挑战Σ‐‘’“”"
    assert not [letter for letter in needed if ord(letter) not in covered]
    assert sum(file.stat().st_size for file in fonts.font_files(TEMPLATES)) < 2_500_000


def test_bundled_fonts_are_stripped_and_licensed() -> None:
    from fontTools.ttLib import TTFont

    for file in fonts.font_files(TEMPLATES):
        with TTFont(file) as font:
            assert not {"GDEF", "STAT", "gasp", "DSIG", "fvar"} & set(font.keys())
            assert "SIL Open Font License" in font["name"].getDebugName(13)
            assert font["OS/2"].fsType == 0  # may be embedded
    assert "SIL OPEN FONT LICENSE" in (TEMPLATES / "fonts" / "OFL.txt").read_text()


# Attachments


@pytest.mark.parametrize("name", ["", "évidence.json", "a/b.json", "a\\b", "a\nb"])
def test_an_attachment_name_is_a_plain_ascii_file_name(name: str) -> None:
    file = Attachment(
        name=name, data=b"", relationship="Data", description="", media_type="text/plain"
    )
    with pytest.raises(NotReadable, match="not a plain ASCII file name"):
        print_html(page("<p>x</p>"), attachments=(file,))


def test_two_attachments_of_one_name_are_refused() -> None:
    with pytest.raises(NotReadable, match=r"Two attachments are named 'evidence\.json'"):
        print_html(page("<p>x</p>"), attachments=(EVIDENCE, EVIDENCE))


# Signature blocks


def test_a_signature_block_outside_the_text_is_refused() -> None:
    with pytest.raises(NotReadable, match="has no place in the structure"):
        print_html(
            page(
                '<div id="signature-block" style="position: running(x)">s</div>',
                head="<style>@page { @top-center { content: element(x) } }</style>",
            )
        )


# Conformance


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<h3>Deep</h3>", 'heading level skipped: h3 "Deep" after h1'),
        ("<h2></h2>", "an empty h2"),
        (
            "<table><tr><th scope='col'>a</th><th scope='col'>b</th></tr>"
            "<tr><td>1</td></tr></table>",
            'the table "ab1" is ragged: its rows have [1, 2] columns',
        ),
        (
            "<table><tr><th scope='col' rowspan='2'>a</th></tr><tr><td>1</td></tr></table>",
            "is ragged: its rows have [1, 2] columns",
        ),
        (
            "<table><tr><th scope='col' rowspan='2'>a</th><th scope='col' rowspan='2'>b</th></tr>"
            "</table>",
            'the table "ab" has a cell that reaches below its last row',
        ),
        ("<table><tr><th colspan='2'>a</th></tr></table>", 'the header "a" has no scope'),
        ("<table><tr><td>a</td></tr></table>", "has no header cell"),
        (
            "<table><tr><th scope='col' rowspan='99999999999'>a</th></tr></table>",
            "the rowspan '99999999999' is no number below 1000",
        ),
        (
            "<table><tr><th scope='row'>a</th><td><table><tr><th scope='row'>b</th></tr></table>"
            "</td></tr></table>",
            "holds another table",
        ),
        ("<p style='opacity: 0.5'>x</p>", "transparency or device colors in a style: opacity:"),
        ("<style>p { opacity: 0.5 }</style>", "device colors in a style: opacity:"),
        ("<p style='color: rgba(0, 0, 0, .5)'>x</p>", "in a style: rgba("),
        ("<p style='color: rgb(0 0 0 / 50%)'>x</p>", "in a style: rgb(0 0 0 /"),
        ("<p style='color: device-cmyk(0 0 0 1)'>x</p>", "in a style: device-cmyk"),
        (drawing("<rect fill-opacity='0.3'/>"), "transparency in a drawing: fill-opacity='0.3'"),
        (drawing("<rect style='opacity:.3'/>"), "in a style: opacity:"),
        (drawing("<g/>", title=""), 'a drawing has no title: ""'),
        (drawing("<g/>", title="<title> </title>"), "a drawing has no title"),
        (drawing("<rect class='bar'/>"), "a drawing uses classes but has no style"),
        (
            drawing("<use href='https://example.org/x.svg#a'/>"),
            "a drawing refers to something outside itself: https://example.org/x.svg#a",
        ),
        (drawing("<image href='data:image/png;base64,AA'/>"), "a drawing holds a picture"),
        ("<p><img src='data:image/png;base64,AA'></p>", "a picture has no alternative text"),
        ("<p><img alt='a' src='data:image/svg+xml,x'></p>", "a drawing is embedded as a picture"),
        ("<p><a href='#nowhere'>x</a></p>", "the link to #nowhere leads nowhere"),
        ("<p><a href='#x'></a><b id='x'>y</b></p>", "the link to #x has no text"),
        ("<a href='#x'><div id='x'>y</div></a>", 'the link "y" holds <div>'),
        ("<p id='a'>x</p><p id='a'>y</p>", "the id 'a' stands twice"),
        ("<script>1</script>", "a script (<script>)"),
        ("<form><input></form>", "a form field (<input>)"),
    ],
)
def test_breaches_of_conformance_are_reported(body: str, problem: str) -> None:
    assert problem in "; ".join(find_problems(page(body)))


def test_what_breaks_conformance_is_not_printed() -> None:
    with pytest.raises(NotReadable) as refused:
        print_html(page("<h3>Deep</h3><p style='opacity: 1'>x</p>"))
    assert refused.value.message == (
        'The document cannot be printed as PDF/A-3a and PDF/UA-1: heading level skipped: h3 "Deep"'
        " after h1; transparency or device colors in a style: opacity:."
    )


def test_a_document_has_one_language() -> None:
    assert find_problems("<title>x</title><h1>x</h1>") == ["the html element names no language"]
    problems = find_problems(page(""), language="en-US")
    assert problems == ["the html element says lang='en', the document is declared 'en-US'"]


def test_the_first_heading_is_of_the_first_level() -> None:
    problems = find_problems(page("<h2>x</h2>", heading=""))
    assert problems == ['heading level skipped: h2 "x" after nothing']


def test_a_sound_document_has_no_problem() -> None:
    body = (
        "<h2>a</h2><h3>b</h3><h2>c</h2>"
        "<table><thead><tr><th scope='col' rowspan='2'>a</th><th scope='colgroup' colspan='2'>b"
        "</th></tr><tr><th scope='col'>c</th><th scope='col'>d</th></tr></thead><tbody><tr>"
        "<th scope='row'>e</th><td>1</td><td>2</td></tr></tbody></table>"
        + drawing("<style>.bar { fill: #123456 }</style><rect class='bar'/>")
    )
    assert find_problems(page(body), language="en") == []


def test_a_destination_is_a_number_that_a_signature_writes_alike() -> None:
    """A place of 0.0000001 pixels became ``726.``, which pyHanko writes as ``726``."""
    data = print_html(page('<p id="here" style="position: absolute; top: 0.0000001px">x</p>'))
    with pikepdf.open(BytesIO(data)) as pdf:
        names = pdf.Root.Names.unparse(resolved=True)
    assert b"/XYZ" in names
    assert re.findall(rb"[0-9]\.(?![0-9])", names) == []
