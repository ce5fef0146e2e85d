"""The documentation as a site: `make site` writes it to out/site/."""

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

html_math_renderer = "mathml"  # every browser draws it, also behind a firewall
html_theme = "furo"
html_title = "certify"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]

SAMPLES = Path(__file__).parents[1] / "out" / "samples"
"""What `make site` has `certify submit` write, to be copied beside the pages."""

TUTORIAL = "tutorial/first-submission"

html_extra_path = [str(SAMPLES)] if SAMPLES.is_dir() else []

FINDINGS = "reference/findings/README"
"""The generated list of finding codes; on the site it leads to their pages."""


def lead_to_pages(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages of all codes below their list, where other readers would see only markup."""
    if page == FINDINGS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def lead_to_samples(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add links to the samples, where they were made, at the end of the tutorial."""
    files = sorted(SAMPLES.rglob("*.pdf")) + sorted(SAMPLES.rglob("*.xlsx"))
    if page == TUTORIAL and files:
        paths = [f"../{path.relative_to(SAMPLES).as_posix()}" for path in files]
        links = "".join(f'<li><a href="{path}">{Path(path).name}</a></li>' for path in paths)
        source[0] += f"\n## Samples\n\nMade with this site, unsigned:\n\n<ul>{links}</ul>\n"


def inline_formula(page: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line as MathML."""
    page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def formula(page: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on lines of its own as MathML."""
    page.body.append(convert(node.astext(), display="block"))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Connect what this site does by itself."""
    app.connect("source-read", lead_to_pages)
    app.connect("source-read", lead_to_samples)
    app.add_html_math_renderer("mathml", (inline_formula, None), (formula, None))
