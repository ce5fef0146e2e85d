"""Every finding code with its page, gathered from the modules that declare what they find."""

from certify import checks, intake
from certify.checks.check import Check, declared
from certify.model.finding import Code
from certify.pipeline.crosscheck.findings import C001
from certify.pipeline.provenance import D019
from certify.pipeline.redline.findings import C002, C003
from certify.pipeline.register.artwork import R015

FAMILIES = "JSDPMEGHFRC"
"""The first letters of the codes, in the order in which a file is judged."""

_DECLARED = {
    each.code if isinstance(each, Check) else each
    for each in (*declared(intake), *declared(checks), R015, C001, C002, C003, D019)
    if isinstance(each, Check | Code)
}

CODES = tuple(sorted(_DECLARED, key=lambda code: (FAMILIES.index(code.id[0]), code.id)))
"""All codes, family by family."""


def page(code: Code) -> str:
    """Return the documentation page of a code, as Markdown."""
    return f"# {code.id}: {code.title}\n\nSeverity: {code.severity}\n\n{code.page('## ')}"


def documentation() -> dict[str, str]:
    """Return the files of ``docs/reference/findings`` by name: a page for each code, the index."""
    lines = [f"| [{code.id}]({code.id}.md) | {code.severity} | {code.title} |" for code in CODES]
    head = "# Finding codes\n\n| code | severity | what is found |\n|---|---|---|\n"
    index = head + "\n".join(lines) + "\n"
    return {f"{code.id}.md": page(code) for code in CODES} | {"README.md": index}
