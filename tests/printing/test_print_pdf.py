"""The printed file, looked at from outside: one realistic document, checked object by object."""

import datetime as dt
import math
import re
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pikepdf
import pytest
from pyhanko.pdf_utils.reader import PdfFileReader

from certify.printing.print_pdf import Attachment, print_pdf
from tests.verapdf import check_conformance, where_installed

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
DATE = dt.date(2026, 1, 15)
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
EVIDENCE = b'{"total": 154143080}\n'
ATTACHMENTS = (
    Attachment(
        name="paytable.json",
        data=b'{"rows": []}\n',
        relationship="Source",
        description="Declared paytable",
        media_type="application/json",
    ),
    Attachment(
        name="evidence.json",
        data=EVIDENCE,
        relationship="Data",
        description="Evidence of every figure",
        media_type="application/json",
    ),
    Attachment(
        name="copy-of-evidence.csv",
        data=EVIDENCE,
        relationship="Source",
        description="The same bytes under another name",
        media_type="text/csv",
    ),
)
CHART = """<figure class="chart"><svg xmlns="http://www.w3.org/2000/svg" role="img"
 viewBox="0 0 480 120"><title>Bar chart: ways to draw seven cards by number of aces. 0: the most;
 4: the fewest.</title>
<g font-family="Noto Sans" font-size="9" fill="#1f2933">
<rect x="60" y="10" width="380" height="18" fill="#486581"/><text x="20" y="23">0 aces</text>
<rect x="60" y="38" width="285" height="18" fill="#829ab1"/><text x="20" y="51">1 ace</text>
<rect x="60" y="66" width="77" height="18" fill="#bcccdc" stroke="#486581"/>
<text x="20" y="79">2 aces</text><text x="145" y="79">♠♥♦♣ ≤ 2</text>
<line x1="60" y1="5" x2="60" y2="110" stroke="#1f2933"/></g></svg>
<figcaption>Ways to draw seven cards, by number of aces.</figcaption></figure>"""
CARDS = (
    '<span class="hand"><span class="card black">A♠</span><span class="card red">K♥</span>'
    '<span class="card red">10♦</span><span class="card black">7♣</span>'
    '<span class="card joker">Joker</span></span>'
)


def rows() -> str:
    """Return sixty rows of real counts: C(53, k) for k = 1 to 60, with a long fraction each."""
    return "".join(
        f'<tr><th scope="row">Draw {k} of 53 cards</th>'
        f'<td class="number">{math.comb(53, k % 27 + 1):,}</td>'
        f'<td class="exact">1/{math.comb(53, 26) ** 3 * k}</td>'
        f'<td class="number">{k} to 1</td></tr>'
        for k in range(1, 61)
    )


def sample_html(*, draft: bool = True) -> str:
    return f"""<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8">
<title>Emperor’s Challenge Exposed – Mathematics Report</title></head>
<body class="{"draft" if draft else "final"}" data-document-id="EC-MATH-0001" data-revision="3"
 data-digest="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08">
<section class="cover"><h1>Emperor’s Challenge™ Exposed</h1>
<p class="original-title" lang="zh">皇帝挑战</p><p class="subtitle">Mathematics report</p>
<table class="facts"><tbody><tr><th scope="row">Document</th><td>EC-MATH-0001</td></tr>
<tr><th scope="row">Jurisdiction</th><td>Nevada</td></tr>
<tr><th scope="row">Evidence</th>
<td class="digest">9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</td></tr>
</tbody></table><p class="warning">Signed with a development key. It proves that the text is
unchanged; it does not prove who signed it.</p></section>
<nav class="contents"><h2 id="contents">Contents</h2><ol><li><a href="#wager">1 The wager</a></li>
<li><a href="#figures">2 Figures</a></li><li><a href="#signatures">3 Signatures</a></li></ol></nav>
<section><h2 id="wager">1 The wager</h2><p>The player holds {CARDS} and the joker completes
the straight. A return is ∑ probability × pay; the edge is 1 − return ≤ 10 %, √2 ≈ 1.41, ½ ≠ ⅓ …
→ see <a href="#figures">the figures</a> (source: Appendix C, § 3 · note 3).</p>
<p class="note">“Push” means that the wager is returned © ®.</p>
<ol><li>The dealer deals seven cards.</li><li>The player sets two hands.<ol><li>The low hand
holds two cards.</li></ol></li><li><p>The dealer sets two hands.</p><ol><li><p>By the house way.</p>
</li></ol></li></ol><ul><li>Ace-high pushes.</li></ul>
<h3>How often aces come</h3>{CHART}
<table><caption>Ways by number of aces</caption><thead><tr><th scope="col" rowspan="2">Aces</th>
<th scope="colgroup" colspan="2">Seven cards</th></tr><tr><th scope="col" class="number">Ways</th>
<th scope="col" class="number">Share</th></tr></thead><tbody>
<tr><th scope="row">None</th><td class="number">{math.comb(49, 7):,}</td>
<td class="number">55.7 %</td></tr><tr><th scope="row">One</th>
<td class="number">{4 * math.comb(49, 6):,}</td><td class="number">36.3 %</td></tr>
</tbody></table></section>
<section><h2 id="figures">2 Figures</h2><h3>Every row</h3><table><caption>Sixty rows</caption>
<thead><tr><th scope="col">Event</th><th scope="col" class="number">Combinations</th>
<th scope="col" class="number">Probability</th><th scope="col" class="number">Pays</th></tr></thead>
<tbody>{rows()}</tbody></table></section>
<section class="signatures"><h2 id="signatures">3 Signatures</h2>
<p>Signed for the applicant:</p><div id="signature-block" class="signature-block"></div>
<p>Examined by:</p><div id="laboratory-signature-block" class="signature-block"></div>
<p>Approved by:</p><div id="approver-signature-block" class="signature-block"></div></section>
</body></html>"""


