"""The documentation as a site: `make site` writes it to out/site/."""

from sphinx.application import Sphinx

project = "certify"

html_show_copyright = False
html_show_sphinx = False

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]  # a table of figures has no highlighting

html_theme = "furo"
html_title = "certify"
html_copy_source = False
html_show_sourcelink = False
html_static_path: list[str] = []

FINDINGS = "reference/findings/README"
"""The generated list of finding codes; on the site it leads to their pages."""


def lead_to_pages(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages of all codes below their list, where other readers would see only markup."""
    if page == FINDINGS:
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def setup(app: Sphinx) -> None:
    """Connect what this site does by itself."""
    app.connect("source-read", lead_to_pages)
