"""Sphinx settings of the site that `make site` builds under out/site/."""

import os
import re
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from certify import __version__

project = "certify"
version = release = __version__

html_show_copyright = False
html_show_sphinx = False

extensions = ["myst_parser", "sphinx_copybutton"]
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"  # text is output
copybutton_prompt_text = "$ "
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # a table of figures has no highlighting

html_math_renderer = "mathml"  # works in every browser without network access
html_theme = "furo"
html_title = f"certify {version}"
REPOSITORY = os.environ.get("CERTIFY_REPOSITORY_URL", "")
"""Address of the repository on GitHub or GitLab; if it is set, pages link to source and editor."""

html_theme_options = (
    {
        f"source_{word}_link": f"{REPOSITORY}/{path}/main/docs/{{filename}}"
        for word, path in (("view", "blob"), ("edit", "edit"))
    }
    if REPOSITORY
    else {}
)
html_copy_source = True  # the Markdown of each page, which `llms.txt` lists
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["tabs.js"]
html_search_scorer = str(Path(__file__).with_name("search.js"))

SAMPLES = Path(__file__).parents[1] / "out" / "samples"
"""Sample submissions that `make site` writes and copies into the site."""

html_extra_path = [str(SAMPLES)] if SAMPLES.is_dir() else []

FINDINGS = "reference/findings/"


GLOSSARY = "reference/glossary"


def read_terms() -> dict[str, str]:
    """Return the meaning of each term of the glossary, without markup."""
    text = Path(__file__).parent.joinpath(f"{GLOSSARY}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .*\|$", text, re.MULTILINE)
    return {
        term: re.sub(r"`|\[(.+?)\]\(.+?\)", r"\1", meaning)
        for terms, meaning in rows
        for term in terms.split(", ")
    }