def print_document(html: str, attachments: tuple[Attachment, ...] = ATTACHMENTS) -> bytes:
    return print_pdf(
        html,
        title="Emperor’s Challenge Exposed – Mathematics Report",
        language="en-US",
        document_id="EC-MATH-0001",
        date=DATE,
        attachments=attachments,
        templates=TEMPLATES,
    )


@pytest.fixture(scope="module")
def data() -> bytes:
    return print_document(sample_html())


@pytest.fixture(scope="module")
def pdf(data: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(BytesIO(data)) as opened:
        yield opened


def elements(pdf: pikepdf.Pdf) -> list[Any]:
    """Return every structure element that hangs on the tree, in reading order."""
    found: list[Any] = []

    def visit(node: pikepdf.Object | None) -> None:
        if isinstance(node, pikepdf.Array):
            for kid in node:
                visit(kid)
        elif isinstance(node, pikepdf.Dictionary) and "/S" in node:
            found.append(node)
            visit(node.get("/K"))

    visit(pdf.Root.StructTreeRoot.K)
    return found


def instructions(page: pikepdf.Page) -> list[tuple[Any, str]]:
    return [(step.operands, str(step.operator)) for step in pikepdf.parse_content_stream(page)]


def kids(element: pikepdf.Object) -> list[Any]:
    inside = element.get("/K", pikepdf.Array())
    return list(inside) if isinstance(inside, pikepdf.Array) else [inside]


def annotations(pdf: pikepdf.Pdf) -> list[Any]:
    return [note for page in pdf.pages for note in page.obj.get("/Annots", [])]


def parent_tree(pdf: pikepdf.Pdf) -> dict[int, Any]:
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    return dict(zip((int(key) for key in numbers[::2]), numbers[1::2], strict=True))


def test_qpdf_finds_nothing_wrong(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "document.pdf"
    file.write_bytes(data)
    checked = subprocess.run(
        ["qpdf", "--check", str(file)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "WARNING" not in checked.stdout + checked.stderr


@where_installed
def test_verapdf_agrees(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "document.pdf"
    file.write_bytes(data)
    check_conformance([file])


def test_one_rdf_declares_both_standards(pdf: pikepdf.Pdf) -> None:
    packet = pdf.Root.Metadata.read_bytes()
    assert packet.count(b"<rdf:RDF") == 1
    inner = packet[packet.index(b"<x:xmpmeta") : packet.index(b"<?xpacket end")]
    root = ET.fromstring(inner)  # noqa: S314 - our own file
    about = root.findall(f"{RDF}RDF/{RDF}Description")
    assert len(about) == 1
    simple = {
        child.tag.split("}")[0][1:] + child.tag.split("}")[1]: child.text for child in about[0]
    }
    assert simple["http://www.aiim.org/pdfa/ns/id/part"] == "3"
    assert simple["http://www.aiim.org/pdfa/ns/id/conformance"] == "A"
    assert simple["http://www.aiim.org/pdfua/ns/id/part"] == "1"
    assert b"<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>" in packet
    assert "/Filter" not in pdf.Root.Metadata


def test_information_and_metadata_agree(pdf: pikepdf.Pdf) -> None:
    packet = pdf.Root.Metadata.read_bytes().decode()
    information = pdf.docinfo
    assert str(information["/CreationDate"]) == str(information["/ModDate"]) == "D:20260115000000Z"
    dates = set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]+\w", packet))
    assert dates == {"2026-01-15T00:00:00Z"}
    for key in ("/Title", "/Producer", "/Creator"):
        assert str(information[key]) in packet


def test_the_only_dates_are_the_declared_one(pdf: pikepdf.Pdf) -> None:
    plain = BytesIO()
    pdf.save(plain, object_stream_mode=pikepdf.ObjectStreamMode.disable, static_id=True)
    dates = set(re.findall(rb"D:\d{8,}[^)]*", plain.getvalue()))
    assert dates == {b"D:20260115000000Z"}
    assert b"/tmp" not in plain.getvalue()


def test_catalog_declares_tags_language_title_and_colors(pdf: pikepdf.Pdf) -> None:
    root = pdf.Root
    assert bool(root.MarkInfo.Marked)
    assert str(root.Lang) == "en-US"
    assert bool(root.ViewerPreferences.DisplayDocTitle)
    assert [str(intent.S) for intent in root.OutputIntents] == ["/GTS_PDFA1"]
    assert int(root.OutputIntents[0].DestOutputProfile.N) == 3
    assert "/OpenAction" not in root
    assert "/AA" not in root
    assert pdf.trailer.ID[0] != pdf.trailer.ID[1]


def test_no_script_and_no_action_but_going_somewhere(pdf: pikepdf.Pdf) -> None:
    for entry in pdf.objects:
        if isinstance(entry, pikepdf.Dictionary):
            assert str(entry.get("/S")) not in {"/JavaScript", "/Launch", "/SubmitForm", "/URI"}
            assert "/JS" not in entry
            assert "/AA" not in entry


def test_every_annotation_is_tagged_and_described(pdf: pikepdf.Pdf) -> None:
    parents = parent_tree(pdf)
    found = annotations(pdf)
    assert {str(note.Subtype) for note in found} == {"/Link", "/Widget"}
    for note in found:
        assert str(note.Contents).strip()
        assert int(note.F) == 4
        holder = parents[int(note.StructParent)]
        assert str(holder.S) == {"/Link": "/Link", "/Widget": "/Form"}[str(note.Subtype)]
        held = [
            kid.Obj.objgen
            for kid in kids(holder)
            if isinstance(kid, pikepdf.Dictionary) and str(kid.get("/Type")) == "/OBJR"
        ]
        assert held == [note.objgen]
    assert len({int(note.StructParent) for note in found}) == len(found)
    assert max(parents) < int(pdf.Root.StructTreeRoot.ParentTreeNextKey)


def test_links_read_as_words(pdf: pikepdf.Pdf) -> None:
    words = [str(n.Contents) for n in annotations(pdf) if str(n.Subtype) == "/Link"]
    assert words == ["1 The wager", "2 Figures", "3 Signatures", "the figures"]


def test_pages_with_annotations_are_read_in_structure_order(pdf: pikepdf.Pdf) -> None:
    assert all(str(page.obj.Tabs) == "/S" for page in pdf.pages)


def identified(pdf: pikepdf.Pdf) -> dict[str, tuple[int, int]]:
    """Return the numbers of the structure elements by their identifiers, which are sorted."""
    names = list(pdf.Root.StructTreeRoot.IDTree.Names)
    keys = [str(key) for key in names[::2]]
    assert keys == sorted(keys)
    return {key: element.objgen for key, element in zip(keys, names[1::2], strict=True)}


@pytest.mark.parametrize(
    ("name", "index", "height"), [("Signature", 0, 88), ("Laboratory", 1, 262), ("Approver", 2, 88)]
)
def test_signature_field_is_empty_tagged_and_placed(
    pdf: pikepdf.Pdf, name: str, index: int, height: int
) -> None:
    form = pdf.Root.AcroForm
    assert "/NeedAppearances" not in form
    assert "/XFA" not in form
    assert form.SigFlags == 1  # there are fields; nothing yet that a change would break
    assert len(form.Fields) == 3
    widget = form.Fields[index]
    assert str(widget.T) == name
    assert str(widget.FT) == "/Sig"
    assert "/V" not in widget
    assert str(widget.TU)
    left, foot, right, top = (float(value) for value in widget.Rect)
    inset = 2 * 72 / 25.4 + 1.2  # 1 mm and a frame of 0.6 points at each side
    inside = (498 - inset, height - inset)  # the width of the type area
    assert (right - left, top - foot) == pytest.approx(inside, abs=0.01)
    (page,) = (
        each
        for each in pdf.pages
        if any(n.objgen == widget.objgen for n in each.get("/Annots", ()))
    )
    assert widget.P.objgen == page.obj.objgen
    assert [float(value) for value in widget.AP.N.BBox] == pytest.approx(
        [0, 0, right - left, top - foot]
    )
    holder = parent_tree(pdf)[int(widget.StructParent)]
    assert identified(pdf)[name] == holder.objgen
    assert str(holder.ID) == name
    assert str(holder.Alt)
    assert str(holder.K.Type) == "/OBJR"  # one object reference, not even an array around it
    assert holder.K.Obj.objgen == widget.objgen


def test_the_structure_begins_with_the_identifiers(data: bytes) -> None:
    """DSS before 6.4 reads entries in their order, and permits a signature that it reaches so."""
    root = PdfFileReader(BytesIO(data)).root["/StructTreeRoot"]
    assert next(iter(root)) == "/IDTree"


def test_the_field_follows_its_text(pdf: pikepdf.Pdf) -> None:
    kinds = [str(element.S) for element in elements(pdf)]
    assert kinds.count("/Form") == 3
    first = kinds.index("/Form")
    assert kinds[first - 1] == "/Div"
    assert "/P" in kinds[first:]  # "Examined by" is read after the first field


def test_fonts_are_embedded_and_map_back_to_text(pdf: pikepdf.Pdf) -> None:
    fonts = [
        o
        for o in pdf.objects
        if isinstance(o, pikepdf.Dictionary)
        and str(o.get("/Type")) == "/Font"
        and str(o.Subtype) == "/Type0"
    ]
    assert len(fonts) >= 5
    for font in fonts:
        assert re.match(r"/[A-Z]{6}\+Noto", str(font.BaseFont))
        descriptor = font.DescendantFonts[0].FontDescriptor
        assert len(descriptor.FontFile2.read_bytes()) > 500
        mapping = font.ToUnicode.read_bytes()
        targets = re.findall(rb"<[0-9a-f]{4}> <([0-9a-f]*)>", mapping)
        assert targets
        assert all(target and target not in {b"0000", b"feff", b"fffe"} for target in targets)


def test_attachments_are_associated_once_with_their_relationships(pdf: pikepdf.Pdf) -> None:
    names = pdf.Root.Names.EmbeddedFiles.Names
    keys = [str(key) for key in list(names)[::2]]
    assert keys == ["copy-of-evidence.csv", "evidence.json", "paytable.json"]
    related = list(pdf.Root.AF)
    assert len({file.objgen for file in related}) == len(related) == 3
    by_name = {str(file.UF): file for file in related}
    assert {name: str(file.AFRelationship) for name, file in by_name.items()} == {
        "copy-of-evidence.csv": "/Source",
        "evidence.json": "/Data",
        "paytable.json": "/Source",
    }
    assert str(by_name["copy-of-evidence.csv"].EF.F.Subtype) == "/text/csv"
    assert by_name["evidence.json"].EF.F.read_bytes() == EVIDENCE
    assert str(by_name["evidence.json"].EF.F.Params.ModDate) == "D:20260115000000Z"
    assert str(by_name["evidence.json"].Desc) == "Evidence of every figure"


def test_every_drawn_text_is_tagged_or_a_running_header(pdf: pikepdf.Pdf) -> None:
    parents = parent_tree(pdf)
    for page in pdf.pages:
        marks = parents[int(page.obj.StructParents)]
        stack: list[str] = []
        for operands, operator in instructions(page):
            match operator:
                case "BMC":
                    stack.append(str(operands[0]))
                case "BDC":
                    number = operands[1].get("/MCID")
                    if number is not None:
                        assert "/S" in marks[int(number)]
                    stack.append(str(operands[0]))
                case "EMC":
                    stack.pop()
                case "Tj" | "TJ" | "S" | "f" | "B" | "Do" | "f*" | "re" | "sh":
                    assert len(stack) <= 1  # an artifact never stands inside content
                    assert stack or operator == "re"  # a clip draws nothing
        assert not stack


def test_running_headers_are_pagination_artifacts(pdf: pikepdf.Pdf) -> None:
    for page in pdf.pages:
        kinds = [
            str(operands[1].Subtype)
            for operands, operator in instructions(page)
            if operator == "BDC" and str(operands[0]) == "/Artifact"
        ]
        assert kinds.count("/Header") == 2  # identifier with revision, draft banner
        assert kinds.count("/Footer") == 2  # digest, page number


def test_tables_are_regular_and_their_cells_know_their_headers(pdf: pikepdf.Pdf) -> None:
    keys = identified(pdf).keys() - {"Signature", "Laboratory", "Approver"}
    cells = [element for element in elements(pdf) if str(element.S) in {"/TH", "/TD"}]
    headers = [cell for cell in cells if str(cell.S) == "/TH"]
    assert {str(cell.A.Scope) for cell in headers} == {"/Row", "/Column"}
    assert {str(cell.ID) for cell in headers} == keys
    for cell in cells:
        if str(cell.S) == "/TD":
            assert {str(key) for key in cell.A.Headers} <= keys
            assert len(cell.A.Headers) >= 1


def test_a_header_over_two_columns_serves_both(pdf: pikepdf.Pdf) -> None:
    spanning = next(e for e in elements(pdf) if str(e.S) == "/TH" and "/ColSpan" in e.A)
    served = [
        e
        for e in elements(pdf)
        if str(e.S) == "/TD" and str(spanning.ID) in {str(key) for key in e.A.Headers}
    ]
    assert len(served) == 4


def test_the_chart_is_a_figure_with_words_and_a_place(pdf: pikepdf.Pdf) -> None:
    figures = [element for element in elements(pdf) if str(element.S) == "/Figure"]
    assert len(figures) == 1
    assert str(figures[0].Alt).startswith("Bar chart")
    left, foot, right, top = (float(value) for value in figures[0].A.BBox)
    assert 0 < left < right < 612
    assert 0 < foot < top < 792


def test_chinese_is_marked_as_chinese(pdf: pikepdf.Pdf) -> None:
    assert [str(e.Lang) for e in elements(pdf) if "/Lang" in e] == ["zh"]


def test_lists_declare_their_numbering(pdf: pikepdf.Pdf) -> None:
    numbered = [str(e.A.ListNumbering) for e in elements(pdf) if str(e.S) == "/L"]
    assert numbered == ["/None", "/Decimal", "/Decimal", "/Decimal", "/Disc"]


def test_items_hold_a_label_and_one_body(pdf: pikepdf.Pdf) -> None:
    # ISO 14289-1, 7.2: an LI holds nothing but Lbl and LBody.
    items = [element for element in elements(pdf) if element.S == "/LI"]
    assert len(items) >= 9
    for item in items:
        held = [str(kid.S) for kid in kids(item)]
        assert held in (["/Lbl", "/LBody"], ["/LBody"]), held
    for body in (element for element in elements(pdf) if element.S == "/LBody"):
        assert kids(body)
        assert all(kid.P.objgen == body.objgen for kid in kids(body) if hasattr(kid, "S"))


def test_headings_become_bookmarks(pdf: pikepdf.Pdf) -> None:
    with pdf.open_outline() as outline:
        top = outline.root[0]
        assert top.title == "Emperor’s Challenge™ Exposed"
        assert [item.title for item in top.children] == [
            "Contents",
            "1 The wager",
            "2 Figures",
            "3 Signatures",
        ]
        assert [item.title for item in top.children[1].children] == ["How often aces come"]


def text_of_pages(data: bytes, folder: Path) -> list[str]:
    file = folder / "document.pdf"
    file.write_bytes(data)
    text = subprocess.run(
        ["pdftotext", "-layout", str(file), "-"], capture_output=True, check=True
    ).stdout.decode()
    return text.split("\f")[:-1]


def test_every_page_names_its_document(data: bytes, tmp_path: Path) -> None:
    pages = text_of_pages(data, tmp_path)
    for number, page in enumerate(pages, start=1):
        assert "EC-MATH-0001" in page
        assert "revision 3" in page.lower()
        assert "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" in page
        assert f"Page {number} of {len(pages)}" in page
        assert "DRAFT – NOT FOR SUBMISSION" in page


def test_text_is_extracted_unchanged(data: bytes, tmp_path: Path) -> None:
    text = "".join(text_of_pages(data, tmp_path))
    for words in ("皇帝挑战", "A♠", "K♥", "10♦", "7♣", "∑", "√", "≤", "≠", "½", "…", "→", "™", "−"):
        assert words in text
    for k in range(1, 61):
        assert f"Draw {k} of 53 cards" in text


def test_a_table_repeats_its_header_and_holds_its_first_rows_together(
    data: bytes, tmp_path: Path
) -> None:
    pages = [page for page in text_of_pages(data, tmp_path) if "of 53 cards" in page]
    assert len(pages) == 3
    for page in pages:
        head = page.index("Combinations")
        assert head < page.index("of 53 cards")
        assert page.count("of 53 cards") >= 2


def test_a_final_document_carries_no_draft_mark(tmp_path: Path) -> None:
    pages = text_of_pages(print_document(sample_html(draft=False), ()), tmp_path)
    assert "DRAFT" not in "".join(pages)
