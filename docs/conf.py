"""Sphinx settings of the site that `make site` builds under out/site/."""

from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

project = "certify"

html_show_copyright = False
html_show_sphinx = False

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # a table of figures has no highlighting

html_math_renderer = "mathml"  # works in every browser without network access
html_theme = "furo"
html_title = "certify"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]

SAMPLES = Path(__file__).parents[1] / "out" / "samples"
"""Sample submissions that `make site` writes and copies into the site."""

TUTORIAL = "tutorial/first-submission"

html_extra_path = [str(SAMPLES)] if SAMPLES.is_dir() else []

FINDINGS = "reference/findings/README"
"""The generated list of finding codes."""


def add_finding_pages(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages of all codes to the navigation below their list."""
    if page == FINDINGS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def add_samples(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add links to the samples, if they exist, at the end of the tutorial."""
    files = sorted(SAMPLES.rglob("*.pdf")) + sorted(SAMPLES.rglob("*.xlsx"))
    if page == TUTORIAL and files:
        paths = [f"../{path.relative_to(SAMPLES).as_posix()}" for path in files]
        links = "".join(f'<li><a href="{path}">{Path(path).name}</a></li>' for path in paths)
        source[0] += f"\n## Samples\n\nMade with this site, unsigned:\n\n<ul>{links}</ul>\n"


def inline_formula(page: HTML5Translator, node: nodes.math) -> None:
    """Write an inline formula as MathML."""
    page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def formula(page: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula as MathML."""
    page.body.append(convert(node.astext(), display="block"))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the hooks of this site."""
    app.connect("source-read", add_finding_pages)
    app.connect("source-read", add_samples)
    app.add_html_math_renderer("mathml", (inline_formula, None), (formula, None))