def index_terms(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the terms of the glossary to the index, so that the search finds the page."""
    if page == GLOSSARY:
        entries = ", ".join(f"! {term}" for term in read_terms())
        source[0] = source[0].replace("\n\n", f"\n\n```{{index}} {entries}\n```\n\n", 1)


SHOWN = re.compile(
    r"\b(" + "|".join(term for term in read_terms() if " " in term or not term.islower()) + r")\b"
)
"""Terms whose meaning a page shows on hover: everyday words are left out."""

NO_HOVER = (nodes.literal, nodes.title, nodes.reference, nodes.literal_block, nodes.raw)


def explain_terms(_app: Sphinx, tree: nodes.document, page: str) -> None:
    """Show the meaning of a term on hover, where a page first uses it."""
    terms = {} if page == GLOSSARY or page.startswith(DECISIONS) else read_terms()
    for text in list(tree.findall(nodes.Text)):
        found = SHOWN.search(text)
        parents = text.parent, text.parent.parent
        if found and found[0] in terms and not any(isinstance(each, NO_HOVER) for each in parents):
            word = nodes.abbreviation(found[0], found[0], explanation=terms.pop(found[0]))
            before, after = text[: found.start()], text[found.end() :]
            text.parent.replace(text, [nodes.Text(before), word, nodes.Text(after)])


def make_tabs(_app: Sphinx, tree: nodes.document) -> None:
    """Make tabs of the boxes of each container `tabs`; they work without a script."""
    sets = (each for each in tree.findall(nodes.container) if "tabs" in each["classes"])
    for number, tabs in enumerate(sets):
        parts = []
        for place, box in enumerate(tabs.children):
            title, *content = box.children
            word, own = title.astext(), f"tab-{number}-{place}"
            choice = (
                f'<input type="radio" id="{own}" name="tabs-{number}" value="{word}"'
                f'{"" if place else " checked"}><label for="{own}">{word}</label>'
            )
            parts += [nodes.raw("", choice, format="html"), nodes.container("", *content)]
        tabs.children = []
        tabs.extend(parts)


DECISIONS = "decisions/"

MOVED = {
    "decisions/0001-pipeline-is-a-folder": "explanation/architecture",
    "decisions/0003-strategies": "decisions/0002-what-an-edge-means",
    "decisions/0008-independent-recount": "explanation/recount",
    "decisions/0010-cli-framework": "decisions/0010-libraries",
    "decisions/0011-schema-validator": "decisions/0010-libraries",
    "decisions/0012-records": "decisions/0010-libraries",
    "decisions/0015-commands": "explanation/architecture",
    "explanation/fuzzing": "explanation/status",
    "explanation/mutation-testing": "explanation/status",
    "explanation/performance": "explanation/status",
    "explanation/sweep-cost": "explanation/status",
    "explanation/testing": "explanation/status",
    "explanation/where-the-time-goes": "explanation/status",
    "users/continuous-integration": "how-to/check-in-ci",
}
"""Pages of earlier versions, and the page that each leads to."""


def add_front_matter(_app: Sphinx, page: str, source: list[str]) -> None:
    """Leave the pages of codes out of the navigation, and the decisions out of the search.

    The list of codes leads to their pages; decisions would be found before the guides.
    """
    is_code = page.startswith(FINDINGS) and not page.endswith("README")
    if is_code or page.startswith(DECISIONS):
        field = "orphan" if is_code else "no-search"
        source[0] = f"---\n{field}: true\n---\n\n{source[0]}"


def write_extra_files(app: Sphinx, error: Exception | None) -> None:
    """Write a page for each moved one, and the list of all pages for language models."""
    if error or app.builder.name != "html":
        return
    for old, new in MOVED.items():
        page = app.outdir / f"{old}.html"
        page.parent.mkdir(exist_ok=True)
        target = app.builder.get_relative_uri(old, new)
        page.write_text(
            "<!doctype html><title>Moved</title>"
            f'<meta http-equiv="refresh" content="0; url={target}">'
            f'<p>This page has moved: <a href="{target}">{target}</a></p>\n',
            encoding="utf-8",
        )
    titles = {page: title.astext() for page, title in sorted(app.env.titles.items())}
    lines = [f"- [{title}](_sources/{page}.md.txt)\n" for page, title in titles.items()]
    text = f"# {html_title}\n\nThe pages of the documentation as Markdown.\n\n{''.join(lines)}"
    (app.outdir / "llms.txt").write_text(text, encoding="utf-8")


def add_samples(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add links to the samples, if they exist, at the end of the tutorial."""
    files = sorted(SAMPLES.rglob("*.pdf")) + sorted(SAMPLES.rglob("*.xlsx"))
    if page == "tutorial/first-submission" and files:
        paths = [f"../{path.relative_to(SAMPLES).as_posix()}" for path in files]
        links = "".join(f'<li><a href="{path}">{Path(path).name}</a></li>' for path in paths)
        source[0] += f"\n## Samples\n\nMade with this site, unsigned:\n\n<ul>{links}</ul>\n"


SHORTEST_DESCRIPTION, LONGEST_DESCRIPTION = 40, 150
"""Characters of a description; search engines show no more."""


def describe_page(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Describe a page in its head by its first paragraph that is a sentence."""
    if tree is None:
        return
    texts = (paragraph.astext() for paragraph in tree.findall(nodes.paragraph))
    text = next((text for text in texts if len(text) >= SHORTEST_DESCRIPTION), "")
    text = shorten(text, LONGEST_DESCRIPTION, placeholder="…")
    context["metatags"] += f'<meta name="description" content="{escape(text)}">'


def write_formula(page: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML."""
    display = "block" if isinstance(node, nodes.math_block) else "inline"
    page.body.append(convert(node.astext(), display=display))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the hooks of this site."""
    app.connect("source-read", add_samples)
    app.connect("source-read", add_front_matter)
    app.connect("source-read", index_terms)
    app.connect("doctree-read", make_tabs)
    app.connect("doctree-resolved", explain_terms)
    app.connect("build-finished", write_extra_files)
    app.connect("html-page-context", describe_page)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
