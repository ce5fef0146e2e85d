import datetime as dt
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, meta, nodes

from certify.errors import InvariantBroken
from certify.model.paytable import Basis, Payout
from certify.report.compose import FILTERS, compose, visible
from certify.report.tables import table
from tests.html_documents import parse, read_text

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
NAMES = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.j2"))
ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.Name,
    nodes.NSRef,
    nodes.Getattr,
    nodes.Const,
    nodes.For,
    nodes.If,
    nodes.Not,
    nodes.And,
    nodes.Or,
    nodes.CondExpr,
    nodes.Tuple,
    nodes.Macro,
    nodes.Call,
    nodes.CallBlock,
    nodes.Filter,
    nodes.Keyword,
    nodes.Import,
    nodes.Include,
    nodes.Extends,
    nodes.Block,
)
"""Loops and conditions over given values, filters and building blocks: nothing is computed."""

OF_FORMS = (
    nodes.Assign,
    nodes.Compare,
    nodes.Operand,
    nodes.Concat,
    nodes.Getitem,
    nodes.List,
    nodes.Dict,
    nodes.Pair,
)
"""The desk's forms also put together names of fields and choose words by what is chosen there."""


def parse_template(text: str) -> nodes.Template:
    return Environment(autoescape=True).parse(text)


def offences(tree: nodes.Node, *, of_a_form: bool = False) -> Iterator[str]:
    for node in tree.find_all(nodes.Node):
        place = f"line {node.lineno}: {type(node).__name__}"
        if not isinstance(node, (*ALLOWED, *OF_FORMS) if of_a_form else ALLOWED):
            yield place
        if isinstance(node, nodes.Call) and not calls_macro(node):
            yield f"{place} of something that is no macro"
        if isinstance(node, nodes.Filter) and node.name not in FILTERS:
            yield f"{place} {node.name} that writes no value"
        if isinstance(node, nodes.Filter) and not all(
            isinstance(argument, nodes.Const) for argument in node.args
        ):
            yield f"{place} {node.name} by a value"
        if isinstance(node, nodes.Tuple) and node.ctx != "store" and not of_a_form:
            yield f"{place} that is made here"


def calls_macro(call: nodes.Call) -> bool:
    target = call.node
    if isinstance(target, nodes.Getattr):
        return isinstance(target.node, nodes.Name) and target.node.name in {"draw", "form", "field"}
    return isinstance(target, nodes.Name)


@pytest.mark.parametrize("name", NAMES)
def test_a_template_computes_nothing_and_forms_values_by_the_filters_alone(name: str) -> None:
    tree = parse_template((TEMPLATES / name).read_text(encoding="utf-8"))
    assert list(offences(tree, of_a_form=name.startswith("desk/"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "{{ a + 1 }}",
        "{{ a ~ b }}",
        "{{ a | round }}",
        "{{ a | upper }}",
        "{{ a | percent(b) }}",
        "{% filter upper %}a{% endfilter %}",
        "{{ '%d' % a }}",
        "{{ a[0] }}",
        "{% if a == 1 %}x{% endif %}",
        "{% if a is defined %}x{% endif %}",
        "{% set a = 1 %}",
        "{{ a.upper() }}",
        "{{ (1, 2) }}",
    ],
)
def test_the_walk_sees_logic(text: str) -> None:
    assert list(offences(parse_template(text)))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{{ hands | count }}", "154,143,080"),
        ("{{ edge | percent }}", "−1.9946%"),
        ("{{ edge | percent(2) }}", "−1.99%"),
        ("{{ edge | points }}", "−1.9946"),
        ("{{ edge | exact }}", "−9973/500000"),
        ("{{ edge | decimal(3) }}", "−0.020"),
        ("{{ cents | money }}", "$1,250.50"),
        ("{{ payout | odds }}", "3 to 2"),
        ("{{ half | plain }} {{ half | rounds }} {{ half | root(2) }}", "0.5 2.0 0.71"),
        ("{{ names | listed }}; {{ names | listed('or') }}", "A, B and C; A, B or C"),
        ("{{ nothing | percent }}{{ nothing | money }}{{ nothing | odds }}", "–––"),
    ],
)
def test_a_filter_writes_a_value(tmp_path: Path, text: str, printed: str) -> None:
    (tmp_path / "page.html.j2").write_text(text, encoding="utf-8")
    values = {
        "hands": 154_143_080,
        "edge": Fraction(-9973, 500_000),
        "cents": 125_050,
        "payout": Payout(basis=Basis.TO, amount=Fraction(3, 2)),
        "half": Fraction(1, 2),
        "names": ("A", "B", "C"),
        "nothing": None,
    }
    assert compose("page.html.j2", values, templates=tmp_path) == printed


