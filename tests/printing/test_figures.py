"""Printed figures, lines and words, read back from the file."""

import datetime as dt
import shutil
import subprocess
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import pikepdf
import pytest

from certify.errors import NotReadable
from certify.printing.figures import Figure, differing_figures, read_figures
from certify.printing.fonts import place_breaks, strip_marks
from certify.printing.print_pdf import Attachment, print_pdf
from certify.report.compose import compose
from tests.in_process import print_each_once
from tests.verapdf import check_conformance, where_installed

# The figures that pages print, read back from the file; and the notice over each page.


TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
STYLE = (TEMPLATES / "style.css").read_text(encoding="utf-8")
EVIDENCE = Attachment(
    name="evidence.json",
    data=b"{}",
    relationship="Data",
    description="Evidence",
    media_type="application/json",
)
CHART = """<figure class="chart"><svg xmlns="http://www.w3.org/2000/svg" role="img"
 viewBox="0 0 480 40"><title>Edges</title><g font-family="Noto Sans" font-size="9">
<text x="20" y="23">2.70%</text></g></svg><figcaption>Edges.</figcaption></figure>"""
ROWS = "".join(
    f'<tr><th scope="row">Row {number}</th><td>{number**3:,}</td><td>1/{7**number}</td></tr>'
    for number in range(1, 41)
)
BODY = f"""<h1>Report 7</h1>
<nav class="contents"><ol><li><a href="#rows">1. Rows</a></li></ol></nav>
<p>The edge is <span class="edge">2.7212%</span> and the return <b>97.2788%</b>, see
<a href="#rows">section 2</a>.</p>{CHART}<div class="formula">E = 1 − R</div>
{"<p>A line of text that is as long as the page is wide, or nearly so.</p>" * 20}<p>In 9 steps.</p>
<section><h2 id="rows" style="break-before: page">1. Rows</h2>{"<p>A line.</p>" * 9}
<table><caption>Rows</caption>
<thead><tr><th scope="col">Row</th><th scope="col">Per $1,000</th><th scope="col">Exact</th></tr>
</thead><tbody>{ROWS}</tbody></table></section>
<div id="signature-block" class="signature-block"></div>"""
NOTICE = compose("notice.html.j2", {"replaced": [(["templates/style.css"], 0)], "added": []})

Print = Callable[..., bytes]
Pairs = list[tuple[str | None, str | None]]


@pytest.fixture(scope="module")
def print_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Print]:
    """Return a function that prints a body with rules in addition to certify's own."""
    folder = tmp_path_factory.mktemp("printing")

    def print_body(body: str = BODY, rules: str = "", notice: str = "") -> bytes:
        style = folder / f"{hash(rules)}.css"
        style.write_text(STYLE + rules, encoding="utf-8")
        return print_pdf(
            '<!DOCTYPE html><html lang="en-US"><head><title>T</title></head>'
            f'<body data-document-id="D-1" data-revision="1" data-digest="0f">{body}</body></html>',
            title="T",
            language="en-US",
            document_id="D-1",
            date=dt.date(2025, 3, 9),
            attachments=(EVIDENCE,),
            templates=TEMPLATES,
            style=style,
            notice=notice,
        )

    with pytest.MonkeyPatch.context() as patch:
        print_each_once(patch)
        yield print_body


@pytest.fixture(scope="module")
def reference(print_page: Print) -> bytes:
    return print_page()


def find_differences(signed: bytes, reference: bytes) -> Pairs:
    def word(figure: Figure | None) -> str | None:
        return None if figure is None else figure.word

    return [(word(one), word(other)) for one, other in differing_figures(signed, reference)]


def test_every_figure_is_read_with_its_page(reference: bytes) -> None:
    figures = [*read_figures(reference)]
    text = [figure for figure in figures if figure.in_text]
    assert [figure.piece for figure in text[:14]] == [
        *("7", "1.", "2", "2.7212%", "97.2788%", ",", "2", ".", "2", ".", "7", "0", "%", "1.")
    ]
    assert [figure.page for figure in text[:14]] == [1] * 14
    assert text[2].target == "2"
    pieces = [figure.piece for figure in text]
    assert [str(7**40)[at : at + 10] for at in range(0, 34, 10)] == pieces[-4:]
    assert {figure.piece for figure in figures if not figure.in_text} >= {"$1,000", "0f"}