def test_every_template_that_is_named_exists() -> None:
    environment = Environment(autoescape=True, loader=FileSystemLoader(TEMPLATES))
    environment.filters = dict(FILTERS)
    for name in NAMES:
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        for named in meta.find_referenced_templates(parse_template(text)):
            # None is a section's own template, which the view gives.
            assert named is None or environment.get_template(named)


def test_a_name_that_the_view_does_not_have_is_a_defect() -> None:
    with pytest.raises(InvariantBroken, match="does not fit what it was given"):
        compose("rules.html.j2", {}, templates=TEMPLATES)


# Markup, template code, a long word, marks that turn the direction, control characters, entities.
HOSTILE = (
    "<script>alert(1)</script>",
    "</td></table><h1>broken</h1>",
    "{{ 7*7 }}",
    "{% include 'x' %}",
    "Verylongword" * 40,
    "100 to 1\u202e1 ot 999",
    "bell\a and escape\x1b[31m",
    "&lt;b&gt; &amp; &#65;",
    "-->]]>",
)
SHOWN = {
    "100 to 1\u202e1 ot 999": "100 to 1[U+202E]1 ot 999",
    "bell\a and escape\x1b[31m": "bell[U+0007] and escape[U+001B][31m",
}


def hostile_document(folder: Path) -> str:
    (folder / "parts").mkdir()
    for name in ("base.html.j2", "parts/macros.html.j2", "parts/forms.html.j2"):
        shutil.copy(TEMPLATES / name, folder / name)
    page = (
        '{% extends "base.html.j2" %}{% import "parts/macros.html.j2" as draw %}'
        "{% block body %}<h1>{{ title }}</h1>{{ draw.table(it) }}{% endblock %}"
    )
    (folder / "page.html.j2").write_text(page, encoding="utf-8")
    view = {
        "title": "Hostile <i>title</i>",
        "report_id": 'id" class="draft',
        "revision": "1",
        "revised": dt.date(2026, 1, 1),
        "digest": "0",
        "draft": False,
        "it": table("Caption & <b>", "Hand | #Pays", [(text, text) for text in HOSTILE]),
    }
    return compose("page.html.j2", view, templates=folder)


def test_hostile_strings_print_as_themselves(tmp_path: Path) -> None:
    text = "".join(read_text(parse(hostile_document(tmp_path))).split())
    for hostile in HOSTILE:
        shown = "".join(SHOWN.get(hostile, hostile).split())
        assert text.count(shown) >= 2, hostile
    assert "49" not in text


def test_marks_that_cannot_be_seen_are_written_out() -> None:
    assert visible("a\u200fb\ud800") == "a[U+200F]b[U+D800]"
    assert visible("line\nline\ttab") == "line\nline\ttab"
    assert visible("A♠ ≤ 皇帝") == "A♠ ≤ 皇帝"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("Add `absent` & more.", "Add <code>absent</code> &amp; more."),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("one ` alone", "one ` alone"),
        ("`\u202e`", "<code>[U+202E]</code>"),
    ],
)
def test_parts_in_backticks_are_code(text: str, markup: str) -> None:
    assert FILTERS["code"](text) == markup