@pytest.mark.parametrize(
    "rules",
    [
        "html { font-size: 14pt; color: #0b4f8a } table { font-size: 13pt }",
        "@page { size: A5; @top-center { content: 'Our company' } }",
        "td { text-align: right; width: 20mm } body { columns: 1; letter-spacing: 0.4pt }",
        "nav.contents a::after { content: ' – ' target-counter(attr(href), page) }",
    ],
)
def test_another_layout_prints_the_same_figures(
    rules: str, print_page: Print, reference: bytes
) -> None:
    """Lines and pages end elsewhere, and headings of tables are there more often."""
    assert find_differences(print_page(rules=rules), reference) == []


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            ".edge { font-size: 0 } .edge::before { content: '0.5000%'; font-size: 9pt }",
            [("0.5000%", "2.7212%")],
        ),
        (
            ".edge { visibility: hidden } b::after { content: ' Edge 0.5%' }",
            [(None, "2.7212%"), ("0.5%", None)],
        ),
        ("@page { @bottom-center { content: 'House edge 0.5000%' } }", [("0.5000%", None)] * 3),
        ("h1::after { content: ' 99'; color: white }", [("99", None)]),
        ("caption::after { content: ' 12 of 53'; position: absolute; left: -90mm }", None),
        (
            "h1 { background: url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' "
            "width='90' height='20'%3E%3Ctext x='0' y='9' font-size='9' font-family='Noto Sans'"
            '%3E5%25%3C/text%3E%3C/svg%3E") }',
            None,
        ),
        ("p { opacity: 0.5 } .edge::after { content: ' 0.5000%' }", [("0.5000%", None)]),
    ],
)
def test_a_style_sheet_prints_no_figure_unseen(
    rules: str,
    expected: Pairs | None,
    print_page: Print,
    reference: bytes,
) -> None:
    found = find_differences(print_page(rules=rules), reference)
    if expected is None:
        assert found
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("2.7212%", "0.5000%", [("0.5000%", "2.7212%")]),
        ("2.70%", "27.0%", [("7", None), (None, "7")]),
        ("section 2", "section 3", [("3", "2")]),
        (" and the return <b>97.2788%</b>", "", [(None, "97.2788%")]),
        ("Per $1,000", "Per $2,000", [("$2,000", None)] * 2),
        ("<td>1,000</td>", "<td>1,001</td>", [("1,001", "1,000")]),
        ("<td>27</td>", "<td>64</td>", [("64", "27")]),
    ],
)
def test_a_template_prints_no_figure_unseen(
    before: str,
    after: str,
    expected: Pairs | None,
    print_page: Print,
    reference: bytes,
) -> None:
    assert before in BODY
    found = find_differences(print_page(BODY.replace(before, after)), reference)
    assert found == expected


def test_the_shapes_of_a_chart_are_no_figures(print_page: Print, reference: bytes) -> None:
    """Its labels and values are; `reproduce` says of its shapes that they were not compared."""
    bar = '<rect x="60" y="10" width="{}" height="18" fill="#486581"/>'
    pages = (print_page(BODY.replace("<text", bar.format(width) + "<text")) for width in (9, 380))
    for page in pages:
        assert find_differences(page, reference) == []


# The notice over each page
COVER = """body::before { content: ""; position: fixed; top: -24mm; left: -20mm; width: 300mm;
 height: 40mm; background: black; z-index: 99999 }
#notice, p strong { display: none !important }"""


@pytest.fixture(scope="module")
def noticed(print_page: Print) -> bytes:
    return print_page(rules=COVER, notice=NOTICE)


def test_the_notice_is_on_each_page_and_first_in_its_text(noticed: bytes) -> None:
    words = "Built-in records replaced: templates/style.css."
    with pikepdf.open(BytesIO(noticed)) as pdf:
        count = len(pdf.pages)
        first = pdf.Root.StructTreeRoot.K[0].K[0]
        assert first.S == "/P"
        assert first.Pg == pdf.pages[0].obj
    for number in range(1, count + 1):
        text = subprocess.run(
            ["pdftotext", "-raw", "-f", str(number), "-l", str(number), "-", "-"],
            input=noticed,
            capture_output=True,
            check=True,
        ).stdout.decode()
        assert text.count(words) == 1


def test_no_style_covers_the_notice(noticed: bytes) -> None:
    """The page around it is black, its own ground is white."""
    drawn = subprocess.run(
        ["pdftoppm", "-gray", "-r", "72", "-f", "2", "-l", "2", "-"],
        input=noticed,
        capture_output=True,
        check=True,
    ).stdout
    _, size, _, pixels = drawn.split(b"\n", 3)
    width = int(size.split()[0])
    assert pixels[width * 3 + 300] == 0
    row = pixels[width * 11 :][:width]
    assert row[57:59] != b"\0\0"
    assert sum(shade > 200 for shade in row) > 400


@pytest.mark.parametrize("rule", ["margin-top: -21mm", "position: relative; top: -21mm"])
def test_no_signature_covers_the_notice(rule: str, print_page: Print) -> None:
    rules = f".signature-block {{ break-before: page; {rule} }}"
    with pytest.raises(NotReadable, match='id="signature-block" is over the notice of the page'):
        print_page(rules=rules, notice=NOTICE)


def test_a_document_without_such_files_has_no_notice(reference: bytes, print_page: Print) -> None:
    assert print_page(notice="") == reference


@where_installed
def test_verapdf_finds_pages_with_a_notice_conformant(noticed: bytes, tmp_path: Path) -> None:
    file = tmp_path / "noticed.pdf"
    file.write_bytes(noticed)
    check_conformance([file])


TEXT = (
    "Read here: The first row in printed order that the hand contains; the matching printed counts "
    "of commission-free-pai-gow-express need it. See <em>house way</em>, ace-high and two-pair "
    "hands."
)


def printed_lines(widths: list[str], folder: Path) -> list[str]:
    if shutil.which("pdftotext") is None:
        pytest.skip("not installed: pdftotext")
    columns = "".join(f'<p style="width: {width}; font-size: 9.5pt">{TEXT}</p>' for width in widths)
    pdf = print_pdf(
        '<html lang="en-US"><head><title>Lines</title></head><body data-document-id="L-1" '
        f'data-revision="1" data-digest="0"><h1>Lines</h1>{columns}</body></html>',
        title="Lines",
        language="en-US",
        document_id="L-1",
        date=dt.date(2026, 1, 15),
        attachments=(),
        templates=TEMPLATES,
    )
    (folder / "lines.pdf").write_bytes(pdf)
    printed = subprocess.run(
        ["pdftotext", "-layout", folder / "lines.pdf", "-"],
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.strip() for line in printed.stdout.splitlines() if line.strip()]


def test_a_space_at_the_end_of_a_text_does_not_push_its_words_to_the_next_line(
    tmp_path: Path,
) -> None:
    # "See " with its space is wider than these lines and "See" is not: Pango 1.50 left "matching"
    # alone on a line, Pango 1.56 did not.
    widths = ["116mm", "116.25mm", "116.5mm"]
    lines = printed_lines(widths, tmp_path)
    broken = [
        "Read here: The first row in printed order that the hand contains; the",
        "matching printed counts of commission-free-pai-gow-express need it. See",
        "house way, ace-high and two-pair hands.",
    ]
    start = lines.index(broken[0])
    assert lines[start : start + len(broken) * len(widths)] == broken * len(widths)


def test_a_long_word_breaks_only_at_its_hyphens(tmp_path: Path) -> None:
    lines = printed_lines([f"{width}mm" for width in range(60, 160)], tmp_path)
    assert any(line.endswith("commission-") for line in lines)
    assert [line for line in lines if line.startswith("-") or line.endswith("commission")] == []


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("It complies with WAC 230-15-465.", ["It", "complies", "with", "WAC 230-15-465."]),
        ("below 50 to 1, and", ["below 50 to 1,", "and"]),
        ("a deck of 53 cards", ["a", "deck", "of 53", "cards"]),
        ("the whole 1234567890-12345", ["the", "whole", "1234567890-12345"]),
        ("above K-Q-J-10-9. †", ["above", "K-\u2060Q-\u2060J-\u206010-\u20609.", "†"]),
        ("on 2026-11-21 or 26-11", ["on 2026-11-21", "or 26-11"]),
    ],
)
def test_a_number_stays_with_its_word(text: str, pieces: list[str]) -> None:
    paragraph = ET.Element("p")
    bold = ET.SubElement(paragraph, "b")
    paragraph.text = bold.tail = text
    place_breaks(paragraph)
    assert paragraph.text == bold.tail
    assert (paragraph.text or "").split(" ") == [piece.replace(" ", "\u00a0") for piece in pieces]
    assert strip_marks(paragraph.text or "").replace("\u00a0", " ") == text


def test_a_number_of_sixteen_digits_is_whole_and_a_longer_one_is_not() -> None:
    paragraph = ET.Element("p")
    paragraph.text = f"{'7' * 16}/{'9' * 17}"
    place_breaks(paragraph)
    assert paragraph.text == f"{'7' * 16}/\u200b{'9' * 10}\u200b{'9' * 7}"


def test_a_heading_gets_no_marks() -> None:
    heading = ET.Element("h2")
    heading.text = "Table 3 of K-Q-J-10-9"
    place_breaks(heading)
    assert heading.text == "Table 3 of K-Q-J-10-9"
